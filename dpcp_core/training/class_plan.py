"""Public hyper-parameters of a linear classifier's descent, and how far one more row can move what comes of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core import _validate as check
from dpcp_core.training._choices import step_sizes
from dpcp_core.training.class_losses import ClassLoss
from dpcp_core.training.descent_plan import first_averaged, shared_noise_radius
from dpcp_core.training.protocol import Decay


@dataclass(frozen=True)
class ClassDefaults:
    """How the hyper-parameters follow from public numbers alone.

    ``travel`` is the product of steps and step size, ``n`` the rows, ``C`` the largest gradient of a row, ``mu`` the
    privacy of training:

    * an early stop leaves slow directions unlearnt: more travel helps, as the square root of ``n``;
    * noise moves a margin by about ``travel * C / (n * mu)``, so that is kept below a number;
    * one more row moves a margin by at most about ``travel * C / n``, the price of the coupling argument
      (:func:`coupling_radius`).

    Attributes
    ----------
    clip_norm : float
        ``C``; infinity leaves it at what the loss allows.
    travel_per_root_row, travel_per_signal : float
        Travel is the smaller of the first times ``sqrt(n)`` and the second times ``n * mu / C``. Where ``mu`` is so
        large that nothing is private any more, the first grows as ``mu / 4`` up to four times, towards the model that
        clipping alone would give.
    shortest_travel : float
        But never less than this.
    longest_step : float
        Largest step size times the curvature of the objective; below 2, where steps stop being stable.
    penalty_per_travel : float
        The ridge penalty is this over travel.

    Examples
    --------
    >>> [round(ClassDefaults(0.5, 16.0, 0.5).travel(4000, mu, 0.5)) for mu in (0.1, math.inf)]
    [400, 4048]
    """

    clip_norm: float
    travel_per_root_row: float
    travel_per_signal: float
    shortest_travel: float = 8.0
    longest_step: float = 1.7
    penalty_per_travel: float = 0.0

    def travel(self, n_rows: int, mu: float, max_grad_norm: float) -> float:
        """Return steps times step size."""
        by_rows = self.travel_per_root_row * math.sqrt(n_rows) * min(max(mu / 4, 1), 4)
        by_signal = self.travel_per_signal * n_rows * mu / max_grad_norm
        return max(self.shortest_travel, min(by_rows, by_signal))


@dataclass(frozen=True)
class ClassPlan:
    """Public hyper-parameters of a fit.

    Attributes
    ----------
    n_rows : int
        Public normaliser of averages.
    n_classes : int
    steps : int
    step_size : float
        Full length of a step on the average of gradients.
    max_grad_norm : float
        No row's gradient is longer: because no gradient of the loss can be, or because it is shortened to this.
    noise_multiplier : float
        Noise standard deviation over ``max_grad_norm``, per step; 0 adds none.
    penalty : float
        Half of this times the squared weights is added to the average loss.
    sampling_rate : float
        Chance of each row to be in a batch; 1 is the full batch.
    warmup_share, decay
        Public schedule of the step size, see :func:`dpcp_core.training._choices.step_sizes`.
    averaged_share : float
        The last share of the iterates whose average is returned.
    """

    n_rows: int
    n_classes: int
    steps: int
    step_size: float
    max_grad_norm: float
    noise_multiplier: float = 0.0
    penalty: float = 0.0
    sampling_rate: float = 1.0
    warmup_share: float = 0.0
    decay: Decay = "constant"
    averaged_share: float = 0.5

    def __post_init__(self) -> None:
        check.whole(n_rows=self.n_rows)
        check.whole(at_least=2, n_classes=self.n_classes)
        check.whole(steps=self.steps)
        check.positive(step_size=self.step_size)
        check.positive(max_grad_norm=self.max_grad_norm)
        check.non_negative(noise_multiplier=self.noise_multiplier)
        check.non_negative(penalty=self.penalty)
        check.between((1e-12, 1.0), sampling_rate=self.sampling_rate)

    @property
    def first_averaged(self) -> int:
        """Number of the first step (from 1) whose iterate enters the average."""
        return first_averaged(self.steps, self.averaged_share)

    @property
    def step_sizes(self) -> npt.NDArray[np.float64]:
        """Length of every step, shape (steps,)."""
        return step_sizes(self.steps, self.step_size, self.warmup_share, self.decay)


def coupling_radius(plan: ClassPlan, loss: ClassLoss) -> float | None:
    """Return how far one more row can move a model's weights when noise is shared, or None if that is unbounded.

    The argument of :func:`dpcp_core.training.descent_plan.coupling_radius`, with ``loss.smoothness`` as the smoothness
    of the loss of a row of norm at most 1.

    Gradients that are cut to ``max_grad_norm`` are cut so that the loss stays convex and as smooth (``cap`` of each
    loss); merely shortening a vector of residuals would not.

    Parameters
    ----------
    plan : ClassPlan
    loss : ClassLoss

    Returns
    -------
    float or None
        Euclidean (Frobenius) distance between the two models' weights.

    References
    ----------
    Hardt, Recht and Singer (2016), "Train faster, generalize better", Lemma 3.7.
    """
    return shared_noise_radius(plan, loss.smoothness)
