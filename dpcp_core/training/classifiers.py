"""Linear classifiers by private gradient descent: ``logistic``, ``softmax`` and ``linear_svm``.

What steps, step size, clip norm and penalty are where nobody sets them: see
:class:`dpcp_core.training.class_plan.ClassDefaults`. Its constants were compared on simulated tables by
``benchmarks/tune_classifiers.py``, never on a user's rows.

>>> plan = SOFTMAX.plan(ProblemSize(4000, 10, 3), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> plan.max_grad_norm, SOFTMAX.coupling_radius(plan) is not None
(0.7, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import checked_noise, refuse_unused, sampling
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.class_descent import descend
from dpcp_core.training.class_exact import minimise
from dpcp_core.training.class_losses import ClassLoss, Codes, LogisticLoss, SmoothedHinge, SoftmaxLoss, softmax
from dpcp_core.training.class_plan import ClassDefaults, ClassPlan, coupling_radius
from dpcp_core.training.class_rows import ClassRows
from dpcp_core.training.descent_plan import descent_profile
from dpcp_core.training.linear_models import descent_note
from dpcp_core.training.problem import Pace
from dpcp_core.training.protocol import (
    Layers,
    Matrix,
    ProblemSize,
    Task,
    TrainingChoices,
    TrainingNote,
    TrainingTrace,
    Weights,
    require_task,
)
from dpcp_core.training.shared import Descends

_SPANS = 20.0


# Seconds for a million cells; the flatter a loss, the more steps it takes.
_PER_MILLION = {"logistic": 0.2, "linear_svm": 0.6, "softmax": 0.9}


@dataclass(frozen=True, eq=False)
class ClassModels:
    """Linear classifiers.

    Attributes
    ----------
    coefficients : array of shape (outputs, models, d)
    loss : ClassLoss
        Which knows how margins become logits.
    trace : TrainingTrace or None
    """

    coefficients: Matrix
    loss: ClassLoss
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return probabilities that sum to 1, shape (rows, models, classes)."""
        outputs, models, width = self.coefficients.shape
        margins = self.coefficients.reshape(-1, width) @ features.T
        probabilities = softmax(self.loss.logits(margins.reshape(outputs, models, -1)).copy())
        return np.ascontiguousarray(probabilities.transpose(2, 1, 0))

    def weights(self, model: int = 0) -> Weights:
        """Return one model's weights, shape (d, outputs)."""
        return (self.coefficients[:, model].T.copy(),)

    def layers(self, model: int = 0) -> Layers:
        """Return one model as a layer of logits: they are linear in the margins."""
        logits = np.ascontiguousarray(self.loss.logits(self.coefficients[:, model]).T)
        return ((logits, np.zeros(logits.shape[1])),)


