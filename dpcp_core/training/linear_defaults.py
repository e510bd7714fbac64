"""Hyper-parameters of the linear family where nobody sets them: functions of public numbers alone.

The constants were compared on simulated tables by ``benchmarks/tune_training.py``, never on a user's rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import checked_noise, sampling
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.protocol import ProblemSize, TrainingChoices


@dataclass(frozen=True)
class PublicDefaults:
    """How the hyper-parameters follow from public numbers alone.

    With ``travel`` the product of steps and step size, ``n`` rows, clip norm ``C`` and training privacy ``mu``:

    * an early stop leaves slow directions unlearnt: more travel helps, as the square root of ``n``;
    * noise moves a prediction by about ``travel * C / (n * mu)`` target spreads, so travel is kept below a share of
      ``n * mu``;
    * one more row moves a prediction by at most about ``travel * C / n``, the price of the coupling argument
      (:func:`dpcp_core.training.descent.coupling_radius`).

    Attributes
    ----------
    clip_norm : float
        ``C``, in scaled target units.
    travel_per_root_row, travel_per_signal : float
        Travel is the smaller of these times ``sqrt(n)`` and ``n * mu``.
    shortest_travel : float
        But never less than this.
    longest_step : float
        Largest step size; below 2, where steps stop being stable.
    penalty_per_travel, largest_penalty : float
        The ridge penalty is the first over travel, at most the second.

    Examples
    --------
    >>> round(PublicDefaults().travel(4000, 0.2), 1), round(PublicDefaults().travel(400, 0.1), 1)
    (101.2, 12.0)
    """

    clip_norm: float = 0.8
    travel_per_root_row: float = 1.6
    travel_per_signal: float = 0.3
    shortest_travel: float = 2.0
    longest_step: float = 1.7
    penalty_per_travel: float = 0.25
    largest_penalty: float = 0.05

    def travel(self, n_rows: int, mu: float) -> float:
        """Return steps times step size."""
        wanted = min(self.travel_per_root_row * math.sqrt(n_rows), self.travel_per_signal * n_rows * mu)
        return max(self.shortest_travel, wanted)

    def penalty(self, travel: float) -> float:
        """Return the ridge penalty."""
        return min(self.penalty_per_travel / travel, self.largest_penalty)


DEFAULTS = PublicDefaults()


def descent_plan(
    defaults: PublicDefaults,
    size: ProblemSize,
    spending: TrainingBudget,
    choices: TrainingChoices,
    *,
    penalty: float = 0.0,
    absolute_penalty: float = 0.0,
) -> DescentPlan:
    """Return the plan that follows from public numbers, and from choices where a person made them."""
    travel = defaults.travel(size.n_rows, spending.mu)
    longest = defaults.longest_step
    steps, rate = sampling(choices, size.n_rows, default_rate=1.0, default_steps=math.ceil(travel / longest))
    return DescentPlan(
        n_rows=size.n_rows,
        steps=steps,
        step_size=min(longest, travel / steps) if choices.step_size is None else choices.step_size,
        max_grad_norm=defaults.clip_norm if choices.max_grad_norm is None else choices.max_grad_norm,
        noise_multiplier=checked_noise(choices, spending, steps, rate),
        penalty=penalty,
        absolute_penalty=absolute_penalty,
        sampling_rate=rate,
        warmup_share=choices.warmup_share,
        decay=choices.decay,
    )
