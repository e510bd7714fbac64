"""What a training run may spend, whatever kind of mechanism it is.

>>> alone = TrainingBudget(1.0, 1e-5)
>>> round(alone.mu, 3), round(alone.noise_multiplier(steps=100), 1)
(0.268, 37.3)
>>> beside_a_quantile = TrainingBudget(1.0, 1e-5, beside=0.5)
>>> beside_a_quantile.mu < alone.mu
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import composed_delta, training_mu
from dpcp_core.privacy.gaussian import gaussian_mu, largest_below
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile, SubsampledGaussianProfile, noise_multiplier
from dpcp_core.privacy.subsampled import LEAST_SAMPLED_NOISE

_TOLERANCE = 1e-3


@dataclass(frozen=True)
class TrainingBudget:
    """A condition on the privacy of training, together with what else reads the same rows.

    Attributes
    ----------
    epsilon, delta : float
        What training and the mechanism beside it may cost together; epsilon infinite asks for no privacy.
    beside : float
        Epsilon of an exponential mechanism on the same rows, 0 if there is none; below ``epsilon``.
    part : float
        Share that one of several fits on the same rows may use, in (0, 1]: of ``mu`` squared where training is
        Gaussian, of epsilon and delta where it is not. Parts that add up to 1 keep to the budget together.
    """

    epsilon: float
    delta: float
    beside: float = 0.0
    part: float = 1.0

    def __post_init__(self) -> None:
        check.positive(infinite=True, epsilon=self.epsilon)
        if check.non_negative(beside=self.beside) >= self.epsilon:
            raise InputError(f"beside is {self.beside:g}, which leaves nothing of epsilon = {self.epsilon:g}.")

    @property
    def is_finite(self) -> bool:
        """Whether training has to be private at all."""
        return not math.isinf(self.epsilon)

    @property
    def mu(self) -> float:
        """Largest GDP parameter that training may have; infinity if it need not be private."""
        if not self.is_finite:
            return math.inf
        if self.beside == 0:
            whole = gaussian_mu(self.epsilon, self.delta)
        else:
            whole = training_mu(PrivacyBudget(self.epsilon, self.delta), self.beside, "tight")
        return whole * math.sqrt(self.part)

    @property
    def point(self) -> PrivacyBudget:
        """Budget of a mechanism of which one pair (epsilon, delta) is all that is known."""
        if not self.is_finite:
            return PrivacyBudget.infinite()
        return PrivacyBudget((self.epsilon - self.beside) * self.part, self.delta * self.part)

    def noise_multiplier(self, steps: int, sampling_rate: float = 1.0) -> float:
        """Return the noise of each of ``steps`` clipped sums, in units of the clip norm; 0 if it need not be private.

        Parameters
        ----------
        steps : int
            Number of noisy sums.
        sampling_rate : float
            1 for full batches, below 1 for Poisson batches.

        Notes
        -----
        **Privacy.** Training is then within this budget; for Poisson batches rounded up by at most 0.1 %.
        """
        if not self.is_finite:
            return 0.0
        if sampling_rate == 1:
            return math.sqrt(steps) / self.mu
        if self.beside == 0 or self.part < 1:
            return noise_multiplier(self.point.epsilon, self.point.delta, steps, sampling_rate)
        return _noise_beside(self, steps, sampling_rate)

    def admits(self, profile: PrivacyProfile) -> bool:
        """Whether training with this profile keeps to the budget (to its part of it)."""
        if not self.is_finite:
            return True
        if isinstance(profile, GaussianProfile):
            return profile.mu <= self.mu * (1 + 1e-12)
        if self.part < 1:
            return profile.delta(self.point.epsilon) <= self.point.delta * (1 + 1e-9)
        return joint_delta(profile, self.beside, self.epsilon) <= self.delta * (1 + 1e-9)

    def added_split(self, share: float) -> tuple[TrainingBudget, TrainingBudget]:
        """Return the budgets of two fits whose costs are added: valid whatever kinds of training they are."""
        check.share(share=share)
        epsilon, delta = self.point.epsilon, self.point.delta
        return TrainingBudget(epsilon * share, delta * share), TrainingBudget(
            epsilon * (1 - share), delta * (1 - share)
        )

    def split(self, share: float) -> tuple[TrainingBudget, TrainingBudget]:
        """Return the budgets of two fits on the same rows: the first's share, and the rest.

        >>> first, second = TrainingBudget(1.0, 1e-5).split(0.7)
        >>> round(math.hypot(first.mu, second.mu) / TrainingBudget(1.0, 1e-5).mu, 9)
        1.0
        """
        check.share(share=share)
        return replace(self, part=self.part * share), replace(self, part=self.part * (1 - share))


def joint_delta(profile: PrivacyProfile, beside: float, epsilon: float) -> float:
    r"""Return a valid delta at ``epsilon`` of training followed by an exponential mechanism on the same rows.

    Parameters
    ----------
    profile : PrivacyProfile
        Of training.
    beside : float
        Epsilon of the exponential mechanism, 0 or more and below ``epsilon``.
    epsilon : float

    Notes
    -----
    **Privacy.** Exact for Gaussian training (:func:`dpcp_core.privacy.composition.composed_delta`). For another
    profile the second mechanism is bounded by randomised response, which dominates every pure mechanism:

    .. math:: \delta(\epsilon) = p\,\delta_1(\epsilon - b) + (1 - p)\,\delta_1(\epsilon + b),\quad p = e^b/(1 + e^b),

    with ``b = beside``; never more than adding the epsilons gives.

    References
    ----------
    Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy (2017), theorem 8 (randomised
    response dominates).

    Examples
    --------
    >>> joint_delta(GaussianProfile(0.15), 0.5, 1.0) < GaussianProfile(0.15).delta(0.5)
    True
    """
    if isinstance(profile, GaussianProfile):
        return composed_delta(profile.mu, beside, epsilon)
    if beside == 0:
        return profile.delta(epsilon)
    likely = 1 / (1 + math.exp(-beside))
    return likely * profile.delta(epsilon - beside) + (1 - likely) * profile.delta(epsilon + beside)


@lru_cache(maxsize=256)
def _noise_beside(budget: TrainingBudget, steps: int, sampling_rate: float) -> float:
    # Adding the epsilons is always enough, having nothing beside never is.
    enough = noise_multiplier(budget.epsilon - budget.beside, budget.delta, steps, sampling_rate)
    too_little = noise_multiplier(budget.epsilon, budget.delta, steps, sampling_rate)
    if not too_little < enough or enough <= LEAST_SAMPLED_NOISE:
        return enough

    def curve(precision: float) -> float:
        return joint_delta(
            SubsampledGaussianProfile(1 / precision, sampling_rate, steps), budget.beside, budget.epsilon
        )

    least = max(too_little, LEAST_SAMPLED_NOISE)
    return (
        least
        if curve(1 / least) <= budget.delta
        else 1 / largest_below(curve, budget.delta, 1 / enough, 1 / least, _TOLERANCE)
    )
