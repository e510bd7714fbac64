"""Simulate a synthesis: hold rows out, make a table from the others, and train on it whatever somebody might.

>>> from dpcp_core.data.samples import load_sample
>>> settings = SynthesisSettings(epsilon=4.0, task_model="ridge")
>>> result = simulate_synthesis(load_sample("diabetes"), settings, models=("logistic",))
>>> [(run.n_train, run.n_validation, run.n_test) for run in result.runs]
[(354, 44, 44)]
>>> result.score("logistic", "rmse", "real").mean < result.majority("rmse").mean
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from dpcp_core import _validate as check
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import DOWNSTREAM, split_for_synthesis
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.result import SynthesisResult, SynthesisRun
from dpcp_core.experiments.synthesis.rivals import Rivals
from dpcp_core.experiments.synthesis.scoring import Trial, score_table
from dpcp_core.experiments.synthesis.shares import TableShares, table_shares
from dpcp_core.experiments.synthesis.steps import OnProgress, ShouldStop, Steps, SynthesisStopped
from dpcp_core.synthesis.attributes.marginals import too_few_words
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.labels import label_schema
from dpcp_core.synthesis.plan import targets_of
from dpcp_core.synthesis.rivals import MOST_SECONDS
from dpcp_core.synthesis.run import Synthesis, synthesize
from dpcp_core.synthesis.settings import SynthesisSettings

QUICK_MODELS: tuple[str, ...] = ("logistic", "mlp", "svm")
"""Downstream models that take seconds, not minutes."""

SHARES = (0.8, 0.1, 0.1)
"""Rows that a table is made from, rows that nothing uses, rows held out: those of the published experiments."""

_SEED_STEP = 10_007
"""Seeds of further repetitions are so far apart that nobody's next seeds are among them."""

_MOST_REPETITIONS = 1000


@dataclass(eq=False)
class _Running:
    """What has been found so far."""

    reference: RealReference
    rivals: Rivals
    runs: list[SynthesisRun] = field(default_factory=list)
    first: Synthesis | None = None
    shares: TableShares | None = None
    n_duplicates: int = 0


def simulate_synthesis(
    data: Dataset,
    settings: SynthesisSettings | None = None,
    models: Iterable[str] = QUICK_MODELS,
    rivals: Iterable[str] = (),
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    *,
    repetitions: int = 1,
    reference: RealReference | None = None,
    public: pd.DataFrame | None = None,
    rival_timeout: float = MOST_SECONDS,
) -> SynthesisResult:
    """Make synthetic tables from part of the rows and measure on held-out rows what they are worth.

    Parameters
    ----------
    data : Dataset
        Table with a schema: bounds or categories for every column that is made.
    settings : SynthesisSettings, optional
    models : iterable of str
        Downstream models, names in :data:`dpcp_core.evaluation.utility.DOWNSTREAM`.
    rivals : iterable of str
        Names in :data:`dpcp_core.synthesis.rivals.RIVALS`: other ways to make a table with the same budget.
    on_progress : callable, optional
        Called with a :class:`SynthesisProgress` before every step and at the end.
    should_stop : callable, optional
        Asked before every step; where it says True, what is finished is returned. A rival that runs is not interrupted.
    repetitions : int
        How often split, noise and first weights are drawn anew.
    reference : RealReference, optional
        From an earlier result on the same table, whatever its other settings: what is in it is not trained again.
    public : DataFrame, optional
        Public rows for ``attributes="public"``.
    rival_timeout : float
        Seconds after which a rival is stopped.

    Raises
    ------
    InputError
        A table or a setting that cannot be used.
    SynthesisStopped
        Stopped before there was a table to show.

    Warns
    -----
    PrivacyLeakWarning
        Something is not private, such as ``attributes="shuffle"`` or bounds that were read off the rows.

    Notes
    -----
    Tables are made from 80 % of the rows and measured on 10 %. The remaining 10 %, on which the published method
    chooses when to stop training, are set aside and not used: nothing is chosen here by looking at rows. Rows that are
    equal in every column that is made are in the same part. With several targets, scores are about the first.

    **Privacy.** None: a simulation is seeded and looks at held-out rows. Its receipt says what one release of the same
    synthesis would cost.
    """
    chosen = settings or SynthesisSettings()
    if chosen.mode != "simulation":
        raise InputError('mode is "release", but held-out rows are looked at in a simulation only.')
    asked = tuple(dict.fromkeys(check.one_of(DOWNSTREAM, model=name) for name in models))
    targets = targets_of(chosen, data.schema)
    known = reference or RealReference(data.digest, targets[0] if targets else "")
    known.require(data.digest, targets[0] if targets else "")
    running = _Running(known, Rivals.of(rivals, check.positive(rival_timeout=rival_timeout)))
    n_models = len(asked) if targets else 0
    n_repeated = check.whole(at_most=_MOST_REPETITIONS, repetitions=repetitions)
    steps = Steps((2 + n_models) + len(running.rivals.names) * (2 + n_models), n_repeated, on_progress, should_stop)
    for repetition in range(n_repeated):
        if not steps.begin("table"):
            break
        _repeat(running, data, chosen.replace(seed=chosen.seed + repetition * _SEED_STEP), asked, public, steps)
    steps.finish()
    return _result(running, data, chosen, asked, n_repeated, steps)


