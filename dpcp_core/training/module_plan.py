"""The public side of training a torch module: its hyper-parameters and how they follow from public numbers.

The constants were compared on simulated tables and images by ``benchmarks/tune_modules.py``, never on a user's rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    noise_share : float
        Steps are as many as keep the noise of a step, over all weights, within this share of the clip norm: with ``n``
        rows, training privacy ``mu`` and ``p`` weights, ``(noise_share * n * mu)^2 / p``.
    fewest_steps, most_steps : int
        But within these limits.
    sampling_rate, smallest_batch
        Chance of each row to be in a batch, and the expected rows it has at least.
    step_size : float
        Of each step, where Adam is not used.
    travel : float
        Steps times step size, where it is.
    adam : Adam or None
    averaged_share : float
        The last share of the iterates whose average is returned.

    Examples
    --------
    >>> ModuleDefaults().steps(60_000, 1.0, 15_000), ModuleDefaults().steps(1000, 0.2, 15_000)
    (300, 20)
    """

    clip_norm: float = 2.0
    noise_share: float = 0.5
    fewest_steps: int = 20
    most_steps: int = 300
    sampling_rate: float = 0.03
    smallest_batch: int = 512
    step_size: float = 3.0
    travel: float = 4.0
    adam: Adam | None = None
    averaged_share: float = 0.2

    def rate(self, n_rows: int) -> float:
        """Return the chance of each row to be in a batch; 1 where that is hardly less."""
        rate = max(self.sampling_rate, self.smallest_batch / n_rows)
        return 1.0 if rate > 0.8 else rate

    def steps(self, n_rows: int, mu: float, n_weights: int) -> int:
        """Return how many steps to take."""
        wanted = (self.noise_share * n_rows * min(mu, _MOST_MU)) ** 2 / n_weights
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
