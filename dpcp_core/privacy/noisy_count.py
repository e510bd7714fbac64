"""How many rows there are, told with noise, where that number is not public; and a quantile that has to do with it.

How many? ``noisy_count(count, epsilon, rng)``. From which answer on may it stand in for the true number in a promise
about coverage? ``smallest_trusted(epsilon)``. How likely is each threshold then? ``distribution_given_count(...)``.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> noisy_count(900, epsilon=0.1, rng=simulation_generator(0)), smallest_trusted(0.1)
(896, 32)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcp_core import _validate
from dpcp_core._words import number_text
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile import QuantileDistribution, all_on_last, quantile_distribution_from_counts
from dpcp_core.privacy.quantile_task import NOTHING_READ, QuantileNote
from dpcp_core.privacy.whole_noise import whole_laplace


def noisy_count(count: int, epsilon: float, rng: np.random.Generator) -> int:
    """Return the count plus two-sided geometric noise; it may come out below 0.

    Parameters
    ----------
    count
        Number of rows, 0 or more.
    epsilon
        Above 0; infinity adds nothing.
    rng
        Explicit generator.

    Notes
    -----
    **Privacy**: ``epsilon``. Emptying a row lowers the count by 1 or leaves it.
    """
    exact = _validate.whole(at_least=0, count=count)
    return exact + int(whole_laplace(epsilon, (1,), rng)[0])


def smallest_trusted(epsilon: float) -> int:
    r"""Return the smallest noisy number of rows, the new one among them, that a promise may rest on.

    Parameters
    ----------
    epsilon
        Of the noisy count, above 0.

    Returns
    -------
    int
        The smallest ``A >= 2 + g`` with ``q**(A - 1) (A + g) <= 1 + q``, where ``q = exp(-epsilon)`` and
        ``g = q / (1 - q)``.

    Notes
    -----
    **Guarantee**: for every true number ``s >= 1``, every whole ``A`` from this one on and ``X = s + noise``,
    ``E[X; X >= A] <= s``. A promise that is proportional to ``X / s`` where ``X >= A``, and kept at no risk elsewhere,
    is then kept on average.

    For ``s >= A`` the part that is left out, ``E[X; X < A] = q**(s - A + 1) (A - 1 - g) / (1 + q)``, is not negative.
    For ``s < A`` the mean is ``q**(A - s) (A + g) / (1 + q)``; less ``s``, it is convex in s, so it is at most 0 if it
    is so at ``s = 1`` (the second condition) and at ``s = A - 1`` (the first).

    Examples
    --------
    >>> [smallest_trusted(epsilon) for epsilon in (0.05, 0.1, 1.0)]
    [80, 32, 3]
    """
    spent = _validate.positive(infinite=True, epsilon=epsilon)
    q = math.exp(-spent)
    g = 0.0 if math.isinf(spent) else 1 / math.expm1(spent)

    def enough(count: int) -> bool:
        return count >= 2 + g and math.log(count + g) - spent * (count - 1) <= math.log1p(q)

    high = 2
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def distribution_given_count(
    counts_above: NDArray[np.int64],
    noisy_rows: int,
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    count_epsilon: float,
) -> QuantileDistribution:
    """Return the exact distribution of the private quantile of rows whose number is known with noise only.

    Parameters
    ----------
    counts_above
        (M,) numbers of scores above each edge.
    noisy_rows
        From ``noisy_count``.
    grid, miss_rate
        As in ``quantile_distribution``.
    epsilon, count_epsilon
        Of the quantile, and of the noisy number; the two are added.

    Notes
    -----
    **Privacy**: ``epsilon``: the noisy number is already known, and as good as any public one.

    **Guarantee**: for m exchangeable scores and a new one, all bounded by the last edge, the new one exceeds the
    threshold with probability at most ``miss_rate``, on average over the noise of the number. Given the number, the
    proof of ``certified_target`` gives ``miss_rate * (noisy_rows + 1) / (m + 1)``; ``smallest_trusted`` does the rest.

    The bracket loss is used: it reads only how many scores lie above an edge; the others also count those below,
    of which there are more than the noisy number leaves room for where it is too small.
    """
    if noisy_rows + 1 >= smallest_trusted(count_epsilon):
        return quantile_distribution_from_counts(
            counts_above, None, noisy_rows, grid, epsilon=epsilon, miss_rate=miss_rate
        )
    note = f"About {max(noisy_rows, 0)} rows are there, too few to tell a threshold from; bring more rows."
    return QuantileDistribution(
        grid.edges, all_on_last((grid.bins,)), max(noisy_rows, 0), epsilon, miss_rate, "bracket", "certified", 0.0,
        True, note,
    )  # fmt: skip


def count_note(epsilon: float) -> QuantileNote:
    """Return the line of a receipt for the noisy number of rows that are kept."""
    detail = f"whole-number Laplace noise with standard deviation of about {number_text(math.sqrt(2) / epsilon)} rows"
    return QuantileNote(
        "Number of rows kept by their weights, with noise", "1 row", detail, epsilon, 0.0, None, 2 * epsilon
    )


def quantile_note(spread: QuantileDistribution) -> QuantileNote:
    """Return the line of a receipt for the quantile of the rows that are kept."""
    detail = f"{len(spread.edges)} candidate thresholds on a public grid; rows kept by public weights"
    name = "Private quantile of the rows kept (exponential mechanism, bracket loss)"
    read = NOTHING_READ if spread.note else "1 (in the utility of a candidate)"
    return QuantileNote(name, read, detail, spread.epsilon, 0.0, None, spread.epsilon)
