"""Accounting for training on Poisson batches: numerically, by dp-accounting, rounded to the private side.

``dp_accounting`` is imported inside the functions, so that nobody pays for it who does not use it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_mu, largest_below, require_delta

_LARGEST_NOISE = 1e6
LEAST_SAMPLED_NOISE = 0.25
"""Below, drawing batches is taken to hide nothing: so little noise is hardly private, and its numbers take minutes."""
SMALLEST_SAMPLED_DELTA = 1e-10
"""The smallest delta that numerical accounting can vouch for."""
# More than its convolutions lose to rounding (seen: up to some 1e-14 after 2,000 steps).
_ROUNDING = 1e-12
_TOLERANCE = 2e-4
_MOST_LOSSES = 2e5


@lru_cache(maxsize=256)
def loss_distribution(noise_multiplier: float, sampling_rate: float, steps: int) -> Any:
    """Return dp-accounting's pessimistic privacy loss distribution of the whole training run."""
    from dp_accounting.pld import privacy_loss_distribution

    one = privacy_loss_distribution.from_gaussian_mechanism(
        noise_multiplier,
        sampling_prob=sampling_rate,
        value_discretization_interval=_interval(noise_multiplier, sampling_rate),
    )
    return one.self_compose(steps)


def _interval(noise_multiplier: float, sampling_rate: float) -> float:
    """Return the distance of the losses kept: a small part of what one step usually loses.

    Coarser is faster and never unsafe, as every loss is rounded up.
    """
    usual = sampling_rate / noise_multiplier
    largest = 1 / noise_multiplier**2 + 10 / noise_multiplier
    return min(max(usual / 25, largest / _MOST_LOSSES, 1e-6), 1e-2)


@lru_cache(maxsize=4096)
def subsampled_delta(noise_multiplier: float, sampling_rate: float, steps: int, epsilon: float) -> float:
    """Return delta at one epsilon; an upper bound."""
    distribution = loss_distribution(noise_multiplier, sampling_rate, steps)
    return min(1.0, max(0.0, float(distribution.get_delta_for_epsilon(epsilon))) + _ROUNDING)


@lru_cache(maxsize=256)
def subsampled_noise(epsilon: float, delta: float, steps: int, sampling_rate: float) -> float:
    """Return the smallest noise multiplier, rounded up by at most 0.1 %, that keeps to (epsilon, delta)."""
    if math.isinf(epsilon):
        return 0.0
    limit = require_delta(delta)
    if limit < SMALLEST_SAMPLED_DELTA:
        raise InputError(
            f"delta is {limit:g}, but drawn batches can be accounted for only from {SMALLEST_SAMPLED_DELTA:g} on; "
            "raise delta, or train on full batches."
        )
    # Sampling only amplifies privacy, so the full-batch noise is enough.
    high = math.sqrt(steps) / max(gaussian_mu(epsilon, limit), 1e-300)
    if high <= LEAST_SAMPLED_NOISE:
        return high
    if high > _LARGEST_NOISE:
        raise InputError(
            f"epsilon = {epsilon:g} over {steps} steps asks for more noise than can be accounted for; "
            "raise epsilon or take fewer steps."
        )
    # Rounding losses up can spoil that where there is hardly any amplification.
    while subsampled_delta(high, sampling_rate, steps, epsilon) > limit:
        high *= 1 + _TOLERANCE
    low = high / 2
    while low > LEAST_SAMPLED_NOISE and subsampled_delta(low, sampling_rate, steps, epsilon) <= limit:
        low, high = low / 2, low
    if low <= LEAST_SAMPLED_NOISE:
        low = LEAST_SAMPLED_NOISE
        if subsampled_delta(low, sampling_rate, steps, epsilon) <= limit:
            return low

    def curve(precision: float) -> float:
        return subsampled_delta(1 / precision, sampling_rate, steps, epsilon)

    return 1 / largest_below(curve, limit, 1 / high, 1 / low, _TOLERANCE)
