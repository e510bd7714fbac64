"""What cannot be measured is refused in one sentence, and where there is nothing to measure none is made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.linkability import linkability_risk
from dpcp_core.evaluation.audit.neighbours import place_in_space
from dpcp_core.evaluation.audit.singling_out import singling_out_risk
from dpcp_core.evaluation.fidelity import evaluate_fidelity
from dpcp_core.evaluation.utility import evaluate_utility, split_for_synthesis
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people(300)
AGE, JOB, ILL = (PEOPLE.column(name) for name in ("age", "job", "ill"))
IGNORED = Schema((Column("note", "category", role="ignore"),))


def attack(risk: Any, schema: Schema, synthetic: pd.DataFrame = FRAME) -> Any:
    return risk(FRAME, synthetic, FRAME, schema, rng=np.random.default_rng(0), n_attacks=20)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: attack(linkability_risk, Schema((AGE,))), "Two columns are needed to link two halves of a row"),
        (lambda: attack(singling_out_risk, IGNORED), "There is no column to describe rows by"),
        (lambda: place_in_space(FRAME, IGNORED), "There is no column to compare rows by"),
        (lambda: evaluate_fidelity(FRAME, FRAME, IGNORED), "All columns of the schema are ignored; give at least one"),
        (
            lambda: evaluate_utility(FRAME, FRAME, FRAME, Schema((AGE, JOB))),
            "There is nothing to predict: name a target",
        ),
        (lambda: evaluate_utility(FRAME, FRAME, FRAME, Schema((ILL,))), "The schema has no feature to predict from"),
        (lambda: split_for_synthesis(FRAME.head(0)), "The table has no rows to split"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_what_is_missing(call: Any, words: str) -> None:
    with pytest.raises(InputError, match=f"^{words}"):
        call()


def test_a_model_that_was_not_evaluated_is_told_of_with_those_that_were() -> None:
    report = evaluate_utility(FRAME, FRAME, FRAME, PEOPLE, models=["logistic"])
    with pytest.raises(InputError, match=r"^Model 'gan' was not evaluated; the report has: logistic\.$"):
        report.model("gan")


def test_a_table_without_two_ordered_columns_has_no_correlations_to_compare() -> None:
    assert evaluate_fidelity(FRAME, FRAME, Schema((AGE, JOB))).correlation_distance is None
    assert evaluate_fidelity(FRAME, FRAME, Schema((AGE, ILL))).correlation_distance == 0.0


def test_a_table_in_which_no_row_is_unique_singles_nobody_out_and_says_little() -> None:
    risk = attack(singling_out_risk, Schema((AGE, JOB)), pd.concat([FRAME.head(1)] * 300, ignore_index=True))
    assert risk.attack.value == risk.control.value == 0.0
    assert not risk.is_informative
    assert risk.risk.high > 0.9
