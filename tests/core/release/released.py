"""Bundles to test with, made once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger
from dpcp_core.release import Released, plan_intervals, release


def small(name: str, n: int = 400) -> Dataset:
    """Return the first rows of a sample."""
    whole = load_sample(name)
    return Dataset.from_frame(whole.frame.head(n), whole.schema, name=name)


def ledger_for(*tables: Dataset, epsilon: float = 100.0) -> Ledger:
    """Return a ledger in memory where each of these tables has a budget."""
    ledger = Ledger("sqlite://")
    for data in tables:
        ledger.set_budget(data.rows_digest, PrivacyBudget(epsilon, 0.1), composition="basic")
    return ledger


def released(data: Dataset, **choices: object) -> Released:
    """Return a release of this table."""
    made = ConformalChoices(**{"epsilon": 5.0, **choices})  # type: ignore[arg-type]
    return release(plan_intervals(data, made, data.schema.to_toml()), ledger_for(data))


@cache
def intervals() -> Released:
    """Return intervals of blood pressure."""
    return released(small("blood_pressure"))


def without_public_bounds(data: Dataset) -> Dataset:
    """Return the same table with one column's bounds read off the rows."""
    column = replace(data.schema.features[0], bounds_from_file=True)
    return data.with_schema(data.schema.with_column(column))
