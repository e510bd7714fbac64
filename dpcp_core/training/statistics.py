"""Noisy sums that least squares needs: ``X'X`` and ``X'y``, for many models at once.

>>> x, y = np.array([[0.6, 0.8]]), np.array([2.0])
>>> gram, moment = sums(x, y, target_bound=1.0, n_models=1)
>>> gram[0].round(2).tolist(), moment[0].round(2).tolist()
([[0.36, 0.48], [0.48, 0.64]], [0.6, 0.8])
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.steps_profile import steps_profile
from dpcp_core.training.linear_models import LinearModels
from dpcp_core.training.protocol import Matrix, Weights
from dpcp_core.training.shared import Solves, Uncoupled

JITTER = 1e-8
"""Share of ``n`` that is added to ``X'X`` so that columns that add up to another one can be solved."""


@dataclass(frozen=True)
class StatisticsPlan:
    """Public hyper-parameters of a fit from noisy sums.

    Attributes
    ----------
    n_rows : int
    target_bound : float
        Scaled targets are clipped to this absolute value.
    penalty : float or None
        Ridge penalty beside the average loss; None where the noisy sums decide.
    noise_multiplier : float
        ``1 / mu`` of all released sums together; 0 adds no noise.
    """

    n_rows: int
    target_bound: float
    penalty: float | None
    noise_multiplier: float

    def __post_init__(self) -> None:
        check.whole(n_rows=self.n_rows)
        check.positive(max_grad_norm=self.target_bound)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        if self.penalty is not None:
            check.non_negative(penalty=self.penalty)

    def noise(self, parts: int) -> float:
        """Return the noise on each of ``parts`` sums, over its sensitivity: each costs ``mu / sqrt(parts)``."""
        return math.sqrt(parts) * self.noise_multiplier


class SolvesFromSums(Solves, Uncoupled):
    """What trainers have in common that solve least squares from noisy sums."""

    def profile(self, plan: StatisticsPlan) -> PrivacyProfile:
        """Return the Gaussian profile of all sums together."""
        return steps_profile(plan.noise_multiplier, steps=1)

    def fit_exactly(
        self, features: Matrix, targets: npt.NDArray[Any], plan: StatisticsPlan, included: Matrix
    ) -> LinearModels:
        """Return the solution without noise: ridge regression, or least squares where there is no penalty."""
        return solve_twins(features, targets, included, plan.penalty or 0.0)


def sums(
    features: Matrix, targets: npt.NDArray[Any], target_bound: float, n_models: int, included: Matrix | None = None
) -> tuple[Floats, Floats]:
    """Return ``X'X`` and ``X'y`` of the rows that each model sees.

    Parameters
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    targets : array of shape (n,)
        Clipped to ``target_bound`` in absolute value; infinity clips nothing.
    target_bound : float
    n_models : int
    included : array of shape (n, n_models) of 0 and 1, optional

    Returns
    -------
    gram : float64 array of shape (n_models, d, d)
    moment : float64 array of shape (n_models, d)

    Notes
    -----
    **Privacy.** Emptying a row ``(x, y)`` changes the first by ``x x'``, of Frobenius norm ``|x|^2 <= 1``, and the
    second by ``x y``, of norm at most ``target_bound``.
    """
    rows, kept = features.astype(np.float64), np.clip(targets.astype(np.float64), -target_bound, target_bound)
    d = rows.shape[1]
    if included is None:
        gram, moment = rows.T @ rows, rows.T @ kept
        return np.broadcast_to(gram, (n_models, d, d)), np.broadcast_to(moment, (n_models, d))
    grams = [rows[mask].T @ rows[mask] for mask in included.T > 0]
    return np.stack(grams), (rows.T @ (included * kept[:, None])).T


def symmetric_noise(rng: np.random.Generator, n_models: int, d: int) -> Floats:
    """Return symmetric Gaussian matrices of shape (n_models, d, d), standard in the Frobenius geometry.

    The diagonal has variance 1, the rest 1/2: in the ``d (d + 1) / 2`` coordinates in which the Frobenius norm is the
    Euclidean one (the diagonal, and the rest times ``sqrt(2)``) all noise is independent and standard.

    Notes
    -----
    **Privacy.** ``s`` times it hides a symmetric change of Frobenius norm 1 with ``mu = 1 / s``; off the diagonal it is
    smaller by ``sqrt(2)`` than the same noise on each entry of a triangle.
    """
    free = rng.standard_normal((n_models, d, d))
    # The mean with the transpose keeps the diagonal and halves the variance of the rest.
    return (free + free.transpose(0, 2, 1)) / 2


def shifted(targets: npt.NDArray[Any], features: Matrix, start: Weights | None) -> tuple[npt.NDArray[Any], Floats]:
    """Return what is left of the targets after public weights, and those weights (zero if there are none).

    Raises
    ------
    InputError
        Weights of another shape.
    """
    if start is None:
        return targets, np.zeros(features.shape[1])
    given = np.asarray(start[0], dtype=np.float64).ravel()
    if len(start) != 1 or len(given) != features.shape[1]:
        raise InputError("start holds weights of another shape than this table needs; train them on the same columns.")
    return targets - features @ given, given


def solve_twins(features: Matrix, targets: npt.NDArray[Any], included: Matrix, penalty: float) -> LinearModels:
    """Solve ridge regression once per column of ``included``, without clipping or noise; not private."""
    gram, moment = sums(features, targets, math.inf, included.shape[1], included)
    counts = np.maximum(included.sum(axis=0, dtype=np.float64), 1.0)[:, None, None]
    ridged = gram + counts * (penalty + JITTER) * np.eye(features.shape[1])
    return LinearModels(np.linalg.solve(ridged, moment[:, :, None])[:, :, 0].T.astype(features.dtype))
