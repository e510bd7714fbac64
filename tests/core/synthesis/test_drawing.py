"""Rows that have to satisfy rules: as many as are wanted, drawn no more often than it takes, and told of if too few."""

from __future__ import annotations

import pytest

from dpcp_core import DPDSyn
from dpcp_core.errors import InputError
from tests.core.synthesis.tables import PEOPLE, people

PUBLIC = people(20_000, seed=5)
OLDEST = (PUBLIC["age"] == 90).mean()


def made(**changes: object) -> DPDSyn:
    """Return a model whose rows are drawn from public ones, so that the share that satisfies a rule is known."""
    chosen = {"schema": PEOPLE, "task_model": "logistic", "attributes": "public", "random_state": 0, **changes}
    return DPDSyn(**chosen).fit(people(1000), public=PUBLIC)


def test_rare_rows_are_drawn_again_until_there_are_enough_and_hardly_more() -> None:
    model = made(rules=["age == 90"], max_draws=1000)
    table = model.sample(300)
    assert len(table) == 300
    assert (table["age"] == 90).all()
    report = model.report_
    assert report.n_drawn - report.n_dropped >= 300
    assert report.dropped_by == (("age == 90", report.n_dropped),)
    assert report.n_dropped / report.n_drawn == pytest.approx(1 - OLDEST, abs=0.005)
    assert report.n_drawn < 1.6 * 300 / OLDEST


def test_too_few_rows_are_counted_and_said_with_what_would_help() -> None:
    model = made(rules=["age == 90", "dose >= 0"], max_draws=2)
    with pytest.raises(InputError) as error:
        model.sample(5000)
    said = str(error.value)
    found = int(said.removeprefix("Only ").partition(" ")[0])
    assert found == pytest.approx(10_000 * OLDEST, rel=0.3)
    assert said == (
        f"Only {found} rows of 10,000 satisfy the rules (age == 90; dose >= 0), and 5,000 are wanted; ask for fewer "
        "rows, loosen a rule, or raise max_draws above 2."
    )


def test_rules_that_no_drawn_row_satisfies_are_named() -> None:
    model = made(rules=["years_employed > age + 5"])
    with pytest.raises(InputError, match=r"^No row of 4,096 satisfies the rule \(years_employed > age \+ 5\): it may"):
        model.sample(20)
