"""A verdict in words: what was measured, and where a claim holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dpcp_core.experiments.reproduce.verdict import Status, Trial, Verdict
from dpcp_core.presentation.findings.claims import Claim, Measure
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.crossings import listed, opened, where

HOW_DECIDED = (
    "Every claim is tried in each place that it speaks of: table, model, epsilon. Two methods are compared repetition "
    "by repetition, on the same splits and with the same noise seeds. A place counts for or against a claim only where "
    "the interval of the mean difference leaves out zero; these intervals hold for all places of a claim together with "
    "95 % (Bonferroni), and speak of these tables under new splits and new noise. “At least” is met by a mean that "
    "reaches it. A claim holds where no place speaks against it and at most one in ten is too close to call."
)

NOT_TRIED = "No table that it speaks of was run."


def figure_words(claim: Claim[Any], verdict: Verdict) -> str:
    r"""Return what was measured, from smallest to largest.

    >>> from dpcp_core.presentation.findings.claims import OF_THE_TEXTS
    >>> trials = (Trial("Abalone", "ols", 1.0, 0.911, "yes"), Trial("Abalone", "ols", 2.0, 0.95, "yes"))
    >>> figure_words(OF_THE_TEXTS[0], Verdict("holds", trials)).replace("\u202f", " ").replace("\xa0", " ")
    'Coverage of DPCP as published: 91.1 % to 95.0 %; so in both of 2 places.'
    """
    if not verdict.trials:
        return NOT_TRIED
    low, middle, high = _values(verdict.values, claim.measure)
    shown = low
    if len(verdict.trials) > 1:
        shown = f"{shown} to {high}"
    if len(verdict.trials) > 2:
        shown = f"{shown}, middle {middle}"
    return f"{opened(claim.of)}: {shown}; {_count(verdict)}."


def status_words(verdict: Verdict) -> str:
    """Return the verdict; where a claim holds in some places, which these are.

    >>> status_words(Verdict("holds", ()))
    'holds'
    """
    if verdict.status != "only where":
        return verdict.status
    return f"only where: {held_words(verdict.trials)}"


def held_words(trials: Sequence[Trial]) -> str:
    """Return where a claim holds, table by table.

    >>> trials = [Trial("Abalone", "ols", 1.0, 0.9, "yes"), Trial("Abalone", "ols", 2.0, 1.1, "no")]
    >>> held_words([*trials, Trial("CASP", "ols", 1.0, 1.2, "no"), Trial("Bike", "ols", 1.0, 1.0, "open")])
    'Abalone at ε = 1; not on CASP; too close to call on Bike'
    """
    by_table = {table: [trial for trial in trials if trial.table == table] for table in _distinct(trials)}
    held = {table: _held_on(some) for table, some in by_table.items()}
    parts = [f"{table} {place}" for table, place in held.items() if place]
    nowhere = [table for table, place in held.items() if not place]
    against = [table for table in nowhere if any(trial.outcome == "no" for trial in by_table[table])]
    untold = [table for table in nowhere if table not in against]
    for said, tables in (("not on", against), ("too close to call on", untold)):
        if tables:
            parts.append(f"{said} {listed(tables)}")
    return "; ".join(parts)


MARKS: Mapping[Status, str] = MappingProxyType({
    "holds": "✓", "does not hold": "✗", "only where": "◐", "cannot be told": "?", "not tried": "–",
})  # fmt: skip
"""A sign before each verdict, so that colour is never all that tells them apart."""


def _held_on(trials: Sequence[Trial]) -> str:
    """Return at which epsilons a claim holds on one table, for all models or for some."""
    epsilons = sorted({trial.epsilon for trial in trials})
    outcomes = {
        epsilon: [trial.outcome == "yes" for trial in trials if trial.epsilon == epsilon] for epsilon in epsilons
    }
    wholly = [epsilon for epsilon in epsilons if all(outcomes[epsilon])]
    partly = [epsilon for epsilon in epsilons if any(outcomes[epsilon]) and epsilon not in wholly]
    said = [_at(wholly, epsilons)] if wholly else []
    if partly:
        said.append(f"in part {_at(partly, epsilons)}")
    return ", ".join(said)


def _at(epsilons: Sequence[float], among: Sequence[float]) -> str:
    return where(epsilons, among) if len(among) > 1 else f"at ε = {say.short(among[0])}"


def _distinct(trials: Sequence[Trial]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(trial.table for trial in trials))


def _count(verdict: Verdict) -> str:
    n, n_yes, n_open = len(verdict.trials), verdict.n("yes"), verdict.n("open")
    if n == 1:
        said = {"yes": "so it is", "no": "not so", "open": "too close to call"}[verdict.trials[0].outcome]
        return f"{said}, in the one place tried"
    every = "both" if n == 2 else "all"
    if n_open == n:
        return f"too close to call in {every} {n} places" if n > 2 else "too close to call in both places"
    so = f"so in {every} of {n} places" if n_yes == n else f"so in {n_yes or 'none'} of {n} places"
    return f"{so}, {n_open} too close to call" if n_open else so


def _values(values: Sequence[float], measure: Measure) -> list[str]:
    """Write values alike; ratios with as many digits as tell them from 1, which is where a claim turns."""
    if measure == "points":
        return [f"{say.fixed(100 * value, 1)}{say.NARROW}points" for value in values]
    if measure != "ratio":
        return [say.percent(value) for value in values]
    digits = next((n for n in (3, 4) if not any(_looks_like_1(value, n) for value in values)), 5)
    return [say.number(value, digits) for value in values]


def _looks_like_1(value: float, digits: int) -> bool:
    last = digits - 1 if value > 1 else digits
    return 0 < abs(value - 1) < 0.5 * 10.0**-last
