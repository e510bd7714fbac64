"""What a simulation found: frozen, with its uncertainty, its receipt and its certificate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.data.encoding import Floats
from dpcp_core.data.schema import Column
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.evaluation.doctor import Finding
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.privacy.quantile import QuantileDistribution
from dpcp_core.privacy.receipt import PrivacyReceipt


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """Up to 100 held-out rows of the first repetition, in target units; each array has shape (k,)."""

    predicted: Floats
    lower: Floats
    upper: Floats
    truth: Floats

    @property
    def covered(self) -> npt.NDArray[np.bool_]:
        """Whether each interval contains the truth."""
        return (self.lower <= self.truth) & (self.truth <= self.upper)


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """Coverage and width of one method, measured on held-out rows over R repetitions.

    Attributes
    ----------
    settings : ConformalSettings
    dataset_name, dataset_digest : str
    target : Column
    one_row_is : str
        What one row stands for.
    n, n_train, n_calibration, n_test : int
        Rows the method may use, rows that train, rows that are ranked, rows held out.
    coverage, width, width_median, thresholds, raw_thresholds : float64 arrays of shape (R,)
        Per repetition: share of held-out rows covered, mean and median interval width (target units), released
        half-width with and without the public widening.
    reference_coverage, reference_width, reference_thresholds : float64 arrays of shape (R,)
        The same for the non-private full-data interval of the same model on the same rows.
    distribution : QuantileDistribution or None
        Exact output distribution of the mechanism in the first repetition.
    rows : HeldOutRows
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
    width: Floats
    width_median: Floats
    thresholds: Floats
    raw_thresholds: Floats
    reference_coverage: Floats
    reference_width: Floats
    reference_thresholds: Floats
    distribution: QuantileDistribution | None
    rows: HeldOutRows
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
        """Public amount added to every threshold, in target units."""
        return self.certificate.widening

    @property
    def reference_threshold(self) -> float:
        """Half-width without privacy in the first repetition."""
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
    def width_mean(self) -> float:
        """Mean interval width in target units."""
        return float(self.width.mean())

    @property
    def width_sd(self) -> float:
        """Standard deviation of the mean width between repetitions (0 for a single one)."""
        return _sd(self.width)

    @property
    def width_se(self) -> float:
        """Standard error of the mean width over repetitions."""
        return self.width_sd / math.sqrt(len(self.width))

    @property
    def width_ratio(self) -> float:
        """Mean width over the mean width without privacy."""
        return self.width_mean / float(self.reference_width.mean())

    @property
    def threshold_mean(self) -> float:
        """Mean released half-width, in target units."""
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
            "width_mean": self.width_mean,
            "width_sd": self.width_sd,
            "width_median": float(np.median(self.width_median)),
            "width_ratio": self.width_ratio,
            "threshold_mean": self.threshold_mean,
            "seconds": self.seconds,
            "receipt": self.receipt.to_dict(),
        }


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0
