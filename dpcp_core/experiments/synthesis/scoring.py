"""Measure one synthetic table: first against the rows it was made from, then one model after the other."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from dpcp_core.data.schema import Schema
from dpcp_core.evaluation.fidelity import evaluate_fidelity
from dpcp_core.evaluation.utility import SyntheticSplit, UtilityReport, evaluate_utility
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.result import TableScores
from dpcp_core.experiments.synthesis.steps import Steps


@dataclass(frozen=True, eq=False)
class Trial:
    """What tables of one repetition are measured on.

    Attributes
    ----------
    seed : int
    split : SyntheticSplit
    schema : Schema
        Of the synthetic table.
    task : Schema or None
        What downstream models see: the first target, and no later one; None where there is nothing to predict.
    models : tuple of str
    """

    seed: int
    split: SyntheticSplit
    schema: Schema
    task: Schema | None
    models: tuple[str, ...]

    @property
    def n_steps(self) -> int:
        """Steps that measuring one table takes."""
        return 1 + (len(self.models) if self.task is not None else 0)


def score_table(
    table: pd.DataFrame, trial: Trial, reference: RealReference, steps: Steps, predicted: Any = None
) -> tuple[TableScores, RealReference]:
    """Return what a table is worth, and the reference with what was learnt of the real rows on the way.

    Parameters
    ----------
    table : DataFrame
    trial : Trial
    reference : RealReference
    steps : Steps
        Where somebody stops, models that were not trained by then are left out.
    predicted : array, optional
        What the private model predicts for the held-out rows.
    """
    started = time.perf_counter()
    steps.begin("fidelity")
    fidelity = evaluate_fidelity(table, trial.split.train, trial.schema, seed=trial.seed)
    steps.end()
    utility = None
    if trial.task is not None:
        utility = _utility(table, trial, trial.task, (), None, predicted)
        for model in trial.models:
            if not steps.begin(model):
                break
            report = _utility(table, trial, trial.task, (model,), reference.find(trial.seed, model))
            reference, utility = reference.having(trial.seed, model, report), _joined(utility, report)
            steps.end()
    return TableScores(utility, fidelity, time.perf_counter() - started), reference


def _utility(
    table: pd.DataFrame,
    trial: Trial,
    task: Schema,
    models: tuple[str, ...],
    known: UtilityReport | None,
    predicted: Any = None,
) -> UtilityReport:
    return evaluate_utility(
        table,
        trial.split.train,
        trial.split.test,
        task,
        models=models,
        seed=trial.seed,
        task_model=predicted,
        reference=known,
    )


def _joined(first: UtilityReport, second: UtilityReport) -> UtilityReport:
    return replace(first, models=(*first.models, *second.models), notes=_once((*first.notes, *second.notes)))


def _once(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(notes))
