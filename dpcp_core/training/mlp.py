"""Neural networks of dense layers: ``mlp``, by private gradient descent, for numbers and classes.

What hidden layers, steps, batch, step size and clip norm are where nobody sets them: see
:class:`dpcp_core.training.mlp_plan.MlpDefaults`.

>>> from dpcp_core.privacy.spending import TrainingBudget
>>> plan = Mlp().plan(ProblemSize(39_000, 113, 2), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> plan.network.widths, plan.descent.steps, round(plan.descent.sampling_rate * 39_000)
((113, 32, 2), 153, 1690)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import checked_noise, refuse_unused, sampling
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.dense_descent import Adam, DenseData, descend
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan, descent_profile
from dpcp_core.training.linear_models import descent_note
from dpcp_core.training.mlp_plan import MlpDefaults, MlpPlan, TwinDefaults
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
)
from dpcp_core.training.shared import Descends, Uncoupled


@dataclass(frozen=True, eq=False)
class MlpModels:
    """Fitted networks of one shape.

    Attributes
    ----------
    network : DenseNetwork
    fitted : tuple of Weights
        One for each model.
    trace : TrainingTrace or None
    """

    network: DenseNetwork
    fitted: tuple[Weights, ...]
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled numbers or probabilities, shape (rows, models, outputs)."""
        return np.stack([self.network.outputs(features, weights) for weights in self.fitted], axis=1)

    def weights(self, model: int = 0) -> Weights:
        """Return the weights of one model: for each layer a matrix (inputs, outputs), then constants (outputs,)."""
        return self.fitted[model]

    def layers(self, model: int = 0) -> Layers:
        """Return the layers of one model."""
        first, *others = self.fitted[model]
        # The network scales its inputs, which is the same as scaling the first matrix.
        weights = (first * first.dtype.type(self.network.input_scale), *others)
        return tuple(zip(weights[0::2], weights[1::2], strict=True))


