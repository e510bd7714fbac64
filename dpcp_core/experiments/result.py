"""What a simulation found: frozen, with its uncertainty, its receipt and its certificate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.data.schema import Column
from dpcp_core.data.target import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.evaluation.doctor import Finding
from dpcp_core.evaluation.sets import SetSummary
from dpcp_core.experiments.parts import GroupResult, HeldOutIntervals, HeldOutRows, HeldOutSets
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.training.protocol import Task, TrainingTrace

__all__ = ["GroupResult", "HeldOutIntervals", "HeldOutRows", "HeldOutSets", "SimulationResult", "largest_size"]


def largest_size(target: Column, task: Task) -> float:
    """Return the size of what says nothing: the width of the bounds, or the number of classes."""
    if task == "classification":
        return float(len(target.categories))
    low, high = target.bounds or (-math.inf, math.inf)
    return float(high - low)


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """Coverage and size of one method's intervals or sets, measured on held-out rows over R repetitions.

    Attributes
    ----------
    settings : ConformalSettings
    dataset_name, dataset_digest : str
    target : Column
    one_row_is : str
        What one row stands for.
    n, n_train, n_calibration, n_test : int
        Rows the method may use, rows that train, rows that are ranked, rows held out.
    coverage, size, size_median, thresholds, raw_thresholds : float64 arrays of shape (R,)
        Per repetition: share of held-out rows covered, mean and median size of what is said of a row (interval width
        in target units, or number of classes), released threshold with and without the public widening.
    reference_coverage, reference_size, reference_thresholds : float64 arrays of shape (R,)
        The same for intervals or sets of the same model without privacy, made from all these rows.
    distribution : QuantileDistribution or None
        Exact output distribution of the mechanism in the first repetition.
    rows : HeldOutIntervals or HeldOutSets
    sets : SetSummary or None
        For classes: how large sets are and which classes they confuse.
    groups : tuple of GroupResult
        Coverage within each public group, where the schema has a group column.
    trace : TrainingTrace or None
        How training of the first repetition went (curator's view).
    receipt : PrivacyReceipt
    certificate : CoverageCertificate
    findings : tuple of Finding
        What the doctor says.
    clipped : mapping of column name to count
        Feature values outside the public bounds (curator's view).
    target_clipped : int
        Target values outside the public bounds (curator's view).
    scores_clipped_share, top_share : float
        Share of ranked scores at their bound; share of repetitions whose threshold is the last candidate.
    seconds : float
        Wall time of training and calibration.

    Notes
    -----
    **Privacy.** Everything here but ``receipt``, ``certificate`` and the settings was measured on real rows: the
    curator's view of a simulation, in no release.
    """

    settings: ConformalSettings
    dataset_name: str
    dataset_digest: str
    target: Column
    one_row_is: str
    n: int
    n_train: int
    n_calibration: int
    n_test: int
    coverage: Floats
    size: Floats
    size_median: Floats
    thresholds: Floats
    raw_thresholds: Floats
    reference_coverage: Floats
    reference_size: Floats
    reference_thresholds: Floats
    distribution: QuantileDistribution | None
    rows: HeldOutRows
    sets: SetSummary | None
    groups: tuple[GroupResult, ...]
    trace: TrainingTrace | None
    receipt: PrivacyReceipt
    certificate: CoverageCertificate
    findings: tuple[Finding, ...]
    clipped: Mapping[str, int]
    target_clipped: int
    scores_clipped_share: float
    top_share: float
    seconds: float

    @property
    def drawn(self) -> float:
        """Threshold drawn in the first repetition, before widening."""
        return float(self.raw_thresholds[0])

    @property
    def widening(self) -> float:
        """Public amount added to every threshold, in score units."""
        return self.certificate.widening

    @property
    def reference_threshold(self) -> float:
        """Threshold without privacy in the first repetition, in score units."""
        return float(self.reference_thresholds[0])

    @property
    def coverage_mean(self) -> float:
        """Mean share of held-out rows covered."""
        return float(self.coverage.mean())

    @property
    def coverage_sd(self) -> float:
        """Standard deviation of coverage between repetitions (0 for a single one)."""
        return _sd(self.coverage)

    @property
    def coverage_se(self) -> float:
        """Standard error of the mean coverage over repetitions."""
        return self.coverage_sd / math.sqrt(len(self.coverage))

    @property
    def coverage_interval(self) -> tuple[float, float]:
        """95 % interval of the mean coverage (of the one coverage, if there is one repetition), within [0, 1]."""
        return mean_interval(self.coverage, n_test=self.n_test)

    @property
    def task(self) -> Task:
        """Whether a number or a class is predicted."""
        return "regression" if self.sets is None else "classification"

    @property
    def size_mean(self) -> float:
        """Mean size: interval width in target units, or classes in a set."""
        return float(self.size.mean())

    @property
    def size_sd(self) -> float:
        """Standard deviation of the mean size between repetitions (0 for a single one)."""
        return _sd(self.size)

    @property
    def size_ratio(self) -> float:
        """Mean size over the mean size without privacy."""
        return self.size_mean / float(self.reference_size.mean())

    @property
    def width(self) -> Floats:
        """Mean interval width of each repetition: the size of what is said about a number."""
        return self.size

    @property
    def width_mean(self) -> float:
        """Mean interval width in target units."""
        return self.size_mean

    @property
    def width_sd(self) -> float:
        """Standard deviation of the mean width between repetitions."""
        return self.size_sd

    @property
    def width_ratio(self) -> float:
        """Mean width over the mean width without privacy."""
        return self.size_ratio

    @property
    def threshold_mean(self) -> float:
        """Mean released threshold, in score units."""
        return float(self.thresholds.mean())

    def summary(self) -> dict[str, Any]:
        """Return the plain numbers that ``dpcp simulate --json`` prints."""
        return {
            "method": self.settings.method,
            "epsilon": self.settings.epsilon,
            "delta": self.settings.delta,
            "alpha": self.settings.alpha,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "repetitions": self.settings.repetitions,
            "coverage_mean": self.coverage_mean,
            "coverage_sd": self.coverage_sd,
            **self._sizes(),
            "threshold_mean": self.threshold_mean,
            "seconds": self.seconds,
            "receipt": self.receipt.to_dict(),
        }

    def _sizes(self) -> dict[str, Any]:
        if self.sets is None:
            return {
                "width_mean": self.size_mean,
                "width_sd": self.size_sd,
                "width_median": float(np.median(self.size_median)),
                "width_ratio": self.size_ratio,
            }
        return {
            "set_size_mean": self.size_mean,
            "set_size_sd": self.size_sd,
            "set_size_ratio": self.size_ratio,
            "singleton_share": float(self.sets.singleton_share.mean()),
            "empty_share": float(self.sets.empty_share.mean()),
        }


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0
