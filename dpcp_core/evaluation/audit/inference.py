"""Inference: somebody knows most of a person's cells and takes the rest from the most similar synthetic row.

>>> schema = Schema((Column("age", "number", bounds=(0, 100)), Column("ill", "boolean")))
>>> rows = pd.DataFrame({"age": np.arange(40.0), "ill": np.where(np.arange(40) % 2, "yes", "no")})
>>> others = rows.assign(ill="no")
>>> risk = inference_risk(rows, rows, others, schema, "ill", rng=np.random.default_rng(0), n_attacks=40)
>>> risk.attack.value, risk.control.value
(1.0, 0.5)
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcp_core._arrays import Booleans
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE
from dpcp_core.evaluation.audit.neighbours import nearest, place_in_space
from dpcp_core.evaluation.audit.table_risk import TableRisk

TOLERANCE = 0.05
"""A number counts as inferred within so much of itself, as in the reference."""


def inference_risk(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    control: pd.DataFrame,
    schema: Schema,
    secret: str,
    *,
    rng: np.random.Generator,
    n_attacks: int = 500,
    confidence: float = CONFIDENCE,
) -> TableRisk:
    """Return how well one column is inferred from all others.

    Parameters
    ----------
    original, synthetic, control : DataFrame
        Rows that the synthetic table was made from, its own, and real rows that it was not made from.
    schema : Schema
    secret : str
        The column that is inferred; right if the same category, or a number within 5 % of the true one.
    rng : numpy Generator
    n_attacks : int
        Rows that are attacked, at most as many as there are.
    confidence : float

    Raises
    ------
    InputError
        A secret that is no column, or nothing else to know.

    Notes
    -----
    The baseline takes the secret of a synthetic row drawn by chance.
    """
    column = schema.column(secret)
    if column.role == "ignore":
        raise InputError(f"Column {secret!r} is ignored, so nothing infers it; choose another secret.")
    known = [other.name for other in schema.columns if other.role != "ignore" and other.name != secret]
    space = place_in_space(synthetic, schema, known)
    said = synthetic[secret].reset_index(drop=True)
    hits = []
    for rows in (original, control):
        attacked = rows.iloc[rng.permutation(len(rows))[:n_attacks]]
        places = nearest(space, place_in_space(attacked, schema, known))[:, 0]
        hits.append(_right(attacked[secret], said.take(places), column))
        if rows is original:
            guesses = _right(attacked[secret], said.take(rng.integers(len(said), size=len(attacked))), column)
    return TableRisk.of(
        "inference",
        attacked=int(hits[0].sum()),
        on_control=int(hits[1].sum()),
        guessed=int(guesses.sum()),
        n=len(hits[0]),
        n_control=len(hits[1]),
        confidence=confidence,
    )


def _right(truth: pd.Series, said: pd.Series, column: Column) -> Booleans:
    if not column.is_numeric:
        codes = category_codes(truth, column)
        same: Booleans = codes == category_codes(said, column)
        return same
    true, guessed = as_numbers(truth, column.name), as_numbers(said, column.name)
    close = np.abs(guessed - true) <= TOLERANCE * np.abs(true)
    right: Booleans = close | (np.isnan(true) & np.isnan(guessed))
    return right