def _repeat(
    running: _Running,
    data: Dataset,
    settings: SynthesisSettings,
    models: tuple[str, ...],
    public: pd.DataFrame | None,
    steps: Steps,
) -> None:
    split = split_for_synthesis(data.frame, SHARES, columns=made_columns(data.schema), seed=settings.seed)
    with _said_of_all(len(split.train), data.n_rows):
        made = synthesize(Dataset.from_frame(split.train, data.schema, data.name), settings, public)
    steps.end()
    targets = made.report.targets
    task = label_schema(made.schema, targets[0], (), targets[1:]) if targets else None
    trial = Trial(settings.seed, split, made.schema, task, models)
    scores, running.reference = score_table(
        made.table, trial, running.reference, steps, _predicted(made, split.test, task)
    )
    if running.first is None:
        running.first, running.n_duplicates = made, split.n_duplicates
        running.shares = table_shares(made.table, split.train, made.schema, scores.fidelity)
    sizes = (len(split.train), len(split.validation), len(split.test))
    running.runs.append(SynthesisRun(settings.seed, *sizes, made.report, scores))
    running.reference = running.rivals.run(trial, settings, len(made.table), running.reference, steps)


@contextmanager
def _said_of_all(n_train: int, n_rows: int) -> Iterator[None]:
    """Where rows are too few, say how many of them there are in all."""
    try:
        yield
    except InputError as error:
        said = str(error)
        if not said.startswith(too_few_words(n_train)):
            raise
        raise InputError(f"With rows held out, {n_train:,} of {n_rows:,} are left; {said}") from None


def _predicted(made: Synthesis, rows: pd.DataFrame, task: Schema | None) -> Any:
    """Return what the private model says of held-out rows: the control."""
    if task is None or task.target is None:
        return None
    return made.model.predict(rows) if task.target.is_numeric else made.model.predict_proba(rows)


def _result(
    running: _Running,
    data: Dataset,
    settings: SynthesisSettings,
    models: tuple[str, ...],
    repetitions: int,
    steps: Steps,
) -> SynthesisResult:
    if running.first is None or running.shares is None:
        raise SynthesisStopped
    first = running.first
    return SynthesisResult(
        settings=settings,
        repetitions=repetitions,
        model_names=models,
        dataset_name=data.name,
        dataset_digest=data.digest,
        one_row_is=data.schema.one_row_is,
        target=first.schema.column(first.report.targets[0]) if first.report.targets else None,
        n_rows=data.n_rows,
        n_duplicates=running.n_duplicates,
        table=first.table,
        schema=first.schema,
        shares=running.shares,
        receipt=first.receipt,
        runs=tuple(running.runs),
        rivals=running.rivals.results(),
        reference=running.reference,
        is_complete=not steps.is_stopped,
        seconds=steps.seconds,
    )
