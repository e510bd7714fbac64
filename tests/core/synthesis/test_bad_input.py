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
TOWNS = [f"town {place % 200}" for place in range(1000)]
ESSAYS = [f"words {place * 7919 % 1000} and {place} more" for place in range(1000)]
PUBLIC = {"attributes": "public"}
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
    "empty target": (PEOPLE, FRAME.assign(ill=None), {}, "The target 'ill' has 1,000 missing values"),
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
    "randomised text": (PEOPLE, FRAME, {"randomised_response": {"job": "x"}}, "of 'job' is 'x' but must"),
    "bins": (PEOPLE, FRAME, {"bins": 0}, "bins is 0 but must be a whole number"),
    "two targets alike": (PEOPLE, FRAME, {"target": ["ill", "ill"]}, "a list of different names"),
    "two of a name": (PEOPLE, pd.concat([FRAME, FRAME[["age"]]], axis=1), {}, "two columns named 'age'; rename one"),
    "200 kinds of text": (None, FRAME.assign(town=TOWNS), {"target": "town"}, "text with 200 different values; choose"),
    "essays": (None, FRAME.assign(essay=ESSAYS), {"target": "essay"}, "'essay' is a target but it looks like an ident"),
    "dates to predict": (None, FRAME.assign(seen=DATES), {"target": "seen"}, "is a target but it holds dates or times"),
    "empty to predict": (None, FRAME.assign(dose=np.nan), {"target": "dose"}, "'dose' is the target but is empty"),
    "one row": (PEOPLE, FRAME.head(1), {}, "1 row is too few: noise of"),
    "endless": (PEOPLE, FRAME.assign(dose=np.inf), {}, "Column 'dose' should hold numbers but row 1 does not"),
    "unknown class": (PEOPLE, FRAME.assign(ill=["maybe", "no"] * 500), {}, "has 500 values that are none of its cat"),
    "only a target": (Schema((PEOPLE.column("ill"),)), FRAME, {}, "There is no column to make beside the target"),
    "no schema": ("people.toml", FRAME, {}, "schema is 'people.toml' but must be a Schema"),
    "public nothing": (PEOPLE, FRAME, {"public": FRAME}, "public is given, but attributes is 'marginals'; take"),
    "public list": (PEOPLE, FRAME, {"public": [1], **PUBLIC}, "public is a list but must be a pandas DataFrame"),
    "public empty": (PEOPLE, FRAME, {"public": FRAME.head(0), **PUBLIC}, "public has no rows; bring some, or leave it"),
    "public lacks": (PEOPLE, FRAME, {"public": FRAME[["age"]], **PUBLIC}, "The public table does not fit: The schema"),
    "public gaps": (PEOPLE, FRAME, {"public": FRAME.assign(size=None), **PUBLIC}, "'size' has 1,000 missing values"),
    "groups of numbers": (PEOPLE, FRAME, {"groups": [(1, 2)]}, "groups is [(1, 2)] but must be a list of groups"),
    "ignored in a group": (PEOPLE, FRAME, {"groups": [("age", "note")]}, "groups names 'note', which is no column"),
    "randomised nobody": (PEOPLE, FRAME, {"randomised_response": {"jobb": 1}}, "'jobb' (did you mean 'job'?)"),
    "randomised a lot": (PEOPLE, FRAME, {"randomised_response": {"job": 1e9}}, "of 'job' is 1000000000.0 but must be"),
    "randomised twice": (PEOPLE, FRAME, {"randomised_response": [("job", 1), ("job", 2)]}, "names 'job' twice; say"),
    "randomised names": (PEOPLE, FRAME, {"randomised_response": ["job"]}, "must name columns with a number each"),
    "bins of words": (PEOPLE, FRAME, {"bins": {"job": 3}}, "bins names 'job', but only columns of numbers that are"),
    "bins of nobody": (PEOPLE, FRAME, {"bins": {"agee": 3}}, "There is no column 'agee' (did you mean 'age'?)"),
    "no bins": (PEOPLE, FRAME, {"bins": {"age": 0}}, "bins of 'age' is 0 but must be a whole number of at least 1"),
    "many bins": (PEOPLE, FRAME, {"bins": 10**9}, "bins is 1000000000 but must be a whole number of at most 10,000"),
    "no number": (PEOPLE, FRAME, {"epsilon": float("nan")}, "epsilon is not a number (NaN) but must be"),
    "endless epsilon": (PEOPLE, FRAME, {"epsilon": float("inf")}, "epsilon is inf but must be from 0.0001 to 10000"),
    "delta": (PEOPLE, FRAME, {"delta": 1}, "delta is 1 but must be a number between 0 and 1, neither"),
    "many rules": (PEOPLE, FRAME, {"rules": ["age > 1"] * 101}, "There are 101 rules, but at most 100 are checked"),
    "rules by name": (PEOPLE, FRAME, {"rules": {"age": 3}}, "rules is {'age': 3} but must be a list of rules"),
    "contradiction": (PEOPLE, FRAME, {"rules": ["dose > 5", "dose < 3"]}, "No row that the schema allows satisfies"),
    "tiny delta": (PEOPLE, FRAME, {"delta": 1e-12, "task_model": "mlp"}, "can be accounted for only from"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_used_is_refused_in_one_sentence(case):
    schema, frame, changes, words = CASES[case]
    choices = {"schema": schema, "task_model": "logistic", "random_state": 0, **changes}
    public = choices.pop("public", None)
    with pytest.raises(InputError) as error:
        DPDSyn(**choices).fit(frame, public=public)
    said = str(error.value)
    assert words in said
    assert "\n" not in said
    assert said.endswith(".")


def test_public_rows_keep_to_the_schema_and_what_did_not_is_told():
    public = FRAME.assign(age=200, job="astronaut").drop(columns="ill")
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, attributes="public").fit(FRAME, public=public)
    table = made.sample(50)
    assert set(table["age"]) == {90}
    assert table["job"].isna().all()
    (note,) = made.report_.notes
    assert note.endswith("lie outside the schema: age (1,000 at its bound), job (1,000 as missing).")


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


def test_rules_that_nothing_satisfies_are_told_of_and_not_tried_for_ever():
    rule = "years_employed + 1 > years_employed * 2 + 40"
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, rules=[rule, "age > 20"]).fit(FRAME)
    with pytest.raises(InputError, match=r"^No row of 4,\d+ without an empty cell satisfies the rules \(years_emp"):
        made.sample(20)


def test_rules_that_too_few_rows_satisfy_say_how_many_do():
    rules = ["age == 90", "job == 'pilot'", "smoker == 'yes'"]
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, rules=rules, max_draws=1).fit(FRAME)
    with pytest.raises(InputError, match=r"^(Only|No row of) [0-9,]+ .* satisf"):
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
