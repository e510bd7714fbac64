"""Schemas whose unknown bounds are bought: who gets some, what it costs, what stays as a person gave it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from dpcp_core.conformal.private_schema import (
    buy_bounds,
    columns_without_public_bounds,
    level_after_bounds,
    with_private_bounds,
)
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.private_bounds import one_step_wider, rows_needed
from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu, stable_level
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.privacy.spending import joint_delta

ROWS = 4000
SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(18, 100)),
        Column("dose", "number"),
        Column("bmi", "number", bounds=(10, 70), typical=(20, 30), bounds_from_file=True),
        Column("sex", "category", categories=("f", "m")),
        Column("site", "integer", role="ignore"),
        Column("stay", "integer", role="target", typical=(2, 8)),
    ),
    one_row_is="one patient",
)


def table(rows: int = ROWS) -> Dataset:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 99, rows),
            "dose": np.where(rng.random(rows) < 0.1, np.nan, rng.gamma(4, 5, rows)),
            "bmi": rng.normal(27, 4, rows),
            "sex": rng.choice(["f", "m"], rows),
            "site": rng.integers(0, 5, rows),
            "stay": rng.poisson(5, rows),
        }
    )
    return Dataset.from_frame(frame, SCHEMA)


DATA = table()


def bought(epsilon: float = 1.0, **choices: object) -> tuple[Schema, tuple]:
    return with_private_bounds(DATA, epsilon=epsilon, rng=np.random.default_rng(1), **choices)  # type: ignore[arg-type]


def test_only_columns_without_public_bounds_are_bought() -> None:
    assert columns_without_public_bounds(SCHEMA) == ("dose", "bmi", "stay")
    schema, entries = bought()
    assert [entry.reads for entry in entries] == [f"{name} in 4,000 rows" for name in ("dose", "bmi", "stay")]
    assert all(schema.column(name) == SCHEMA.column(name) for name in ("age", "sex", "site"))
    assert columns_without_public_bounds(schema) == ()
    assert schema.from_file == schema.incomplete == ()
    assert schema.one_row_is == "one patient"


def test_bounds_hold_the_column_and_the_typical_range_its_middle() -> None:
    schema, _ = bought()
    for name in ("dose", "bmi", "stay"):
        column, cells = schema.column(name), DATA.frame[name].dropna()
        assert column.bounds is not None
        assert column.typical is not None
        assert cells.between(*column.bounds).mean() > 0.97
        assert 0.4 < cells.between(*column.typical).mean() < 0.9


def test_hardly_a_row_lies_beyond_the_bounds_of_the_target() -> None:
    data = Dataset.from_frame(DATA.frame[["dose"]].dropna(), Schema((Column("dose", "number"),)))
    columns = []
    for role in ("feature", "target"):
        seeker = data.with_schema(data.schema.with_role("dose", role))  # type: ignore[arg-type]
        columns.append(with_private_bounds(seeker, epsilon=0.1, rng=np.random.default_rng(0))[0].column("dose"))
    feature, target = (column.bounds or (0.0, 0.0) for column in columns)
    assert target == one_step_wider(feature)
    assert data.frame["dose"].between(*target).mean() > 0.995


def test_what_a_person_gave_stays_and_what_was_read_off_the_rows_does_not() -> None:
    schema, _ = bought()
    assert schema.column("stay").typical == (2, 8)
    assert schema.column("bmi").typical != (20, 30)
    low, high = schema.column("stay").bounds or (math.inf, -math.inf)
    assert low <= 2
    assert high >= 8


def test_the_epsilons_of_the_columns_add_up_to_what_was_asked_for() -> None:
    _, entries = bought(0.9)
    assert [entry.epsilon for entry in entries] == pytest.approx([0.3] * 3)
    assert all(entry.delta == 0 for entry in entries)
    receipt = PrivacyReceipt(entries, "basic", PrivacyBudget(0.9), "none")
    assert receipt.total == PrivacyBudget(0.9)


def test_the_receipt_says_what_was_bought() -> None:
    schema, (dose, _, stay) = bought()
    assert dose.mechanism == "Private bounds and typical range of dose"
    assert stay.mechanism == "Private bounds of stay"
    low, high = schema.column("dose").bounds or (0, 0)
    assert f"bounds {low:g} to {high:g}" in dose.detail


def test_named_columns_share_the_budget_among_themselves() -> None:
    schema, entries = bought(columns=["dose", "age", "dose"])
    assert [entry.epsilon for entry in entries] == [1.0]
    assert schema.column("bmi").bounds_from_file


def test_without_typical_the_bounds_get_all_of_it() -> None:
    schema, entries = bought(typical=False)
    assert schema.column("dose").typical is None
    assert {entry.mechanism for entry in entries} == {f"Private bounds of {name}" for name in ("dose", "bmi", "stay")}


def test_bounds_of_whole_numbers_are_whole_and_of_other_numbers_as_fine_as_they_are() -> None:
    always = pd.DataFrame({"whole": np.ones(500), "negative": -np.ones(500), "share": np.ones(500)})
    kinds = (("whole", "integer"), ("negative", "integer"), ("share", "number"))
    data = Dataset.from_frame(always, Schema(tuple(Column(name, kind) for name, kind in kinds)))
    schema, _ = with_private_bounds(data, epsilon=15.0, rng=np.random.default_rng(0))
    # The grid of sizes has 0.5 next to 1, which no whole number can be.
    assert [schema.column(name).bounds for name, _ in kinds] == [(0.0, 1.0), (-1.0, 0.0), (0.5, 1.0)]


def test_a_part_of_the_rows_can_pay_for_itself() -> None:
    half = DATA.frame.iloc[: ROWS // 2]
    schema, entries = buy_bounds(SCHEMA, half, ["dose"], epsilon=0.5, rng=np.random.default_rng(0))
    assert entries[0].reads == "dose in 2,000 rows"
    assert schema.column("dose").is_complete


def test_nothing_to_buy_costs_nothing() -> None:
    assert bought(columns=["age"]) == (SCHEMA, ())


@pytest.mark.parametrize(
    ("wanted", "choices"),
    [
        ("no bounds to buy", {"columns": ["sex"]}),
        ("no column 'weight'", {"columns": ["weight"]}),
        ("epsilon", {"epsilon": 0}),
        ("4,000 rows are too few to buy the bounds of 3 columns", {"epsilon": 0.01}),
        ("too few to buy the bounds of 'dose'", {"epsilon": 0.01, "columns": ["dose"]}),
    ],
)
def test_what_cannot_be_bought_is_said(wanted: str, choices: dict[str, object]) -> None:
    with pytest.raises(InputError, match=wanted):
        bought(**choices)  # type: ignore[arg-type]


def test_as_many_rows_as_the_refusal_names_are_enough() -> None:
    needed = rows_needed(1.0 / 3 * 0.5)
    for rows, fails in ((needed - 1, True), (needed, False)):
        data = table(rows)
        if fails:
            with pytest.raises(InputError, match=f"takes about {needed}"):
                with_private_bounds(data, epsilon=1.0, rng=np.random.default_rng(0))
        else:
            assert len(with_private_bounds(data, epsilon=1.0, rng=np.random.default_rng(0))[1]) == 3


@pytest.mark.parametrize("epsilon", [0.1, 0.5])
def test_the_level_after_bounds_is_one_that_the_joint_privacy_allows(epsilon: float) -> None:
    """At the best point of training's profile, ``exp(e + epsilon) level + delta(e)`` is alpha; no point gives less."""
    alpha, profile = 0.1, GaussianProfile(gaussian_mu(1.0, 1e-5))
    level = level_after_bounds(stable_level(profile, alpha), epsilon)
    grid = np.linspace(0, 5, 2001)
    bounds = [math.exp(e + epsilon) * level + profile.delta(float(e)) for e in grid]
    assert min(bounds) == pytest.approx(alpha, rel=1e-3)
    # A bound on both mechanisms by the domination of randomised response is no worse.
    dominated = [math.exp(e) * level + joint_delta(profile, epsilon, float(e)) for e in grid]
    assert min(dominated) <= alpha + 1e-9


def test_bounds_that_cost_nothing_leave_the_level_alone() -> None:
    assert level_after_bounds(0.07, 0.0) == 0.07
    with pytest.raises(InputError, match="epsilon"):
        level_after_bounds(0.07, -1.0)
