"""What the doctor looks at and what it says: symptoms of a run, findings about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dpcp_core.privacy.quantile import certified_target, paper_target, smallest_n


@dataclass(frozen=True)
class Finding:
    """One thing that ails a run.

    Attributes
    ----------
    code : str
        Short name of the finding, stable between versions.
    symptom, cause, remedy : str
        One sentence each: what is seen, why (in this run's numbers), what to change.
    change : mapping of name to value
        Settings fields that would mend it; empty if no setting can.
    """

    code: str
    symptom: str
    cause: str
    remedy: str
    change: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Symptoms:
    """What the doctor looks at: the choices of a run and what was measured in it.

    Attributes
    ----------
    alpha : float
        Allowed miss rate in (0, 1).
    epsilon, quantile_epsilon : float
        Privacy budget of the whole run, and of its threshold alone (None: no private threshold).
    n_calibration : int
        Rows whose scores are ranked.
    bins : int or None
        Candidate thresholds (None: no private threshold).
    level : float or None
        Miss rate that the threshold aims at, in (0, alpha] (None: no private threshold).
    method, stability_asked, stability : str
        The method, the stability factor in the settings and the one that was used.
    loss, guarantee : str
        Of the private threshold.
    certified : bool
        Whether coverage is certified for this run.
    coverage_interval : pair of float or None
        95 % interval of the measured coverage.
    top_share : float
        Share of repetitions whose threshold was the last candidate, the whole range.
    scores_clipped_share : float
        Share of scores that lie at their upper bound.
    n_rows, target_clipped : int
        Rows read, and target values outside their public bounds.
    columns_clipped : mapping of column name to count
        Values outside the public bounds of each other column.
    target_title : str
        What the target is called.
    """

    alpha: float
    epsilon: float
    quantile_epsilon: float | None
    n_calibration: int
    bins: int | None
    level: float | None
    method: str = "dpcp"
    stability_asked: str = "best"
    stability: str = "coupling"
    loss: str = "bracket"
    guarantee: str = "certified"
    certified: bool = True
    coverage_interval: tuple[float, float] | None = None
    top_share: float = 0.0
    scores_clipped_share: float = 0.0
    n_rows: int = 0
    target_clipped: int = 0
    columns_clipped: Mapping[str, int] = field(default_factory=dict)
    target_title: str = "the target"

    @property
    def is_private(self) -> bool:
        """Whether a private threshold was drawn."""
        return self.quantile_epsilon is not None and math.isfinite(self.quantile_epsilon)

    @property
    def nothing_certified(self) -> bool:
        """Whether the certified target count is 0 or less, so that only the whole range can be promised."""
        return self.is_private and self.guarantee == "certified" and count_at(self) <= 0

    @property
    def level_too_small(self) -> bool:
        """Whether the paper's correction ``2 / (n epsilon_2)`` uses up the whole level."""
        return self.is_private and self.guarantee == "paper" and (self.level or 0.0) <= paper_correction(self)

    @property
    def level_is_reduced(self) -> bool:
        """Whether a stability factor took a part of the level."""
        return self.level is not None and self.level < self.alpha

    @property
    def wanted_bins(self) -> int:
        """The fewest bins that still resolve the level: 10/alpha, rounded up."""
        return math.ceil(10 / self.alpha - 1e-6)


def count_at(s: Symptoms, *, epsilon: float | None = None, level: float | None = None) -> float:
    """Return how many ranked rows the run's threshold aims to leave above it; 0 or less means that it has no aim.

    Parameters
    ----------
    s : Symptoms
    epsilon, level : float, optional
        As it would be at another total epsilon (the threshold's part growing with it) or another level.
    """
    spent = (s.quantile_epsilon or 0.0) / s.epsilon * (s.epsilon if epsilon is None else epsilon)
    miss_rate = s.level or 0.0 if level is None else level
    if s.guarantee == "paper":
        return paper_target(s.n_calibration, miss_rate, spent)
    return certified_target(s.n_calibration, miss_rate, spent, s.bins or 1)


def paper_correction(s: Symptoms, epsilon: float | None = None) -> float:
    """Return ``2 / (n epsilon_2)``, also as it would be at another total epsilon."""
    scale = 1.0 if epsilon is None else epsilon / s.epsilon
    return 2 / (s.n_calibration * (s.quantile_epsilon or math.inf) * scale)


def rows_needed(s: Symptoms) -> int | None:
    """Return the number of ranked rows from which on something can be certified; None if beyond counting."""
    return smallest_n(s.level or 0.0, s.quantile_epsilon or math.inf, s.bins or 1)
