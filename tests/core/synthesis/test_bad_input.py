"""Whatever cannot be made is refused in one plain sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from dpcp_core import DPDSyn
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people(1000)


def with_column(column: Column, cells: object) -> tuple[Schema, pd.DataFrame]:
    return PEOPLE.with_column(column), FRAME.assign(**{column.name: cells})


DATES = pd.date_range("2020-01-01", periods=1000)
WIDE = {"groups": [("age", "dose", "years_employed")], "bins": 200}
CASES = {
    "one class": (PEOPLE, FRAME.assign(ill="no"), {}, "Column 'ill' is a target but is the same in every row"),
    "free text": (*with_column(Column("essay", "category"), "long words"), {}, "'essay' has no categories; list"),
    "dates": (*with_column(Column("seen", "number", bounds=(0, 1)), DATES), {}, "'seen' should hold numbers but holds"),
    "no bounds": (*with_column(Column("bmi", "number"), 20.0), {}, "Column 'bmi' has no bounds; give"),
    "words": (PEOPLE, FRAME.assign(age="old"), {}, "Column 'age' should hold numbers but row 1 does not"),
    "20 rows": (PEOPLE, FRAME.head(20), {}, "20 rows are too few: noise of"),
    "no rows": (PEOPLE, FRAME.head(0), {}, "The table has no rows"),
    "no frame": (PEOPLE, [1, 2], {}, "must be a pandas DataFrame, not list"),
    "missing column": (PEOPLE, FRAME.drop(columns="age"), {}, "describes a column 'age' that the table does not have"),
    "empty target": (PEOPLE, FRAME.assign(ill=None), {}, "The target 'ill' has 1000 missing values"),
    "unknown target": (PEOPLE, FRAME, {"target": "il"}, "There is no column 'il' (did you mean 'ill'?)"),
    "unknown group": (PEOPLE, FRAME, {"groups": [("age", "jobs")]}, "groups names 'jobs' (did you mean 'job'?)"),
    "target in a group": (PEOPLE, FRAME, {"groups": [("age", "ill")]}, "groups names 'ill'"),
    "overlapping groups": (PEOPLE, FRAME, {"groups": [("age", "job"), ("job", "size")]}, "groups names 'job' twice"),
    "group of one": (PEOPLE, FRAME, {"groups": [("age",)]}, "groups has a group of age alone"),
    "no group": (PEOPLE, FRAME, {"groups": "age"}, "groups is 'age' but must be"),
    "large group": (PEOPLE, FRAME, WIDE, "cells, but at most 200,000 can be counted"),
    "wrong model": (PEOPLE, FRAME, {"task_model": "ridge"}, "trainer 'ridge' predicts numbers"),
    "unknown model": (PEOPLE, FRAME, {"task_model": "svm"}, "task_model is 'svm' but must be one of"),
    "unknown attributes": (PEOPLE, FRAME, {"attributes": "gan"}, "attributes is 'gan' but must be one of"),
    "no epsilon": (PEOPLE, FRAME, {"epsilon": 0}, "epsilon is 0 but must be a number above 0"),
    "all the budget": (PEOPLE, FRAME, {"training_share": 1}, "training_share is 1 but must be"),
    "unread rule": (PEOPLE, FRAME, {"rules": ["age"]}, "The rule 'age' cannot be read"),
    "rules as text": (PEOPLE, FRAME, {"rules": "age > 3"}, "rules is 'age > 3' but must be a list"),
    "randomised number": (PEOPLE, FRAME, {"randomised_response": {"age": 1}}, "randomised_response names 'age'"),
    "randomised text": (PEOPLE, FRAME, {"randomised_response": {"job": "x"}}, "randomised_response is 'x' but must be"),
    "bins": (PEOPLE, FRAME, {"bins": 0}, "bins is 0 but must be a whole number"),
    "two targets alike": (PEOPLE, FRAME, {"target": ["ill", "ill"]}, "a list of different names"),
    "tiny delta": (PEOPLE, FRAME, {"delta": 1e-12, "task_model": "mlp"}, "can be accounted for only from"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_used_is_refused_in_one_sentence(case):
    schema, frame, changes, words = CASES[case]
    with pytest.raises(InputError) as error:
        DPDSyn(**{"schema": schema, "task_model": "logistic", "random_state": 0, **changes}).fit(frame)
    said = str(error.value)
    assert words in said
    assert "\n" not in said
    assert said.endswith(".")


def test_a_column_that_is_empty_everywhere_stays_empty():
    frame = FRAME.assign(dose=np.nan)
    table = DPDSyn(epsilon=4.0, schema=PEOPLE, task_model="logistic", random_state=0).fit(frame).sample(500)
    assert table["dose"].isna().mean() > 0.9


@pytest.mark.parametrize("n", [0, -3, 2.5, "many", True, 10**12])
def test_a_number_of_rows_that_is_none_is_refused(n):
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, attributes="public").fit(FRAME)
    with pytest.raises(InputError, match=r"^n is .* but must be a whole number of at (least|most) [0-9,]+\.$"):
        made.sample(n)


@pytest.mark.parametrize("call", ["sample", "predict", "predict_proba"])
def test_before_fit_there_is_nothing(call):
    with pytest.raises(NotFittedError, match=r"^This DPDSyn has read no table yet; call fit before you use it\.$"):
        getattr(DPDSyn(), call)(*([FRAME] if call != "sample" else []))


RULES = ["size == 'small'", "size > 'small'"]


def test_rules_that_nothing_satisfies_are_told_of_and_not_tried_for_ever():
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, rules=RULES).fit(FRAME)
    with pytest.raises(InputError, match=r"^No row of 4,096 satisfies the rules \(size == 'small'; size > 'small'\)"):
        made.sample(20)


def test_rules_that_too_few_rows_satisfy_say_how_many_do():
    rules = ["age == 90", "job == 'pilot'", "smoker == 'yes'"]
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, rules=rules, max_draws=1).fit(FRAME)
    with pytest.raises(InputError, match=r"^(Only [0-9,]+ rows|No row) of 9,000 satisf"):
        made.sample(9000)


def test_a_release_does_not_say_which_rows_cannot_be_read():
    with pytest.raises(InputError, match=r"^Some of these rows cannot be read by the schema") as error:
        DPDSyn(schema=PEOPLE, task_model="logistic", mode="release").fit(FRAME.assign(age="old"))
    assert "age" not in str(error.value)


def test_a_missing_library_is_one_sentence(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mbi", None)
    with pytest.raises(InputError, match=r'needs the library mbi: pip install .*, or take attributes="tree"\.$'):
        DPDSyn(schema=PEOPLE, task_model="logistic", attributes="graph", random_state=0).fit(FRAME)


def test_a_fit_that_fails_leaves_the_last_one_whole():
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0).fit(FRAME)
    with pytest.raises(InputError):
        made.fit(FRAME.head(20))
    assert made.report_.n_rows == 1000
    assert len(made.sample(5)) == 5
