"""Singling out, linkability and inference: copies are found out, and what holds for everybody is no risk."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.inference import inference_risk
from dpcp_core.evaluation.audit.linkability import linkability_risk
from dpcp_core.evaluation.audit.neighbours import nearest, place_in_space
from dpcp_core.evaluation.audit.singling_out import singling_out_risk
from dpcp_core.evaluation.audit.table_risk import TableRisk
from tests.core.synthesis.tables import PEOPLE, people

SCHEMA = PEOPLE.replace(columns=tuple(column for column in PEOPLE.columns if column.role != "ignore"))
ALL = people(1800, seed=4)
TRAINED, CONTROL, OTHERS = (ALL.iloc[start : start + 600].reset_index(drop=True) for start in (0, 600, 1200))


def attacks(synthetic: pd.DataFrame) -> dict[str, TableRisk]:
    rng = np.random.default_rng(1)
    found = (
        singling_out_risk(TRAINED, synthetic, CONTROL, SCHEMA, rng=rng, n_attacks=150),
        linkability_risk(TRAINED, synthetic, CONTROL, SCHEMA, rng=rng, n_attacks=150),
        inference_risk(TRAINED, synthetic, CONTROL, SCHEMA, "job", rng=rng, n_attacks=150),
    )
    return {risk.name: risk for risk in found}


@pytest.fixture(scope="module")
def copied() -> dict[str, TableRisk]:
    return attacks(TRAINED)


@pytest.fixture(scope="module")
def unrelated() -> dict[str, TableRisk]:
    return attacks(OTHERS)


@pytest.mark.parametrize("name", ["singling_out", "linkability", "inference"])
def test_a_copy_of_the_table_is_found_out_by_every_attack(copied, name):
    risk = copied[name]
    assert risk.attack.value == 1.0
    assert risk.control.value < 0.7
    assert risk.risk.value == 1.0
    assert risk.risk.low > 0.9
    assert risk.is_informative


@pytest.mark.parametrize("name", ["singling_out", "linkability", "inference"])
def test_rows_of_other_people_are_no_risk_to_those_in_the_table(unrelated, name):
    risk = unrelated[name]
    assert risk.risk.low == 0.0
    assert risk.attack.value == pytest.approx(risk.control.value, abs=0.12)


def test_what_a_table_teaches_about_everybody_is_success_but_no_risk():
    rule = lambda frame: frame.assign(ill=np.where(frame["smoker"] == "yes", "yes", "no"))  # noqa: E731
    tables = [rule(frame) for frame in (TRAINED, OTHERS, CONTROL)]
    schema = SCHEMA.replace(columns=tuple(SCHEMA.column(name) for name in ("smoker", "size", "ill")))
    risk = inference_risk(*tables, schema, "ill", rng=np.random.default_rng(0), n_attacks=200)
    assert risk.attack.value == risk.control.value == 1.0
    assert risk.baseline.value < 0.8
    assert risk.risk.value == 0.0


def test_a_number_is_inferred_within_five_per_cent():
    schema = Schema((Column("a", "number", bounds=(0, 1)), Column("secret", "number", bounds=(0, 1000))))
    known = pd.DataFrame({"a": np.linspace(0, 1, 50), "secret": 100.0})
    near, far = known.assign(secret=104.9), known.assign(secret=105.2)
    for synthetic, share in ((near, 1.0), (far, 0.0)):
        rng = np.random.default_rng(0)
        assert inference_risk(known, synthetic, known, schema, "secret", rng=rng).attack.value == share


def test_distances_count_each_column_once_and_an_empty_cell_as_far_away():
    rows = pd.DataFrame({"age": [18, 90, 18], "job": ["none", "none", "pilot"], "dose": [1.0, 1.0, np.nan]})
    space = place_in_space(rows, SCHEMA, ["age", "job", "dose"]).astype(float)
    apart = np.abs(space[:, None] - space[None]).sum(axis=2)
    assert apart[0, 1] == pytest.approx(1.0)
    assert apart[0, 2] == pytest.approx(1 + 1 + 0.4)
    assert nearest(space, space[2:], k=9).tolist() == [[2, 0, 1]]


def test_the_interval_of_a_risk_holds_as_often_as_it_says():
    rng, n, hits = np.random.default_rng(0), 200, 0
    attack, control = 0.4, 0.25
    true = (attack - control) / (1 - control)
    for _ in range(300):
        found, others = int(rng.binomial(n, attack)), int(rng.binomial(n, control))
        risk = TableRisk.of("inference", attacked=found, on_control=others, guessed=0, n=n, n_control=n).risk
        hits += risk.low <= true <= risk.high
    assert hits / 300 >= 0.95


def test_a_control_that_always_succeeds_leaves_no_room_for_a_risk():
    risk = TableRisk.of("linkability", attacked=10, on_control=10, guessed=0, n=10, n_control=10)
    assert (risk.risk.value, risk.risk.low) == (0.0, 0.0)


def test_halves_that_share_a_column_and_secrets_that_are_ignored_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="share a column"):
        linkability_risk(TRAINED, OTHERS, CONTROL, SCHEMA, rng=rng, halves=(("age", "job"), ("age",)))
    with pytest.raises(InputError, match="'note' is ignored"):
        inference_risk(TRAINED, OTHERS, CONTROL, PEOPLE, "note", rng=rng)
