"""What the doctor looks at and what it says: symptoms of a run, findings about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from scipy.special import ndtri

from dpcp_core.privacy.losses import LOSSES
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
class TrainingSigns:
    """How well the model does on held-out rows, and how its training went.

    Attributes
    ----------
    gain, reference_gain : float
        Share of the guess's error that the model, and the same model without privacy, takes away: 0 is no better than
        guessing the mean (the commonest class), 1 is perfect.
    clip_norm : float or None
        Longest gradient of one row; None for a trainer that has none.
    gradient_norm : float or None
        Median length of a row's gradient at the start; None where that was not recorded.
    clipped_share : float
        Share of gradients that were shortened, the median over steps.
    set_by_hand : tuple of str
        Settings of training that a person gave, other than clip norm and noise.
    public_start : bool
        Training began at public weights.
    """

    gain: float
    reference_gain: float
    clip_norm: float | None = None
    gradient_norm: float | None = None
    clipped_share: float = 0.0
    set_by_hand: tuple[str, ...] = ()
    public_start: bool = False


@dataclass(frozen=True)
class ClassSigns:
    """What was seen of classes.

    Attributes
    ----------
    counts : mapping of class to count
        Rows of each class in the table.
    predicted : str
        Class that the model names for the most held-out rows.
    predicted_share, reference_share, true_share : float
        Share of held-out rows for which the model names it, for which the same model without privacy does, and which
        have it.
    others_coverage : float
        Share of the held-out rows of the other classes whose set holds their class; NaN if there are none.
    full_share, reference_full_share : float
        Share of sets that hold every class, and the same without privacy.
    """

    counts: Mapping[str, int]
    predicted: str
    predicted_share: float
    reference_share: float
    true_share: float
    others_coverage: float
    full_share: float
    reference_full_share: float


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
    splits_rows, composition, may_compose
        Whether one part of the rows trains and the other is ranked, how the costs add up, and the other way of adding
        them up that would cost less ("" if there is none).
    training_share, row_share : float
        Share of epsilon for training where the costs share it; share of the rows that train where rows are split.
    delta : float
        Of the whole run; 0 without private training.
    certified : bool
        Whether coverage is certified for this run.
    coverage_interval : pair of float or None
        95 % interval of the measured coverage.
    top_share : float
        Share of repetitions whose threshold was the last candidate, which rules nothing out.
    scores_clipped_share : float
        Share of scores that lie at their upper bound.
    n_rows, target_clipped : int
        Rows read, and target values outside their bounds.
    columns_clipped : mapping of column name to count
        Values outside the bounds of each other column.
    constant : tuple of str
        Features with the same value in every row.
    target_title : str
        What the target is called.
    bounds_epsilon, bounds_bought : float and int
        Part of epsilon that was set aside for bounds, and for how many columns some were bought.
    epsilon_used, epsilon_allotted : float
        What training (with what is composed with it) costs by its noise, and what it may cost; None where the noise
        was worked out from the budget.
    split_cost, whole_cost : float or None
        Relative widening to expect with rows split as they are, and with all rows doing both, from public numbers.
    small_groups : mapping of group to count
        Ranked rows of the groups for which nothing could be ruled out.
    spread_floor_share : float or None
        Share of held-out rows whose predicted spread is the smallest one allowed; None for scores without a spread.
    default_trainer : bool
        Whether the trainer is the one that suits the target by default.
    training : TrainingSigns or None
    classes : ClassSigns or None
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
    loss: str = "one_sided"
    guarantee: str = "certified"
    splits_rows: bool = False
    composition: str = "tight"
    may_compose: str = ""
    training_share: float = 0.5
    row_share: float = 0.5
    delta: float = 0.0
    certified: bool = True
    coverage_interval: tuple[float, float] | None = None
    top_share: float = 0.0
    scores_clipped_share: float = 0.0
    n_rows: int = 0
    target_clipped: int = 0
    columns_clipped: Mapping[str, int] = field(default_factory=dict)
    constant: tuple[str, ...] = ()
    target_title: str = "the target"
    bounds_epsilon: float = 0.0
    bounds_bought: int = 0
    epsilon_used: float | None = None
    epsilon_allotted: float = 0.0
    split_cost: float | None = None
    whole_cost: float | None = None
    small_groups: Mapping[str, int] = field(default_factory=dict)
    spread_floor_share: float | None = None
    default_trainer: bool = True
    training: TrainingSigns | None = None
    classes: ClassSigns | None = None

    @property
    def is_private(self) -> bool:
        """Whether a private threshold was drawn."""
        return self.quantile_epsilon is not None and math.isfinite(self.quantile_epsilon)

    @property
    def nothing_certified(self) -> bool:
        """Whether the certified target count is 0 or less, so that nothing can be ruled out."""
        return self.is_private and self.guarantee == "certified" and count_at(self) <= 0

    @property
    def level_too_small(self) -> bool:
        """Whether the paper's correction ``2 / (n epsilon_2)`` uses up the whole level."""
        return self.is_private and self.guarantee == "paper" and (self.level or 0.0) <= paper_correction(self)

    @property
    def whole_level(self) -> float:
        """Miss rate that the threshold could aim at with nothing taken off for rows that trained."""
        return self.alpha * (math.exp(-self.bounds_epsilon) if self.bounds_bought else 1.0)

    @property
    def level_is_reduced(self) -> bool:
        """Whether a stability factor took a part of the level."""
        return self.level is not None and self.level < self.whole_level * (1 - 1e-9)

    @property
    def said(self) -> str:
        """What is said of a row, in the plural: intervals or sets."""
        return "intervals" if self.classes is None else "sets"

    @property
    def smaller(self) -> str:
        """What would be better than everything: a narrower interval, or a smaller set."""
        return "narrower" if self.classes is None else "smaller"

    @property
    def largest(self) -> str:
        """What is said of one row where nothing can be ruled out."""
        return "the whole range" if self.classes is None else "every class"

    @property
    def everything(self) -> str:
        """What is said of all rows where nothing can be ruled out."""
        return "every interval is the whole range" if self.classes is None else "every set holds every class"

    @property
    def wanted_bins(self) -> int:
        """The fewest bins that still resolve the level: 10/alpha, rounded up."""
        return math.ceil(10 / self.alpha - 1e-6)

    @property
    def range_factor(self) -> float:
        """How many rows the choice among ``M`` bins costs, in units of ``ln(M) / epsilon``."""
        return LOSSES[self.loss].range_factor


