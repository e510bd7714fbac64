"""The public grid of candidate thresholds, and exact counts of scores on it.

>>> grid = Grid.uniform(largest=1.0, bins=4)
>>> grid.edges
array([0.25, 0.5 , 0.75, 1.  ])
>>> grid.counts_above([0.1, 0.5, 0.6, 2.0])
array([3, 2, 1, 0])
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy._counting import EdgeCounter
from dpcp_core.privacy.prediction_sets import best_bins

GridKind = Literal["uniform", "geometric"]

BIN_RULES: tuple[str, ...] = ("sqrt", "cbrt", "alpha", "prediction_sets")


@dataclass(frozen=True, eq=False)
class Grid:
    """Increasing candidate thresholds, fixed before any score is seen.

    Attributes
    ----------
    edges
        (M,) increasing, above 0, read-only, in the unit of the scores. The last one stands for "everything".
    kind
        ``"uniform"``, ``"geometric"`` or whatever the maker calls it.

    Notes
    -----
    **Privacy**: costs nothing, as long as no edge is computed from rows.

    Examples
    --------
    >>> Grid.geometric(smallest=0.01, largest=1.0, bins=3).edges
    array([0.01, 0.1 , 1.  ])
    """

    edges: NDArray[np.float64]
    kind: str = "custom"
    _counter: EdgeCounter = field(init=False, repr=False)

    def __post_init__(self) -> None:
        edges = np.array(self.edges, dtype=np.float64, copy=True)
        if edges.ndim != 1 or edges.size == 0:
            raise InputError("edges must be a list of at least one number.")
        if not (np.isfinite(edges).all() and edges[0] > 0 and (np.diff(edges) > 0).all()):
            raise InputError("edges must be finite, above 0 and strictly increasing; take fewer bins.")
        edges.setflags(write=False)
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "_counter", EdgeCounter.of(edges))

    @classmethod
    def uniform(cls, *, largest: float, bins: int) -> Grid:
        """Return ``bins`` edges at equal distances, ``largest`` being the last.

        Parameters
        ----------
        largest
            Public bound of the scores, above 0.
        bins
            Number of edges, at least 1.
        """
        bound, count = _validate.positive(largest=largest), _validate.whole(bins=bins)
        edges = np.arange(1, count + 1) / count * bound
        edges[-1] = bound
        return cls(edges, "uniform")

    @classmethod
    def geometric(cls, *, smallest: float, largest: float, bins: int) -> Grid:
        """Return ``bins`` edges at equal ratios from ``smallest`` to ``largest``.

        Parameters
        ----------
        smallest
            Smallest width of interest, a public number above 0 and below ``largest``.
        largest
            Public bound of the scores.
        bins
            Number of edges, at least 1; a single one is ``largest``.
        """
        bound, count = _validate.positive(largest=largest), _validate.whole(bins=bins)
        first = _validate.positive(smallest=smallest)
        if first >= bound:
            raise InputError(f"smallest is {first:g} but must be below largest, which is {bound:g}.")
        edges = np.exp(np.linspace(math.log(first), math.log(bound), count)) if count > 1 else np.array([bound])
        edges[0], edges[-1] = (first if count > 1 else bound), bound
        return cls(edges, "geometric")

    @property
    def bins(self) -> int:
        """Number of edges, M."""
        return int(self.edges.size)

    @property
    def largest(self) -> float:
        """The last edge."""
        return float(self.edges[-1])

    def counts_above(self, scores: ArrayLike) -> NDArray[np.int64]:
        """Return how many scores exceed each edge.

        Parameters
        ----------
        scores
            (N,) or (N, R), each 0 or more; infinity is allowed.

        Returns
        -------
        ndarray
            (M,), or (R, M) with one row for each column of ``scores``. Exactly what ``scores > edge`` gives,
            except at the last edge, above which nothing counts.

        Raises
        ------
        InputError
            If a score is negative or NaN.
        """
        return self._counter.above(_as_scores(scores))

    def counts_below(self, scores: ArrayLike) -> NDArray[np.int64]:
        """Return how many scores lie strictly below each edge, the last included.

        Parameters and errors are those of ``counts_above``.
        """
        return self._counter.below(_as_scores(scores))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        return self.kind == other.kind and np.array_equal(self.edges, other.edges)

    def __hash__(self) -> int:
        return hash((self.kind, self.edges.tobytes()))


def _as_scores(scores: ArrayLike) -> NDArray[np.float64]:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("scores must be numbers; remove text and missing values first.") from None
    if values.ndim not in (1, 2):
        raise InputError(f"scores has {values.ndim} dimensions but must have one, or two with a set per column.")
    return values


def bins_from_rule(rule: int | str, n: int, alpha: float, epsilon: float | None = None) -> int:
    """Return the number of bins that a public rule gives.

    Parameters
    ----------
    rule
        A number, or ``"sqrt"`` (square root of n), ``"cbrt"`` (cube root of n), ``"alpha"`` (10 / alpha),
        ``"prediction_sets"`` (the best on made-up scores, see ``best_bins``).
    n
        Number of rows that are ranked, which is public.
    alpha
        Allowed miss rate.
    epsilon
        Of the quantile; only ``"prediction_sets"`` reads it.

    Returns
    -------
    int
        At least 1 for a number, at least 2 for a rule. Few bins make coarse steps; many cost
        ``(2 / epsilon) ln M`` rows of the target count.

    Examples
    --------
    >>> bins_from_rule("sqrt", 4000, 0.1), bins_from_rule("cbrt", 4000, 0.1), bins_from_rule("alpha", 4000, 0.1)
    (64, 16, 100)
    """
    if not isinstance(rule, str):
        return _validate.whole(bins=rule)
    if rule not in BIN_RULES:
        try:
            return _validate.whole(bins=rule)
        except InputError:
            raise InputError(
                f"bins is {rule!r} but must be a whole number or one of: {', '.join(BIN_RULES)}."
            ) from None
    rows, share = _validate.whole(n=n), _validate.share(alpha=alpha)
    if rule == "prediction_sets":
        if epsilon is None:
            raise InputError('epsilon is missing, but bins="prediction_sets" needs the epsilon of the quantile.')
        return best_bins(rows, share, epsilon)
    wanted: float = {"sqrt": math.sqrt(rows), "cbrt": rows ** (1 / 3), "alpha": 10 / share}[rule]
    return max(2, math.ceil(wanted - 1e-9))
