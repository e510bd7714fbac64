"""An audit in words: bounds are rounded down, broken is called broken, planted mistakes stand apart."""

from __future__ import annotations

import math

import pytest

from dpcp_core.experiments.audit.report import AuditReport, Finding
from dpcp_core.presentation.audit_page import audit_markdown
from dpcp_core.presentation.wording import audit as words


def finding(bound, *, fault="", is_exact=False, title="Noisy count"):
    return Finding("noisy_count", title, "So many draws.", 1.0, 0.0, bound, 0.95, is_exact, fault=fault)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (finding(0.9), "holds"),
        (finding(1.1), "broken"),
        (finding(1.1, fault="noise_halved"), "caught"),
        (finding(0.9, fault="noise_halved"), "not caught"),
    ],
)
def test_every_outcome_has_its_word(found, said):
    assert words.verdict(found) == said
    assert words.verdict(AuditReport((found,)).verdicts[0]) == said


@pytest.mark.parametrize(("bound", "said"), [(0.999, "0.99"), (1.0, "1.00"), (math.inf, "infinity"), (0.0, "0.00")])
def test_a_bound_is_never_rounded_up(bound, said):
    assert words.bound_words(finding(bound)) == said


def test_the_summary_names_what_is_broken_and_what_was_missed():
    planted = finding(0.2, fault="clipping_off"), finding(2.0, fault="shuffle")
    report = AuditReport((finding(1.1), *planted), stopped=True)
    assert words.summary(report) == (
        "A claim is broken (Noisy count): 1\u00a0attack on 1\u00a0claim. "
        "1 of 2\u00a0planted mistakes were caught; not: clipping off. Stopped before the end."
    )


def test_the_page_has_a_table_of_claims_and_one_of_planted_mistakes():
    page = audit_markdown(AuditReport((finding(0.9), finding(0.95), finding(2.0, fault="x", title="Mistake"))))
    assert "| Noisy count | 0.95 | 0 of 2 | 95\u202f% sure | holds |" in page
    assert page.index("Mistakes planted on purpose") < page.index("| Mistake |")
    assert words.LIMITS in page
