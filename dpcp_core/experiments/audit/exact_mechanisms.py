"""The private quantiles and other mechanisms with few outputs, as settings that are searched for their worst tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpcp_core._arrays import Counts, Floats
from dpcp_core.evaluation.audit.exact import LogProbabilities
from dpcp_core.evaluation.audit.lattice import crossing_probabilities
from dpcp_core.experiments.audit.exactly import EdgePlaces, ExactCase
from dpcp_core.privacy.binary_search import certified_search_target, search_log_probabilities, search_noise
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.noisy_count import distribution_given_count
from dpcp_core.privacy.noisy_histogram import certified_histogram_target
from dpcp_core.privacy.order_statistics import order_statistics_distribution
from dpcp_core.privacy.private_bounds import bounds_from_counts
from dpcp_core.privacy.private_typical import typical_log_probabilities
from dpcp_core.privacy.quantile import quantile_distribution_from_counts
from dpcp_core.privacy.smooth_quantile import smooth_quantile_distribution
from dpcp_core.privacy.targets import published_target, target_count
from dpcp_core.privacy.whole_noise import whole_laplace_log_probabilities

_SHAPES = ((30, 6, 0.4), (120, 8, 0.3), (160, 200, 0.4))
"""Rows, candidates and miss rate of the exponential mechanism; hundreds of candidates may share the target."""

_KNOWN = 1e-5
"""Probabilities that are sums of floats are taken for no less than this, so that rounding makes no ratio."""

_REACH = 12
"""Rows up to which noisy numbers are followed."""

_ONE_SIZE = np.array([1.0])

_COLUMN = np.array([-1.0, 0.0, 1.0, 3.3, 7.0, 8.0])
"""Values of a column with the bounds 0 and 8."""


@dataclass(frozen=True)
class QuantileLogs:
    """The exponential mechanism over a grid, for tables of scores.

    Attributes
    ----------
    n, bins, miss_rate, epsilon, loss, guarantee
        As in ``quantile_distribution``.
    sensitivity_scale : float
        What the mechanism takes its sensitivity for, over what it is: 1 in earnest.
    """

    n: int
    bins: int
    miss_rate: float
    epsilon: float
    loss: str
    guarantee: str
    sensitivity_scale: float = 1.0

    @property
    def target(self) -> float:
        """Count of scores above the threshold that is aimed at."""
        return target_count(self.guarantee, self.n, self.miss_rate, self.epsilon, self.bins, self.loss)

    def __call__(self, tables: Counts) -> Floats:
        """Return log-probabilities of the candidates."""
        places = EdgePlaces(self.bins)
        above, below = places.above(tables), places.below(tables)
        if self.sensitivity_scale != 1:
            aim = LOSSES[self.loss].aiming_at(self.target, n=self.n, guarantee=self.guarantee)
            believed = self.sensitivity_scale * aim.sensitivity
            return exponential_log_probabilities(aim.utility(above, below), believed, self.epsilon, aim.range_factor)
        return quantile_distribution_from_counts(
            above, below, self.n, Grid.uniform(largest=1.0, bins=self.bins),
            epsilon=self.epsilon, miss_rate=self.miss_rate, loss=self.loss, guarantee=self.guarantee,
        ).log_probabilities  # fmt: skip


def quantile_cases(
    epsilon: float, loss: str, guarantees: tuple[str, ...], sensitivity_scale: float = 1.0
) -> Iterator[ExactCase]:
    """Yield settings of the exponential mechanism with a loss, few candidates and many."""
    for guarantee in guarantees:
        for n, bins, miss_rate in _SHAPES:
            logs = QuantileLogs(n, bins, miss_rate, epsilon, loss, guarantee, sensitivity_scale)
            if logs.target <= 0:
                continue  # the same answer for every table
            places = EdgePlaces(bins)
            yield ExactCase(
                logs, n, places.n_places, places.words, f'{bins} candidates and guarantee "{guarantee}"',
                places.heaped(n, logs.target), 0.25 if bins > 100 else 1.0,
            )  # fmt: skip


def search_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield settings of the noisy binary search; ``epsilon`` is that of the exponential mechanism beside it."""
    for n, bins, miss_rate in ((20, 2, 0.5), (30, 8, 0.4)):
        certified = certified_search_target(n, miss_rate, epsilon, bins)
        for target in {float(published_target(n, miss_rate)), certified}:
            if target > 0:
                logs = partial(_search_logs, bins, target, search_noise(epsilon, bins))
                yield _case_at(logs, n, bins, target)


def _search_logs(bins: int, target: float, noise: float, tables: Counts) -> Floats:
    return search_log_probabilities(EdgePlaces(bins).above(tables), target, noise)


def histogram_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield settings of the noisy histogram."""
    for n, bins, miss_rate in ((20, 2, 0.5), (30, 4, 0.4)):
        certified = math.floor(certified_histogram_target(n, miss_rate, epsilon, bins))
        for target in {published_target(n, miss_rate), certified}:
            if target > 0:
                yield _case_at(partial(_histogram_logs, bins, target, epsilon), n, bins, target, 0.2)


def _histogram_logs(bins: int, target: float, epsilon: float, tables: Counts) -> Floats:
    return known_logs(crossing_probabilities(EdgePlaces(bins).above(tables), target, epsilon))


def _case_at(logs: LogProbabilities, n: int, bins: int, target: float, weight: float = 1.0) -> ExactCase:
    places, about = EdgePlaces(bins), f"{bins} candidates and a target count of {target:.3g}"
    return ExactCase(logs, n, places.n_places, places.words, about, places.heaped(n, target), weight)


def smooth_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield settings of the experimental quantile with smooth sensitivity."""
    n, bins = 12, 5
    for target in (1.0, 5.0):
        yield _case_at(partial(_smooth_logs, bins, target, epsilon), n, bins, target, 0.5)


