"""One private threshold for rows that lie at several sites, in one round and without a curator.

No site shows its scores to anybody. Each counts them on the common public grid, adds its part of the noise and hides
the result behind masks that cancel in the sum; the sum over the sites is all that anybody sees.

>>> import numpy as np
>>> from dpcp_core.privacy.grid import Grid
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> scores = np.abs(simulation_generator(0).normal(size=3000))
>>> hospitals = [scores[:400], scores[400:1900], scores[1900:]]
>>> grid = Grid.geometric(smallest=0.2, largest=10.0, bins=60)
>>> drawn = federated_quantile(hospitals, grid, epsilon=1.0, miss_rate=0.1, rng=simulation_generator(1))
>>> round(drawn.threshold, 2), drawn.entry.epsilon
(1.67, 1.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate as check
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.noise_shares import Whole, mean_highest_walk_of_shares, noise_share
from dpcp_core.privacy.quantile_task import NOTHING_READ
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry
from dpcp_core.privacy.targets import nothing_narrower

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class FederatedQuantile:
    """A threshold that several sites made together, and what is known about it.

    Attributes
    ----------
    threshold : float
        An edge of the grid, in score units.
    noisy_counts : int array of shape (M - 1,)
        What came out of the sum: noisy numbers of scores between neighbouring edges, from the first edge up.
    target_count : float
        Count of scores above the threshold that was aimed at; 0 or less means that there is none.
    miss_rate : float
        What is promised for a new exchangeable score.
    note : str
        Empty, or one sentence on why the threshold is the last edge whatever the scores.
    entry : ReceiptEntry
        Its line on a receipt.
    """

    threshold: float
    noisy_counts: Whole
    target_count: float
    miss_rate: float
    note: str
    entry: ReceiptEntry


def federated_quantile(
    site_scores: Sequence[ArrayLike],
    grid: Grid,
    *,
    epsilon: float,
    miss_rate: float,
    rng: np.random.Generator,
    n: int | None = None,
    trusted: int | None = None,
) -> FederatedQuantile:
    """Draw a private quantile of the scores of several sites in one round.

    1. Each site counts its scores between the edges of the grid.
    2. It adds its part of the noise to every count.
    3. It adds masks that cancel in the sum over all sites, and sends the result.
    4. The sum of the messages is summed from the top; the first edge with few enough scores above it is released.

    Parameters
    ----------
    site_scores : sequence of S arrays of shape (n_s,)
        Scores of each site's rows, 0 or more, all by one model that none of these rows trained.
    grid : Grid
        Public candidates, common to all sites. The last one must bound every score.
    epsilon : float
        Privacy cost, above 0.
    miss_rate : float
        Share of new scores that may lie above the threshold, in (0, 1).
    rng : numpy Generator
        Source of every site's noise and masks here, where all sites are played by one program.
    n : int, optional
        Public number of rows of all sites, empty ones too; by default the number of scores.
    trusted : int, optional
        Sites whose part of the noise is counted on, 1 to S; by default all. Fewer make every part larger.

    Returns
    -------
    FederatedQuantile

    Raises
    ------
    InputError
        No site, more scores than rows, or a parameter out of range.

    Notes
    -----
    **Privacy.** ``epsilon`` for one row of one site being there or empty, towards the coordinator and everybody else
    who sees the sum only. Every site has to follow the steps, and no message is seen without its masks. Where sites
    pool what they know (one alone knows its own part of the noise), only the parts of the ``h`` others are secret: the
    cost towards them stays ``epsilon`` if ``h >= trusted``, and is at most ``epsilon + ln(trusted / h)`` otherwise. So
    ``trusted = S - 1`` keeps ``epsilon`` towards any one of the sites.

    **Guarantee.** A new score exceeds the threshold with probability at most ``miss_rate`` if it is exchangeable with
    all scores of all sites together. For a person of one certain site nothing is promised.

    References
    ----------
    Bonawitz et al., Practical Secure Aggregation for Privacy-Preserving Machine Learning (2017), for the masks; Humbert
    et al., One-Shot Federated Conformal Prediction (2023), for another one-round quantile.

    Examples
    --------
    >>> from dpcp_core.privacy.randomness import simulation_generator
    >>> alone = federated_quantile(
    ...     [[0.1, 0.2], [0.3]], Grid.uniform(largest=1, bins=4), epsilon=1, miss_rate=0.1, rng=simulation_generator(0)
    ... )
    >>> alone.threshold, alone.note
    (1.0, 'With n = 3, epsilon = 1 and 4 bins nothing narrower can be certified; it needs n >= 20.')
    """
    counts = [_histogram(scores, grid) for scores in site_scores]
    if not counts:
        raise InputError("site_scores is empty; give the scores of at least one site.")
    rows = _number_of_rows(site_scores, n)
    sites = check.whole(at_most=len(counts), trusted=len(counts) if trusted is None else trusted)
    shared = [own + noise_share(epsilon, sites, own.shape, rng) for own in counts]
    noisy_counts = add_up(masked(shared, rng))
    walk = mean_highest_walk_of_shares(grid.bins, epsilon, len(counts) / sites)
    target = (rows + 1) * check.share(miss_rate=miss_rate) - 1 - walk
    note = "" if target > 0 else nothing_narrower(rows, epsilon, grid.bins, (1 + walk) / miss_rate - 1, "certified")
    threshold = float(grid.edges[-1]) if note else first_edge(noisy_counts, target, grid)
    entry = _entry(rows, len(counts), sites, epsilon, grid, note)
    return FederatedQuantile(threshold, noisy_counts, target, miss_rate, note, entry)


def masked(messages: Sequence[Whole], rng: np.random.Generator) -> list[Words]:
    """Return the messages with masks on: each alone is uniform noise, their sum is that of the messages.

    Every pair of sites shares one mask that nobody else knows; one of the two adds it, the other takes it away.
    Arithmetic is that of 64-bit words, which wraps around.

    Examples
    --------
    >>> hidden = masked([np.array([5]), np.array([-2])], np.random.default_rng(0))
    >>> add_up(hidden).tolist()
    [3]
    """
    words = [np.asarray(message).astype(np.int64).view(np.uint64).copy() for message in messages]
    for first in range(len(words)):
        for second in range(first + 1, len(words)):
            mask = rng.integers(0, 2**64, size=words[first].shape, dtype=np.uint64)
            words[first] += mask
            words[second] -= mask
    return words


def add_up(messages: Sequence[Words]) -> Whole:
    """Return the sum of masked messages: what the coordinator learns."""
    total: Words = np.sum(np.stack(messages), axis=0, dtype=np.uint64)
    return total.view(np.int64)


def first_edge(noisy_counts: Whole, target: float, grid: Grid) -> float:
    """Return the first edge with at most ``target`` scores above it by noisy counts; the last has none above it.

    Examples
    --------
    >>> first_edge(np.array([4, 3, 1]), 1.5, Grid.uniform(largest=1, bins=4))
    0.75
    """
    noisy_above = np.append(np.cumsum(noisy_counts[::-1])[::-1], -math.inf)
    return float(grid.edges[int(np.argmax(noisy_above <= target))])


def _histogram(scores: ArrayLike, grid: Grid) -> Whole:
    """Return how many scores lie between neighbouring edges; what is below the first is in no count."""
    values: Floats = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1:
        raise InputError("site_scores must hold one list of numbers per site.")
    above = grid.counts_above(values) if len(values) else np.zeros(grid.bins, dtype=np.int64)
    return -np.diff(above)


def _number_of_rows(site_scores: Sequence[ArrayLike], n: int | None) -> int:
    present = sum(len(np.asarray(scores)) for scores in site_scores)
    rows = check.whole(n=max(present, 1) if n is None else n)
    if rows < present:
        raise InputError(f"n is {rows} but there are {present} scores; n counts every row, empty ones too.")
    return rows


def _entry(rows: int, sites: int, trusted: int, epsilon: float, grid: Grid, note: str) -> ReceiptEntry:
    return ReceiptEntry(
        "Private quantile of several sites (sum of their noisy histograms)",
        f"scores of {rows:,} rows at {sites} sites",
        ONE_ROW,
        NOTHING_READ if note else "1 row (in one bin of one site)",
        epsilon,
        0.0,
        f"whole-number Laplace noise, made together so that {trusted} of {sites} sites suffice, on each of "
        f"{grid.bins} bins of a public {grid.kind} grid",
    )
