"""Synthetic tables with and without one person: does her rare value turn up?

>>> from dpcp_core.data.samples import load_sample
>>> traces = look_for_person(load_sample("readmission"), "shuffle", epsilon=1.0, n_tables=5)
>>> traces.found_with.tolist(), traces.found_without.tolist()
([True, True, True, True, True], [False, False, False, False, False])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans
from dpcp_core.data.dataset import Dataset
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.attributes.protocol import AnyMaker, AttributeTask

COLUMN, RARE, USUAL = "transplant", "yes", "no"
"""The column in which one person of the table is the only one."""

_COLUMNS = ("diagnosis", COLUMN)
_N_ROWS = 200
_DELTA = 1e-5


@dataclass(frozen=True, eq=False)
class Traces:
    """In which synthetic tables the rare value turned up.

    Attributes
    ----------
    maker : str
        Key in ``ATTRIBUTES``.
    epsilon : float
        What the tables cost; infinity where they are not private.
    delta : float
    found_with, found_without : (T,) bool arrays
        Per table, made of rows with the person and without.
    """

    maker: str
    epsilon: float
    delta: float
    found_with: Booleans
    found_without: Booleans

    @property
    def n_tables(self) -> int:
        """Tables of each kind."""
        return len(self.found_with)

    @property
    def n_with(self) -> int:
        """Tables with the person in which the value turned up."""
        return int(self.found_with.sum())

    @property
    def n_without(self) -> int:
        """Tables without her in which it turned up all the same."""
        return int(self.found_without.sum())


def look_for_person(data: Dataset, maker: str, epsilon: float, *, n_tables: int = 40, seed: int = 0) -> Traces:
    """Make tables of rows among which one person has a rare value, and of the same rows without her.

    Parameters
    ----------
    data : Dataset
        The sample "readmission".
    maker : str
        How columns are made; a key in ``ATTRIBUTES``.
    epsilon : float
        Above 0; what each table may cost, where the maker is private.
    n_tables : int
        Tables of each kind.
    seed : int

    Raises
    ------
    InputError
        The maker is unknown, or a number is out of range.

    Notes
    -----
    **Privacy.** None: a demonstration on a sample, from a seed. Each table by itself costs what ``epsilon`` says if
    the maker is private.
    """
    made: AnyMaker = ATTRIBUTES[check.one_of(ATTRIBUTES, maker=maker)]
    with_her, without_her = _neighbours(data)
    budget = SharedBudget(check.positive(epsilon=epsilon), _DELTA)
    plan = made.plan(AttributeTask(data.schema, _COLUMNS, len(with_her)), budget)
    found = [
        [_turns_up(made, plan, frame, seed, number) for number in range(check.whole(n_tables=n_tables))]
        for frame in (with_her, without_her)
    ]
    return Traces(maker, float("inf") if made.leak else epsilon, _DELTA, np.asarray(found[0]), np.asarray(found[1]))


def _neighbours(data: Dataset) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return rows of which the first alone has the rare value, and the same with that row made a usual one."""
    usual = data.frame[data.frame[COLUMN] == USUAL]
    without = usual.loc[:, list(_COLUMNS)].head(_N_ROWS).reset_index(drop=True)
    having = without.copy()
    having.loc[0, COLUMN] = RARE
    return having, without


def _turns_up(maker: AnyMaker, plan: Any, frame: pd.DataFrame, seed: int, number: int) -> bool:
    # The same noise with and without her: what differs is her doing, not luck.
    rng = simulation_generator(seed, number)
    table = maker.fit(frame, plan, rng).draw(len(frame), rng)
    return bool((table[COLUMN] == RARE).any())
