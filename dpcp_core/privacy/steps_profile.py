"""The privacy profile of noisy steps: clipped sums of rows, each with Gaussian noise.

>>> steps_profile(10.0, steps=25)
GaussianProfile(mu=0.5)
"""

from __future__ import annotations

import math

from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, PrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.subsampled import LEAST_SAMPLED_NOISE


def steps_profile(noise_multiplier: float, steps: int, sampling_rate: float = 1.0) -> PrivacyProfile:
    """Return the privacy of ``steps`` noisy sums, neighbours by emptying one row.

    Parameters
    ----------
    noise_multiplier : float
        Noise standard deviation in units of the clip norm; 0 promises nothing.
    steps : int
    sampling_rate : float
        Chance of each row to be in a batch; 1 for full batches.

    Notes
    -----
    **Privacy.** Exact for full batches; for Poisson batches a numerical upper bound. Drawing batches only amplifies
    privacy, so that the profile of full batches is valid for them too; it is used where the noise is so small that
    nobody counts on amplification (:func:`dpcp_core.privacy.subsampled.subsampled_noise` never does there).

    References
    ----------
    Dong, Roth and Su (2022), Gaussian Differential Privacy, corollary 3.3 (full batches).
    """
    if noise_multiplier == 0:
        return NoPrivacyProfile()
    if sampling_rate == 1 or noise_multiplier < LEAST_SAMPLED_NOISE:
        return GaussianProfile(math.sqrt(steps) / noise_multiplier)
    return SubsampledGaussianProfile(noise_multiplier, sampling_rate, steps)
