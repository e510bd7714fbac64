"""Linkability: two files hold different columns of the same people; does a synthetic table join their rows?

>>> from dpcp_core.data.schema import Column
>>> schema = Schema(tuple(Column(name, "number", bounds=(0, 40)) for name in "abcd"))
>>> rows = pd.DataFrame({name: np.arange(40.0) for name in "abcd"})
>>> linkability_risk(rows, rows, rows, schema, rng=np.random.default_rng(0), n_attacks=40).attack.value
1.0
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans, Codes
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE
from dpcp_core.evaluation.audit.neighbours import nearest, place_in_space
from dpcp_core.evaluation.audit.table_risk import TableRisk

NEIGHBOURS = 10
"""Synthetic rows that each half is compared with."""


def linkability_risk(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    control: pd.DataFrame,
    schema: Schema,
    *,
    rng: np.random.Generator,
    halves: tuple[Sequence[str], Sequence[str]] | None = None,
    n_neighbours: int = NEIGHBOURS,
    n_attacks: int = 500,
    confidence: float = CONFIDENCE,
) -> TableRisk:
    """Return how often both halves of a person's columns lead to the same synthetic row.

    Parameters
    ----------
    original, synthetic, control : DataFrame
        Rows that the synthetic table was made from, its own, and real rows that it was not made from.
    schema : Schema
    rng : numpy Generator
    halves : two sequences of str, optional
        Columns of the one file and of the other; every second column by default.
    n_neighbours : int
        Nearest synthetic rows of each half; a link is found if the two lists share a row.
    n_attacks : int
        Rows that are attacked, at most as many as there are.
    confidence : float

    Raises
    ------
    InputError
        Fewer than two columns, or halves that share one.

    Notes
    -----
    The baseline compares lists of synthetic rows that were drawn by chance.
    """
    one, other = _halves(schema) if halves is None else halves
    if set(one) & set(other):
        raise InputError("The two halves share a column, which would link them by itself; take it out of one.")
    k = check.whole(at_most=len(synthetic), n_neighbours=n_neighbours)
    spaces = [place_in_space(synthetic, schema, names) for names in (one, other)]
    hits = []
    for rows in (original, control):
        attacked = rows.iloc[rng.permutation(len(rows))[:n_attacks]]
        lists = [
            nearest(space, place_in_space(attacked, schema, names), k)
            for space, names in zip(spaces, (one, other), strict=True)
        ]
        hits.append(_linked(*lists))
    blind = [np.stack([rng.choice(len(synthetic), k, replace=False) for _ in hits[0]]) for _ in range(2)]
    return TableRisk.of(
        "linkability",
        attacked=int(hits[0].sum()),
        on_control=int(hits[1].sum()),
        guessed=int(_linked(*blind).sum()),
        n=len(hits[0]),
        n_control=len(hits[1]),
        confidence=confidence,
    )


def _linked(one: Codes, other: Codes) -> Booleans:
    shared: Booleans = (one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
    return shared


def _halves(schema: Schema) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = tuple(column.name for column in schema.columns if column.role != "ignore")
    if len(names) < 2:
        raise InputError("Two columns are needed to link two halves of a row; describe more.")
    return names[::2], names[1::2]
