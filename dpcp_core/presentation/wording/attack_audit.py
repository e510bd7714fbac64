"""What the page says around an audit.

>>> KINDS["mechanism"]
'mechanisms'
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.audit import bound_words, claim_words, confidence_words, summary, verdict
from dpcp_core.presentation.wording.progress import duration

if TYPE_CHECKING:
    from dpcp_core.experiments.audit.report import AuditReport, Finding, Verdict

KINDS: Mapping[str, str] = MappingProxyType(
    {"mechanism": "mechanisms", "training": "training", "synthesis": "synthetic tables"}
)
"""What the kinds of claims are called."""

EFFORTS: Mapping[str, str] = MappingProxyType({"quick": "quick", "long": "long"})
"""What the efforts are called."""

NOTHING_CHOSEN = "Choose at least one kind of claim and one ε to attack."

STOPPED = "The audit was stopped before it had attacked anything."

SHARE_AXIS = "ε that the attack proved, as a share of the claim"
THE_CLAIM, BEYOND = "the claim", "2 or more"
"""Words of the picture."""

COLUMNS = ("attacked", "claim", "at least", "how sure", "verdict", "how")
"""Titles of its table."""


def offer(seconds: float) -> str:
    """Say what an audit attacks, and how long it takes on an idle computer; Markdown.

    >>> offer(180).partition(":")[2]
    ' about **3 minutes**, or more on a busy computer. You can go on meanwhile.'
    """
    return (
        f"Attacks run on made-up tables, not on yours: about **{duration(seconds)}**, or more on a busy computer. "
        "You can go on meanwhile."
    )


def series_name(epsilon: float) -> str:
    """Return what the marks of one claimed epsilon are called.

    >>> series_name(0.5)
    'ε = 0.5'
    """
    return f"ε = {say.short(epsilon)}"


def line_title(finding: Finding) -> str:
    """Return what was attacked; for a planted fault, what was broken about it.

    >>> from dpcp_core.experiments.audit.report import Finding
    >>> line_title(Finding("ridge", "Ridge regression", "", 1.0, 0.0, 2.0, 0.95, is_exact=False, fault="clipping_off"))
    'Clipping off'
    """
    if not finding.fault:
        return finding.title
    words = finding.fault.replace("_", " ")
    return f"{words[0].upper()}{words[1:]}"


def point_words(found: Verdict) -> str:
    """Return what one mark says."""
    worst = found.worst
    proved = f"at least {bound_words(worst)} ({confidence_words(worst)})"
    return f"{line_title(worst)}: {claim_words(worst)}, {proved}, {verdict(found)}"


def table_line(found: Verdict) -> tuple[str, ...]:
    """Return a line of the table, under ``COLUMNS``."""
    worst = found.worst
    words = (claim_words(worst), bound_words(worst), confidence_words(worst), verdict(found))
    return (line_title(worst), *words, worst.attack)


def audit_alt(report: AuditReport) -> str:
    """Return what the picture of an audit shows, in two sentences."""
    shipped = [finding for finding in report.findings if not finding.fault]
    if not shipped:
        return summary(report)
    nearest = max(shipped, key=lambda finding: finding.bound / finding.epsilon)
    share = nearest.bound / nearest.epsilon
    at = "without limit" if math.isinf(share) else f"{say.number(share)} times its claim"
    return f"{summary(report)} The attack that comes nearest is that on “{nearest.title}”: {at}."
