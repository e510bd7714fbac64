r"""Noisy histograms of several columns at once: how the noise is divided, drawn and smoothed away.

One row lies in one cell of each histogram, so Gaussian noise with standard deviation ``s_b`` on histogram ``b`` makes
all of them together mu-GDP with :math:`\mu^2 = \sum_b 1 / s_b^2`.

>>> plan = CountsPlan.of(("age", "sex"), (64, 2), mu=0.1)
>>> [round(noise, 1) for noise in plan.noise], round(plan.mu, 9)
([10.5, 33.3], 0.1)
>>> projected(np.array([52.0, -3.0, 8.0]), 50.0).tolist()
[47.0, 0.0, 3.0]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Counts, Floats
from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import require_generator


@dataclass(frozen=True)
class CountsPlan:
    """The public side of several noisy histograms.

    Attributes
    ----------
    names : tuple of str
        What each histogram counts.
    sizes : tuple of int
        Cells of each.
    noise : tuple of float
        Standard deviation of the noise on every count of each, in rows; 0 means none.

    Notes
    -----
    **Privacy.** ``mu``-GDP: emptying one row lowers one count of each histogram by 1.

    References
    ----------
    Dong, Roth and Su (2022), Gaussian Differential Privacy, theorem 2.7 and corollary 3.3.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    noise: tuple[float, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], sizes: tuple[int, ...], mu: float) -> CountsPlan:
        """Divide ``mu`` among histograms so that the expected total error, ``sum of size * noise``, is smallest.

        Parameters
        ----------
        names, sizes
            One per histogram.
        mu : float
            Above 0; infinity adds no noise.

        Notes
        -----
        The precision ``1 / s_b^2`` is in proportion to ``size_b ** (2/3)``: Lagrange's condition for the smallest
        ``sum size_b s_b`` under ``sum 1 / s_b^2 = mu^2``. Sizes are public.
        """
        check.positive(infinite=True, mu=mu)
        if math.isinf(mu):
            return cls(names, sizes, (0.0,) * len(sizes))
        weights = [size ** (2 / 3) for size in sizes]
        whole = math.fsum(weights)
        return cls(names, sizes, tuple(math.sqrt(whole / weight) / mu for weight in weights))

    @property
    def mu(self) -> float:
        """GDP parameter of all histograms together."""
        return math.inf if 0 in self.noise else math.hypot(*(1 / noise for noise in self.noise))

    @property
    def profile(self) -> GaussianProfile:
        """Their privacy."""
        return GaussianProfile(self.mu)

    @property
    def detail(self) -> str:
        """The noise of each histogram, for a receipt.

        >>> CountsPlan(("age", "sex"), (64, 2), (10.0, 25.0)).detail
        'noise with standard deviation 10 on each of 64 counts of age, 25 on each of 2 of sex; together mu = 0.1077'
        """
        parts = [
            f"{number_text(noise, 5)} on each of {size:,}{' counts' * (place == 0)} of {name}"
            for place, (name, size, noise) in enumerate(zip(self.names, self.sizes, self.noise, strict=True))
        ]
        return f"noise with standard deviation {', '.join(parts)}; together mu = {number_text(self.mu, 4)}"


def noisy_counts(counts: tuple[Counts, ...], plan: CountsPlan, rng: np.random.Generator) -> tuple[Floats, ...]:
    """Return the counts with the plan's noise, as whole numbers.

    Parameters
    ----------
    counts : tuple of arrays
        One per histogram, as long as the plan says.
    plan : CountsPlan
    rng : numpy Generator

    Raises
    ------
    InputError
        Histograms of other sizes than planned.

    Notes
    -----
    **Privacy.** The plan's profile. Rounding sees only noisy counts, and takes away low bits that could tell tables
    apart.

    Examples
    --------
    >>> noisy_counts((np.array([3, 4]),), CountsPlan(("sex",), (2,), (0.0,)), np.random.default_rng(0))[0].tolist()
    [3.0, 4.0]
    """
    require_generator(rng)
    if tuple(len(each) for each in counts) != plan.sizes:
        raise InputError("The histograms do not have the numbers of cells that noise was planned for.")
    return tuple(
        np.rint(each + noise * rng.standard_normal(len(each))) for each, noise in zip(counts, plan.noise, strict=True)
    )


def projected(noisy: Floats, total: float) -> Floats:
    """Return the nearest counts that are 0 or more and add up to ``total``.

    Parameters
    ----------
    noisy : array of shape (k,)
    total : float
        Public number of rows, above 0.

    Notes
    -----
    **Privacy.** Sees no rows. A constant is taken off all counts and what falls below 0 is set to 0.

    References
    ----------
    Wang et al. (2020), "Locally differentially private frequency estimation with consistency", Norm-Sub.
    """
    falling = np.sort(noisy)[::-1]
    excess = (np.cumsum(falling) - total) / np.arange(1, len(falling) + 1)
    last = int(np.flatnonzero(falling > excess)[-1])
    result: Floats = np.maximum(noisy - excess[last], 0.0)
    return result
