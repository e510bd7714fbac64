"""Whole-number Laplace noise, the one sampler that every noisy count draws from.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> whole_laplace(1.0, (4,), simulation_generator(0)).shape
(4,)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core.privacy.randomness import require_generator


def whole_laplace(epsilon: float, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Draw two-sided geometric noise, ``P(z)`` proportional to ``exp(-epsilon |z|)``, whole numbers as floats.

    Parameters
    ----------
    epsilon
        Above 0; infinity gives no noise.
    shape
        Of the answer.
    rng
        Explicit generator.

    Notes
    -----
    **Privacy**: ``epsilon`` for a count that one row moves by 1. Probabilities are off by the resolution of the
    generator's exponentials, about ``2**-53``.

    The whole part of an exponential number of rate ``epsilon`` is geometric.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy Mechanisms (2009), section 2.
    """
    require_generator(rng)
    scale = 1 / _validate.positive(infinite=True, epsilon=epsilon)
    first, second = (np.floor(rng.exponential(scale, shape)) for _ in range(2))
    noise: Floats = first - second
    return noise


def whole_laplace_log_probabilities(epsilon: float, noise: ArrayLike) -> Floats:
    """Return the log-probability of each value of the noise that ``whole_laplace`` draws.

    Parameters
    ----------
    epsilon
        Above 0 and finite.
    noise
        Whole numbers, of any shape.

    Examples
    --------
    >>> np.exp(whole_laplace_log_probabilities(1.0, [0, 1, -1])).round(3)
    array([0.462, 0.17 , 0.17 ])
    """
    rate = _validate.positive(epsilon=epsilon)
    logs: Floats = np.log(np.tanh(rate / 2)) - rate * np.abs(np.asarray(noise, dtype=np.float64))
    return logs
