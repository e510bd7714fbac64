"""Run many settings on one table: every training once, every cell once.

A training serves all cells that differ in the threshold only, and what would be without privacy is trained once for
all. Trainings run side by side wherever the caller's :func:`joblib.parallel_config` says:

>>> from joblib import parallel_config
>>> from dpcp_core import load_sample
>>> with parallel_config(backend="threading", n_jobs=2):
...     result = sweep(load_sample("diabetes"), methods=["dpcp", "pscp"], epsilons=[1.0, 4.0], repetitions=5)
>>> [(cell.settings.method, cell.settings.epsilon) for cell in result.cells]
[('dpcp', 1.0), ('dpcp', 4.0), ('pscp', 1.0), ('pscp', 4.0)]
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import SweepResult
from dpcp_core.experiments.sweep.running import OnProgress, Running, ShouldStop, never_stop, say_nothing
from dpcp_core.experiments.sweep.store import SweepStore
from dpcp_core.experiments.sweep.tables import Tables
from dpcp_core.privacy.leaks import speak_of_leaks


def sweep(
    data: Dataset,
    settings: ConformalSettings | None = None,
    *,
    methods: str | Iterable[str] | None = None,
    epsilons: Iterable[float] | None = None,
    repetitions: int | None = None,
    n_jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    public: Dataset | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    **axes: Iterable[Any],
) -> SweepResult:
    """Measure coverage and size for every combination of some settings' values.

    Parameters
    ----------
    data : Dataset
    settings : ConformalSettings, optional
        What all cells share.
    methods : iterable of str, optional
        Names of methods, or ``all`` for those of the comparison.
    epsilons : iterable of float, optional
    repetitions : int, optional
        In place of the settings' own.
    n_jobs : int, optional
        Trainings at a time; None takes what the caller's ``joblib.parallel_config`` says, which else is one.
    folder : path, optional
        Keeps finished cells; a sweep that finds some there does not run them again.
    public : Dataset, optional
        A public table that training starts from.
    on_progress : callable, optional
        Called in the caller's thread with the :class:`Progress` and the cells that are new.
    should_stop : callable, optional
        Asked between trainings; where it says True no further one begins, and what is finished is returned. It may be
        asked in another thread.
    **axes
        Values of any other setting by its name, e.g. ``bins=[50, 100]``.

    Returns
    -------
    SweepResult
        A cell that cannot be computed says why; the others go on.

    Raises
    ------
    InputError
        A table, a value or a folder that cannot be used.

    Warns
    -----
    PrivacyLeakWarning
        Bounds or categories were read off the rows; a release would refuse them.

    Notes
    -----
    **Privacy.** None, as of any simulation. Each cell's receipt says what one release would cost; choosing among cells
    by what was measured here costs more, which nothing pays for.

    **Guarantee.** A cell's numbers are those of ``simulate`` with its settings, whatever runs beside it. All cells of
    one seed see the same splits and the same noise, so that they may be compared repetition by repetition.
    """
    plan = SweepPlan.of(settings, methods=methods, epsilons=epsilons, repetitions=repetitions, **axes)
    return run_plan(
        data, plan, n_jobs=n_jobs, folder=folder, public=public, on_progress=on_progress, should_stop=should_stop
    )


def run_plan(
    data: Dataset,
    plan: SweepPlan,
    *,
    n_jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    public: Dataset | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> SweepResult:
    """Run a plan; see :func:`sweep` for the parameters."""
    begun = time.perf_counter()
    tables = Tables(data, public)
    table = tables.any_of(plan)
    speak_of_leaks(table.from_file, "simulation", instead="public ones in the schema", stacklevel=3)
    run = Running(tables, plan, None if folder is None else SweepStore.at(folder))
    run.go(n_jobs, on_progress or say_nothing, should_stop or never_stop)
    return SweepResult(
        plan=plan,
        dataset_name=data.name,
        dataset_digest=data.digest,
        target=table.target,
        one_row_is=data.schema.one_row_is,
        task=table.task,
        cells=run.cells,
        n_reused=run.n_reused,
        seconds=time.perf_counter() - begun,
    )
