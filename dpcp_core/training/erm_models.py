"""What the trainers that minimise a penalised loss share: their plan, their models, the non-private twin.

>>> plan = ErmPlan(n_rows=1000, n_classes=0, loss=HuberLoss(0.5), penalty=0.01, noise_multiplier=2.0)
>>> round(plan.movement, 6)
0.05
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.training.erm import Objective, minimise, objective
from dpcp_core.training.erm_losses import HuberLoss, LogisticLoss, Loss, SoftmaxLoss
from dpcp_core.training.linear_models import LinearModels
from dpcp_core.training.protocol import Layers, Matrix, Models, ProblemSize, TrainingTrace, Weights
from dpcp_core.training.shared import Solves

# From here on the solver reaches its tolerance on every table tried, however wild; below, it may not.
_SMALLEST_PENALTY = 1e-5
_ROUNDINGS = 10 * 2.0**-52
# Predictions further out than this many typical half-widths of the target are not reckoned with.
_LARGEST_SCORE = 1e3
_TWIN_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ErmPlan:
    """Public hyper-parameters of one fit.

    Attributes
    ----------
    n_rows : int
        Public normaliser.
    n_classes : int
        0 for a number.
    loss : Loss
        Its ``bound`` is the clip norm.
    penalty : float
        Ridge penalty ``lambda`` on all weights, beside the average loss.
    noise_multiplier : float
        Noise over what one row can do; 0 adds none.
    """

    n_rows: int
    n_classes: int
    loss: Loss
    penalty: float
    noise_multiplier: float

    def __post_init__(self) -> None:
        check.whole(n_rows=self.n_rows)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        if check.positive(penalty=self.penalty) < _SMALLEST_PENALTY:
            raise InputError(
                f"penalty is {self.penalty:g}, but this trainer needs one of at least {_SMALLEST_PENALTY:g}."
            )
        if self.tolerance > self.loss.bound / self.n_rows:
            raise InputError(f"penalty is {self.penalty:g}, too small to be solved for {self.n_rows:,} rows; raise it.")

    @property
    def tolerance(self) -> float:
        """How long the gradient may be where the solver stops: public, and far above what rounding can do.

        A residual is rounded by a part of its score, which is at most ``C / penalty``.
        """
        largest = min(1 + self.loss.bound / self.penalty, _LARGEST_SCORE)
        return max(1e-8 * self.loss.bound / self.n_rows, _ROUNDINGS * largest)

    @property
    def movement(self) -> float:
        r"""How far one row moves the solver's answer in Euclidean norm.

        Let ``F`` be the objective without the row and ``w``, ``w'`` the minima without and with it. The gradient of
        ``F`` is 0 at ``w`` and ``-g / n`` at ``w'``, where ``g``, the row's own gradient, is at most ``C`` long. As
        ``F`` is ``lambda``-strongly convex, ``|w - w'| <= C / (lambda n)``. The solver is off by at most
        ``tolerance / lambda`` on either side.
        """
        return (self.loss.bound / self.n_rows + 2 * self.tolerance) / self.penalty

    @property
    def logit_movement(self) -> float:
        """How far one row moves a scaled prediction, or the vector of scores of all classes, of a row of norm 1."""
        # The one score z of two classes stands for the vector (-z/2, z/2).
        return self.movement / math.sqrt(2) if isinstance(self.loss, LogisticLoss) else self.movement


class Minimises(Solves):
    """What trainers have in common that minimise a penalised loss."""

    def fit_exactly(self, features: Matrix, targets: npt.NDArray[Any], plan: ErmPlan, included: Matrix) -> Models:
        """Minimise without clipping; ridge regression for numbers."""
        return fit_twins(features, targets, plan, included)

    @property
    def is_coupled(self) -> bool:
        """One more row moves the minimiser by a bounded amount."""
        return True

    def coupling_radius(self, plan: ErmPlan) -> float | None:
        """Return how far one more row moves an output: as far as it moves the weights."""
        return plan.logit_movement


@dataclass(frozen=True, eq=False)
class ClassModels:
    """Linear models of classes.

    Attributes
    ----------
    coefficients : float array of shape (d, models, classes)
    trace : TrainingTrace or None
    """

    coefficients: Matrix
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return probabilities, shape (rows, models, classes)."""
        d, models, classes = self.coefficients.shape
        scores = features @ self.coefficients.reshape(d, -1)
        return np.asarray(softmax(scores.reshape(-1, models, classes), axis=2))

    def weights(self, model: int = 0) -> Weights:
        """Return the coefficients of one model, shape (d, classes)."""
        return (self.coefficients[:, model],)

    def layers(self, model: int = 0) -> Layers:
        """Return one model as a layer of logits."""
        logits = np.ascontiguousarray(self.coefficients[:, model])
        return ((logits, np.zeros(logits.shape[1])),)


