"""The count of scores that a threshold should have above it, and when there is none.

>>> certified_target(n=100, miss_rate=0.1, epsilon=0.5, bins=100) > 0
False
>>> smallest_n(miss_rate=0.1, epsilon=0.5, bins=100)
194
"""

from __future__ import annotations

import math

from dpcp_core import _validate
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.prediction_sets import prediction_sets_target

_COUNTABLE = 2.0**53


def certified_target(n: int, miss_rate: float, epsilon: float, bins: int, loss: str = "bracket") -> float:
    """Return the count of scores above the threshold to aim at, ``(n + 1) beta - 1 - (2 / epsilon) ln M``.

    Parameters
    ----------
    n
        Public number of ranked rows.
    miss_rate
        Level ``beta`` to be kept, strictly between 0 and 1.
    epsilon
        Of the quantile; above 0, infinity gives the usual split-conformal rank.
    bins
        Number of edges, ``M``.
    loss
        Key in ``LOSSES``; its ``range_factor`` takes the place of the 2, here and below.

    Returns
    -------
    float
        The count ``c``; if it is 0 or less, nothing below the last edge can be certified.

    Notes
    -----
    **Guarantee**: with this target ``P(new score > threshold) <= beta`` for exchangeable scores that the last
    edge bounds. For every data set ``P(k_J >= c + t) <= (M-1) exp(-epsilon t/2) / (1 + (M-1) exp(-epsilon t/2))``,
    which integrates to ``(2 / epsilon) ln M`` and does not depend on the data.

    Examples
    --------
    >>> round(certified_target(n=4000, miss_rate=0.1, epsilon=0.5, bins=100), 2)
    380.68
    """
    rows, edges = _validate.whole(n=n), _validate.whole(bins=bins)
    beta = _validate.share(miss_rate=miss_rate)
    spent = _validate.positive(infinite=True, epsilon=epsilon)
    return (rows + 1) * beta - 1 - _range_factor(loss) * math.log(edges) / spent


def _range_factor(loss: str) -> float:
    return LOSSES[_validate.one_of(LOSSES, loss=loss)].range_factor


def paper_target(n: int, miss_rate: float, epsilon: float) -> float:
    """Return the papers' target count ``n beta - 2 / epsilon``; 0 or less means that it has none.

    Examples
    --------
    >>> paper_target(n=1000, miss_rate=0.1, epsilon=0.5)
    96.0
    """
    rows, beta = _validate.whole(n=n), _validate.share(miss_rate=miss_rate)
    return rows * beta - 2 / _validate.positive(infinite=True, epsilon=epsilon)


def published_target(n: int, miss_rate: float) -> int:
    """Return ``n - ceil((n + 1)(1 - beta))``, the plain split-conformal rank; below 0 it is beyond all scores.

    Examples
    --------
    >>> published_target(n=99, miss_rate=0.1), published_target(n=5, miss_rate=0.1)
    (9, -1)
    """
    rows, beta = _validate.whole(n=n), _validate.share(miss_rate=miss_rate)
    return rows - math.ceil((rows + 1) * (1 - beta) - 1e-9)


def smallest_n(miss_rate: float, epsilon: float, bins: int, loss: str = "bracket") -> int | None:
    """Return the smallest n with a certified target above 0; None if it is beyond counting.

    Examples
    --------
    >>> smallest_n(miss_rate=0.1, epsilon=0.5, bins=100)
    194
    """
    beta, spent = _validate.share(miss_rate=miss_rate), _validate.positive(infinite=True, epsilon=epsilon)
    wanted = (1 + _range_factor(loss) * math.log(_validate.whole(bins=bins)) / spent) / beta - 1
    if not wanted < _COUNTABLE:
        return None
    n = max(1, math.floor(wanted) - 1)
    while certified_target(n, beta, spent, bins, loss) <= 0:
        n += 1
    return n


def smallest_epsilon(n: int, miss_rate: float, bins: int, loss: str = "bracket") -> float | None:
    """Return the epsilon above which a certified target exists for this n; None if none is enough.

    Examples
    --------
    >>> round(smallest_epsilon(n=200, miss_rate=0.1, bins=100), 3)
    0.482
    """
    rows, edges = _validate.whole(n=n), _validate.whole(bins=bins)
    room = (rows + 1) * _validate.share(miss_rate=miss_rate) - 1
    return _range_factor(loss) * math.log(edges) / room if room > 0 else None


def target_count(guarantee: str, n: int, miss_rate: float, epsilon: float, bins: int, loss: str = "bracket") -> float:
    """Return the target count of a guarantee of the exponential mechanism; 0 or less means that it has none.

    Examples
    --------
    >>> [round(target_count(name, 4000, 0.1, 0.5, 100), 1) for name in ("paper", "certified", "prediction_sets")]
    [396.0, 380.7, 349.5]
    """
    if guarantee == "paper":
        return paper_target(n, miss_rate, epsilon)
    if guarantee == "prediction_sets":
        return prediction_sets_target(n, miss_rate, epsilon, bins, factor=_range_factor(loss))
    return certified_target(n, miss_rate, epsilon, bins, loss)


def _first_n(guarantee: str, miss_rate: float, epsilon: float, bins: int, loss: str) -> int | None:
    """Return the smallest n with a target above 0, by bisection; None if it is beyond counting."""
    if guarantee == "certified":
        return smallest_n(miss_rate, epsilon, bins, loss)
    high = 1
    while not target_count(guarantee, high, miss_rate, epsilon, bins, loss) > 0:
        high *= 2
        if high > _COUNTABLE:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        enough = target_count(guarantee, middle, miss_rate, epsilon, bins, loss) > 0
        low, high = (low, middle) if enough else (middle, high)
    return high


def no_target_note(
    n: int, miss_rate: float, epsilon: float, bins: int, guarantee: str = "certified", loss: str = "bracket"
) -> str:
    """Return one sentence on why only the last edge is left, and the n that would do."""
    needed = _first_n(guarantee, miss_rate, epsilon, bins, loss)
    above = math.inf if needed is None else needed - 1
    return nothing_narrower(n, epsilon, bins, above, "aimed at" if guarantee == "paper" else "certified")


def nothing_narrower(n: int, epsilon: float, bins: int, above: float, verb: str) -> str:
    """Return the sentence itself; any n larger than ``above`` would do, if that can be counted to."""
    enough = above < _COUNTABLE
    remedy = f"it needs n >= {math.floor(above) + 1}" if enough else "no n is enough; raise epsilon"
    return f"With n = {n}, epsilon = {epsilon:g} and {bins} bins nothing narrower can be {verb}; {remedy}."
