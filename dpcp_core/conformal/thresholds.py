"""Where the threshold may lie (a public grid), and where it would lie without privacy."""

from __future__ import annotations

import math

import numpy as np

from dpcp_core.data.encoding import Floats, TargetScale
from dpcp_core.privacy.grid import Grid, bins_from_rule

# Without a wish of the user's, half-widths below this share of the typical spread are not told apart.
_SMALLEST_SHARE = 0.1


def public_grid(
    kind: str,
    bins: int | str,
    scale: TargetScale,
    bound: float,
    *,
    n: int,
    alpha: float,
    smallest: float | None = None,
) -> Grid:
    """Return the candidate thresholds from public numbers alone.

    Parameters
    ----------
    kind : str
        ``uniform`` or ``geometric``.
    bins : int or str
        Number of candidates or a rule, see :func:`dpcp_core.privacy.grid.bins_from_rule`.
    scale : TargetScale
        Public scale of the target.
    bound : float
        True upper bound of the score.
    n, alpha
        What the rules read.
    smallest : float or None
        Smallest half-width of interest; None takes a tenth of the typical spread.

    Examples
    --------
    >>> scale = TargetScale(centre=0.0, spread=1.0, lower=-5.0, upper=5.0)
    >>> public_grid("geometric", 3, scale, 10.0, n=100, alpha=0.1).edges.round(2).tolist()
    [0.1, 1.0, 10.0]
    """
    count = bins_from_rule(bins, n, alpha)
    if kind == "uniform" or count == 1:
        return Grid.uniform(largest=bound, bins=count)
    return Grid.geometric(smallest=smallest or _SMALLEST_SHARE * scale.spread, largest=bound, bins=count)


def exact_threshold(scores: Floats, miss_rate: float, bound: float) -> Floats:
    """Return the split-conformal threshold of each column of sorted scores; not private.

    Parameters
    ----------
    scores : array of shape (n, R)
        Sorted within each column.
    miss_rate : float
        Level in (0, 1).
    bound : float
        Returned where no score is high enough.

    Returns
    -------
    array of shape (R,)
        The ``ceil((n + 1)(1 - miss_rate))``-th smallest score.

    References
    ----------
    Vovk, Gammerman and Shafer (2005), "Algorithmic learning in a random world".

    Examples
    --------
    >>> exact_threshold(np.array([[1.0], [2.0], [3.0], [4.0]]), 0.4, 9.0).tolist()
    [3.0]
    >>> exact_threshold(np.array([[1.0], [2.0]]), 0.1, 9.0).tolist()
    [9.0]
    """
    n = len(scores)
    rank = math.ceil((n + 1) * (1 - miss_rate) - 1e-9)
    if rank > n:
        return np.full(scores.shape[1], bound)
    return scores[max(rank, 1) - 1].copy()