@dataclass(frozen=True)
class LinearClassifier(Descends):
    """A linear model of the classes, on rows of norm at most 1.

    Attributes
    ----------
    name, title, sentence : str
        Key in the registry; what a person reads.
    loss : ClassLoss
    defaults : ClassDefaults
        Hyper-parameters that nobody set.
    most_classes : int or None
        None for any number.

    Notes
    -----
    **Privacy.** Emptying one row moves the sum of gradients by at most ``max_grad_norm``. With full batches ``steps``
    Gaussian mechanisms make a fit ``mu``-GDP with ``mu = sqrt(steps) / noise_multiplier``.

    **Guarantee.** Convex and smooth, hence coupled: :func:`dpcp_core.training.class_plan.coupling_radius`.
    """

    name: str
    title: str
    sentence: str
    loss: ClassLoss
    defaults: ClassDefaults
    most_classes: int | None = None
    tasks: frozenset[Task] = frozenset({"classification"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> ClassPlan:
        """Return the public hyper-parameters of a fit; what a person set wins over the defaults.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
        choices : TrainingChoices

        Raises
        ------
        InputError
            A number as target, more classes than the trainer can tell apart, choices that contradict each other or
            overspend.

        Notes
        -----
        A row's gradient is never longer than the residuals of the loss can be, so a larger ``max_grad_norm`` would
        only buy noise: it is taken as that length.
        """
        require_task(self, size)
        refuse_unused(self.name, choices, self.uses)
        self._check_classes(size.n_classes)
        ours = self.defaults
        clip = ours.clip_norm if choices.max_grad_norm is None else check.positive(max_grad_norm=choices.max_grad_norm)
        bound = min(clip, self.loss.longest_residual(size.n_classes))
        travel = ours.travel(size.n_rows, spending.mu, bound)
        penalty = ours.penalty_per_travel / travel if choices.penalty is None else choices.penalty
        if penalty:
            # Whatever the start, a penalty has forgotten it after so many of its own spans.
            travel = min(travel, _SPANS / penalty)
        # Also with one row more, and pulled back by the penalty, every step contracts.
        curvature = self.loss.smoothness * (size.n_rows + 1) / size.n_rows + 2 * check.non_negative(penalty=penalty)
        longest = ours.longest_step / curvature
        wanted = longest if choices.step_size is None else check.positive(step_size=choices.step_size)
        steps, rate = sampling(choices, size.n_rows, default_rate=1.0, default_steps=math.ceil(travel / wanted))
        return ClassPlan(
            n_rows=size.n_rows,
            n_classes=size.n_classes,
            steps=steps,
            step_size=min(longest, travel / steps) if choices.step_size is None else wanted,
            max_grad_norm=bound,
            noise_multiplier=checked_noise(choices, spending, steps, rate),
            penalty=penalty,
            sampling_rate=rate,
            warmup_share=choices.warmup_share,
            decay=choices.decay,
        )

    def _check_classes(self, n_classes: int) -> None:
        if self.most_classes is not None and n_classes > self.most_classes:
            raise InputError(
                f"trainer {self.name!r} tells two classes apart, but the target has {n_classes}; use 'softmax'."
            )

    def profile(self, plan: ClassPlan) -> PrivacyProfile:
        """Return the privacy of one model fitted by this plan, neighbours by emptying one row."""
        return descent_profile(plan)

    def fit(
        self,
        features: Matrix,
        targets: Codes,
        plan: ClassPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> ClassModels:
        """Fit models privately, each with noise of its own.

        Parameters
        ----------
        features : array of shape (n, d)
            Rows of norm at most 1; a longer one is shortened to that.
        targets : int array of shape (n,)
            Class codes from 0.
        plan : ClassPlan
        n_models : int
        rng : numpy Generator
            Source of noise and batches.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees; a row left out counts as empty.
        start : Weights, optional
            Public weights of shape (d, outputs) that every model starts from.
        record : bool
            Keep a trace; in simulations only, as it is not private.

        Notes
        -----
        **Privacy.** See :func:`dpcp_core.training.class_descent.descend`.
        """
        rows = ClassRows.of(features, _checked(targets, plan), self.loss, plan, included)
        shape = (self.loss.n_outputs(plan.n_classes), n_models, features.shape[1])
        begin = _started(start, shape).astype(features.dtype)
        recorder = TraceRecorder(plan.steps) if record else None
        weights = descend(rows, plan, self.loss, start=begin, rng=rng, recorder=recorder)
        return ClassModels(weights, self.loss, recorder.trace() if recorder else None)

    def fit_exactly(self, features: Matrix, targets: Codes, plan: ClassPlan, included: Matrix) -> ClassModels:
        """Minimise the same objective without noise or bounds, once per column of ``included``; not private.

        See :func:`dpcp_core.training.class_exact.minimise`.
        """
        rows = ClassRows(features, self.loss.truth(_checked(targets, plan), plan.n_classes, features.dtype))
        return ClassModels(minimise(rows, plan, self.loss, included), self.loss)

    @property
    def pace(self) -> Pace:
        """As measured at its own number of steps."""
        return Pace(per_million=_PER_MILLION.get(self.name, 0.2))

    @property
    def is_coupled(self) -> bool:
        """Full batches give a coupling radius."""
        return True

    def coupling_radius(self, plan: ClassPlan) -> float | None:
        """Return how far one more row moves the vector of logits of any row of norm at most 1; None if unbounded.

        Euclidean distance; the logits of two classes with one margin ``z`` are ``(-z/2, z/2)``.
        """
        radius = coupling_radius(plan, self.loss)
        return None if radius is None else radius * self.loss.stretch(plan.n_classes)

    def describe(self, plan: ClassPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        cut = plan.max_grad_norm < self.loss.longest_residual(plan.n_classes)
        return descent_note(f"{self.title[0].lower()}{self.title[1:]}", plan, clips=cut)


def _checked(targets: Codes, plan: ClassPlan) -> Codes:
    codes = np.asarray(targets)
    if len(codes) and (codes.min() < 0 or codes.max() >= plan.n_classes):
        raise InputError(f"targets has a class code outside 0 to {plan.n_classes - 1}; give codes from 0.")
    return codes


def _started(start: Weights | None, shape: tuple[int, int, int]) -> Matrix:
    if start is None:
        return np.zeros(shape)
    wanted = (shape[2], shape[0])
    if len(start) != 1 or start[0].shape != wanted:
        got = " and ".join(str(part.shape) for part in start) or "none"
        raise InputError(f"start has weights of shape {got} but {wanted} are needed; train it on the same columns.")
    return np.repeat(start[0].T[:, None], shape[1], axis=1)


LOGISTIC = LinearClassifier(
    "logistic",
    "Logistic regression",
    "A weighted sum of the features becomes the probability of the second of two classes.",
    LogisticLoss(),
    ClassDefaults(0.5, 24.0, 0.8),
    most_classes=2,
)
SOFTMAX = LinearClassifier(
    "softmax",
    "Softmax regression",
    "A weighted sum of the features for each class, turned into probabilities that add up to one.",
    SoftmaxLoss(),
    ClassDefaults(0.7, 32.0, 1.0),
)
LINEAR_SVM = LinearClassifier(
    "linear_svm",
    "Linear SVM",
    "Looks for the line between the classes that leaves the widest gap.",
    SmoothedHinge(),
    ClassDefaults(0.5, 32.0, 0.5),
)
