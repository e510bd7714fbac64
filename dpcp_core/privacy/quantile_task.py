"""What a private quantile mechanism is asked, what it answers, and what its line on a receipt says.

>>> task = QuantileTask(Grid.uniform(largest=1.0, bins=10), n=500, epsilon=1.0, miss_rate=0.1)
>>> task.loss, task.guarantee
('bracket', 'certified')
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.targets import nothing_narrower, published_target

NOTHING_READ = "nothing: the whole range is returned whatever the rows"


@dataclass(frozen=True)
class QuantileTask:
    """A private quantile that is wanted; every field is public.

    Attributes
    ----------
    grid
        Candidate thresholds; the last one bounds the scores.
    n
        Number of ranked rows, empty ones among them.
    epsilon
        Above 0; the cost of the exponential mechanism and of the histogram. The binary search is made as private as
        that in zero-concentrated terms, ``epsilon**2 / 8``; what it costs as (epsilon, delta) stands in its note.
    miss_rate
        Share of new scores that may lie above the threshold, strictly between 0 and 1.
    loss
        Key in ``LOSSES``; only the exponential mechanism reads it.
    guarantee
        Key in ``GUARANTEES``.
    delta
        At which the cost of a mechanism with Gaussian noise is stated, 0 to 1 (0 says it has no pure cost).
    """

    grid: Grid
    n: int
    epsilon: float
    miss_rate: float
    loss: str = "bracket"
    guarantee: str = "certified"
    delta: float = 0.0

    def __post_init__(self) -> None:
        _validate.whole(n=self.n)
        _validate.positive(infinite=True, epsilon=self.epsilon)
        _validate.share(miss_rate=self.miss_rate)
        _validate.one_of(LOSSES, loss=self.loss)
        _validate.one_of(GUARANTEES, guarantee=self.guarantee)
        _validate.share(zero=True, delta=self.delta)

    def require_guarantee(self, mechanism: QuantileMechanism) -> None:
        """Raise if the mechanism does not know the guarantee.

        Raises
        ------
        InputError
            With the guarantees that it knows.
        """
        if self.guarantee not in mechanism.guarantees:
            known = " or ".join(f'"{name}"' for name in mechanism.guarantees)
            raise InputError(f'guarantee is "{self.guarantee}" but the {mechanism.title} has only {known}.')

    def distribution(
        self, log_probabilities: NDArray[np.float64], target: float, note: str, mechanism: str
    ) -> QuantileDistribution:
        """Return the exact distribution of a mechanism that got this task."""
        return QuantileDistribution(
            self.grid.edges,
            log_probabilities,
            self.n,
            self.epsilon,
            self.miss_rate,
            self.loss,
            self.guarantee,
            target,
            self.guarantee != "paper",
            note,
            mechanism,
        )


@dataclass(frozen=True, eq=False)
class QuantileDraw:
    """Thresholds of R sets of scores, and what is known about them.

    Attributes
    ----------
    thresholds
        (R,) edges of the grid.
    distribution
        Exact, (R, M); None where it is not worked out. A function of the scores: the curator's view.
    target
        Count of scores above the threshold that was aimed at; 0 or less means that there is none.
    bins
        Number of candidates; None if there is no grid.
    certified
        Whether ``miss_rate`` is promised in finite samples.
    note
        Empty, or one sentence on why every threshold is the last edge whatever the scores.
    """

    thresholds: NDArray[np.float64]
    distribution: QuantileDistribution | None
    target: float | None
    bins: int | None
    certified: bool
    note: str = ""


@dataclass(frozen=True)
class QuantileNote:
    """A mechanism's words and its true cost, for a receipt; computed from public facts alone.

    Attributes
    ----------
    mechanism
        What runs, in plain words.
    sensitivity
        How far one row moves it, with its unit.
    detail
        The amount of noise and the number of candidates.
    epsilon, delta
        Cost of one threshold.
    mu
        Its Gaussian privacy parameter, if it has one; composes as a root of squares with training.
    bounded_range
        Length of the interval in which all log-ratios of probabilities lie; infinity if there is none. The tight
        composition with training may take this number for its epsilon, and no other.
    """

    mechanism: str
    sensitivity: str
    detail: str
    epsilon: float
    delta: float
    mu: float | None
    bounded_range: float


class QuantileMechanism(Protocol):
    """A way to draw a private quantile of scores; an entry of ``QUANTILES``.

    Attributes
    ----------
    name
        Key of the registry.
    title, sentence
        For people: at most five words, and one sentence.
    guarantees
        The guarantees that it knows.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    guarantees: ClassVar[tuple[str, ...]]

    def draw(self, scores: ArrayLike, task: QuantileTask, rng: np.random.Generator) -> QuantileDraw:
        """Draw one threshold per column of ``scores``, (n, R); a single list counts as one column."""

    def describe(self, task: QuantileTask) -> QuantileNote:
        """Return what a draw costs and how it works, before any score is seen."""


def columns(scores: ArrayLike, task: QuantileTask) -> NDArray[np.float64]:
    """Return the scores as (N, R), checked against the task's number of rows; a single list is one column.

    Raises
    ------
    InputError
        If there are more scores than rows, or they are no table of numbers.
    """
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("scores must be numbers; remove text and missing values first.") from None
    table = values[:, None] if values.ndim == 1 else values
    if table.ndim != 2:
        raise InputError("scores must have one dimension, or two with a set per column.")
    if len(table) > task.n:
        raise InputError(f"n is {task.n} but there are {len(table)} scores; n counts every row, empty ones too.")
    return table


def plain_rank(task: QuantileTask) -> tuple[float, str]:
    """Return the target of a mechanism without any correction, and a sentence if the rank is beyond all scores."""
    target = published_target(task.n, task.miss_rate)
    needed = 1 / task.miss_rate - 1
    if target >= 0:
        return target, ""
    return target, nothing_narrower(task.n, task.epsilon, task.grid.bins, math.ceil(needed - 1e-9) - 1, "aimed at")
