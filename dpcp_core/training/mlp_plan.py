"""The public side of ``mlp``: its hyper-parameters and how they follow from public numbers.

The constants were compared on simulated tables by ``benchmarks/tune_mlp.py``, never on a user's rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dpcp_core.training.dense_descent import Adam
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan


@dataclass(frozen=True)
class MlpDefaults:
    """How the hyper-parameters follow from public numbers alone.

    With ``n`` rows and training privacy ``mu``, the signal of training is ``n * mu``:

    * steps grow with the square root of the signal, and the step size is ``travel`` over the steps (or a little more
      where steps are many): Adam divides by the usual size of a gradient, noise included, so that neither depends on
      the clip norm or the noise;
    * batches are as small as sampling hides rows at full value: noise per row is within a tenth of that of full
      batches when the sampling rate is ``rate_per_signal * mu / sqrt(steps)`` or more;
    * the clip norm is about the length of a gradient at the start: shorter ones make probabilities overconfident,
      longer ones let noise in;
    * hidden layers do not depend on ``n`` or ``mu``, so that weights trained on a public table of any size can be a
      start.

    Attributes
    ----------
    hidden : tuple of int
        Units of each hidden layer.
    input_scale : float
        Factor on the features.
    clip_norm, most_clip_growth, strong_mu : float
        Longest gradient of one row; it grows in proportion to ``mu`` above ``strong_mu``, up to so many times.
    steps_per_root_signal : float
        Steps over ``sqrt(n * mu)``, where ``mu`` counts up to ``most_mu``.
    most_mu : float
    fewest_steps, most_steps : int
    travel : float
        Steps times step size: about how far a weight can move.
    shortest_step : float
        Least step size.
    rate_per_signal : float
    most_epochs : float
        Passes over the rows; more of them with little noise learn single rows by heart.
    smallest_batch, largest_batch : int
        Expected rows of a batch.
    averaged_share : float
        The last share of the iterates whose average is returned.
    adam : Adam

    Examples
    --------
    >>> MlpDefaults().steps(4000, 0.27), MlpDefaults().steps(4000, math.inf)
    (60, 949)
    """

    hidden: tuple[int, ...] = (32,)
    input_scale: float = 4.0
    clip_norm: float = 5.0
    most_clip_growth: float = 4.0
    strong_mu: float = 3.0
    steps_per_root_signal: float = 1.5
    most_mu: float = 100.0
    fewest_steps: int = 60
    most_steps: int = 4000
    travel: float = 2.0
    shortest_step: float = 0.003
    rate_per_signal: float = 2.0
    most_epochs: float = 80.0
    smallest_batch: int = 64
    largest_batch: int = 4096
    averaged_share: float = 0.75
    adam: Adam = field(default_factory=Adam)

    def steps(self, n_rows: int, mu: float) -> int:
        """Return how many steps to take."""
        wanted = self.steps_per_root_signal * math.sqrt(n_rows * min(mu, self.most_mu))
        return round(min(max(wanted, self.fewest_steps), self.most_steps))

    def step_size(self, steps: int) -> float:
        """Return the step size.

        Examples
        --------
        >>> MlpDefaults().step_size(100)
        0.02
        """
        return max(self.travel / steps, self.shortest_step)

    def max_grad_norm(self, mu: float) -> float:
        """Return the clip norm.

        Examples
        --------
        >>> MlpDefaults().max_grad_norm(1.0), MlpDefaults().max_grad_norm(6.0), MlpDefaults().max_grad_norm(math.inf)
        (5.0, 10.0, 20.0)
        """
        return self.clip_norm * min(max(1.0, mu / self.strong_mu), self.most_clip_growth)

    def sampling_rate(self, n_rows: int, mu: float, steps: int) -> float:
        """Return the chance of each row to be in a batch; 1 where that is hardly less.

        Examples
        --------
        >>> MlpDefaults().sampling_rate(70, 0.2, 60)
        1.0
        """
        hidden = self.rate_per_signal * mu / math.sqrt(steps)
        wanted = min(hidden, self.most_epochs / steps, self.largest_batch / n_rows)
        rate = max(wanted, self.smallest_batch / n_rows)
        return 1.0 if rate > 0.8 else rate


@dataclass(frozen=True)
class TwinDefaults:
    """How the twin without noise or clipping is trained.

    Attributes
    ----------
    epochs : int
        Passes over the rows.
    batch : int
        Rows of a batch, where that leaves a number of steps within the limits.
    fewest_steps, most_steps : int
    step_size : float
    averaged_share : float
    """

    epochs: int = 20
    batch: int = 128
    fewest_steps: int = 160
    most_steps: int = 8000
    step_size: float = 0.003
    averaged_share: float = 0.25

    def plan(self, n_rows: int) -> DescentPlan:
        """Return the plan of the twin of a fit on so many rows.

        Examples
        --------
        >>> TwinDefaults().plan(4000).steps
        625
        """
        steps = round(min(max(self.epochs * n_rows / self.batch, self.fewest_steps), self.most_steps))
        return DescentPlan(
            n_rows=n_rows,
            steps=steps,
            step_size=self.step_size,
            max_grad_norm=math.inf,
            sampling_rate=min(1.0, self.epochs / steps),
            averaged_share=self.averaged_share,
        )


@dataclass(frozen=True)
class MlpPlan:
    """Public hyper-parameters of one fit.

    Attributes
    ----------
    network : DenseNetwork
    descent : DescentPlan
        Steps, batches, clipping and noise; its step size is about the movement of a weight in one step.
    adam : Adam
    """

    network: DenseNetwork
    descent: DescentPlan
    adam: Adam = field(default_factory=Adam)

    @property
    def n_rows(self) -> int:
        """Public number of rows of each fit."""
        return self.descent.n_rows
