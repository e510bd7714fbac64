r"""AdaSSP: least squares from noisy sums, with a ridge penalty that adapts to the data.

>>> from dpcp_core.training.protocol import ProblemSize
>>> AdaSSP().plan(ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5), TrainingChoices()).target_bound
1.5
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core._words import number_text
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import checked_noise, refuse_unused
from dpcp_core.training.linear_models import LinearModels
from dpcp_core.training.protocol import (
    Matrix,
    ProblemSize,
    Task,
    TrainingChoices,
    TrainingNote,
    Weights,
    require_task,
)
from dpcp_core.training.statistics import JITTER, SolvesFromSums, StatisticsPlan, shifted, sums, symmetric_noise

_FAILURE = 0.05


@dataclass(frozen=True)
class AdaSSPDefaults:
    """Public constants.

    Attributes
    ----------
    target_bound : float
        Scaled targets are clipped to this absolute value.
    """

    target_bound: float = 1.5


@dataclass(frozen=True)
class AdaSSP(SolvesFromSums):
    r"""Least squares by adaptive perturbation of sufficient statistics.

    1. Release the smallest eigenvalue of :math:`X^\top X`, lowered by its noise so that it is rarely too large.
    2. Release :math:`X^\top X` and :math:`X^\top y`.
    3. Solve with the smallest ridge penalty that keeps the noise of 2 from turning the matrix singular.

    Attributes
    ----------
    defaults : AdaSSPDefaults
        What nobody set.

    Notes
    -----
    **Privacy.** Emptying a row ``(x, y)``, ``|x| <= 1``, ``|y| <= B`` (clipped), moves the matrix by ``|x|^2 <= 1`` in
    Frobenius norm, hence the eigenvalue by at most 1 (Weyl), and the vector by ``|x| |y| <= B``. Gaussian noise of
    ``sqrt(3) / mu`` times that on each makes the three together ``mu``-GDP; the rest is post-processing. With a penalty
    that a person set, step 1 falls away and the two others have noise of ``sqrt(2) / mu``.

    References
    ----------
    Wang, Revisiting Differentially Private Linear Regression (2018), algorithm 2; here in terms of GDP, with noise
    that is isotropic in the Frobenius norm, and with the noisy matrix brought back to positive semidefinite ones.
    """

    defaults: AdaSSPDefaults = AdaSSPDefaults()

    name = "adassp"
    title = "Noisy sums (AdaSSP)"
    sentence = "Least squares is solved from sums over all rows, to which noise was added once."
    tasks: frozenset[Task] = frozenset({"regression"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> StatisticsPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
        choices : TrainingChoices
            ``penalty``, ``max_grad_norm`` (the bound of scaled targets) and ``noise_multiplier``, ``1 / mu`` of all
            sums together.

        Raises
        ------
        InputError
            Classes; a choice without use; too little noise.
        """
        require_task(self, size)
        refuse_unused(self.name, choices, self.uses)
        return StatisticsPlan(
            n_rows=size.n_rows,
            target_bound=self.defaults.target_bound if choices.max_grad_norm is None else choices.max_grad_norm,
            penalty=choices.penalty,
            noise_multiplier=checked_noise(choices, spending, 1, 1.0),
        )

    def fit(
        self,
        features: Matrix,
        targets: npt.NDArray[Any],
        plan: StatisticsPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,  # noqa: ARG002 - the protocol's
    ) -> LinearModels:
        """Release the sums and solve; with ``start``, for what public weights leave of the targets.

        Notes
        -----
        **Privacy.** ``mu``-GDP with ``mu = 1 / plan.noise_multiplier``.
        """
        rest, centre = shifted(targets, features, start)
        gram, moment = sums(features, rest, plan.target_bound, n_models, included)
        noise = plan.noise(3 if plan.penalty is None else 2)
        if plan.penalty is None:
            ridge = released_ridge(gram, noise, rng)
        else:
            ridge = np.full(n_models, plan.penalty * plan.n_rows)
        d = features.shape[1]
        noisy_gram = gram + noise * symmetric_noise(rng, n_models, d)
        noisy_moment = moment + noise * plan.target_bound * rng.standard_normal((n_models, d))
        solved = solve_projected(noisy_gram, noisy_moment, ridge + JITTER * plan.n_rows)
        return LinearModels((solved + centre).T.astype(features.dtype))

    def describe(self, plan: StatisticsPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        adapts = plan.penalty is None
        what = "the smallest eigenvalue of X'X, X'X and X'y" if adapts else "X'X and X'y"
        return TrainingNote(
            "Least squares from noisy sums (AdaSSP)",
            f"1 for X'X{' and its eigenvalue' if adapts else ''}, {plan.target_bound:g} for X'y",
            f"noise of {number_text(plan.noise(3 if adapts else 2), 4)} times that on each of {what}",
        )


def released_ridge(gram: Floats, noise: float, rng: np.random.Generator) -> Floats:
    r"""Return how much ridge each noisy matrix needs, from a private look at its smallest eigenvalue.

    The spectral norm of the noise is at most :math:`s(\sqrt{2d} + \sqrt{2 \log(1/\rho)})` but for a chance
    :math:`\rho = 0.05` (Sudakov and Fernique for the mean; it is a 1-Lipschitz function of standard Gaussians). What
    the matrix's own eigenvalue, lowered to be rarely too large, does not supply of that, the ridge does.

    Parameters
    ----------
    gram : array of shape (models, d, d)
    noise : float
        ``s``, on the matrix and on its eigenvalue alike.
    rng : numpy Generator

    Returns
    -------
    float64 array of shape (models,)
    """
    n_models, d, _ = gram.shape
    tail = math.sqrt(2 * math.log(1 / _FAILURE))
    smallest = np.linalg.eigvalsh(gram)[:, 0] + noise * rng.standard_normal(n_models)
    surely = np.maximum(smallest - noise * tail, 0.0)
    return np.asarray(np.maximum(noise * (math.sqrt(2 * d) + tail) - surely, 0.0))


def solve_projected(gram: Floats, moment: Floats, ridge: Floats) -> Floats:
    """Solve ``(gram + ridge) w = moment`` with the negative eigenvalues of ``gram`` set to 0; shape (models, d)."""
    values, vectors = np.linalg.eigh(gram)
    along = np.einsum("mji,mj->mi", vectors, moment) / (np.maximum(values, 0.0) + ridge[:, None])
    return np.asarray(np.einsum("mij,mj->mi", vectors, along))
