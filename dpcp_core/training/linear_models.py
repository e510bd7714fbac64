"""What all trainers of linear models for numbers share: the models, their private fit, its words on a receipt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._words import number_text
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile
from dpcp_core.training._trace import TraceRecorder
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan, DescentSteps, coupling_radius, descent_profile
from dpcp_core.training.problem import Pace
from dpcp_core.training.protocol import Layers, Matrix, Task, TrainingNote, TrainingTrace, Weights
from dpcp_core.training.shared import Descends


@dataclass(frozen=True, eq=False)
class LinearModels:
    """Linear models as columns of one matrix.

    Attributes
    ----------
    coefficients : float array of shape (d, models)
    trace : TrainingTrace or None
    """

    coefficients: Matrix
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled predictions, shape (rows, models, 1)."""
        return (features @ self.coefficients)[:, :, None]

    def weights(self, model: int = 0) -> Weights:
        """Return the coefficients of one model, shape (d,)."""
        return (self.coefficients[:, model],)

    def layers(self, model: int = 0) -> Layers:
        """Return one model as a layer of one output."""
        return ((self.coefficients[:, [model]], np.zeros(1)),)


class LinearDescent(Descends):
    """What trainers of linear models for numbers have in common: private descent on a clipped squared error.

    Notes
    -----
    **Privacy.** Emptying one row moves the clipped gradient sum by at most ``max_grad_norm``; ``steps`` Gaussian
    mechanisms make the fit ``mu``-GDP with ``mu = sqrt(steps) / noise_multiplier``. Poisson batches have the profile
    of subsampled Gaussian mechanisms.

    **Guarantee.** Convex and smooth after clipping (a Huber loss), hence coupled for full batches:
    :func:`dpcp_core.training.descent_plan.coupling_radius`.
    """

    @property
    def tasks(self) -> frozenset[Task]:
        """Numbers only."""
        return frozenset({"regression"})

    def profile(self, plan: DescentPlan) -> PrivacyProfile:
        """Return the privacy of one model fitted by this plan."""
        return descent_profile(plan)

    def fit(
        self,
        features: Matrix,
        targets: Matrix,
        plan: DescentPlan,
        *,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
        start: Weights | None = None,
        record: bool = False,
    ) -> LinearModels:
        """Fit models by private descent, each with noise of its own.

        Parameters
        ----------
        features : array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled.
        plan : DescentPlan
        n_models : int
        rng : numpy Generator
            Source of batches and noise.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees.
        start : Weights, optional
            Public weights that every model starts from: one array of shape (d,).
        record : bool
            Keep a trace of the first model; not private.

        Raises
        ------
        InputError
            A start that does not fit the table, or steps so long that the weights grow without end.

        Notes
        -----
        **Privacy.** See :func:`dpcp_core.training.descent.descend`.
        """
        recorder = TraceRecorder(plan.steps) if record else None
        first = None if start is None else _only_array(start)
        coefficients = descend(
            features, targets, plan, n_models=n_models, rng=rng, included=included, start=first, recorder=recorder
        )
        return LinearModels(coefficients, recorder.trace() if recorder else None)

    @property
    def pace(self) -> Pace:
        """As measured at its own number of steps."""
        return Pace()

    @property
    def is_coupled(self) -> bool:
        """Full batches give a coupling radius."""
        return True

    def coupling_radius(self, plan: DescentPlan) -> float | None:
        """Return how far one more row moves a scaled prediction, as rows have norm at most 1."""
        return coupling_radius(plan)


def _only_array(start: Weights) -> Matrix:
    if len(start) != 1:
        raise InputError(f"start holds {len(start)} arrays, but a linear model consists of one.")
    return start[0]


def descent_note(loss: str, plan: DescentSteps, *, clips: bool = True) -> TrainingNote:
    """Return what a receipt says of a descent on this loss, whose gradients are clipped or bounded anyway.

    Examples
    --------
    >>> descent_note("least squares", DescentPlan(4000, 25, 1.0, 0.5, decay="cosine")).detail
    '25 steps that shorten along a half cosine; no noise'
    """
    profile = descent_profile(plan)
    noise = f"noise of {number_text(plan.noise_multiplier, 4)} times the largest contribution in each"
    if isinstance(profile, GaussianProfile):
        noise += f", together mu = {number_text(profile.mu, 4)} in the sense of Gaussian differential privacy"
    silent, length = plan.noise_multiplier == 0, "length of its clipped" if clips else "largest length of its"
    return TrainingNote(
        mechanism=f"Gradient descent on {loss}, {'clipped but ' if clips else ''}without noise"
        if silent
        else f"Private gradient descent on {loss}",
        sensitivity=f"{number_text(plan.max_grad_norm, 4)} ({length} gradient), per step",
        detail=f"{plan.steps:,} steps{_schedule_words(plan)}; {'no noise' if silent else noise}",
    )


def _schedule_words(plan: DescentSteps) -> str:
    words = ""
    if plan.sampling_rate < 1:
        words = f" on batches that hold each row with chance {number_text(plan.sampling_rate, 4)}"
    if plan.warmup_share:
        words += f", the first {plan.warmup_share:.0%} of them growing"
    if plan.decay == "cosine":
        words += ", later shortening along a half cosine" if plan.warmup_share else " that shorten along a half cosine"
    return words
