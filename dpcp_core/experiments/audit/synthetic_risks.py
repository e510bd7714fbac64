"""Singling out, linkability and inference of a synthetic table, against real people who were not in it.

>>> from dpcp_core.data.samples import load_sample
>>> data = load_sample("readmission")
>>> one, other = data.frame.iloc[:600], data.frame.iloc[600:1200]
>>> found = synthetic_risks(one, one, other, data.schema, n_attacks=100)
>>> [risk.name for risk in found.risks]
['singling_out', 'linkability', 'inference']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from dpcp_core.experiments.synthesis.steps import OnProgress, ShouldStop, Steps, SynthesisStopped
from dpcp_core.privacy.randomness import simulation_generator

FEWEST_ROWS = 20
"""Of each table; fewer are too few to attack."""


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
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
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
        Of each interval, between 0 and 1.
    seed : int
        Of the attacks; the same seed gives the same answer.
    on_progress : callable, optional
        Called with a :class:`dpcp_core.experiments.synthesis.SynthesisProgress` before each attack and at the end.
    should_stop : callable, optional
        Asked before each attack.

    Returns
    -------
    SyntheticRisks
        Shares between 0 and 1, each with its interval.

    Raises
    ------
    InputError
        Tables with too few rows, or without the schema's columns.
    SynthesisStopped
        Somebody asked to stop.

    Notes
    -----
    **Privacy.** None: real rows are attacked and counted. The curator's view of a simulation, in no release.

    **Guarantee.** Each interval holds with ``confidence`` for attacks drawn anew on the same tables. A risk near 0
    proves nothing.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi, "A Unified Framework for Quantifying Privacy Risk in Synthetic Data", PoPETs
    2023(2), sections 3 and 4.
    """
    n = check.whole(n_attacks=n_attacks)
    made = schema.replace(columns=tuple(c for c in schema.columns if c.name in synthetic and c.role != "ignore"))
    real, fake = _rows("original", original, made), _rows("synthetic", synthetic, made)
    others, rng = _rows("control", control, made), simulation_generator(seed)
    sought = secret or (made.target.name if made.target else "")
    tables = (real, fake, others, made)
    how: dict[str, Any] = {"rng": rng, "n_attacks": n, "confidence": confidence}
    attacks: dict[str, Callable[[], TableRisk]] = {
        "singling_out": partial(singling_out_risk, *tables, **how),
        "linkability": partial(linkability_risk, *tables, **how),
    }
    if sought:
        attacks["inference"] = partial(inference_risk, *tables, sought, **how)
    steps = Steps(len(attacks), 1, on_progress, should_stop)
    risks = tuple(_stepped(name, attack, steps) for name, attack in attacks.items())
    steps.finish()
    return SyntheticRisks(risks, sought, len(real), len(fake), len(others), steps.seconds)


def _stepped(name: str, attack: Callable[[], TableRisk], steps: Steps) -> TableRisk:
    if not steps.begin(name):
        raise SynthesisStopped
    found = attack()
    steps.end()
    return found


def _rows(what: str, frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    if len(frame) < FEWEST_ROWS:
        raise InputError(f"The {what} table has {len(frame):,} rows, too few to attack; bring {FEWEST_ROWS} or more.")
    return named(schema.names, frame)[list(schema.names)].reset_index(drop=True)
