"""A bracket loss that one row can only make better, so that the exponential mechanism needs no factor 2.

With every row there it prefers the same edges as the bracket loss, and pulls twice as hard at equal cost.

>>> loss = OneSidedLoss.aiming_at(2.5, n=10, guarantee="certified")
>>> above, below = np.array([9, 6, 1, 0]), np.array([1, 4, 9, 10])
>>> loss.utility(above, below)
array([-6.5, -3.5, -0. , -1.5])
>>> loss.utility(above - [1, 1, 0, 0], below)  # a row above the first two edges is emptied
array([-5.5, -2.5, -0. , -1.5])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpcp_core._arrays import Counts


def one_sided_utility(counts_above: Counts, counts_below: Counts, n: int, target: float) -> NDArray[np.float64]:
    """Return ``-max(k_j - c, b_{j-1} - (n - c), 0)``: 0 for the edge whose bin holds the target count.

    Parameters
    ----------
    counts_above
        (..., M), ``k_j``, number of scores above each edge.
    counts_below
        (..., M), ``b_j``, number of scores strictly below each edge; ``b_0 = 0``.
    n
        Public number of rows, empty ones among them.
    target
        Target count ``c``, ``0 < c <= n``.

    Returns
    -------
    ndarray
        (..., M), at most 0.

    Notes
    -----
    **Privacy**: a row that is emptied leaves the side it was on and joins none, so both counts can only fall, by
    at most 1, and every utility rises by 0 to 1. (``c - k_{j-1}`` of the bracket loss takes an empty row for one
    below every edge; here it counts nowhere.)

    With every row there and no score on an edge, ``b_{j-1} = n - k_{j-1}`` and this is the bracket loss. A score
    on an edge is not below it, which can only excuse an edge that is too high.

    Examples
    --------
    >>> one_sided_utility(np.array([5, 1, 0]), np.array([3, 8, 9]), n=10, target=2.0)  # one of ten rows is empty
    array([-3., -0., -0.])
    """
    above = np.asarray(counts_above, dtype=np.float64)
    below = np.asarray(counts_below, dtype=np.float64)
    before = np.concatenate([np.zeros_like(below[..., :1]), below[..., :-1]], axis=-1)
    return -np.maximum(np.maximum(above - target, before - (n - target)), 0.0)


@dataclass(frozen=True)
class OneSidedLoss:
    r"""Distance, in rows, from an edge's bin to the target count, of rows that are there.

    Attributes
    ----------
    target
        Count ``c`` of scores above the threshold that is aimed at.
    n
        Public number of rows.
    range_factor
        1: the exponential mechanism may use the weights ``exp(epsilon u)``. Losses whose utilities go both ways
        have 2, for ``exp(epsilon u / 2)``.

    Notes
    -----
    **Privacy**: weights ``w_j = exp(epsilon u_j)`` cost ``epsilon`` for rows that are there or empty, n public.
    Emptying a row multiplies every ``w_j``, hence also their sum, by a factor from 1 to ``exp(epsilon)``; a probability
    is the quotient of the two, so it changes by a factor from ``exp(-epsilon)`` to ``exp(epsilon)``. The sum is
    common to all edges, so the log-ratios lie in an interval of length ``epsilon`` (bounded range): tight
    composition may take it for a mechanism of range ``epsilon``. A row that is *replaced* is emptied and filled:
    ``2 epsilon``.

    **Guarantee**: some edge has utility 0 whatever the scores (the first with ``k_j <= c``), and an edge with
    ``k_j >= c + t`` has at most ``-t``. Hence for every table

    .. math:: P(k_J \ge c + t) \le \frac{(M-1) e^{-\epsilon t}}{1 + (M-1) e^{-\epsilon t}},

    whose integral over t is ``ln(M) / epsilon``. The certified target is ``(n + 1) beta - 1 - ln(M) / epsilon``:
    half of what the bracket loss gives away.

    References
    ----------
    McSherry and Talwar, Mechanism Design via Differential Privacy (2007), theorem 6; Dwork and Roth, The
    Algorithmic Foundations of Differential Privacy (2014), section 3.4 (monotone utilities need no factor 2);
    Dong, Durfee and Rogers, Optimal Differential Privacy Composition for Exponential Mechanisms (2020),
    section 2 (bounded range).

    Examples
    --------
    >>> OneSidedLoss.aiming_at(12.0, n=100, guarantee="certified")
    OneSidedLoss(target=12.0, n=100)
    """

    target: float
    n: int

    name: ClassVar[str] = "one_sided"
    reads_below: ClassVar[bool] = True
    range_factor: ClassVar[float] = 1.0

    @classmethod
    def aiming_at(cls, target: float, *, n: int, guarantee: str) -> Self:  # noqa: ARG003 - the protocol's
        """Return the loss for this target; it is the same under every guarantee."""
        return cls(target, n)

    @property
    def sensitivity(self) -> float:
        """One row, one count, and only upwards."""
        return 1.0

    def utility(self, counts_above: Counts, counts_below: Counts | None) -> NDArray[np.float64]:
        """Return ``one_sided_utility``."""
        if counts_below is None:
            raise TypeError("the one-sided loss needs counts_below")
        return one_sided_utility(counts_above, counts_below, self.n, self.target)
