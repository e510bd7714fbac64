"""One row taken out: every threshold that could have come out, and its exact chance, with the row and without it.

Whose scores? ``ranked_rows(prepared)``, by a model without privacy, so that only the threshold's protection shows.
What changes without one of them? ``take_row_out(ranked, place=1, epsilon=1.0)``, for candidates on a public grid and
for candidates that are the scores themselves.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.experiments.prepare import prepare
>>> out = take_row_out(ranked_rows(prepare(load_sample("diabetes")), n=200), place=1, epsilon=1.0)
>>> bool(out.on_grid.largest_log_ratio <= 1.0), out.among_scores.largest_log_ratio
(True, inf)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.thresholds import public_grid
from dpcp_core.data.schema import Column
from dpcp_core.experiments.prepare import Prepared
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import train_reference
from dpcp_core.privacy.order_statistics import order_statistics_distribution
from dpcp_core.privacy.quantile import quantile_distribution

_LOSS = "bracket"


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Scores of rows under one model, and what is public about them.

    Attributes
    ----------
    scores : float64 array of shape (n,)
        Increasing: how far each row is from what the model says of it. Private.
    score : str
        Key in ``SCORES``.
    target : Column
    one_row_is : str
    bound, smallest : float
        Public: the largest score that is possible, and the finest threshold worth telling apart.
    """

    scores: Floats
    score: str
    target: Column
    one_row_is: str
    bound: float
    smallest: float

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.scores)


@dataclass(frozen=True, eq=False)
class TwoWorlds:
    """The exact distribution of one result, with a row and without it.

    Attributes
    ----------
    candidates : float64 array of shape (K,)
        Increasing, all different.
    with_row, without_row : float64 arrays of shape (K,)
        Log-probabilities; minus infinity where a candidate cannot come out.
    """

    candidates: Floats
    with_row: Floats
    without_row: Floats

    @property
    def log_ratios(self) -> Floats:
        """By how much each log-probability changes, (K,), 0 or more; infinity where one world alone can show it."""
        possible = np.isfinite(self.with_row) | np.isfinite(self.without_row)
        changes = np.zeros(len(self.candidates))
        changes[possible] = np.abs(self.with_row[possible] - self.without_row[possible])
        return changes

    @property
    def largest_log_ratio(self) -> float:
        """The epsilon that this row would need."""
        return float(self.log_ratios.max())

    @property
    def telltale(self) -> float:
        """Chance, with the row, of a result that is impossible without it."""
        return float(np.exp(self.with_row[np.isneginf(self.without_row)]).sum())

    @property
    def advantage(self) -> float:
        """Largest share of hits minus false alarms of an attacker who knows all other rows."""
        return float(np.abs(np.exp(self.with_row) - np.exp(self.without_row)).sum() / 2)


@dataclass(frozen=True, eq=False)
class RowOut:
    """What one row changes.

    Attributes
    ----------
    ranked : RankedRows
    place : int
        Of the row: 1 has the largest score.
    epsilon, miss_rate : float
        What the threshold was drawn with.
    on_grid : TwoWorlds
        Candidates on a public grid: (epsilon, 0)-private.
    among_scores : TwoWorlds
        Candidates that are the scores themselves: not private.
    note : str
        Empty, or why the public grid gives its last candidate whatever the scores are.

    Notes
    -----
    **Privacy.** All of it is a function of private scores: the curator's view, never part of a release. The model is
    the same in both worlds: a row that trained it is hidden by the noise of training, which this does not show.
    """

    ranked: RankedRows
    place: int
    epsilon: float
    miss_rate: float
    on_grid: TwoWorlds
    among_scores: TwoWorlds
    note: str = ""

    @property
    def score(self) -> float:
        """The row's own score."""
        return float(self.ranked.scores[-self.place])


