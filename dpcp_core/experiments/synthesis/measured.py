"""A number that was measured in several repetitions.

>>> Measured((0.5, 0.7)).mean, round(Measured((0.5, 0.7)).sd, 3), Measured((0.5,)).sd
(0.6, 0.141, 0.0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Measured:
    """One value for each repetition.

    Attributes
    ----------
    values : tuple of float
        NaN where a repetition could not measure it, which leaves it out of what follows.
    """

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean; NaN if nothing was measured."""
        known = self._known
        return float(np.mean(known)) if known else math.nan

    @property
    def sd(self) -> float:
        """Standard deviation between repetitions (0 for a single one); NaN if nothing was measured."""
        known = self._known
        return float(np.std(known, ddof=1)) if len(known) > 1 else 0.0 if known else math.nan

    @property
    def n(self) -> int:
        """Repetitions that measured it."""
        return len(self._known)

    @property
    def _known(self) -> list[float]:
        return [value for value in self.values if not math.isnan(value)]
