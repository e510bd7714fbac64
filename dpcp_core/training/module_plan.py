"""The public side of training a torch module: its hyper-parameters and how they follow from public numbers.

The constants were compared on simulated tables by ``benchmarks/tune_modules.py``, and for the image network tried on
two public collections of images, scikit-learn's digits and MNIST; never on a user's rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dpcp_core.training.dense_descent import Adam
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.protocol import ProblemSize

# More privacy loss than this asks for no more steps; a cap keeps an infinite one finite.
_MOST_MU = 1000.0


@dataclass(frozen=True)
class ModuleDefaults:
    """How the hyper-parameters follow from public numbers alone.

    Attributes
    ----------
    clip_norm : float
        Longest gradient of one row.
    noise_to_signal : float
        Steps are as many as keep the length of a step's noise, over all weights, within this many clip norms: with
        ``n`` rows, training privacy ``mu`` and ``p`` weights, ``(noise_to_signal * n * mu)^2 / p``.
    fewest_steps, most_steps : int
        But within these limits.
    sampling_rate : float
        Chance of each row to be in a batch, where that makes a batch of a size within the limits.
    smallest_batch, largest_batch : int
    step_size : float
        Of each step: about how far a weight moves, as Adam divides by the usual size of a gradient, noise included.
    adam : Adam or None
        None for plain steps, whose size then counts in gradients.
    averaged_share : float
        The last share of the iterates whose average is returned.

    Examples
    --------
    >>> ModuleDefaults().steps(60_000, 1.0, 15_000), ModuleDefaults().steps(1000, 0.2, 15_000)
    (300, 40)
    """

    clip_norm: float = 1.0
    noise_to_signal: float = 2.0
    fewest_steps: int = 40
    most_steps: int = 300
    sampling_rate: float = 0.03
    smallest_batch: int = 512
    largest_batch: int = 4096
    step_size: float = 0.01
    adam: Adam | None = field(default_factory=Adam)
    averaged_share: float = 0.2

    def rate(self, n_rows: int) -> float:
        """Return the chance of each row to be in a batch; 1 where that is hardly less."""
        rate = min(max(self.sampling_rate, self.smallest_batch / n_rows), self.largest_batch / n_rows)
        return 1.0 if rate > 0.8 else rate

    def steps(self, n_rows: int, mu: float, n_weights: int) -> int:
        """Return how many steps to take."""
        wanted = (self.noise_to_signal * n_rows * min(mu, _MOST_MU)) ** 2 / n_weights
        return max(self.fewest_steps, min(self.most_steps, math.ceil(wanted)))


@dataclass(frozen=True)
class ModulePlan:
    """Public hyper-parameters of one fit.

    Attributes
    ----------
    size : ProblemSize
        From which the module is made.
    descent : DescentPlan
        Steps, batches, clipping and noise.
    """

    size: ProblemSize
    descent: DescentPlan

    @property
    def n_rows(self) -> int:
        """Public number of rows of each fit."""
        return self.descent.n_rows