def count_at(s: Symptoms) -> float:
    """Return how many ranked rows the run's threshold aims to leave above it; 0 or less means that it has no aim."""
    spent, miss_rate = s.quantile_epsilon or 0.0, s.level or 0.0
    if s.guarantee == "paper":
        return paper_target(s.n_calibration, miss_rate, spent)
    return certified_target(s.n_calibration, miss_rate, spent, s.bins or 1, s.loss)


def paper_correction(s: Symptoms) -> float:
    """Return ``2 / (n epsilon_2)``."""
    return 2 / (s.n_calibration * (s.quantile_epsilon or math.inf))


def rows_needed(s: Symptoms) -> int | None:
    """Return the number of ranked rows from which on something can be certified; None if beyond counting."""
    return smallest_n(s.level or 0.0, s.quantile_epsilon or math.inf, s.bins or 1, s.loss)


def noise_cost(s: Symptoms) -> float:
    """Return the relative widening that the noise of the threshold costs, for half-normal scores.

    The threshold aims at a share ``c / (n + 1)`` of the rows where without noise it would aim at the level.

    >>> run = Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=1000, bins=100, level=0.1)
    >>> round(noise_cost(run), 3)
    0.031
    """
    aimed = count_at(s) / (s.n_calibration + 1)
    return math.inf if aimed <= 0 else float(ndtri(aimed / 2) / ndtri((s.level or s.alpha) / 2)) - 1
