"""The public side of private descent: its hyper-parameters, its privacy and how far one row can move it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import PrivacyProfile
from dpcp_core.privacy.steps_profile import steps_profile
from dpcp_core.training._choices import step_sizes
from dpcp_core.training.protocol import Decay


@dataclass(frozen=True)
class DescentPlan:
    """Public hyper-parameters of one fit.

    Attributes
    ----------
    n_rows : int
        Public number of rows of each fit.
    steps : int
        Gradient steps.
    step_size : float
        Longest step on the average of clipped gradients.
    max_grad_norm : float
        Each row's gradient is shortened to this norm; infinity clips nothing.
    noise_multiplier : float
        Noise standard deviation over ``max_grad_norm``, per step; 0 adds none.
    penalty : float
        Ridge penalty on all weights: half of it times their square is added to the average loss.
    absolute_penalty : float
        Lasso penalty on all weights but the first, the constant's: times their absolute value.
    sampling_rate : float
        Chance of each row to be in a step's batch, in (0, 1]; 1 takes all rows.
    warmup_share, decay
        Schedule of the step size, see :func:`dpcp_core.training._choices.step_sizes`.
    averaged_share : float
        The last share of the iterates whose average is returned.
    """

    n_rows: int
    steps: int
    step_size: float
    max_grad_norm: float
    noise_multiplier: float = 0.0
    penalty: float = 0.0
    absolute_penalty: float = 0.0
    sampling_rate: float = 1.0
    warmup_share: float = 0.0
    decay: Decay = "constant"
    averaged_share: float = 0.5

    def __post_init__(self) -> None:
        check.whole(n_rows=self.n_rows)
        check.whole(steps=self.steps)
        check.positive(step_size=self.step_size)
        check.positive(infinite=True, max_grad_norm=self.max_grad_norm)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        check.non_negative(penalty=self.penalty)
        check.non_negative(absolute_penalty=self.absolute_penalty)
        if self.sampling_rate != 1:
            check.share(sampling_rate=self.sampling_rate)
        check.share(zero=True, warmup_share=self.warmup_share)
        check.one_of(("constant", "cosine"), decay=self.decay)

    @property
    def first_averaged(self) -> int:
        """Number of the first step (from 1) whose iterate enters the average."""
        return first_averaged(self.steps, self.averaged_share)

    @property
    def step_sizes(self) -> npt.NDArray[np.float64]:
        """Length of every step, shape (steps,)."""
        return step_sizes(self.steps, self.step_size, self.warmup_share, self.decay)


def descent_profile(plan: DescentSteps) -> PrivacyProfile:
    """Return the privacy of one model fitted by this plan, neighbours by emptying one row.

    References
    ----------
    Dong, Roth and Su (2022), Gaussian Differential Privacy, corollary 3.3 (full batches).

    Examples
    --------
    >>> descent_profile(DescentPlan(1000, 25, 1.0, 0.5, noise_multiplier=10.0))
    GaussianProfile(mu=0.5)
    """
    return steps_profile(plan.noise_multiplier, plan.steps, plan.sampling_rate)


def coupling_radius(plan: DescentPlan) -> float | None:
    """Return how far one more row can move the returned weights when noise is shared, or None if unbounded.

    Two runs with the same noise and the same public start, one of them with one row more:

    1. The clipped loss of a row of norm at most 1 is convex and 1-smooth; the average over ``n_rows + 1`` rows with
       normaliser ``n_rows`` is ``L = (n_rows + 1) / n_rows``-smooth. A step of size ``s`` is non-expansive when
       ``s (L + penalty) <= 2``. Written as ``1 - s * penalty`` times a step of size ``s / (1 - s * penalty)``, it
       contracts by that factor when ``s (L + 2 penalty) <= 2``. Both hold for all steps of a schedule if they hold
       for the longest; what each step contracts by follows from its own size.
    2. One more row adds at most ``s * max_grad_norm / n_rows``.
    3. The lasso's thresholding is the proximal map of a convex function, which is non-expansive in any coordinates
       that it acts on.
    4. So ``radius_t = factor_t * radius_(t-1) + s_t * max_grad_norm / n_rows`` from 0, as the starts are equal; the
       average of iterates moves at most by the average of their bounds.

    Parameters
    ----------
    plan : DescentPlan

    Returns
    -------
    float or None
        Euclidean distance in weight space; None where the condition fails, nothing is clipped, or batches are drawn:
        then a row may come up more often than expected.

    References
    ----------
    Hardt, Recht and Singer (2016), "Train faster, generalize better", lemma 3.7; Parikh and Boyd (2014), "Proximal
    algorithms", section 2.3.

    Examples
    --------
    >>> round(coupling_radius(DescentPlan(1000, 10, 1.0, 0.5, averaged_share=0.0)), 6)
    0.005
    >>> coupling_radius(DescentPlan(1000, 10, 3.0, 0.5)) is None
    True
    """
    return shared_noise_radius(plan, 1.0)


class DescentSteps(Protocol):
    """What every plan of noisy steps tells of itself; see the attributes of :class:`DescentPlan`."""

    @property
    def n_rows(self) -> int:
        """Public normaliser."""
        ...

    @property
    def steps(self) -> int:
        """Gradient steps."""
        ...

    @property
    def step_size(self) -> float:
        """The longest of them."""
        ...

    @property
    def step_sizes(self) -> npt.NDArray[np.float64]:
        """All of them, shape (steps,)."""
        ...

    @property
    def max_grad_norm(self) -> float:
        """Longest gradient of a row."""
        ...

    @property
    def penalty(self) -> float:
        """Ridge penalty."""
        ...

    @property
    def sampling_rate(self) -> float:
        """Chance of each row to be in a batch."""
        ...

    @property
    def first_averaged(self) -> int:
        """First step whose iterate enters the average."""
        ...

    @property
    def noise_multiplier(self) -> float:
        """Noise of a step over the longest gradient."""
        ...

    @property
    def warmup_share(self) -> float:
        """Share of the steps that grow."""
        ...

    @property
    def decay(self) -> Decay:
        """How steps shrink."""
        ...


def shared_noise_radius(plan: DescentSteps, smoothness: float) -> float | None:
    """Return what :func:`coupling_radius` does, for a row's loss of any smoothness.

    Parameters
    ----------
    plan : DescentSteps
    smoothness : float
        Largest curvature of the loss of a row of norm at most 1, above 0.
    """
    curvature = smoothness * (plan.n_rows + 1) / plan.n_rows
    is_bounded = plan.sampling_rate == 1 and not math.isinf(plan.max_grad_norm)
    if not is_bounded or plan.step_size * (curvature + plan.penalty) > 2:
        return None
    radius, total = 0.0, 0.0
    for step, size in enumerate(plan.step_sizes.tolist(), start=1):
        contracts = size * (curvature + 2 * plan.penalty) <= 2
        factor = 1 - size * plan.penalty if contracts else 1.0
        radius = factor * radius + size * plan.max_grad_norm / plan.n_rows
        if step >= plan.first_averaged:
            total += radius
    return total / (plan.steps - plan.first_averaged + 1)


def refuse_endless_clip(max_grad_norm: float, *, noisy: bool) -> None:
    """Refuse noise on gradients of any length.

    Raises
    ------
    InputError
        An infinite clip norm beside noise.
    """
    if noisy and math.isinf(max_grad_norm):
        raise InputError("max_grad_norm is infinite, which no noise can hide; choose a finite one.")


def first_averaged(steps: int, averaged_share: float) -> int:
    """Return the number of the first step (from 1) whose iterate enters the average.

    >>> first_averaged(10, 0.5), first_averaged(10, 0.0)
    (6, 10)
    """
    return max(1, steps - max(1, round(steps * averaged_share)) + 1)
