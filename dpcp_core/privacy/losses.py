"""Losses of the private quantile: how well an edge fits, and how far one row can move that.

A loss is a frozen value made for one target count; all it knows is public. To add one, write a class like
these and put it in ``LOSSES``.

>>> loss = LOSSES["bracket"].aiming_at(2.0, n=5, guarantee="certified")
>>> loss.utility(np.array([4, 2, 0]), None)
array([-2., -0., -0.])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dpcp_core._arrays import Counts
from dpcp_core.privacy.one_sided import OneSidedLoss

GUARANTEES: tuple[str, ...] = ("paper", "certified", "prediction_sets")


class QuantileLoss(Protocol):
    """What the exponential mechanism needs to know about a loss.

    For the certificate a loss must give some edge a utility that beats every edge with ``c + t`` or more scores
    above it by at least ``t * sensitivity``, whatever the scores.

    Attributes
    ----------
    name
        Key in ``LOSSES``.
    reads_below
        Whether ``utility`` needs the counts below the edges.
    range_factor
        Length of the interval in which the changes of all utilities lie when one row is emptied, in units of the
        sensitivity: 2, or 1 if they all move the same way. The weights are
        ``exp(epsilon * utility / (range_factor * sensitivity))``, and the bins cost
        ``(range_factor / epsilon) ln M`` rows.
    """

    name: ClassVar[str]
    reads_below: ClassVar[bool]
    range_factor: ClassVar[float]

    @classmethod
    def aiming_at(cls, target: float, *, n: int, guarantee: str) -> Self:
        """Return the loss whose best edge has ``target`` of ``n`` scores above it; ``0 < target <= n``."""

    @property
    def sensitivity(self) -> float:
        """Largest change of any utility when one row is emptied."""

    def utility(self, counts_above: Counts, counts_below: Counts | None) -> NDArray[np.float64]:
        """Return the utility of each edge, at most 0; counts (..., M) in, (..., M) out."""


def bracket_utility(counts_above: Counts, n: int, target: float) -> NDArray[np.float64]:
    """Return ``-max(k_j - c, c - k_{j-1}, 0)``: 0 for the edge whose bin holds the target count.

    Parameters
    ----------
    counts_above
        (..., M), ``k_j``, number of scores above each edge.
    n
        Public number of rows, ``k_0``. It stays when a row is emptied.
    target
        Target count ``c``.

    Returns
    -------
    ndarray
        (..., M), at most 0.

    Notes
    -----
    **Privacy**: emptying a row lowers some of the ``k_j`` by 1, so each argument of the maximum, and the
    utility, moves by at most 1.

    Examples
    --------
    >>> bracket_utility(np.array([9, 6, 1, 0]), n=10, target=2.5)
    array([-6.5, -3.5, -0. , -1.5])
    """
    above = np.asarray(counts_above, dtype=np.float64)
    return -np.maximum(np.maximum(above - target, target - _before(above, n)), 0.0)


def _before(counts_above: Counts, n: int) -> Counts:
    """Return ``k_{j-1}``: how many scores lie above the edge before, ``n`` of them above none."""
    return np.concatenate([np.full_like(counts_above[..., :1], n), counts_above[..., :-1]], axis=-1)


def paper_utility(counts_above: Counts, counts_below: Counts, level: float) -> NDArray[np.float64]:
    """Return ``-max(#below / (1 - level), #above / level)``, the loss of private prediction sets and DPCP.

    Parameters
    ----------
    counts_above, counts_below
        (..., M), numbers of scores strictly above and strictly below each edge.
    level
        Share of scores wanted above, strictly between 0 and 1.

    Returns
    -------
    ndarray
        (..., M), at most 0.

    Notes
    -----
    **Privacy**: emptying a row lowers one of the two counts by at most 1, replacing it moves each by at most 1.
    Emptying can only raise utilities, so with these neighbours the mechanism spends no more than half of its
    epsilon; the papers' neighbours replace a row, which needs all of it.

    References
    ----------
    Angelopoulos, Bates, Zrnic and Jordan, Private Prediction Sets (2021), algorithm 1.

    Examples
    --------
    >>> paper_utility(np.array([8, 2, 0]), np.array([2, 8, 10]), level=0.2)
    array([-40. , -10. , -12.5])
    """
    return -np.maximum(np.asarray(counts_below) / (1 - level), np.asarray(counts_above) / level)


@dataclass(frozen=True)
class BracketLoss:
    """Distance, in rows, from an edge's bin to the target count; sensitivity 1."""

    target: float
    n: int

    name: ClassVar[str] = "bracket"
    reads_below: ClassVar[bool] = False
    range_factor: ClassVar[float] = 2.0

    @classmethod
    def aiming_at(cls, target: float, *, n: int, guarantee: str) -> Self:  # noqa: ARG003 - the protocol's
        """Return the loss for this target; it is the same under every guarantee."""
        return cls(target, n)

    @property
    def sensitivity(self) -> float:
        """One row, one count."""
        return 1.0

    def utility(self, counts_above: Counts, counts_below: Counts | None) -> NDArray[np.float64]:  # noqa: ARG002 - the protocol's
        """Return ``bracket_utility``."""
        return bracket_utility(counts_above, self.n, self.target)


@dataclass(frozen=True)
class PaperLoss:
    """The weighted rank loss of the papers, at a level that depends on the guarantee.

    Notes
    -----
    **Guarantee**: the level ``target / (n + target)`` makes the certificate's bound hold for this loss too.
    Divided by its sensitivity ``1 / level`` it is ``max(#below * target / n, #above)``; that is at most
    ``target`` at the last edge and at least ``target + t`` where ``target + t`` scores lie above.

    Private prediction sets round every score up to an edge before they count (``rounded_up`` is then n), so that
    what lies in an edge's bin is not below the edge; with that their own level ``target / n`` is good enough for
    their bound. Their public code divides by the sensitivity of ``alpha`` where that of the adjusted level belongs,
    see ``public_code_overspend``; this one divides by the right one.
    """

    level: float
    rounded_up: int | None = None

    name: ClassVar[str] = "paper"
    reads_below: ClassVar[bool] = True
    range_factor: ClassVar[float] = 2.0

    @classmethod
    def aiming_at(cls, target: float, *, n: int, guarantee: str) -> Self:
        """Return the loss at the level ``target / n`` of the papers, or at the certified one."""
        if guarantee == "certified":
            return cls(target / (n + target))
        return cls(target / n, n if guarantee == "prediction_sets" else None)

    @property
    def sensitivity(self) -> float:
        """The larger of the two weights; one row is on one side of an edge."""
        return max(1 / (1 - self.level), 1 / self.level)

    def utility(self, counts_above: Counts, counts_below: Counts | None) -> NDArray[np.float64]:
        """Return ``paper_utility``."""
        if self.rounded_up is not None:
            return paper_utility(counts_above, self.rounded_up - _before(counts_above, self.rounded_up), self.level)
        if counts_below is None:
            raise TypeError("the paper's loss needs counts_below")
        return paper_utility(counts_above, counts_below, self.level)


LOSSES: dict[str, type[QuantileLoss]] = {loss.name: loss for loss in (BracketLoss, PaperLoss, OneSidedLoss)}
