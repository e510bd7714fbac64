"""A mechanism whose probabilities are known exactly, held against its claim on tables found by search."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Counts
from dpcp_core.evaluation.audit.exact import ExactAudit, LogProbabilities, worst_table
from dpcp_core.experiments.audit.audited import Effort
from dpcp_core.experiments.audit.report import EXACT, Finding

_SEARCHES: dict[Effort, tuple[int, int]] = {"quick": (10, 40), "long": (30, 400)}
"""Tables side by side, and steps."""


@dataclass(frozen=True)
class ExactCase:
    """One setting of a mechanism, all of it public.

    Attributes
    ----------
    mechanism : callable
        See ``worst_table``.
    n_rows, n_places : int
    place : callable
        From a place to where it is, in words that follow "rows lie".
    about : str
        The setting in words that follow "with".
    starts : tables
        Expected to be bad.
    weight : float
        Share of the usual steps of the search, for slow mechanisms.
    """

    mechanism: LogProbabilities
    n_rows: int
    n_places: int
    place: Callable[[int], str]
    about: str
    starts: tuple[tuple[int, ...], ...] = ()
    weight: float = 1.0

    def search(self, delta: float, rng: np.random.Generator, effort: Effort) -> ExactAudit:
        """Return the worst pair of tables that a search finds."""
        climbers, steps = _SEARCHES[effort]
        return worst_table(
            self.mechanism, self.n_rows, self.n_places,
            rng=rng, delta=delta, n_climbers=climbers, n_steps=max(1, round(steps * self.weight)), starts=self.starts,
        )  # fmt: skip


def exact_finding(
    audited: tuple[str, str],
    cost: tuple[float, float],
    cases: Iterable[ExactCase],
    rng: np.random.Generator,
    effort: Effort,
) -> Finding:
    """Return the worst that any of the settings gives away, held against what is claimed.

    Parameters
    ----------
    audited : key and title
    cost : epsilon and delta that are claimed
    cases : settings
    rng, effort
        Of the search.
    """
    epsilon, delta = cost
    found = [(case.search(delta, rng, effort), case) for case in cases]
    worst, case = max(found, key=lambda pair: pair[0].epsilon)
    n_pairs = sum(audit.n_pairs for audit, _ in found)
    return Finding(*audited, _attack(worst, case, n_pairs), epsilon, delta, worst.epsilon, EXACT, is_exact=True)


def _attack(worst: ExactAudit, case: ExactCase, n_pairs: int) -> str:
    there, place = worst.table[worst.emptied], case.place(worst.emptied)
    lie = f"one lies {place}, and it" if there == 1 else f"{there:,} lie {place}, and one of these"
    return (
        f"Exact probabilities for {n_pairs:,} pairs of tables that differ in one emptied row. The worst pair, with "
        f"{case.about}: of {sum(worst.table):,} rows {lie} is emptied."
    )


@dataclass(frozen=True)
class EdgePlaces:
    """Where scores may lie around M candidates: below the first, on one, between two, above the last."""

    bins: int

    @property
    def n_places(self) -> int:
        """Number of places."""
        return 2 * self.bins + 1

    def above(self, tables: Counts) -> Counts:
        """Return how many scores lie above each candidate, (T, M); nothing counts above the last one."""
        from_top = np.cumsum(tables[:, ::-1], axis=1)[:, ::-1]
        counts: Counts = from_top[:, 2::2].copy()
        counts[:, -1] = 0
        return counts

    def below(self, tables: Counts) -> Counts:
        """Return how many scores lie below each candidate, (T, M)."""
        counts: Counts = np.cumsum(tables, axis=1)[:, :-1:2]
        return counts

    def words(self, place: int) -> str:
        """Return where a place is.

        >>> [EdgePlaces(2).words(place) for place in (0, 1, 2)]
        ['below all candidates', 'on candidate 1', 'between candidates 1 and 2']
        """
        if place == 0:
            return "below all candidates"
        if place == 2 * self.bins:
            return "above all candidates"
        edge = (place + 1) // 2
        return f"on candidate {edge}" if place % 2 else f"between candidates {edge} and {edge + 1}"

    def heaped(self, n_rows: int, target: float) -> tuple[tuple[int, ...], ...]:
        """Return tables in which all candidates but two share the target count, and one row decides."""
        found = []
        for top in {int(np.floor(target)), int(np.ceil(target))}:
            if 0 < top < n_rows and self.bins > 1:
                table = np.zeros(self.n_places, np.int64)
                table[0], table[2], table[-1] = n_rows - top - 1, 1, top
                found.append(tuple(int(n) for n in table))
        return tuple(found)
