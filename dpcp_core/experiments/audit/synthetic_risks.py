"""Singling out, linkability and inference of a synthetic table, against real people who were not in it.

>>> from dpcp_core.data.samples import load_sample
>>> data = load_sample("readmission")
>>> one, other = data.frame.iloc[:600], data.frame.iloc[600:1200]
>>> found = synthetic_risks(one, one, other, data.schema, n_attacks=100)
>>> [risk.name for risk in found.risks]
['singling_out', 'linkability', 'inference']
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import pandas as pd

from dpcp_core import _validate as check
from dpcp_core.data.schema import Schema
from dpcp_core.data.schema_check import named
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE
from dpcp_core.evaluation.audit.inference import inference_risk
from dpcp_core.evaluation.audit.linkability import linkability_risk
from dpcp_core.evaluation.audit.singling_out import singling_out_risk
from dpcp_core.evaluation.audit.table_risk import TableRisk
from dpcp_core.privacy.randomness import simulation_generator

_FEWEST = 20


@dataclass(frozen=True)
class SyntheticRisks:
    """What three attacks make of one synthetic table.

    Attributes
    ----------
    risks : tuple of TableRisk
        Singling out, linkability, inference; the last is left out where there is no column to infer.
    secret : str
        The column that is inferred.
    n_original, n_synthetic, n_control : int
    seconds : float

    Notes
    -----
    **Privacy.** Curator's view: measured on real rows. A risk near 0 proves nothing, as a better attack may exist;
    epsilon bounds all attacks.
    """

    risks: tuple[TableRisk, ...]
    secret: str
    n_original: int
    n_synthetic: int
    n_control: int
    seconds: float

    def table(self) -> pd.DataFrame:
        """Return one row per risk: value, interval, and the shares that it comes from."""
        rows = [
            {
                "risk": each.name,
                "value": each.risk.value,
                "low": each.risk.low,
                "high": each.risk.high,
                "attack": each.attack.value,
                "control": each.control.value,
                "baseline": each.baseline.value,
                "attacks": each.n_attacks,
                "is_informative": each.is_informative,
            }
            for each in self.risks
        ]
        return pd.DataFrame(rows)


def synthetic_risks(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    control: pd.DataFrame,
    schema: Schema,
    *,
    secret: str | None = None,
    n_attacks: int = 500,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> SyntheticRisks:
    """Attack a synthetic table.

    Parameters
    ----------
    original, synthetic, control : DataFrame
        Rows that the synthetic table was made from, its own, and real rows of the same kind that it was not made from.
    schema : Schema
        With bounds and categories; columns that the synthetic table lacks are left out.
    secret : str, optional
        The column to infer, by default the target.
    n_attacks : int
        Of each kind, at most.
    confidence : float
    seed : int

    Raises
    ------
    InputError
        Tables with too few rows, or without the schema's columns.
    """
    started = time.perf_counter()
    n = check.whole(n_attacks=n_attacks)
    made = schema.replace(columns=tuple(c for c in schema.columns if c.name in synthetic and c.role != "ignore"))
    real, fake = _rows("original", original, made), _rows("synthetic", synthetic, made)
    others, rng = _rows("control", control, made), simulation_generator(seed)
    risks = [
        singling_out_risk(real, fake, others, made, rng=rng, n_attacks=n, confidence=confidence),
        linkability_risk(real, fake, others, made, rng=rng, n_attacks=n, confidence=confidence),
    ]
    sought = secret or (made.target.name if made.target else "")
    if sought:
        risks.append(inference_risk(real, fake, others, made, sought, rng=rng, n_attacks=n, confidence=confidence))
    seconds = time.perf_counter() - started
    return SyntheticRisks(tuple(risks), sought, len(real), len(fake), len(others), seconds)


def _rows(what: str, frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    if len(frame) < _FEWEST:
        raise InputError(f"The {what} table has {len(frame):,} rows, too few to attack; bring {_FEWEST} or more.")
    return named(schema.names, frame)[list(schema.names)].reset_index(drop=True)
