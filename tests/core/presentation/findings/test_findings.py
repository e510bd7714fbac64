"""The page of findings says what the numbers say: claim by claim, with places and counts."""

from __future__ import annotations

import re
from html import escape

import numpy as np
import pytest

from dpcp_core.experiments.reproduce.published.registry import PUBLISHED
from dpcp_core.experiments.reproduce.run import Reproduction
from dpcp_core.experiments.reproduce.studies import Effort
from dpcp_core.experiments.reproduce.timing import Timing
from dpcp_core.experiments.reproduce.verdict import Trial, Verdict
from dpcp_core.presentation.findings.claims import OF_THE_TEXTS, OUR_OWN
from dpcp_core.presentation.findings.files import files_of
from dpcp_core.presentation.findings.page import findings, findings_html, findings_markdown, run_lines
from dpcp_core.presentation.findings.words import figure_words, held_words, status_words
from dpcp_core.presentation.wording.plain import SIMULATION
from tests.core.experiments.reproduce.cells import cell, run_of

METHODS = ("split", "pscp", "dpcp_paper", "dpcp")


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\xa0", " ")


@pytest.fixture
def done() -> Reproduction:
    """Return a table on which DPCP as published is narrower than private split at epsilon .5 only."""
    sizes = {"split": 1.0, "pscp": 2.0, "dpcp": 1.2}
    cells = [
        cell(method, epsilon, size=sizes.get(method, 1.8 if epsilon < 1 else 3.0), coverage=0.95)
        for method in METHODS
        for epsilon in (0.5, 2.0)
    ]
    timing = Timing(1000, np.array([2.0, 2.0]), np.array([0.02, 0.02]))
    return Reproduction((run_of(cells),), PUBLISHED[1:5], (PUBLISHED[5],), Effort(3), timing, 1.0)


def verdict_on(done: Reproduction, start: str):
    return next(entry for entry in findings(done, (*OF_THE_TEXTS, *OUR_OWN)) if entry.claim.sentence.startswith(start))


def test_a_claim_that_holds_in_part_says_where(done):
    entry = verdict_on(done, "At the same budget")
    assert plain(status_words(entry.verdict)) == "only where: Abalone at ε = 0.5"
    assert plain(figure_words(entry.claim, entry.verdict)) == (
        "Width of DPCP as published over that of private split: 0.900 to 1.50; so in 1 of 2 places."
    )


def test_claims_end_as_the_cells_were_made(done):
    status = {entry.claim.sentence[:24]: entry.verdict.status for entry in findings(done, OF_THE_TEXTS)}
    assert status["DPCP covers at least as "] == "holds"
    assert status["DPCP's intervals get nar"] == "does not hold"
    assert status["Beyond 100,000 ranked ro"] == "does not hold"
    assert status["On Bike Sharing they are"] == "not tried"
    assert verdict_on(done, "It closes at least half").verdict.status == "holds"


def test_each_claim_of_the_texts_names_its_place_and_none_of_ours_does():
    assert all(re.match(r"(overview|details) \d", claim.source) for claim in OF_THE_TEXTS)
    assert not any(claim.source for claim in OUR_OWN)
    assert len({claim.sentence for claim in (*OF_THE_TEXTS, *OUR_OWN)}) == len(OF_THE_TEXTS) + len(OUR_OWN)


def test_places_where_models_disagree_are_told_as_such():
    trials = [
        Trial("CASP", trainer, epsilon, 1.0, "yes" if epsilon > 1 or trainer == "ols" else "no")
        for trainer in ("ols", "lasso")
        for epsilon in (1.0, 2.0)
    ]
    assert held_words(trials) == "CASP at ε = 2, in part at ε = 1"
    assert held_words([Trial("CASP", "ols", 1.0, 1.0, "no")]) == "not on CASP"


def test_what_is_too_close_to_call_is_counted():
    trials = tuple(Trial("CASP", "ols", 1.0, 0.9, outcome) for outcome in ("yes", "open", "no"))
    assert plain(figure_words(OF_THE_TEXTS[0], Verdict("only where", trials))) == (
        "Coverage of DPCP as published: 90.0 % to 90.0 %, middle 90.0 %; so in 1 of 3 places, 1 too close to call."
    )


def test_both_pages_say_the_same(done):
    html, markdown = findings_html(done), findings_markdown(done)
    for entry in findings(done, (*OF_THE_TEXTS, *OUR_OWN)):
        assert escape(entry.claim.sentence) in html
        assert escape(status_words(entry.verdict)) in html
        assert entry.claim.sentence in markdown
        assert figure_words(entry.claim, entry.verdict) in markdown
    assert SIMULATION in html
    assert SIMULATION in markdown


def test_what_is_missing_is_said_with_its_address(done):
    said = "\n".join(run_lines(done))
    assert "Bike Sharing is missing (bike_sharing_hour.csv, or hour.csv): download it from https://" in said
    assert "MNIST: not asked for; --tables mnist runs it." in said


def test_the_page_asks_nothing_of_any_network(done):
    html = findings_html(done)
    # Addresses of tables are text, not links.
    assert re.findall(r'(?:src|href)="(?!figures/|tables/|data:,)', html) == []
    assert "<script" not in html


def test_every_file_is_made(done):
    files = dict(files_of(done))
    assert list(files) == [
        "findings.md",
        "findings.html",
        "tables/cells.csv",
        "tables/abalone.md",
        "figures/abalone.html",
    ]
    assert files["tables/cells.csv"].count("\n") == 9
    table = plain(files["tables/abalone.md"])
    assert "| private split, as published | 2.00 ± 0.10 (2.00) | 2.00 ± 0.10 (2.00) |" in table
    assert "95.0 ± 1.0 %" in table
    figures = files["figures/abalone.html"]
    assert figures.count('role="img"') == 4
    assert re.findall(r'<script[^>]* src=|<link[^>]*href="http', figures) == []


def test_a_cell_that_cannot_be_computed_is_a_dash(done):
    broken = cell("oracle", 0.5)
    object.__setattr__(broken, "problem", "It needs more rows.")
    run = run_of([*done.runs[0].cells, broken, cell("oracle", 2.0)])
    table = dict(files_of(Reproduction((run,), (), (), Effort(3), done.timing, 1.0)))["tables/abalone.md"]
    assert "| no privacy | – |" in table


def test_places_that_are_all_too_close_to_call_are_told_once():
    trials = tuple(Trial("CASP", "ols", epsilon, 0.9, "open") for epsilon in (0.5, 1.0, 2.0))
    assert plain(figure_words(OF_THE_TEXTS[0], Verdict("cannot be told", trials))).endswith(
        "middle 90.0 %; too close to call in all 3 places."
    )


def test_a_ratio_next_to_1_is_written_so_that_its_side_is_seen():
    trials = tuple(Trial("CASP", "ols", ratio, ratio, "yes") for ratio in (0.9996, 0.9998))
    claim = next(claim for claim in OF_THE_TEXTS if claim.measure == "ratio")
    words = plain(figure_words(claim, Verdict("holds", trials)))
    assert "0.9996 to 0.9998" in words
