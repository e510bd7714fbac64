"""A private quantile of scores, its exact distribution, and what it certifies.

Which threshold would be released? ``private_quantile(scores, grid, ...)``.
How likely was each? ``quantile_distribution(scores, grid, ...)``, exact, in log space.
What is promised? A new exchangeable score exceeds the threshold with probability at most ``miss_rate``, for
every distribution and every n, if ``guarantee="certified"``; ``certified_target`` says how.

>>> from dpcp_core.privacy.grid import Grid
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> scores = simulation_generator(0).random(2000)
>>> grid = Grid.uniform(largest=1.0, bins=100)
>>> private_quantile(scores, grid, epsilon=1.0, miss_rate=0.1, rng=simulation_generator(1))
0.91
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core._arrays import Counts
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.mechanisms import draw_edges, exponential_log_probabilities
from dpcp_core.privacy.targets import certified_target, no_target_note, paper_target, smallest_n, target_count

__all__ = [
    "QuantileDistribution",
    "certified_target",
    "draw_edges",
    "paper_target",
    "private_quantile",
    "quantile_distribution",
    "quantile_distribution_from_counts",
    "smallest_n",
]


@dataclass(frozen=True, eq=False)
class QuantileDistribution:
    """The exact distribution of the released threshold.

    Attributes
    ----------
    edges
        (M,) candidate thresholds.
    log_probabilities
        (M,), or (R, M) for R sets of scores; each row sums to 1 after exponentiation.
    n, epsilon, miss_rate, loss, guarantee
        What it was made with.
    target
        Count ``c`` of scores above the threshold that was aimed at.
    certified
        Whether ``miss_rate`` is promised in finite samples.
    note
        Empty, or one sentence on why the threshold is the last edge whatever the scores.
    mechanism
        Key in ``QUANTILES``; only the exponential mechanism has a loss.
    """

    edges: NDArray[np.float64]
    log_probabilities: NDArray[np.float64]
    n: int
    epsilon: float
    miss_rate: float
    loss: str
    guarantee: str
    target: float
    certified: bool
    note: str = ""
    mechanism: str = "exponential"

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Probabilities, in the shape of ``log_probabilities``."""
        return np.exp(self.log_probabilities)

    def sample(self, rng: np.random.Generator, size: int | None = None) -> float | NDArray[np.float64]:
        """Draw thresholds.

        Parameters
        ----------
        rng
            Explicit generator.
        size
            None for one draw, which is a float, or (R,) if there are R sets; else that many draws of one set.
        """
        logs = self.log_probabilities
        if size is not None:
            if logs.ndim == 2:
                raise InputError("size must be left out where there are several sets of scores.")
            return draw_edges(np.broadcast_to(logs, (_validate.whole(size=size), len(logs))), self.edges, rng)
        return (
            draw_edges(logs, self.edges, rng) if logs.ndim == 2 else float(draw_edges(logs[None], self.edges, rng)[0])
        )


