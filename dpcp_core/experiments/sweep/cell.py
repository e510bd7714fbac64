"""One cell of a sweep: what was measured with one choice of settings."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcp_core import __version__
from dpcp_core.data.target import Floats
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.training.protocol import Task

_NOTHING = np.empty(0)


def cell_key(data_digest: str, settings: ConformalSettings, public_digest: str = "") -> str:
    """Return the name under which a finished cell is kept: a digest of data, settings and version.

    Parameters
    ----------
    data_digest, public_digest : str
        Of the table, and of the public table that training starts from.
    settings : ConformalSettings
        With trainer and score resolved; its seed is one of them.
    """
    said = json.dumps([__version__, data_digest, public_digest, settings.to_dict()], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class CellResult:
    """Coverage and size of one cell's intervals or sets over R repetitions.

    Attributes
    ----------
    settings : ConformalSettings
        With trainer and score resolved.
    task : "regression" or "classification"
    n, n_train, n_calibration, n_test : int
    coverage, size, thresholds : float64 arrays of shape (R,)
        Share of held-out rows covered; mean interval width in target units, or classes in a set; released threshold.
    size_median : float64 array of shape (R,)
    reference_coverage, reference_size : float64 arrays of shape (R,)
        The same for the same model without privacy, on the same rows.
    certified : bool
        Whether coverage is promised.
    stability : str
        How rows that trained were paid for.
    top_share : float
        Share of repetitions whose threshold is the last candidate: everything.
    receipt : mapping
        Of one release; see :meth:`dpcp_core.privacy.receipt.PrivacyReceipt.to_dict`.
    seconds : float
        Of this cell's calibration, and its part of the training that it shares.
    problem : str
        One sentence where the cell cannot be computed; every array is empty then.
    """

    settings: ConformalSettings
    task: Task = "regression"
    n: int = 0
    n_train: int = 0
    n_calibration: int = 0
    n_test: int = 0
    coverage: Floats = field(default_factory=lambda: _NOTHING)
    size: Floats = field(default_factory=lambda: _NOTHING)
    size_median: Floats = field(default_factory=lambda: _NOTHING)
    thresholds: Floats = field(default_factory=lambda: _NOTHING)
    reference_coverage: Floats = field(default_factory=lambda: _NOTHING)
    reference_size: Floats = field(default_factory=lambda: _NOTHING)
    certified: bool = False
    stability: str = ""
    top_share: float = 0.0
    receipt: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    problem: str = ""

    @classmethod
    def of(cls, result: SimulationResult, seconds: float) -> CellResult:
        """Keep of a simulation what a sweep needs."""
        return cls(
            settings=result.settings,
            task=result.task,
            n=result.n,
            n_train=result.n_train,
            n_calibration=result.n_calibration,
            n_test=result.n_test,
            coverage=result.coverage,
            size=result.size,
            size_median=result.size_median,
            thresholds=result.thresholds,
            reference_coverage=result.reference_coverage,
            reference_size=result.reference_size,
            certified=result.certificate.holds,
            stability=result.certificate.stability,
            top_share=result.top_share,
            receipt=result.receipt.to_dict(),
            seconds=seconds,
        )

    @property
    def failed(self) -> bool:
        """Whether the cell could not be computed."""
        return bool(self.problem)

    @property
    def is_private(self) -> bool:
        """Whether everything that is released was paid for."""
        return self.settings.recipe.is_private

    @property
    def coverage_mean(self) -> float:
        """Mean share of held-out rows covered; NaN in a failed cell."""
        return _mean(self.coverage)

    @property
    def coverage_sd(self) -> float:
        """Standard deviation of coverage between repetitions (0 for a single one)."""
        return _sd(self.coverage)

    @property
    def coverage_interval(self) -> tuple[float, float]:
        """95 % interval of the mean coverage, within [0, 1]."""
        return (math.nan, math.nan) if self.failed else mean_interval(self.coverage, n_test=self.n_test)

    @property
    def size_mean(self) -> float:
        """Mean size; NaN in a failed cell."""
        return _mean(self.size)

    @property
    def size_sd(self) -> float:
        """Standard deviation of the mean size between repetitions."""
        return _sd(self.size)

    @property
    def size_interval(self) -> tuple[float, float]:
        """95 % interval of the mean size: 1.96 standard errors to each side."""
        half = 1.96 * self.size_sd / math.sqrt(max(len(self.size), 1))
        return self.size_mean - half, self.size_mean + half

    @property
    def size_ratio(self) -> float:
        """Mean size over the mean size without privacy."""
        return self.size_mean / _mean(self.reference_size)

    def summary(self) -> dict[str, Any]:
        """Return the plain numbers that ``dpcp sweep --json`` prints of a cell."""
        said: dict[str, Any] = {
            "method": self.settings.method,
            "epsilon": self.settings.epsilon,
            "delta": self.settings.delta,
            "alpha": self.settings.alpha,
            "n_train": self.n_train,
            "n_test": self.n_test,
            "repetitions": self.settings.repetitions,
        }
        if self.failed:
            return said | {"problem": self.problem}
        return said | {
            "coverage_mean": self.coverage_mean,
            "coverage_sd": self.coverage_sd,
            **self._sizes(),
            "threshold_mean": _mean(self.thresholds),
            "seconds": self.seconds,
            "receipt": dict(self.receipt),
        }

    def _sizes(self) -> dict[str, float]:
        if self.task == "classification":
            return {"set_size_mean": self.size_mean, "set_size_sd": self.size_sd}
        return {
            "width_mean": self.size_mean,
            "width_sd": self.size_sd,
            "width_median": float(np.median(self.size_median)),
        }


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0
