"""The privacy profile of two mechanisms on the same rows.

>>> from dpcp_core.privacy.profile import GaussianProfile
>>> joint_profile(GaussianProfile(0.3), GaussianProfile(0.4))
GaussianProfile(mu=0.5)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile

_SPLITS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class AddedProfile:
    """Two mechanisms whose costs are added: for each epsilon, the best way to divide it between them.

    Notes
    -----
    **Privacy.** Basic composition: (a + b, delta_1(a) + delta_2(b)) for every division, so the smallest over some
    divisions is a valid delta.
    """

    first: PrivacyProfile
    second: PrivacyProfile

    def delta(self, epsilon: float) -> float:
        """Return a valid delta at ``epsilon``."""
        deltas = (self.first.delta(epsilon * s) + self.second.delta(epsilon * (1 - s)) for s in _SPLITS)
        return min(1.0, *deltas)

    def epsilon(self, delta: float) -> float:
        """Return a valid epsilon at ``delta``: each mechanism's own at a half of it, added."""
        return self.first.epsilon(delta / 2) + self.second.epsilon(delta / 2)


def joint_profile(first: PrivacyProfile, second: PrivacyProfile) -> PrivacyProfile:
    """Return the profile of both together: exact for two Gaussian ones, else with costs added.

    References
    ----------
    Dong, Roth and Su, Gaussian Differential Privacy (2022), corollary 3.3.
    """
    if isinstance(first, GaussianProfile) and isinstance(second, GaussianProfile):
        return GaussianProfile(math.hypot(first.mu, second.mu))
    return AddedProfile(first, second)
