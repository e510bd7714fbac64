"""Make one table from part of the rows, and measure it on rows that were held out."""

from __future__ import annotations

import dataclasses
import math
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError, PrivacyLeakWarning
from dpcp_core.evaluation.utility import SyntheticSplit, split_for_synthesis
from dpcp_core.evaluation.utility.scores import ClassScores, Scores
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement, ModelScores
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import Cell, Split
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.result import TableScores
from dpcp_core.experiments.synthesis.run import SHARES
from dpcp_core.experiments.synthesis.scoring import Trial, score_table
from dpcp_core.experiments.synthesis.steps import Steps
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.rivals import RIVALS, run_rival
from dpcp_core.synthesis.run import synthesize


@dataclass(frozen=True, eq=False)
class _Made:
    """A table, or why there is none."""

    table: pd.DataFrame | None
    seconds: float
    is_private: bool
    problem: str = ""
    is_timeout: bool = False


@dataclass(eq=False)
class Bench:
    """A table in its parts, and what is known of models of its real rows.

    Attributes
    ----------
    data : Dataset
    split : SyntheticSplit
    seed : int
    models : tuple of str
        Names in :data:`dpcp_core.evaluation.utility.DOWNSTREAM`.
    timeout : float
        Seconds that a rival may take.
    reference : RealReference
    """

    data: Dataset
    split: SyntheticSplit
    seed: int
    models: tuple[str, ...]
    timeout: float
    reference: RealReference
    _stopped: dict[str, _Made] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Dataset, split: Split, seed: int, models: Sequence[str], timeout: float) -> Self:
        """Divide the rows 80/10/10; the middle part is used by nothing."""
        parts = split_for_synthesis(data.frame, SHARES, split == "apart", columns=made_columns(data.schema), seed=seed)
        assert data.schema.target is not None
        return cls(data, parts, seed, tuple(models), timeout, RealReference(data.digest, data.schema.target.name))

    def measure(self, cell: Cell) -> Measurement:
        """Make the table of a cell and measure it; what cannot be made says why."""
        rows = _scaled(self.split.train, cell.scale, cell.seed)
        made = self._rival(cell, rows) if METHODS[cell.method].is_rival else self._ours(cell, rows)
        scores = None
        if made.table is not None:
            trial = Trial(self.seed, self.split, self._schema, self._schema, self.models)
            scores, self.reference = score_table(made.table, trial, self.reference, Steps(1, 1))
        return self._measurement(cell, len(rows), made, scores)

    @property
    def _schema(self) -> Schema:
        kept = set(made_columns(self.data.schema))
        columns = tuple(column for column in self.data.schema.columns if column.name in kept)
        return dataclasses.replace(self.data.schema, columns=columns)

    def _ours(self, cell: Cell, rows: pd.DataFrame) -> _Made:
        settings = METHODS[cell.method].settings(cell.epsilon, cell.task_model, cell.seed)
        begun = time.perf_counter()
        try:
            with warnings.catch_warnings():
                # What is published leaks, and is run for what it leaks to be measured.
                warnings.simplefilter("ignore", PrivacyLeakWarning)
                made = synthesize(Dataset.from_frame(rows, self.data.schema, self.data.name), settings)
        except InputError as error:
            return _Made(None, time.perf_counter() - begun, False, str(error))
        return _Made(made.table, made.seconds_fit + made.seconds_sample, made.receipt.is_private)

    def _rival(self, cell: Cell, rows: pd.DataFrame) -> _Made:
        # Who was stopped on the rows is not waited for on twice as many.
        if cell.scale > 1 and cell.method in self._stopped:
            return self._stopped[cell.method]
        run = run_rival(cell.method, rows, self._schema, epsilon=cell.epsilon, seed=cell.seed, timeout=self.timeout)
        made = _Made(run.table, run.seconds, RIVALS[cell.method].is_private, run.problem, run.is_timeout)
        if run.is_timeout:
            self._stopped[cell.method] = made
        return made

    def _measurement(self, cell: Cell, n_train: int, made: _Made, scores: TableScores | None) -> Measurement:
        utility = scores.utility if scores else None
        return Measurement(
            cell=cell,
            n_train=n_train,
            n_test=len(self.split.test),
            n_leaked=self.split.n_leaked,
            is_private=made.is_private,
            models=tuple(
                ModelScores(model.name, _classes(model.on_synthetic), _classes(model.on_real))
                for model in (utility.models if utility else ())
            ),
            guess=_classes(utility.majority) if utility else None,
            **self._likeness(scores),
            seconds=made.seconds,
            problem=made.problem,
            is_timeout=made.is_timeout,
        )

    def _likeness(self, scores: TableScores | None) -> dict[str, Any]:
        """Return how far the table is from the rows that it was made from."""
        names = ("label_rate", "real_label_rate", "feature_error", "two_way_error")
        if scores is None or scores.fidelity.labels is None:
            return dict.fromkeys(names, math.nan)
        found = scores.fidelity
        errors = [column.error for column in found.columns if column.name != self.reference.target]
        rates = (scores.fidelity.labels.synthetic[-1], scores.fidelity.labels.real[-1])
        return dict(zip(names, (*rates, sum(errors) / len(errors), found.two_way_error), strict=True))


def _classes(scores: Scores) -> ClassScores:
    assert isinstance(scores, ClassScores)
    return scores


def _scaled(rows: pd.DataFrame, scale: int, seed: int) -> pd.DataFrame:
    """Return so many times as many rows, drawn with repetition; the rows themselves for 1."""
    return rows if scale == 1 else rows.sample(n=scale * len(rows), replace=True, random_state=seed)