def loss_for(size: ProblemSize, clip_norm: float) -> Loss:
    """Return the loss for a number, two classes, or more; ``clip_norm``, finite, has no say in the last."""
    check.positive(max_grad_norm=clip_norm)
    if size.n_classes == 0:
        return HuberLoss(clip_norm)
    return LogisticLoss(clip_norm) if size.n_classes == 2 else SoftmaxLoss(size.n_classes)


def models_of(plan: ErmPlan, weights: Floats, dtype: npt.DTypeLike, trace: TrainingTrace | None = None) -> Models:
    """Return fitted models from the solver's weights of shape (d, models, scores)."""
    if plan.n_classes == 0:
        return LinearModels(weights[:, :, 0].astype(dtype), trace)
    if isinstance(plan.loss, LogisticLoss):
        weights = np.concatenate([-weights / 2, weights / 2], axis=2)
    return ClassModels(weights.astype(dtype), trace)


def start_of(plan: ErmPlan, start: Weights | None, n_features: int) -> Floats | None:
    """Return public weights as the solver takes them, shape (d, scores).

    Raises
    ------
    InputError
        Weights of another shape.
    """
    if start is None:
        return None
    given = np.asarray(start[0], dtype=np.float64).reshape(len(start[0]), -1)
    if plan.n_classes == 2 and given.shape[1] == 2:
        given = given[:, 1:] - given[:, :1]
    if len(start) != 1 or given.shape != (n_features, plan.loss.n_scores):
        raise InputError("start holds weights of another shape than this table needs; train them on the same columns.")
    return given


def trace_at(wanted: Objective, weights: Floats) -> TrainingTrace:
    """Return losses and gradient lengths of the first model where the solver stopped; not private.

    Parameters
    ----------
    wanted : Objective
    weights : array of shape (d, models, scores)
    """
    scores = (wanted.features @ weights[:, 0])[:, None, :]
    plain = wanted.loss.unclipped()
    seen = np.ones(len(scores), bool) if wanted.included is None else wanted.included[:, 0, 0] > 0
    residuals = plain.residuals(scores, wanted.targets, wanted.norms)[seen, 0]
    lengths = np.sqrt((residuals**2).sum(axis=1)) * wanted.norms[seen, 0, 0]
    return TrainingTrace(
        step=np.array([1]),
        loss=plain.values(scores, wanted.targets)[seen].mean(keepdims=True).ravel(),
        clipped_share=np.array([np.mean(lengths > wanted.loss.bound)]),
        gradient_norm=np.array([np.median(lengths)]),
    )


def fit_twins(features: Matrix, targets: npt.NDArray[Any], plan: ErmPlan, included: Matrix) -> Models:
    """Minimise the same objective without clipping or noise, one model per column of ``included``; not private."""
    counts = np.maximum(included.sum(axis=0, dtype=np.float64), 1.0)[:, None]
    wanted = objective(
        features, targets, plan.loss.unclipped(), plan.penalty, included.shape[1], n_rows=counts, included=included
    )
    return models_of(plan, minimise(wanted, _TWIN_TOLERANCE), features.dtype)
