"""The count of scores that a threshold should have above it, and when there is none.

>>> certified_target(n=100, miss_rate=0.1, epsilon=0.5, bins=100) > 0
False
>>> smallest_n(miss_rate=0.1, epsilon=0.5, bins=100)
194
"""

from __future__ import annotations

import math

from dpcp_core import _validate

_COUNTABLE = 2.0**53


def certified_target(n: int, miss_rate: float, epsilon: float, bins: int) -> float:
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
    return (rows + 1) * beta - 1 - 2 * math.log(edges) / spent


def paper_target(n: int, miss_rate: float, epsilon: float) -> float:
    """Return the papers' target count ``n beta - 2 / epsilon``; 0 or less means that it has none.

    Examples
    --------
    >>> paper_target(n=1000, miss_rate=0.1, epsilon=0.5)
    96.0
    """
    rows, beta = _validate.whole(n=n), _validate.share(miss_rate=miss_rate)
    return rows * beta - 2 / _validate.positive(infinite=True, epsilon=epsilon)


def smallest_n(miss_rate: float, epsilon: float, bins: int) -> int | None:
    """Return the smallest n with a certified target above 0; None if it is beyond counting.

    Examples
    --------
    >>> smallest_n(miss_rate=0.1, epsilon=0.5, bins=100)
    194
    """
    beta, spent = _validate.share(miss_rate=miss_rate), _validate.positive(infinite=True, epsilon=epsilon)
    wanted = (1 + 2 * math.log(_validate.whole(bins=bins)) / spent) / beta - 1
    if not wanted < _COUNTABLE:
        return None
    n = max(1, math.floor(wanted) - 1)
    while certified_target(n, beta, spent, bins) <= 0:
        n += 1
    return n


def smallest_epsilon(n: int, miss_rate: float, bins: int) -> float | None:
    """Return the epsilon above which a certified target exists for this n; None if none is enough.

    Examples
    --------
    >>> round(smallest_epsilon(n=200, miss_rate=0.1, bins=100), 3)
    0.482
    """
    rows, edges = _validate.whole(n=n), _validate.whole(bins=bins)
    room = (rows + 1) * _validate.share(miss_rate=miss_rate) - 1
    return 2 * math.log(edges) / room if room > 0 else None


def no_target_note(n: int, miss_rate: float, epsilon: float, bins: int, guarantee: str) -> str:
    """Return one sentence on why only the last edge is left, and the n that would do."""
    if guarantee == "paper":
        wanted = 2 / epsilon / miss_rate
        needed = math.floor(wanted) + 1 if wanted < _COUNTABLE else None
        verb = "aimed at"
    else:
        needed, verb = smallest_n(miss_rate, epsilon, bins), "certified"
    remedy = f"it needs n >= {needed}" if needed is not None else "no n is enough; raise epsilon"
    return f"With n = {n}, epsilon = {epsilon:g} and {bins} bins nothing narrower can be {verb}; {remedy}."
