"""An audit in words: what was attacked, what the attack proved, and what that means.

>>> from dpcp_core.experiments.audit.report import Finding
>>> finding = Finding("noisy_count", "Noisy count", "1,000 draws of each kind.", 1.0, 0.0, 0.93, 0.95, is_exact=False)
>>> verdict(finding), bound_words(finding), confidence_words(finding)
('holds', '0.93', '95\u202f% sure')
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpcp_core.experiments.audit.report import AuditReport, Finding, Verdict
from dpcp_core.presentation.wording import numbers as say

TABLE_NOTE = (
    "At each claimed epsilon: the largest number that an attack proved epsilon not to be below. "
    "Above: how many bounds lie above the claim."
)

LIMITS = (
    "A bound is a number that epsilon is not below. An attack can prove a claim wrong. It cannot prove a claim right: "
    "a better attack, or a worse table, may exist."
)

MEASURED = "Simulation on made-up tables: nothing here is a private release, and no row of yours was read."

FAULTS_TITLE = "Mistakes planted on purpose"
CLAIMS_TITLE = "What is shipped"
ATTACKS_TITLE = "How it was attacked"
ATTACKS_NOTE = "The look with the largest bound, at the last epsilon of each line."
PAGE_TITLE = "Audit: what attacks proved about our claims"


def verdict(finding: Finding | Verdict) -> str:
    """Return what an attack, or all of them, did to a claim, in a word or two."""
    fault = finding.worst.fault if isinstance(finding, Verdict) else finding.fault
    if fault:
        return "caught" if finding.is_broken else "not caught"
    return "broken" if finding.is_broken else "holds"


def claim_words(finding: Finding) -> str:
    r"""Return the cost that is claimed.

    >>> claim_words(Finding("a", "A", "", 4.0, 1e-5, 0.0, 0.95, is_exact=False))
    'epsilon 4, delta 1 in 100,000'
    """
    at = f", delta {say.one_in(finding.delta)}" if finding.delta else ""
    return f"epsilon {say.short(finding.epsilon)}{at}"


def bound_words(finding: Finding) -> str:
    """Return the number that epsilon is not below, rounded down, so that it stays one.

    >>> bound_words(Finding("a", "A", "", 0.5, 0.0, 0.4999, 1.0, is_exact=True))
    '0.49'
    """
    if math.isinf(finding.bound):
        return "infinity"
    return say.fixed(math.floor(100 * finding.bound + 1e-6) / 100, 2)


def confidence_words(finding: Finding) -> str:
    """Return how sure the bound is."""
    return "exact" if finding.is_exact else f"{say.level(finding.confidence)} sure"


def audit_rows(found: Sequence[Verdict]) -> list[tuple[str, ...]]:
    r"""Return a table of verdicts, titles first: a line for each claim or planted mistake, a column for each epsilon.

    Examples
    --------
    >>> looks = [
    ...     Finding("a", "Noisy count", "", epsilon, 0.0, 0.9 * epsilon, 0.95, is_exact=False) for epsilon in (1.0, 4.0)
    ... ]
    >>> for row in audit_rows(AuditReport(tuple(looks)).verdicts):
    ...     print(row)
    ('attacked', 'at 1', 'at 4', 'above', 'how sure', 'verdict')
    ('Noisy count', '0.90', '3.60', '0 of 2', '95\u202f% sure', 'holds')
    """
    epsilons = sorted({each.worst.epsilon for each in found})
    by_claim: dict[tuple[str, str], list[Verdict]] = {}
    for each in found:
        by_claim.setdefault((each.worst.fault, each.worst.claim), []).append(each)
    titles = ("attacked", *(f"at {say.short(epsilon)}" for epsilon in epsilons), "above", "how sure", "verdict")
    return [titles, *(_audit_row(some, epsilons) for some in by_claim.values())]


def _audit_row(some: Sequence[Verdict], epsilons: Sequence[float]) -> tuple[str, ...]:
    bounds = {each.worst.epsilon: bound_words(each.worst) for each in some}
    above = f"{say.whole(sum(each.n_above for each in some))} of {say.whole(sum(each.n_looks for each in some))}"
    # One broken epsilon breaks a claim, and is enough to catch a mistake.
    told = next((each for each in some if each.is_broken), some[0])
    cells = (bounds.get(epsilon, "") for epsilon in epsilons)
    return (told.worst.title, *cells, above, confidence_words(told.worst), verdict(told))


def summary(report: AuditReport) -> str:
    r"""Return what came out of an audit, in two sentences at most.

    >>> one = Finding("a", "Noisy count", "", 1.0, 0.0, 0.93, 0.95, is_exact=False)
    >>> summary(AuditReport((one,)))
    'No attack broke a claim: 1\xa0attack on 1\xa0claim.'
    """
    shipped = [finding for finding in report.findings if not finding.fault]
    sentences = [_of_claims(shipped, report.broken)] if shipped else []
    planted = dict.fromkeys(finding.fault for finding in report.findings if finding.fault)
    if planted:
        sentences.append(_of_faults(len(planted), report.missed_faults))
    if report.stopped:
        sentences.append("Stopped before the end.")
    return " ".join(sentences)


def _of_claims(shipped: Sequence[Finding], broken: Sequence[Finding]) -> str:
    n_claims = len({finding.claim for finding in shipped})
    attacks = f"{say.count(len(shipped), 'attack')} on {say.count(n_claims, 'claim')}"
    if not broken:
        return f"No attack broke a claim: {attacks}."
    names = ", ".join(dict.fromkeys(finding.title for finding in broken))
    return f"A claim is broken ({names}): {attacks}."


def _of_faults(n_planted: int, missed: Sequence[str]) -> str:
    if not missed:
        return f"All {say.count(n_planted, 'planted mistake')} were caught."
    names = ", ".join(name.replace("_", " ") for name in missed)
    n_caught = say.whole(n_planted - len(missed))
    return f"{n_caught} of {say.count(n_planted, 'planted mistake')} were caught; not: {names}."
