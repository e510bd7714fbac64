"""What a simulation of a synthesis found: frozen, with its uncertainty and its receipt."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import pandas as pd

from dpcp_core.data.schema import Column, Schema
from dpcp_core.evaluation.fidelity import FidelityReport, LabelRates
from dpcp_core.evaluation.utility import DOWNSTREAM, Scores, UtilityReport
from dpcp_core.experiments.synthesis.measured import Measured
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.shares import TableShares
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.synthesis.report import SynthesisReport
from dpcp_core.synthesis.settings import SynthesisSettings

Source: TypeAlias = Literal["synthetic", "real"]
"""What a model was trained on."""

_OF_CLASSES, _OF_NUMBERS = ("accuracy", "f1", "auc", "balanced_accuracy"), ("rmse", "r2")


@dataclass(frozen=True)
class TableScores:
    """What one synthetic table is worth.

    Attributes
    ----------
    utility : UtilityReport or None
        None where there is nothing to predict.
    fidelity : FidelityReport
        Against the rows that the table was made from.
    seconds : float
        Of measuring.
    """

    utility: UtilityReport | None
    fidelity: FidelityReport
    seconds: float

    def score(self, model: str, measure: str, of: Source = "synthetic") -> float:
        """Return what one model reached on held-out rows; NaN if it was not measured."""
        found = [each for each in (self.utility.models if self.utility else ()) if each.name == model]
        return _value(getattr(found[0], f"on_{of}") if found else None, measure)


@dataclass(frozen=True)
class SynthesisRun:
    """One repetition: a split, a table made from the training part, and what it is worth.

    Attributes
    ----------
    seed : int
    n_train, n_validation, n_test : int
        Rows that the table was made from, rows that nothing used, rows held out.
    report : SynthesisReport
        With label rates, rows dropped by rules, and seconds of fitting and drawing.
    scores : TableScores
    """

    seed: int
    n_train: int
    n_validation: int
    n_test: int
    report: SynthesisReport
    scores: TableScores


@dataclass(frozen=True)
class RivalResult:
    """A rival on the same splits with the same budget.

    Attributes
    ----------
    name, title : str
    scores : tuple of TableScores
        Of the repetitions in which it gave a table.
    making_seconds : Measured
        From the rows to the table, time-outs included.
    problem : str
        Why it was not run to the end, in one sentence; "" if it was.
    is_timeout : bool
    """

    name: str
    title: str
    scores: tuple[TableScores, ...]
    making_seconds: Measured
    problem: str = ""
    is_timeout: bool = False

    def score(self, model: str, measure: str) -> Measured:
        """Return what a model trained on the rival's table reached."""
        return Measured(tuple(each.score(model, measure) for each in self.scores))


@dataclass(frozen=True, eq=False)
class SynthesisResult:
    """Synthetic tables made from part of the rows, measured on held-out rows over R repetitions.

    Attributes
    ----------
    settings : SynthesisSettings
    repetitions : int
        As many as were asked for.
    model_names : tuple of str
        Downstream models that were asked for.
    dataset_name, dataset_digest : str
    one_row_is : str
        What one row stands for.
    target : Column or None
        The first target, which scores are about.
    n_rows, n_duplicates : int
        Rows of the whole table; rows that equal an earlier one.
    table : DataFrame
        Synthetic rows of the first repetition.
    schema : Schema
        Of that table.
    shares : TableShares
        Of that table and of the rows it was made from.
    receipt : PrivacyReceipt
        Of one synthesis from the training part.
    runs : tuple of SynthesisRun
        The repetitions that are finished.
    rivals : tuple of RivalResult
    reference : RealReference
        Models of the real rows, for the next settings.
    is_complete : bool
        Whether nothing was left out because somebody stopped it.
    seconds : float
        Wall time.

    Notes
    -----
    **Privacy.** Everything here but ``receipt``, ``schema`` and the settings was measured on real rows, and the table
    is drawn from a seed: the curator's view of a simulation, in no release.
    """

    settings: SynthesisSettings
    repetitions: int
    model_names: tuple[str, ...]
    dataset_name: str
    dataset_digest: str
    one_row_is: str
    target: Column | None
    n_rows: int
    n_duplicates: int
    table: pd.DataFrame
    schema: Schema
    shares: TableShares
    receipt: PrivacyReceipt
    runs: tuple[SynthesisRun, ...]
    rivals: tuple[RivalResult, ...]
    reference: RealReference
    is_complete: bool
    seconds: float

    @property
    def report(self) -> SynthesisReport:
        """Of the first repetition, whose table is shown."""
        return self.runs[0].report

    @property
    def measures(self) -> tuple[str, ...]:
        """What models are scored by; empty where there is nothing to predict."""
        if self.target is None:
            return ()
        return _OF_NUMBERS if self.target.is_numeric else _OF_CLASSES

    @property
    def models(self) -> tuple[str, ...]:
        """Downstream models that were measured in some repetition."""
        utilities = [run.scores.utility for run in self.runs if run.scores.utility is not None]
        known = {model.name for utility in utilities for model in utility.models}
        return tuple(name for name in self.model_names if name in known)

    def model_title(self, name: str) -> str:
        """Return what a downstream model is called."""
        return DOWNSTREAM[name].titled(0 if self.target is None or self.target.is_numeric else 2)

    def score(self, model: str, measure: str, of: Source = "synthetic") -> Measured:
        """Return what a model reached on held-out rows, trained on synthetic or on real rows."""
        return Measured(tuple(run.scores.score(model, measure, of) for run in self.runs))

    def task_model(self, measure: str) -> Measured:
        """Return what the private model that labelled the rows reaches itself: the control."""
        return Measured(tuple(_value(each.task_model if each else None, measure) for each in self._utilities()))

    def majority(self, measure: str) -> Measured:
        """Return what a guess that looks at no feature reaches."""
        return Measured(tuple(_value(each.majority if each else None, measure) for each in self._utilities()))

    def rival(self, name: str) -> RivalResult:
        """Return one of the rivals."""
        return next(rival for rival in self.rivals if rival.name == name)

    @property
    def label_rates(self) -> LabelRates | None:
        """Mean share of each class, synthetic and real; None for numbers."""
        found = [run.scores.fidelity.labels for run in self.runs]
        known = [rates for rates in found if rates is not None]
        if not known:
            return None
        return LabelRates(
            known[0].classes, _means(rates.synthetic for rates in known), _means(rates.real for rates in known)
        )

    def fidelity(self, name: str) -> Measured:
        """Return a number of the fidelity reports, for instance ``column_shapes``."""
        return Measured(tuple(float(getattr(run.scores.fidelity, name)) for run in self.runs))

    def part_seconds(self) -> dict[str, Measured]:
        """Return how long fitting, drawing and measuring took."""
        return {
            "fit": Measured(tuple(run.report.seconds_fit for run in self.runs)),
            "sample": Measured(tuple(run.report.seconds_sample for run in self.runs)),
            "evaluate": Measured(tuple(run.scores.seconds for run in self.runs)),
        }

    def summary(self) -> dict[str, Any]:
        """Return the plain numbers that ``dpcp synthesize --evaluate --json`` prints, and more."""
        from dpcp_core.experiments.synthesis.summary import summary

        return summary(self)

    def _utilities(self) -> list[UtilityReport | None]:
        return [run.scores.utility for run in self.runs]


def _value(scores: Scores | None, measure: str) -> float:
    return float(getattr(scores, measure)) if scores is not None else math.nan


def _means(rows: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(Measured(values).mean for values in zip(*rows, strict=True))
