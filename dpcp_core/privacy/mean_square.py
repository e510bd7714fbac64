"""The mean square of numbers, with Gaussian noise: how far predictions are off.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> plan = MeanSquarePlan.of(limit=3.0, n_rows=4000, mu=0.1)
>>> round(noisy_mean_square(np.full(4000, 0.5), plan, simulation_generator(0)), 2)
0.25
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core._words import number_text
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import require_generator

# Of the noise; enough that rounding shows nowhere.
_KEPT_BITS = 20


@dataclass(frozen=True)
class MeanSquarePlan:
    """The public side.

    Attributes
    ----------
    limit : float
        Numbers further than this from 0 count as this.
    n_rows : int
    noise : float
        Standard deviation of the noise on the sum of squares; 0 means none.

    Notes
    -----
    **Privacy.** Emptying one row lowers the sum by at most ``limit ** 2``; ``mu``-GDP.
    """

    limit: float
    n_rows: int
    noise: float

    @classmethod
    def of(cls, limit: float, n_rows: int, mu: float) -> MeanSquarePlan:
        """Return the plan that spends ``mu``; infinity adds no noise."""
        return cls(limit, n_rows, limit**2 / check.positive(infinite=True, mu=mu))

    @property
    def profile(self) -> GaussianProfile:
        """Its privacy."""
        return GaussianProfile(self.limit**2 / self.noise if self.noise else math.inf)

    @property
    def detail(self) -> str:
        """The noise, for a receipt."""
        return (
            f"noise with standard deviation {number_text(self.noise, 5)} on their sum; "
            f"mu = {number_text(self.profile.mu, 4)}"
        )


def noisy_mean_square(values: Floats, plan: MeanSquarePlan, rng: np.random.Generator) -> float:
    """Return the mean square with noise, within 0 and the square of the limit.

    Parameters
    ----------
    values : array of shape (n,)
    plan : MeanSquarePlan
    rng : numpy Generator

    Notes
    -----
    **Privacy.** The plan's profile; the public number of rows divides the sum. What is no number counts as the limit,
    and sums are as exact as floats go, so that no row moves them by more than planned. The noisy sum loses its low
    bits, which could tell tables apart.

    Examples
    --------
    >>> noisy_mean_square(np.array([math.nan, 0.0]), MeanSquarePlan(3.0, 2, 0.0), np.random.default_rng(0))
    4.5
    """
    require_generator(rng)
    squares = np.fmin(np.abs(values).astype(np.float64), plan.limit) ** 2
    total = float(np.sum(squares)) + plan.noise * float(rng.standard_normal())
    if plan.noise:
        step = math.ldexp(1.0, math.frexp(plan.noise)[1] - _KEPT_BITS)
        total = round(total / step) * step
    return min(max(total / plan.n_rows, 0.0), plan.limit**2)
