"""Any torch module, trained privately through Opacus; ``ft_transformer`` for tables and ``cnn`` for images among them.

A trainer for a module of one's own is one line:

>>> def one_layer(size):
...     from torch import nn
...     return nn.Linear(size.n_features, size.n_outputs)
>>> trainer = OpacusTrainer("one_layer", "one layer", "A linear model.", frozenset({"regression"}), one_layer)
>>> plan = trainer.plan(ProblemSize(2000, 5), TrainingBudget(1.0, 1e-5), TrainingChoices())
>>> bool(trainer.profile(plan).delta(1.0) <= 1e-5)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import checked_noise, refuse_unused, sampling
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.dense_descent import DenseData
from dpcp_core.training.descent_plan import DescentPlan, descent_profile
from dpcp_core.training.ft_transformer import ft_transformer
from dpcp_core.training.image_network import image_network
from dpcp_core.training.linear_models import descent_note
from dpcp_core.training.mlp_plan import TwinDefaults
from dpcp_core.training.module_checks import MakeModule, count_weights, load_weights, torch_on_its_own
from dpcp_core.training.module_descent import descend_plainly, descend_privately
from dpcp_core.training.module_models import ModuleModels
from dpcp_core.training.module_plan import ModuleDefaults, ModulePlan
from dpcp_core.training.problem import Pace
from dpcp_core.training.protocol import (
    Matrix,
    ProblemSize,
    Task,
    TrainingChoices,
    TrainingNote,
    Weights,
    require_task,
)
from dpcp_core.training.shared import Descends, Uncoupled

_DEFAULTS = ModuleDefaults()
_TWIN = TwinDefaults(most_steps=2500)
_PACE = Pace(8.0, 75.0)


@dataclass(frozen=True)
class OpacusTrainer(Descends, Uncoupled):
    """Private training of a torch module: squared error for numbers, cross-entropy for classes.

    Attributes
    ----------
    name : str
        Key in the registry.
    title, sentence : str
        What the interface calls it, and what it is.
    tasks : frozenset of str
        What it can predict.
    make_module : function from ProblemSize to a torch module
        Rows (n, d) of norm at most 1 in, shape (n, outputs) out: a scaled number, or logits. Its rows must stay apart
        from each other: group or layer normalisation, never batch normalisation.
    defaults : ModuleDefaults
        Hyper-parameters that nobody set.
    twin : TwinDefaults
        Of the fit without noise.
    speed : Pace
        About how long it takes.

    Notes
    -----
    **Privacy.** Emptying one row moves the clipped gradient sum of a batch by at most ``max_grad_norm``, whatever the
    row's values; ``steps`` Gaussian mechanisms on Poisson batches, accounted for by
    :class:`dpcp_core.privacy.profile.SubsampledGaussianProfile`. First weights are drawn without the rows.

    **Guarantee.** None of its own: the loss is not convex, so there is no coupling and in-sample scores are paid for by
    the privacy profile.

    References
    ----------
    Abadi et al. (2016), "Deep learning with differential privacy", algorithm 1; Yousefpour et al. (2021), "Opacus:
    user-friendly differential privacy library in PyTorch".
    """

    name: str
    title: str
    sentence: str
    tasks: frozenset[Task]
    make_module: MakeModule
    defaults: ModuleDefaults = _DEFAULTS
    twin: TwinDefaults = _TWIN
    speed: Pace = _PACE

    def plan(self, size: ProblemSize, spending: TrainingBudget, choices: TrainingChoices) -> ModulePlan:
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
            Choices out of range or in contradiction, too little noise for the budget, or a module that does not suit
            the problem or whose rows cannot be trained on one by one.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public numbers only.
        """
        require_task(self, size)
        refuse_unused(self.name, choices, self.uses)
        n_weights = count_weights(self.name, self.make_module, size)
        ours, mu = self.defaults, spending.mu
        usual = ours.steps(size.n_rows, mu, n_weights)
        steps, rate = sampling(choices, size.n_rows, default_rate=ours.rate(size.n_rows), default_steps=usual)
        noise = checked_noise(choices, spending, steps, rate)
        descent = DescentPlan(
            n_rows=size.n_rows,
            steps=steps,
            step_size=ours.step_size if choices.step_size is None else choices.step_size,
            max_grad_norm=ours.clip_norm if choices.max_grad_norm is None else choices.max_grad_norm,
            noise_multiplier=noise,
            penalty=choices.penalty or 0.0,
            sampling_rate=rate,
            warmup_share=choices.warmup_share,
            decay=choices.decay,
            averaged_share=ours.averaged_share,
        )
        return ModulePlan(size, descent)

    def profile(self, plan: ModulePlan) -> PrivacyProfile:
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
        plan: ModulePlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> ModuleModels:
        """Fit models privately, each with first weights, batches and noise of its own.

        Parameters
        ----------
        features : float array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled numbers, or class codes from 0.
        plan : ModulePlan
        n_models : int
        rng : numpy Generator
            Source of first weights, batches and noise.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees.
        start : Weights, optional
            Public weights that every model starts from, shaped as ``weights`` returns them.
        record : bool
            Keep a trace of the first model; not private.

        Notes
        -----
        **Privacy.** See :func:`dpcp_core.training.module_descent.descend_privately`.
        """
        recorder = TraceRecorder(plan.descent.steps) if record else None
        fitted = []
        for model in range(n_models):
            with torch_on_its_own(int(rng.integers(2**63))):
                module = self.make_module(plan.size)
                if start is not None:
                    load_weights(module, start)
                weights = descend_privately(
                    module,
                    DenseData.of_model(features, targets, included, model),
                    plan.descent,
                    task=plan.size.task,
                    rng=rng,
                    adam=self.defaults.adam,
                    recorder=recorder if model == 0 else None,
                )
            fitted.append(weights)
        return ModuleModels(self.make_module, plan.size, tuple(fitted), recorder.trace() if recorder else None)

    def fit_exactly(
        self, features: Matrix, targets: npt.NDArray[Any], plan: ModulePlan, included: Matrix
    ) -> ModuleModels:
        """Fit the same module by Adam without noise or clipping, a public number of small batches; not private.

        Parameters
        ----------
        features : float array of shape (n, d)
        targets : array of shape (n,)
        plan : ModulePlan
            Of which only the size of the problem counts.
        included : array of shape (n, n_models) of 0 and 1
            Rows that each fit sees.

        Notes
        -----
        **Privacy.** None: no noise.
        """
        fitted = []
        for model in range(included.shape[1]):
            # The same chance each time, as the exact solution of a linear model is the same each time.
            rng = np.random.default_rng(model)
            with torch_on_its_own(model):
                data = DenseData.of_model(features, targets, included, model)
                module, descent = self.make_module(plan.size), self.twin.plan(plan.n_rows)
                fitted.append(descend_plainly(module, data, descent, task=plan.size.task, rng=rng))
        return ModuleModels(self.make_module, plan.size, tuple(fitted))

    @property
    def pace(self) -> Pace:
        """As measured at its own number of steps."""
        return self.speed

    def describe(self, plan: ModulePlan) -> TrainingNote:
        """Return what a receipt says of a fit by this plan."""
        return descent_note(f"a network ({self.title}, through Opacus)", plan.descent)


_BOTH: frozenset[Task] = frozenset({"regression", "classification"})

FT_TRANSFORMER = OpacusTrainer(
    "ft_transformer",
    "FT-Transformer",
    "A small transformer whose tokens are the table's columns, trained through Opacus.",
    _BOTH,
    ft_transformer,
)

CNN = OpacusTrainer(
    "cnn",
    "image network",
    "A small convolutional network for square images, grey or in colour, trained through Opacus.",
    _BOTH,
    image_network,
    speed=Pace(8.0, 20.0),
)
