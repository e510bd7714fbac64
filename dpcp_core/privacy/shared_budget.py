r"""What one of several mechanisms on the same rows may spend, their joint cost being computed and not added up.

How private are they together? ``joint_delta(profiles, epsilon)``. How much noise does one more of them need?
``SharedBudget(epsilon, delta, others=profiles)``, which any trainer takes in place of a :class:`TrainingBudget`.

>>> from dpcp_core.privacy.profile import GaussianProfile
>>> alone, beside = TrainingBudget(1.0, 1e-5), SharedBudget(1.0, 1e-5, others=(GaussianProfile(0.1),))
>>> round(math.hypot(beside.mu, 0.1) / alone.mu, 9)
1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_mu
from dpcp_core.privacy.joint_profile import joint_profile
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.privacy.subsampled import LEAST_SAMPLED_NOISE, SMALLEST_SAMPLED_DELTA

# More than convolutions lose to rounding.
_ROUNDING = 1e-12
# Share of delta that a search may leave unused; some 0.1 % of the noise.
_UNUSED = 0.01
_MOST_TRIES = 40
_LARGEST_NOISE = 1e5


@dataclass(frozen=True)
class SharedBudget(TrainingBudget):
    """What is left of a budget for one mechanism, beside others that read the same rows.

    Attributes
    ----------
    epsilon, delta : float
        What all of them may cost together.
    others : tuple of PrivacyProfile
        Of the other mechanisms.

    Notes
    -----
    **Privacy.** A mechanism that keeps to it costs (epsilon, delta) together with the others, whatever order they run
    in and even if each sees what the earlier ones released.

    References
    ----------
    Dong, Roth and Su (2022), Gaussian Differential Privacy, corollary 3.3 (Gaussian parts); Zhu, Dong and Wang,
    Optimal Accounting of Differential Privacy via Characteristic Function (2022), theorem 10 (dominating pairs).
    """

    others: tuple[PrivacyProfile, ...] = ()

    @property
    def mu(self) -> float:
        """Largest GDP parameter that the mechanism may have; infinity if it need not be private."""
        return _largest_mu(self) if self.is_finite else math.inf

    @property
    def point(self) -> PrivacyBudget:
        """Budget of a mechanism of which one pair (epsilon, delta) is all that is known: costs are added."""
        if not self.is_finite or not self.others:
            return TrainingBudget(self.epsilon, self.delta).point
        spent = _added(self.others).epsilon(self.delta / 2)
        if spent >= self.epsilon:
            raise InputError(
                f"Nothing of epsilon = {self.epsilon:g} is left for a part whose cost can only be added; "
                "raise epsilon, or choose another task model."
            )
        return PrivacyBudget(self.epsilon - spent, self.delta / 2)

    def noise_multiplier(self, steps: int, sampling_rate: float = 1.0) -> float:
        """Return the noise of each of ``steps`` clipped sums, in units of the clip norm; 0 if it need not be private.

        Parameters
        ----------
        steps : int
        sampling_rate : float
            1 for full batches, below 1 for Poisson batches.
        """
        if not self.is_finite:
            return 0.0
        full = math.sqrt(steps) / self.mu
        if sampling_rate == 1 or full <= LEAST_SAMPLED_NOISE:
            return full
        return _least_noise(self, steps, sampling_rate)

    def admits(self, profile: PrivacyProfile) -> bool:
        """Whether a mechanism with this profile keeps to the budget."""
        return not self.is_finite or joint_delta((*self.others, profile), self.epsilon) <= self.delta * (1 + 1e-9)


def joint_delta(profiles: tuple[PrivacyProfile, ...], epsilon: float) -> float:
    """Return a valid delta at ``epsilon`` of all these mechanisms on the same rows.

    Parameters
    ----------
    profiles : tuple of PrivacyProfile
    epsilon : float
        0 or more.

    Notes
    -----
    **Privacy.** Exact for Gaussian mechanisms. Those on Poisson batches are composed with them by pessimistic privacy
    loss distributions; costs of anything else are added.

    Examples
    --------
    >>> joint_delta((GaussianProfile(0.3), GaussianProfile(0.4)), 1.0) == GaussianProfile(0.5).delta(1.0)
    True
    """
    sampled = tuple(p for p in profiles if isinstance(p, SubsampledGaussianProfile))
    gaussian = [p for p in profiles if isinstance(p, GaussianProfile)]
    if len(sampled) + len(gaussian) < len(profiles):
        return min(1.0, _added(profiles).delta(epsilon))
    mu = math.hypot(*(p.mu for p in gaussian))
    if not sampled or math.isinf(mu):
        return gaussian_delta(mu, epsilon)
    return min(1.0, max(0.0, float(_together(sampled, mu).get_delta_for_epsilon(epsilon))) + _ROUNDING)


def joint_epsilon(profiles: tuple[PrivacyProfile, ...], delta: float) -> float:
    """Return a valid epsilon, 0 or more, of all these mechanisms at ``delta``.

    Examples
    --------
    >>> round(joint_epsilon((GaussianProfile(0.2), GaussianProfile(0.1)), 1e-5), 4) == round(
    ...     GaussianProfile(math.hypot(0.2, 0.1)).epsilon(1e-5), 4)
    True
    """
    sampled = tuple(p for p in profiles if isinstance(p, SubsampledGaussianProfile))
    gaussian = [p for p in profiles if isinstance(p, GaussianProfile)]
    if len(sampled) + len(gaussian) < len(profiles):
        return _added(profiles).epsilon(delta)
    mu = math.hypot(*(p.mu for p in gaussian))
    if not sampled or math.isinf(mu):
        return gaussian_epsilon(mu, delta)
    return max(0.0, float(_together(sampled, mu).get_epsilon_for_delta(delta - _ROUNDING)))


def _added(profiles: tuple[PrivacyProfile, ...]) -> PrivacyProfile:
    """Return the profile of all together where costs can only be added, the Gaussian ones joined exactly first."""
    gaussian = [profile for profile in profiles if isinstance(profile, GaussianProfile)]
    others = [profile for profile in profiles if not isinstance(profile, GaussianProfile)]
    return reduce(joint_profile, (*gaussian, *others))


def _together(sampled: tuple[SubsampledGaussianProfile, ...], mu: float) -> Any:
    """Return the privacy loss distribution of mechanisms on batches and a Gaussian one of this mu."""
    # Coarser is faster and never unsafe, as every loss is rounded up; in steps, so that a search finds parts again.
    usual = min(min(p.sampling_rate / p.noise_multiplier for p in sampled) / 25, 1e-2)
    interval = 10.0 ** (math.floor(4 * math.log10(max(usual, 1e-6))) / 4)
    whole = reduce(lambda one, other: one.compose(other), (_sampled(p, interval) for p in sampled))
    return whole if mu == 0 else whole.compose(_gaussian(mu, interval))


@lru_cache(maxsize=64)
def _sampled(profile: SubsampledGaussianProfile, interval: float) -> Any:
    from dp_accounting.pld import privacy_loss_distribution

    one = privacy_loss_distribution.from_gaussian_mechanism(
        profile.noise_multiplier, sampling_prob=profile.sampling_rate, value_discretization_interval=interval
    )
    return one.self_compose(profile.steps)


@lru_cache(maxsize=64)
def _gaussian(mu: float, interval: float) -> Any:
    from dp_accounting.pld import privacy_loss_distribution

    return privacy_loss_distribution.from_gaussian_mechanism(1 / mu, value_discretization_interval=interval)


@lru_cache(maxsize=1024)
def _largest_mu(budget: SharedBudget) -> float:
    whole = gaussian_mu(budget.epsilon, budget.delta)
    taken = [profile.mu for profile in budget.others if isinstance(profile, GaussianProfile)]
    left = math.sqrt(max(whole**2 - math.hypot(*taken) ** 2, 0.0))
    if left == 0:
        raise InputError(f"Nothing of epsilon = {budget.epsilon:g} is left for one of the parts; raise epsilon.")
    if len(taken) == len(budget.others):
        # A hair below, as the squares were rounded.
        return left * (1 - 1e-12)
    return _last_within(budget, GaussianProfile, left / 2)


@lru_cache(maxsize=1024)
def _least_noise(budget: SharedBudget, steps: int, rate: float) -> float:
    if budget.delta < SMALLEST_SAMPLED_DELTA:
        raise InputError(
            f"delta is {budget.delta:g}, but drawn batches can be accounted for only from "
            f"{SMALLEST_SAMPLED_DELTA:g} on; raise delta, or train on full batches."
        )
    # What many small steps come to in the limit (Dong, Roth and Su 2022, corollary 5.4): a close guess.
    guess = math.sqrt(math.log1p((budget.mu / rate) ** 2 / steps))
    if 1 / guess > _LARGEST_NOISE:
        raise InputError(
            f"epsilon = {budget.epsilon:g} over {steps} steps asks for more noise than can be accounted for; "
            "raise epsilon or take fewer steps."
        )

    def sampled(precision: float) -> PrivacyProfile:
        return SubsampledGaussianProfile(1 / precision, rate, steps)

    most = 1 / LEAST_SAMPLED_NOISE
    return 1 / min(_last_within(budget, sampled, min(guess, most)), most)


def _last_within(budget: SharedBudget, profile_of: Callable[[float], PrivacyProfile], guess: float) -> float:
    """Return a precision within the budget that leaves at most a hundredth of delta unused; near the guess."""

    def gap(log_precision: float) -> float:
        found = joint_delta((*budget.others, profile_of(math.exp(log_precision))), budget.epsilon)
        return math.log(max(found, 1e-300)) - math.log(budget.delta)

    aim, slope, tried = math.log1p(-_UNUSED / 2), 20.0, math.log(guess)
    before = (tried, gap(tried))
    best = tried if before[1] <= 0 else -math.inf
    for _ in range(_MOST_TRIES):
        if math.log1p(-_UNUSED) <= before[1] <= 0:
            return math.exp(before[0])
        # Along the last chord, but never more than a third at once.
        tried = before[0] + min(max((aim - before[1]) / slope, -0.4), 0.4)
        now = (tried, gap(tried))
        if now[1] <= 0:
            best = max(best, tried)
        slope = min(max((now[1] - before[1]) / (now[0] - before[0]), 2.0), 1e4)
        before = now
    if best == -math.inf:
        raise InputError(f"Nothing of epsilon = {budget.epsilon:g} is left for one of the parts; raise epsilon.")
    return math.exp(best)