def ranked_rows(prepared: Prepared, *, n: int | None = None, seed: int = 0) -> RankedRows:
    """Return the scores of rows under a model without privacy, that which suits the target.

    Parameters
    ----------
    prepared : Prepared
    n : int, optional
        How many rows at most; where there are more, these are spread evenly over all ranks. At least 2.
    seed : int
        Of the split that leaves some rows out.

    Raises
    ------
    InputError
        ``n`` is no whole number of at least 2.
    """
    settings = ConformalSettings(repetitions=1, seed=seed).resolved(prepared.task, prepared.goal.n_classes)
    scores = train_reference(prepared, settings.training_key()).scores[:, 0]
    kept = len(scores) if n is None else min(check.whole(at_least=2, n=n), len(scores))
    ranks = np.linspace(0, len(scores) - 1, kept).round().astype(np.int64)
    score = SCORES[settings.score]
    return RankedRows(
        scores=scores[ranks],
        score=score.name,
        target=prepared.target,
        one_row_is=prepared.one_row_is,
        bound=score.bound(prepared.goal),
        smallest=score.smallest(prepared.goal),
    )


def likeliest_place(ranked: RankedRows, *, epsilon: float, miss_rate: float = 0.1) -> int:
    """Return the place, 1 for the largest score, of the row whose own score is most likely to come out.

    Parameters
    ----------
    ranked : RankedRows
    epsilon, miss_rate : float
        As in :func:`take_row_out`.
    """
    spread = order_statistics_distribution(
        ranked.scores, epsilon=epsilon, miss_rate=miss_rate, loss=_LOSS, guarantee="certified"
    )
    return ranked.n - int(np.argmax(spread.log_probabilities[0]))


def take_row_out(
    ranked: RankedRows,
    *,
    place: int,
    epsilon: float,
    miss_rate: float = 0.1,
    bins: int | str = 100,
    grid: str = "geometric",
) -> RowOut:
    """Return the exact distribution of the threshold with a row and without it, in two ways to choose candidates.

    Parameters
    ----------
    ranked : RankedRows
    place : int
        Which row: 1 has the largest score, ``ranked.n`` the smallest.
    epsilon : float
        Of the threshold, above 0.
    miss_rate : float
        Share of scores that may lie above the threshold.
    bins : int or str
        Candidates of the public grid, or the rule that gives their number.
    grid : str
        ``"geometric"`` or ``"uniform"``.

    Raises
    ------
    InputError
        If a parameter is out of range.
    """
    row = ranked.n - check.whole(at_most=ranked.n, place=place)
    without = np.delete(ranked.scores, row)
    public = public_grid(
        grid, bins, smallest=ranked.smallest, largest=ranked.bound, n=ranked.n, alpha=miss_rate, epsilon=epsilon
    )
    # The number of rows is public: an emptied row is still among them.
    before, after = (
        quantile_distribution(s, public, n=ranked.n, epsilon=epsilon, miss_rate=miss_rate, loss=_LOSS)
        for s in (ranked.scores, without)
    )
    on_grid = TwoWorlds(public.edges, before.log_probabilities, after.log_probabilities)
    return RowOut(
        ranked,
        place,
        epsilon,
        miss_rate,
        on_grid,
        _among_scores(ranked.scores, without, epsilon, miss_rate),
        before.note,
    )


def _among_scores(scores: Floats, without: Floats, epsilon: float, miss_rate: float) -> TwoWorlds:
    candidates = np.unique(scores)
    before, after = (
        order_statistics_distribution(s, epsilon=epsilon, miss_rate=miss_rate, loss=_LOSS, guarantee="certified")
        for s in (scores, without)
    )
    return TwoWorlds(candidates, *(_by_value(d.edges[0], d.log_probabilities[0], candidates) for d in (before, after)))


def _by_value(edges: Floats, logs: Floats, candidates: Floats) -> Floats:
    """Add up the chances of equal scores: nobody can tell from the number whose it is."""
    found = np.full(len(candidates), -math.inf)
    np.logaddexp.at(found, np.searchsorted(candidates, edges), logs)
    return found
