"""Privacy profiles: delta as a function of epsilon, for a whole training run.

Which profile does my training have? ``GaussianProfile(sqrt(steps) / noise_multiplier)`` for full batches,
``SubsampledGaussianProfile(noise_multiplier, sampling_rate, steps)`` for Poisson batches.
How much noise do I need? ``noise_multiplier(epsilon, delta, steps, sampling_rate)``.
What does an in-sample score cost? ``stable_level(profile, alpha)``: the level to aim at.

>>> profile = GaussianProfile(gaussian_mu(1.0, 1e-5))
>>> profile.delta(1.0) <= 1e-5
True
>>> f"{stable_level(profile, 0.1):.3f} instead of {paper_level(1.0, 1e-5, 0.1):.3f}"
'0.061 instead of 0.037'
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.special import ndtr, ndtri

from dpcp_core import _validate
from dpcp_core.privacy.composition import composed_delta, training_mu
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_mu
from dpcp_core.privacy.subsampled import subsampled_delta, subsampled_noise

__all__ = [
    "GaussianProfile",
    "NoPrivacyProfile",
    "PrivacyProfile",
    "SubsampledGaussianProfile",
    "composed_delta",
    "gaussian_mu",
    "noise_multiplier",
    "paper_level",
    "stable_level",
    "training_mu",
]

_LARGEST_EPSILON = 1e5
_LARGEST_EXPONENT = 700.0  # exp(-700) is still a normal number


@runtime_checkable
class PrivacyProfile(Protocol):
    """What is known about a mechanism's privacy: it is (epsilon, delta(epsilon))-DP for every epsilon."""

    def delta(self, epsilon: float) -> float:
        """Return a valid delta at ``epsilon``."""

    def epsilon(self, delta: float) -> float:
        """Return a valid epsilon, 0 or more, at ``delta``."""


@dataclass(frozen=True)
class GaussianProfile:
    """The profile of a mu-GDP mechanism, for instance full-batch noisy gradient descent.

    Attributes
    ----------
    mu
        0 or more; ``sqrt(steps) / noise_multiplier``; infinity means no noise.

    References
    ----------
    Dong, Roth and Su, Gaussian Differential Privacy (2022), corollary 2.13.

    Examples
    --------
    >>> f"{GaussianProfile(1.0).delta(1.0):.4f}"
    '0.1269'
    """

    mu: float

    def __post_init__(self) -> None:
        if self.mu != math.inf:
            object.__setattr__(self, "mu", _validate.non_negative(mu=self.mu))

    def delta(self, epsilon: float) -> float:
        """Return the exact delta; ``epsilon`` may be any real number."""
        return gaussian_delta(self.mu, epsilon)

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon >= 0 for ``delta``, rounded up."""
        return gaussian_epsilon(self.mu, delta)


@dataclass(frozen=True)
class SubsampledGaussianProfile:
    """The profile of noisy gradient descent on Poisson batches.

    Attributes
    ----------
    noise_multiplier
        Standard deviation of the noise on the *sum* of clipped gradients, in units of the clip norm.
    sampling_rate
        Chance of each row to be in a batch, above 0 and at most 1.
    steps
        Number of batches.

    Notes
    -----
    **Privacy**: neighbours differ in one row being there or empty, which is add-or-remove for the accountant.
    dp-accounting's pessimistic privacy loss distribution is an upper bound of delta; answers are cached.

    References
    ----------
    Koskela, Jälkö and Honkela, Computing Tight Differential Privacy Guarantees Using FFT (2020).
    """

    noise_multiplier: float
    sampling_rate: float
    steps: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise_multiplier", _validate.positive(noise_multiplier=self.noise_multiplier))
        object.__setattr__(self, "sampling_rate", _sampling_rate(self.sampling_rate))
        object.__setattr__(self, "steps", _validate.whole(steps=self.steps))

    def delta(self, epsilon: float) -> float:
        """Return an upper bound of delta at ``epsilon``, which is 0 or more."""
        return subsampled_delta(self.noise_multiplier, self.sampling_rate, self.steps, float(epsilon))

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon >= 0 for ``delta``, rounded up."""
        limit = _validate.share(zero=True, delta=delta)
        if self.delta(0.0) <= limit:
            return 0.0
        high = 1.0
        while self.delta(high) > limit:
            high *= 2
            if high > _LARGEST_EPSILON:
                return math.inf
        low = 0.0
        while high - low > 1e-6 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > limit else (low, middle)
        return high