def all_on_last(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return log-probabilities of an answer that is the last edge whatever the scores."""
    logs = np.full(shape, -np.inf)
    logs[..., -1] = 0.0
    return logs


def quantile_distribution_from_counts(
    counts_above: Counts,
    counts_below: Counts | None,
    n: int,
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    loss: str = "bracket",
    guarantee: str = "certified",
) -> QuantileDistribution:
    """Return the distribution of the private quantile from counts, of one set of scores or of many.

    Parameters
    ----------
    counts_above, counts_below
        (M,) or (R, M), as ``grid.counts_above`` and ``grid.counts_below`` give them; ``counts_below`` may be
        None for a loss that does not read it.
    n
        Public number of rows of each set; empty rows are among them and count nowhere.
    grid, epsilon, miss_rate, loss, guarantee
        As in ``quantile_distribution``.

    Returns
    -------
    QuantileDistribution
        With ``log_probabilities`` in the shape of the counts.
    """
    _validate.one_of(LOSSES, loss=loss)
    _validate.one_of(GUARANTEES, guarantee=guarantee)
    target = target_count(guarantee, n, miss_rate, epsilon, grid.bins, loss)
    note = ""
    if target > 0:
        aim = LOSSES[loss].aiming_at(target, n=n, guarantee=guarantee)
        utility = aim.utility(counts_above, counts_below)
        logs = exponential_log_probabilities(utility, aim.sensitivity, epsilon, aim.range_factor)
    else:
        logs = all_on_last(np.shape(counts_above))
        note = no_target_note(n, miss_rate, epsilon, grid.bins, guarantee, loss)
    return QuantileDistribution(
        grid.edges, logs, n, epsilon, miss_rate, loss, guarantee, target, guarantee != "paper", note
    )


def quantile_distribution(
    scores: ArrayLike,
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    loss: str = "bracket",
    guarantee: str = "certified",
    n: int | None = None,
) -> QuantileDistribution:
    """Return the exact distribution of the private ``1 - miss_rate`` quantile of the scores.

    Parameters
    ----------
    scores
        (N,) or (N, R), 0 or more, in the unit of the grid; one score per row of data.
    grid
        Public candidates. The last edge must bound the scores for the certificate to hold.
    epsilon
        Privacy cost, above 0.
    miss_rate
        Share of new scores that may lie above the threshold, strictly between 0 and 1.
    loss
        Key in ``LOSSES``, for instance ``"bracket"`` or ``"paper"``.
    guarantee
        ``"certified"``: finite-sample, see ``certified_target``. ``"prediction_sets"``: finite-sample by the older
        and costlier correction of ``prediction_sets_target``. ``"paper"``: DPCP's correction
        ``miss_rate - 2 / (n epsilon)``, which certifies nothing.
    n
        Public number of rows if some are empty and have no score; by default the number of scores.

    Returns
    -------
    QuantileDistribution

    Raises
    ------
    InputError
        If a parameter is out of range, a score negative or NaN, or there are none.

    Notes
    -----
    **Privacy**: ``epsilon`` for neighbours that differ in one row being there or empty, n public.

    **Guarantee**: see ``certified_target``.

    References
    ----------
    McSherry and Talwar, Mechanism Design via Differential Privacy (2007), theorem 6.

    Examples
    --------
    >>> spread = quantile_distribution([0.1, 0.4, 0.9], Grid.uniform(largest=1, bins=2), epsilon=1, miss_rate=0.9)
    >>> spread.probabilities.round(3), round(spread.target, 3)
    (array([0.527, 0.473]), 1.214)
    """
    reads_below = LOSSES[_validate.one_of(LOSSES, loss=loss)].reads_below
    above = grid.counts_above(scores)
    below = grid.counts_below(scores) if reads_below else None
    present = np.shape(scores)[0]
    if n is None and present == 0:
        raise InputError("scores is empty; at least one score is needed.")
    rows = _validate.whole(n=present if n is None else n)
    if rows < present:
        raise InputError(f"n is {rows} but there are {present} scores; n counts every row, empty ones too.")
    return quantile_distribution_from_counts(
        above, below, rows, grid, epsilon=epsilon, miss_rate=miss_rate, loss=loss, guarantee=guarantee
    )


def private_quantile(
    scores: ArrayLike,
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    loss: str = "bracket",
    guarantee: str = "certified",
    rng: np.random.Generator,
    n: int | None = None,
) -> float:
    """Draw the private quantile once; see ``quantile_distribution`` for everything but ``rng``.

    Notes
    -----
    **Privacy**: ``epsilon``, if ``rng`` is a ``release_generator``; a seeded one protects nothing.
    """
    if np.ndim(scores) != 1:
        raise InputError("scores must be one list of numbers to draw one threshold.")
    spread = quantile_distribution(
        scores, grid, epsilon=epsilon, miss_rate=miss_rate, loss=loss, guarantee=guarantee, n=n
    )
    return float(draw_edges(spread.log_probabilities[None], spread.edges, rng)[0])
