r"""One draw from a Bayesian posterior, computed from noisy sums.

>>> from dpcp_core.training.protocol import ProblemSize
>>> plan = PosteriorSample().plan(ProblemSize(3200, 10), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> plan.noise_precision, round(plan.prior_precision, 2)
(8.0, 4.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
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


@dataclass(frozen=True)
class PosteriorDefaults:
    """Public constants, the same for every table.

    Attributes
    ----------
    target_bound : float
        Scaled targets are clipped to this absolute value.
    noise_precision : float
        One over the variance of a scaled target about its prediction.
    prior_precision : float
        One over the variance of a weight before any row is seen. Rows have norm near 1 whatever their number of
        columns, so this need not depend on it.
    """

    target_bound: float = 1.5
    noise_precision: float = 8.0
    prior_precision: float = 4.0


@dataclass(frozen=True)
class PosteriorPlan(StatisticsPlan):
    """Public hyper-parameters of a draw.

    Attributes
    ----------
    noise_precision, prior_precision : float
        See :class:`PosteriorDefaults`.
    """

    noise_precision: float = 1.0
    prior_precision: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check.positive(noise_precision=self.noise_precision)
        check.positive(penalty=self.prior_precision)


@dataclass(frozen=True)
class PosteriorSample(SolvesFromSums):
    r"""Bayesian linear regression: one draw of the weights from a posterior that knows of the privacy noise.

    Model: :math:`w \sim N(w_0, I / \kappa)`, :math:`y \sim N(Xw, I / \tau)`. Released are
    :math:`S = X^\top X + E` and :math:`z = X^\top (y - X w_0) + e`. Given ``S`` (made positive semidefinite),
    :math:`z - S (w - w_0)` is taken to be Gaussian with the covariance
    :math:`V = S / \tau + (s_z^2 + s_S^2 m) I`: the noise of the targets, that of ``z``, and that of
    ``E (w - w_0)`` under the prior, :math:`m = (d + 1) / (2 \kappa)`. The posterior is Gaussian, and diagonal in the
    eigenvectors of ``S``. Without privacy noise it is the exact conjugate posterior.

    Attributes
    ----------
    defaults : PosteriorDefaults
        What nobody set.

    Notes
    -----
    **Privacy.** Emptying a row ``(x, y)``, ``|x| <= 1``, ``|y - x . w_0| <= B`` (clipped), moves the matrix by at most
    1 in Frobenius norm and the vector by at most ``B``. Gaussian noise of ``sqrt(2) / mu`` times that on each makes the
    two together ``mu``-GDP. The draw reads nothing else: it is post-processing, free of charge whether or not the
    model is right, and so is every further draw from the same sums.

    References
    ----------
    Foulds, Geumlek, Welling and Chaudhuri, On the Theory and Practice of Privacy-Preserving Bayesian Data Analysis
    (2016), section 3; Bernstein and Sheldon, Differentially Private Bayesian Linear Regression (2019), for a posterior
    that accounts for the noise (there by Gibbs sampling, here in closed form by the approximation above).
    """

    defaults: PosteriorDefaults = PosteriorDefaults()

    name = "posterior_sample"
    title = "Posterior draw (Bayes)"
    sentence = "One plausible linear model is drawn, given noisy sums over all rows."
    tasks: frozenset[Task] = frozenset({"regression"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> PosteriorPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
        choices : TrainingChoices
            ``penalty`` above 0 (the prior precision is ``penalty * noise_precision * n``), ``max_grad_norm`` (the bound
            of scaled targets) and ``noise_multiplier``, ``1 / mu`` of both sums together.

        Raises
        ------
        InputError
            Classes; a choice without use; too little noise.
        """
        require_task(self, size)
        refuse_unused(self.name, choices, self.uses)
        ours, strength = self.defaults, self.defaults.noise_precision * size.n_rows
        penalty = ours.prior_precision / strength if choices.penalty is None else choices.penalty
        return PosteriorPlan(
            n_rows=size.n_rows,
            target_bound=ours.target_bound if choices.max_grad_norm is None else choices.max_grad_norm,
            penalty=penalty,
            noise_multiplier=checked_noise(choices, spending, 1, 1.0),
            noise_precision=ours.noise_precision,
            prior_precision=penalty * strength,
        )

    def fit(
        self,
        features: Matrix,
        targets: npt.NDArray[Any],
        plan: PosteriorPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,  # noqa: ARG002 - the protocol's
    ) -> LinearModels:
        """Release the sums and draw; ``start`` is the centre of the prior.

        Notes
        -----
        **Privacy.** ``mu``-GDP with ``mu = 1 / plan.noise_multiplier``.
        """
        rest, centre = shifted(targets, features, start)
        gram, moment = sums(features, rest, plan.target_bound, n_models, included)
        noise, d = plan.noise(2), features.shape[1]
        noisy_gram = gram + noise * symmetric_noise(rng, n_models, d)
        noisy_moment = moment + noise * plan.target_bound * rng.standard_normal((n_models, d))
        mean, spread, vectors = posterior(noisy_gram, noisy_moment, plan)
        drawn = mean + spread * rng.standard_normal(mean.shape)
        weights = np.einsum("mij,mj->im", vectors, drawn) + centre[:, None]
        return LinearModels(weights.astype(features.dtype))

    def describe(self, plan: PosteriorPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        return TrainingNote(
            "One draw from a Bayesian posterior, given noisy sums",
            f"1 for X'X, {plan.target_bound:g} for X'y",
            f"noise of {number_text(plan.noise(2), 4)} times that on X'X and X'y; "
            f"prior precision {number_text(plan.prior_precision, 4)}, "
            f"noise precision {number_text(plan.noise_precision, 4)}",
        )


def posterior(gram: Floats, moment: Floats, plan: PosteriorPlan) -> tuple[Floats, Floats, Floats]:
    """Return the posterior in the eigenvectors of the noisy matrix: mean, standard deviation, the vectors.

    Parameters
    ----------
    gram : array of shape (models, d, d)
    moment : array of shape (models, d)
    plan : PosteriorPlan

    Returns
    -------
    mean, spread : float64 arrays of shape (models, d)
    vectors : float64 array of shape (models, d, d)
        Columns belong to the means.
    """
    values, vectors = np.linalg.eigh(gram)
    values = np.maximum(values, JITTER * plan.n_rows)
    noise, d = plan.noise(2), gram.shape[1]
    # E v has the variance |v|^2 / 2 in each coordinate, and v_i^2 / 2 more in the i-th.
    weight_share = (d + 1) / (2 * plan.prior_precision)
    variance = values / plan.noise_precision + noise**2 * (plan.target_bound**2 + weight_share)
    precision = plan.prior_precision + values**2 / variance
    mean = np.einsum("mji,mj->mi", vectors, moment) * (values / variance) / precision
    return mean, 1 / np.sqrt(precision), vectors
