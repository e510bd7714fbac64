"""Rules that leave nothing are refused before any row is read, and rules that leave something never are."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import DPDSyn
from dpcp_core.errors import InputError
from dpcp_core.synthesis.rule_check import refuse_contradictions
from dpcp_core.synthesis.rules import Rule
from tests.core.synthesis.tables import PEOPLE, people


def check(*rules: object) -> None:
    refuse_contradictions([Rule.of(rule, PEOPLE) for rule in rules])


CONTRADICTIONS = [
    ["dose > 5 and dose < 3"],
    ["dose > 5", "dose < 3"],
    ["dose > 50"],
    ["age < 18"],
    ["age > 30", "age < 31"],
    ["job == 'pilot'", "job == 'nurse'"],
    ["age < 40 or job == 'CEO'".replace("CEO", "pilot"), "job != 'pilot'", "age >= 40"],
    ["not (smoker == 'no' or smoker == 'yes')"],
    ["size > 'large'"],
    ["30 < age < 31"],
    [("dose", "<", -3)],
]


@pytest.mark.parametrize("rules", CONTRADICTIONS)
def test_a_contradiction_is_refused_although_empty_cells_would_pass(rules):
    with pytest.raises(InputError, match=r"^No row that the schema allows satisfies the rules? \(.*\): .*\.$"):
        check(*rules)


@pytest.mark.parametrize(
    "rules",
    [
        ["dose > 5", "dose < 5.01"],
        ["dose == 3.25"],
        ["age > 29.5", "age < 30.5"],
        ["age <= 18"],
        ["30 < age < 32"],
        ["years_employed <= age - 14"],
        ["age * 2 > 179"],
        ["job == 'pilot' or job == 'nurse'", "job != 'pilot'"],
        ["age > 50", "age < 20 or job == 'pilot'", "size == 'small'", "smoker == 'yes'", "dose >= 9.99"],
        ["dose > -3"],
    ],
)
def test_rules_that_leave_something_are_let_through(rules):
    check(*rules)


def test_random_bounds_are_judged_as_all_values_would():
    """The few values that stand for all agree with a search over every whole number."""
    rng = np.random.default_rng(0)
    ages, found = np.arange(18, 91), set()
    for _ in range(30):
        low, high, gap = rng.integers(15, 95), rng.integers(15, 95), rng.integers(15, 95)
        leaves = bool(((ages > low) & (ages < high) & (ages != gap)).any())
        found.add(leaves)
        try:
            check(f"age > {low}", f"age < {high} and age != {gap}")
        except InputError:
            assert not leaves
        else:
            assert leaves
    assert found == {True, False}


def test_very_many_combinations_are_left_to_the_drawing():
    check(*[f"age != {value} or dose != {value} or years_employed != {value}" for value in range(20, 60)])


def test_a_table_of_empty_cells_alone_is_no_answer():
    rules = ["dose * 2 > dose * 3 + 1"]
    made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=0, rules=rules).fit(people(1000))
    with pytest.raises(InputError, match=r"^No row of 3,\d+ without an empty cell satisfies the rule \(dose \* 2"):
        made.sample(100)


def test_a_column_that_is_always_empty_breaks_no_rule():
    frame = people(1000).assign(dose=np.nan)
    rules = ["dose * 2 > dose * 3 + 1"]
    made = DPDSyn(epsilon=8, schema=PEOPLE, task_model="logistic", random_state=0, rules=rules).fit(frame)
    assert made.sample(100)["dose"].isna().all()
