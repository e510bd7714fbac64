"""From contrasts, repetition by repetition, to a verdict on a claim.

>>> sure = Contrast("a", "ols", 1.0, value=0.8, margin=np.array([0.2, 0.21, 0.19]))
>>> against = Contrast("b", "ols", 1.0, value=1.3, margin=np.array([-0.3, -0.31, -0.29]))
>>> judge([sure]).status, judge([against]).status, judge([sure, against]).status, judge([]).status
('holds', 'does not hold', 'only where', 'not tried')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpcp_core.data.target import Floats
from dpcp_core.evaluation.coverage import mean_interval

Outcome = Literal["yes", "no", "open"]
Status = Literal["holds", "does not hold", "only where", "cannot be told", "not tried"]

CONFIDENCE = 0.95
"""Of all contrasts of a claim together."""

_MOST_OPEN = 0.1


@dataclass(frozen=True, eq=False)
class Contrast:
    """One place in which a claim is tried.

    Attributes
    ----------
    table, trainer : str
    epsilon : float
    value : float
        What a person reads: a coverage, or a ratio of sizes.
    margin : float64 array of shape (R,)
        By how much the claim is met in each repetition; below 0 it is not. Splits and noise of a repetition are the
        same on both sides of a contrast.
    floor : bool
        The claim says "at least": a mean that meets it is enough, and only one clearly below contradicts it.
    """

    table: str
    trainer: str
    epsilon: float
    value: float
    margin: Floats
    floor: bool = False


@dataclass(frozen=True)
class Trial:
    """A contrast that was decided."""

    table: str
    trainer: str
    epsilon: float
    value: float
    outcome: Outcome


@dataclass(frozen=True)
class Verdict:
    """What the numbers say of a claim.

    Attributes
    ----------
    status : str
    trials : tuple of Trial
    """

    status: Status
    trials: tuple[Trial, ...]

    def n(self, outcome: Outcome) -> int:
        """Return how many trials ended this way."""
        return sum(trial.outcome == outcome for trial in self.trials)

    @property
    def values(self) -> tuple[float, float, float]:
        """Smallest, middle and largest value; NaN without any trial."""
        if not self.trials:
            return math.nan, math.nan, math.nan
        values = np.array([trial.value for trial in self.trials])
        return float(values.min()), float(np.median(values)), float(values.max())


def judge(contrasts: Sequence[Contrast]) -> Verdict:
    """Decide every contrast, and the claim from all of them.

    A contrast is decided where the interval of its mean margin leaves 0 out. The intervals are so wide that all of
    them hold together with probability ``CONFIDENCE`` (Bonferroni), so that many contrasts do not make a
    contradiction by chance.
    """
    confidence = 1 - (1 - CONFIDENCE) / max(len(contrasts), 1)
    trials = tuple(
        Trial(each.table, each.trainer, each.epsilon, each.value, _outcome(each, confidence)) for each in contrasts
    )
    return Verdict(_status(trials), trials)


def _outcome(contrast: Contrast, confidence: float) -> Outcome:
    mean = float(contrast.margin.mean())
    if contrast.floor and mean >= 0:
        return "yes"
    if len(contrast.margin) < 2:
        return "open"
    low, high = mean_interval(contrast.margin, confidence)
    return "yes" if low > 0 else "no" if high < 0 else "open"


def _status(trials: tuple[Trial, ...]) -> Status:
    n_yes, n_no, n_open = (sum(trial.outcome == ending for trial in trials) for ending in ("yes", "no", "open"))
    if not trials:
        return "not tried"
    if not n_yes:
        return "does not hold" if n_no else "cannot be told"
    # A few that are too close to call do not undo what all others say.
    return "holds" if not n_no and n_open <= _MOST_OPEN * len(trials) else "only where"