def _smooth_logs(bins: int, target: float, epsilon: float, tables: Counts) -> Floats:
    grid, values = Grid.uniform(largest=1.0, bins=bins), np.arange(2 * bins + 1) / (2 * bins)
    rows = (smooth_quantile_distribution(np.repeat(values, t), grid, epsilon=epsilon, target=target) for t in tables)
    return known_logs(np.exp(np.stack(list(rows))))


def typical_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield one setting of the private range of a column's middle two thirds."""
    yield ExactCase(partial(_typical_logs, epsilon), 24, len(_COLUMN), _at_value, "bounds of 0 and 8", (), 0.25)


def _typical_logs(epsilon: float, tables: Counts) -> Floats:
    return np.stack([typical_log_probabilities(np.repeat(_COLUMN, t), (0, 8), epsilon=epsilon) for t in tables])


def _at_value(place: int) -> str:
    return f"at the value {_COLUMN[place]:g}"


def bounds_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield one setting of bounds that are bought, on a grid of three bins."""
    outcome, n_outcomes = _bounds_of_noisy_counts(epsilon)
    logs = partial(_bounds_logs, outcome, n_outcomes, epsilon)
    yield ExactCase(logs, 9, 3, _sign, "values of one size and either sign", (), 0.5)


def _bounds_of_noisy_counts(epsilon: float) -> tuple[Counts, int]:
    """Return a number for the bounds that follow from each triple of noisy counts, and how many bounds there are."""
    triples = itertools.product(range(-_REACH, _REACH + 1), repeat=3)
    found = [bounds_from_counts(np.array(triple, np.float64), epsilon, _ONE_SIZE) for triple in triples]
    names = {pair: number for number, pair in enumerate(dict.fromkeys(found))}
    return np.array([names[pair] for pair in found]), len(names)


def _bounds_logs(outcome: Counts, n_outcomes: int, epsilon: float, tables: Counts) -> Floats:
    """Return log-probabilities of the bounds; a count beyond the reach is taken for the outermost one within it."""
    noisy = np.arange(-_REACH, _REACH + 1)
    chances = np.exp(whole_laplace_log_probabilities(epsilon, noisy - tables[..., None]))
    chances[..., [0, -1]] /= -math.expm1(-epsilon)  # a geometric tail
    joint = np.einsum("ti,tj,tk->tijk", *np.moveaxis(chances, 1, 0)).reshape(len(tables), -1)
    return known_logs(np.stack([np.bincount(outcome, weights=each, minlength=n_outcomes) for each in joint]))


def _sign(place: int) -> str:
    return ("below 0", "at 0", "above 0")[place]


def shift_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield one setting of a threshold for another population: a noisy number of rows, then a quantile that uses it."""
    n, places = 16, EdgePlaces(4)
    about = f"{places.bins} candidates, as much spent on the number of rows as on the threshold"
    yield ExactCase(partial(_shift_logs, places, epsilon / 2), n, places.n_places, places.words, about, (), 0.5)


def _shift_logs(places: EdgePlaces, epsilon: float, tables: Counts) -> Floats:
    """Return log-probabilities of every noisy number within reach together with every candidate."""
    above, grid = places.above(tables), Grid.uniform(largest=1.0, bins=places.bins)
    parts = []
    for noisy in range(-_REACH, 3 * _REACH):
        spread = distribution_given_count(above, noisy, grid, epsilon=epsilon, miss_rate=0.4, count_epsilon=epsilon)
        of_count = whole_laplace_log_probabilities(epsilon, noisy - tables.sum(axis=1))
        parts.append(of_count[:, None] + spread.log_probabilities)
    return np.concatenate(parts, axis=1)


def utility_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield settings of the bare exponential mechanism: every row moves each of 200 utilities by at most 1."""
    pulls = np.sign(np.arange(200) - np.array([[0.5], [100.0], [199.5]]))
    yield ExactCase(partial(_pulled_logs, pulls, epsilon, 2.0), 12, 3, _pull, "utilities that go up and down")
    yield ExactCase(partial(_pulled_logs, pulls > 0, epsilon, 1.0), 12, 3, _pull, "utilities that only go up")


def _pulled_logs(pulls: Floats, epsilon: float, range_factor: float, tables: Counts) -> Floats:
    return exponential_log_probabilities(tables @ pulls.astype(np.float64), 1.0, epsilon, range_factor)


def _pull(place: int) -> str:
    return f"where they pull in direction {place + 1}"


def order_statistics_cases(epsilon: float) -> Iterator[ExactCase]:
    """Yield the quantile that is drawn among the scores themselves: not private, whatever it claims."""
    yield ExactCase(partial(_order_logs, epsilon), 12, 6, _at_score, "the scores themselves as candidates", (), 0.25)


def _order_logs(epsilon: float, tables: Counts) -> Floats:
    logs = np.full(tables.shape, -np.inf)
    for row, table in zip(logs, tables, strict=True):
        places = np.repeat(np.arange(table.size), table)
        if places.size:
            spread = order_statistics_distribution(places + 1.0, epsilon=epsilon, miss_rate=0.9)
            np.logaddexp.at(row, places, spread.log_probabilities[0])
    return logs


def _at_score(place: int) -> str:
    return f"at the score {place + 1}"


def known_logs(chances: Floats) -> Floats:
    """Return logarithms of probabilities that were summed up, none below what rounding lets be known."""
    logs: Floats = np.log(np.maximum(chances, _KNOWN))
    return logs