@dataclass(frozen=True)
class Mlp(Descends, Uncoupled):
    """A network of dense layers with rectified hidden units, for numbers (squared error) and classes (cross-entropy).

    Attributes
    ----------
    name : str
        Key in the registry.
    defaults : MlpDefaults
        Hidden layers, and hyper-parameters that nobody set.
    twin : TwinDefaults
        Of the fit without noise.

    Notes
    -----
    **Privacy.** Emptying one row moves the clipped gradient sum of a batch by at most ``max_grad_norm``, whatever the
    row's values; ``steps`` Gaussian mechanisms on Poisson batches, accounted for by
    :class:`dpcp_core.privacy.profile.SubsampledGaussianProfile`. Weights to start from are drawn without the rows.

    **Guarantee.** None of its own: the loss is not convex, so there is no coupling and in-sample scores are paid for by
    the privacy profile.

    References
    ----------
    Abadi et al. (2016), "Deep learning with differential privacy", algorithm 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(500, 3)).astype(np.float32) / 4
    >>> plan = Mlp().plan(ProblemSize(500, 3, 2), TrainingBudget(4.0, 1e-5), TrainingChoices(sampling_rate=1))
    >>> models = Mlp().fit(x, (x[:, 0] > 0).astype(int), plan, n_models=2, rng=rng)
    >>> models.predict(x[:7]).shape
    (7, 2, 2)
    """

    name: str = "mlp"
    defaults: MlpDefaults = field(default_factory=MlpDefaults)
    twin: TwinDefaults = field(default_factory=TwinDefaults)

    @property
    def title(self) -> str:
        """What the interface calls it."""
        return "neural network"

    @property
    def sentence(self) -> str:
        """What it is."""
        return "A small neural network of dense layers, which can bend and combine columns."

    @property
    def tasks(self) -> frozenset[Task]:
        """Numbers and classes."""
        return frozenset({"regression", "classification"})

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> MlpPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        size : ProblemSize
        spending : TrainingBudget
            What training may spend; an infinite one adds no noise, but clips.
        choices : TrainingChoices
            What a person set; it wins over the defaults.

        Raises
        ------
        InputError
            Choices out of range or in contradiction, or too little noise for the budget.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.
        """
        refuse_unused(self.name, choices, self.uses)
        ours, mu = self.defaults, spending.mu
        usual = ours.steps(size.n_rows, mu) if choices.steps is None else check.whole(steps=choices.steps)
        rate = ours.sampling_rate(size.n_rows, mu, usual)
        steps, rate = sampling(choices, size.n_rows, default_rate=rate, default_steps=usual)
        descent = DescentPlan(
            n_rows=size.n_rows,
            steps=steps,
            step_size=ours.step_size(steps) if choices.step_size is None else choices.step_size,
            max_grad_norm=ours.max_grad_norm(mu) if choices.max_grad_norm is None else choices.max_grad_norm,
            noise_multiplier=checked_noise(choices, spending, steps, rate),
            penalty=choices.penalty or 0.0,
            sampling_rate=rate,
            warmup_share=choices.warmup_share,
            decay=choices.decay,
            averaged_share=ours.averaged_share,
        )
        widths = (size.n_features, *ours.hidden, size.n_outputs)
        return MlpPlan(DenseNetwork(widths, size.task, ours.input_scale), descent, ours.adam)

    def profile(self, plan: MlpPlan) -> PrivacyProfile:
        """Return the privacy of one model fitted by this plan, neighbours by emptying one row.

        Notes
        -----
        **Privacy.** Where noise is so small that sampling hides next to nothing, the profile of full batches, which
        holds for samples of them as well.
        """
        return descent_profile(plan.descent)

    def fit(
        self,
        features: Matrix,
        targets: npt.NDArray[Any],
        plan: MlpPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> MlpModels:
        """Fit models privately, each with first weights, batches and noise of its own.

        Parameters
        ----------
        features : float array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled numbers, or class codes from 0.
        plan : MlpPlan
        n_models : int
        rng : numpy Generator
            Source of first weights, batches and noise.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees.
        start : Weights, optional
            Public weights that every model starts from, shaped as ``weights`` returns them.
        record : bool
            Keep a trace of the first model; not private.

        Raises
        ------
        InputError
            A start of another shape; steps so long that the weights grow without end.

        Notes
        -----
        **Privacy.** See :func:`dpcp_core.training.dense_descent.descend`.
        """
        recorder = TraceRecorder(plan.descent.steps) if record else None
        fitted = tuple(
            descend(
                plan.network,
                DenseData.of_model(features, targets, included, model),
                plan.descent,
                rng=rng,
                adam=plan.adam,
                start=start,
                recorder=recorder if model == 0 else None,
            )
            for model in range(n_models)
        )
        return MlpModels(plan.network, fitted, None if recorder is None else recorder.trace())

    def fit_exactly(self, features: Matrix, targets: npt.NDArray[Any], plan: MlpPlan, included: Matrix) -> MlpModels:
        """Fit the same network without noise or clipping, a public number of passes in small batches; not private.

        Parameters
        ----------
        features : float array of shape (n, d)
        targets : array of shape (n,)
        plan : MlpPlan
            Of which only the network and the number of rows count.
        included : array of shape (n, n_models) of 0 and 1
            Rows that each fit sees.

        Notes
        -----
        **Privacy.** None: no noise.
        """
        descent, models = self.twin.plan(plan.n_rows), []
        for model in range(included.shape[1]):
            # The same chance each time, as the exact solution of a linear model is the same each time.
            rng = np.random.default_rng(model)
            data = DenseData.of_model(features, targets, included, model)
            models.append(descend(plan.network, data, descent, rng=rng, adam=Adam()))
        return MlpModels(plan.network, tuple(models))

    @property
    def pace(self) -> Pace:
        """As measured at its own number of steps."""
        return Pace(2.0, 1.5)

    def describe(self, plan: MlpPlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        return descent_note("a neural network", plan.descent)