@dataclass(frozen=True)
class NoPrivacyProfile:
    """The profile of something that promises nothing: delta is 1 everywhere."""

    def delta(self, epsilon: float) -> float:  # noqa: ARG002 - the protocol's
        """Return 1."""
        return 1.0

    def epsilon(self, delta: float) -> float:  # noqa: ARG002 - the protocol's
        """Return infinity."""
        return math.inf


def _sampling_rate(value: float) -> float:
    return 1.0 if value == 1 else _validate.share(sampling_rate=value)


def noise_multiplier(epsilon: float, delta: float, steps: int, sampling_rate: float = 1.0) -> float:
    """Return the noise that makes ``steps`` clipped and noised sums (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon
        Above 0; infinity gives 0 noise.
    delta
        Strictly between 0 and 1.
    steps
        Number of noisy sums, at least 1.
    sampling_rate
        1 for full batches (closed form), below 1 for Poisson batches (numerical, rounded up by at most 0.1 %).

    Returns
    -------
    float
        Standard deviation in units of the clip norm, rounded up.

    Raises
    ------
    InputError
        If a number is out of range; delta = 0 has no answer.

    Examples
    --------
    >>> f"{noise_multiplier(1.0, 1e-5, steps=100):.2f}"
    '37.31'
    """
    wanted = _validate.positive(infinite=True, epsilon=epsilon)
    count = _validate.whole(steps=steps)
    rate = _sampling_rate(sampling_rate)
    if rate < 1:
        return subsampled_noise(wanted, delta, count, rate)
    mu = gaussian_mu(wanted, delta)
    if math.isinf(mu):
        return 0.0
    noise = math.sqrt(count) / mu
    while gaussian_delta(math.sqrt(count) / noise, wanted) > delta:
        noise = math.nextafter(noise, math.inf)
    return noise


def paper_level(epsilon_1: float, delta: float, alpha: float) -> float:
    """Return the level of the original DPCP, ``exp(-epsilon_1) (alpha - delta)``; 0 if delta exceeds alpha.

    Examples
    --------
    >>> [round(paper_level(e, 0.0, 0.1), 4) for e in (0.5, 1, 2, 4)]
    [0.0607, 0.0368, 0.0135, 0.0018]
    """
    level = math.exp(-_validate.non_negative(epsilon_1=epsilon_1))
    return level * max(0.0, _validate.share(alpha=alpha) - _validate.share(zero=True, delta=delta))


def stable_level(profile: PrivacyProfile, alpha: float) -> float:
    """Return the level to aim at so that in-sample scores still miss at most ``alpha``.

    Parameters
    ----------
    profile
        Of the training run.
    alpha
        Allowed miss rate, strictly between 0 and 1.

    Returns
    -------
    float
        In [0, alpha]: the largest ``exp(-e) (alpha - delta(e))``, in closed form for a Gaussian profile; 0 if
        nothing can be promised.

    Notes
    -----
    **Guarantee**: if the scores of ``n + 1`` rows are exchangeable when all train, and the threshold misses at
    most this level then, it misses at most ``alpha`` when the new row did not train. For fixed rows a miss is
    an event of the model's output, so the profile bounds its probability, and the bound is linear in it.

    References
    ----------
    The supremum over ``e`` of the inequality behind DPCP's theorem (arXiv 2604.14621).

    Examples
    --------
    >>> [round(stable_level(GaussianProfile(gaussian_mu(e, 1e-5)), 0.1), 3) for e in (0.5, 1, 2, 4)]
    [0.077, 0.061, 0.037, 0.014]
    """
    wanted = _validate.share(alpha=alpha)
    if isinstance(profile, GaussianProfile):
        return float(ndtr(ndtri(wanted) - profile.mu))
    return max(0.0, _searched_level(profile, wanted))


def _searched_level(profile: PrivacyProfile, alpha: float) -> float:
    """Maximise over a grid of epsilons, refined three times; every point of the grid is valid by itself."""
    grid = np.concatenate([[0.0], np.geomspace(1e-3, _LARGEST_EXPONENT, 60)])
    best = 0.0
    for _ in range(4):
        levels = [math.exp(-e) * (alpha - profile.delta(float(e))) for e in grid]
        top = int(np.argmax(levels))
        best = max(best, levels[top])
        grid = np.linspace(grid[max(top - 1, 0)], grid[min(top + 1, len(grid) - 1)], 21)
    return best
