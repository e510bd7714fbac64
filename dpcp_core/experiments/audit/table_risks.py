"""Could somebody be found in a simulated synthetic table? Attacks on its rows, and on people who were not in it.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.experiments.synthesis import simulate_synthesis
>>> from dpcp_core.synthesis.settings import SynthesisSettings
>>> data = load_sample("diabetes")
>>> result = simulate_synthesis(data, SynthesisSettings(task_model="ridge"), models=())
>>> found = table_risks(data, result, n_attacks=100)
>>> found.n_original, found.n_control, found.secret
(354, 88, 'progression')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import split_for_synthesis
from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks, synthetic_risks
from dpcp_core.experiments.synthesis.run import SHARES
from dpcp_core.synthesis.domain import made_columns

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.synthesis import SynthesisResult
    from dpcp_core.experiments.synthesis.steps import OnProgress, ShouldStop

N_ATTACKS = 1000
"""Attacks of each kind, at most: shares are then known to about 3 in 100."""

# With fewer, which rows fell where makes a table look guilty that knows nobody: up to one time in ten was measured.
_FEWEST_CONTROL = 80


@dataclass(frozen=True, eq=False)
class RealRows:
    """The real rows of a simulation, by what the synthetic table knows of them.

    Attributes
    ----------
    original : DataFrame
        Rows that the table was made from, four fifths.
    control : DataFrame
        Rows that it was not made from: those held out and those that nothing used, a fifth.
    """

    original: pd.DataFrame
    control: pd.DataFrame


def real_rows(data: Dataset, result: SynthesisResult) -> RealRows:
    """Return the rows that a simulated table was made from, and all others.

    Parameters
    ----------
    data : Dataset of n rows
        The table that was simulated.
    result : SynthesisResult
        Of :func:`dpcp_core.experiments.synthesis.simulate_synthesis`; its first table counts.

    Raises
    ------
    InputError
        A result of another table.

    Notes
    -----
    **Privacy.** Real rows, which never leave the curator's hands.
    """
    if data.digest != result.dataset_digest:
        raise InputError("The result is of another table; give the table that it was simulated from.")
    seed = result.runs[0].seed
    split = split_for_synthesis(data.frame, SHARES, columns=made_columns(data.schema), seed=seed)
    return RealRows(split.train, pd.concat([split.validation, split.test]))


def table_risks(
    data: Dataset,
    result: SynthesisResult,
    *,
    secret: str | None = None,
    n_attacks: int = N_ATTACKS,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> SyntheticRisks:
    """Attack the synthetic table of a simulation: its rows, and people who were not in it.

    Parameters
    ----------
    data : Dataset of n rows
        The table that was simulated.
    result : SynthesisResult
        Of :func:`dpcp_core.experiments.synthesis.simulate_synthesis`; its first table is attacked.
    secret : str, optional
        The column to infer, by default the target of the simulation.
    n_attacks : int
        Of each kind, at most.
    seed : int
        Of the attacks; the same seed gives the same answer.
    on_progress : callable, optional
        Called with a :class:`dpcp_core.experiments.synthesis.SynthesisProgress` before each attack and at the end.
    should_stop : callable, optional
        Asked before each attack.

    Returns
    -------
    SyntheticRisks

    Raises
    ------
    InputError
        A result of another table, or so few rows that the fifth that was not used is too small to compare with.
    SynthesisStopped
        Somebody asked to stop.

    Notes
    -----
    **Privacy.** None: real rows, held-out ones too, are attacked and counted. The curator's view of a simulation, in no
    release.

    **Guarantee.** Rows are dealt out by chance, and equal rows together, so that a table which depends on none of its
    rows is as good a tool against those in it as against those that are not. Intervals are about the choice of
    attacks, for these rows and this table. A risk near 0 proves nothing.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi, "A Unified Framework for Quantifying Privacy Risk in Synthetic Data", PoPETs
    2023(2), sections 3 and 4.
    """
    rows = real_rows(data, result)
    if len(rows.control) < _FEWEST_CONTROL:
        raise InputError(
            f"Only {len(rows.control):,} of {data.n_rows:,} rows are no part of the synthetic table, too few to "
            f"compare with; bring {5 * _FEWEST_CONTROL} rows or more."
        )
    sought = secret or (result.target.name if result.target else None)
    return synthetic_risks(
        rows.original,
        result.table,
        rows.control,
        result.schema,
        secret=sought,
        n_attacks=n_attacks,
        seed=seed,
        on_progress=on_progress,
        should_stop=should_stop,
    )
