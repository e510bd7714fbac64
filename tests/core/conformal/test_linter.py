"""The linter finds each thing that would not be private, says it in words, and finds nothing in a clean run."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpcp_core.conformal.base import refuse_leaks
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.estimators import DPCPRegressor
from dpcp_core.conformal.linter import Leak, lint, unpaid_steps
from dpcp_core.conformal.methods import METHODS, ORDER_STATISTICS
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError, NotPrivateError

AGE = Column("age", "integer", bounds=(18, 100))
DAYS = Column("days", "number", role="target", bounds=(0, 60))
CLEAN = Schema((AGE, DAYS), one_row_is="one stay")


def only(leaks: tuple[Leak, ...]) -> Leak:
    (leak,) = leaks
    return leak


def test_a_clean_run_has_nothing_against_it() -> None:
    assert lint(ConformalChoices(), CLEAN) == ()
    assert lint(ConformalChoices(), CLEAN, n_rows=4000) == ()


def test_bounds_from_the_file_are_named() -> None:
    bmi = Column("bmi", "number", bounds=(17, 42), bounds_from_file=True)
    leak = only(lint(ConformalChoices(), CLEAN.with_column(bmi)))
    assert (leak.code, leak.refused_in_release) == ("bounds_from_file", True)
    assert leak.sentence == "The bounds of bmi were read off the rows, which is not private."


def test_categories_from_the_file_are_named_apart() -> None:
    sex = Column("sex", "category", categories=("f", "m"), bounds_from_file=True)
    leak = only(lint(ConformalChoices(), CLEAN.with_column(sex)))
    assert (leak.code, leak.refused_in_release) == ("categories_from_file", True)
    assert "categories of sex" in leak.sentence


def test_columns_that_are_not_used_do_not_matter() -> None:
    unused = Column("id", "integer", role="ignore", bounds=(1, 9), bounds_from_file=True)
    assert lint(ConformalChoices(), CLEAN.with_column(unused)) == ()


@pytest.mark.parametrize("method", METHODS)
def test_every_step_of_a_method_that_pays_nothing_is_found(method: str) -> None:
    codes = [leak.code for leak in lint(ConformalChoices(method=method), CLEAN)]
    entry = METHODS[method]
    expected = [] if entry.private_training else ["training"]
    assert codes == [*expected, *([] if entry.private_quantile else ["quantile"])]


def test_candidates_taken_from_the_scores_are_found() -> None:
    leak = only(lint(ConformalChoices(grid=ORDER_STATISTICS), CLEAN))
    assert (leak.code, leak.refused_in_release) == ("order_statistics", True)
    assert "somebody in the table" in leak.sentence


def test_a_release_refuses_in_the_linters_words() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    model = DPCPRegressor(mode="release", grid=ORDER_STATISTICS, bounds_X=(-3, 3), bounds_y=(-9, 9))
    with pytest.raises(NotPrivateError) as refused:
        model.fit(x, x[:, 0])
    leak = only(lint(ConformalChoices(grid=ORDER_STATISTICS), CLEAN))
    assert str(refused.value) == f'{leak.sentence[:-1]}; take the public candidates of grid = "geometric".'


def test_a_release_refuses_what_is_marked_and_nothing_else() -> None:
    bad, fine = (Leak("code", "This is so.", "Do that.", refused) for refused in (True, False))
    refuse_leaks((fine, bad), "simulation")
    refuse_leaks((fine,), "release")
    with pytest.raises(NotPrivateError, match=r"^This is so; do that\.$"):
        refuse_leaks((fine, bad), "release")


def test_bounds_that_are_bought_are_no_leak() -> None:
    bmi = Column("bmi", "number", bounds=(17, 42), bounds_from_file=True)
    assert lint(ConformalChoices(bounds_epsilon=0.2), CLEAN.with_column(bmi)) == ()


def test_an_exact_threshold_is_confessed_once() -> None:
    recipe = dataclasses.replace(ConformalChoices(method="naive").recipe, grid=ORDER_STATISTICS)
    assert [leak.code for leak in unpaid_steps(recipe)] == ["quantile"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"steps": 50}, "steps was"),
        ({"max_grad_norm": 0.5, "penalty": 0.1}, "max_grad_norm, penalty were"),
        ({"smallest_width": 2.0}, "smallest_width was"),
        ({"decay": "cosine"}, "decay was"),
    ],
)
def test_what_a_person_set_is_a_reminder_and_no_refusal(given: dict[str, object], said: str) -> None:
    leak = only(lint(ConformalChoices(**given), CLEAN))  # type: ignore[arg-type]
    assert (leak.code, leak.refused_in_release) == ("hand_set", False)
    assert leak.sentence.startswith(f"{said} set by hand")


def test_a_method_without_privacy_is_not_reminded_of_its_settings() -> None:
    assert "hand_set" not in [leak.code for leak in lint(ConformalChoices(method="oracle", steps=50), CLEAN)]


def test_a_delta_above_one_in_n_is_found() -> None:
    choices = ConformalChoices(delta=1e-3)
    assert lint(choices, CLEAN) == lint(choices, CLEAN, n_rows=1000) == ()
    leak = only(lint(choices, CLEAN, n_rows=1001))
    assert (leak.code, leak.refused_in_release) == ("delta", False)
    assert "1 in 1,001 rows" in leak.sentence
    assert "1e-04" in leak.fix


def test_it_must_be_said_what_one_row_is() -> None:
    leak = only(lint(ConformalChoices(), CLEAN.replace(one_row_is=" ")))
    assert (leak.code, leak.refused_in_release) == ("one_row_is", False)


def test_what_a_release_refuses_comes_first() -> None:
    sex = Column("sex", "category", categories=("f", "m"), bounds_from_file=True)
    leaks = lint(ConformalChoices(method="naive"), Schema((sex, DAYS)))
    assert [leak.refused_in_release for leak in leaks] == [True, True, False]


def test_every_leak_is_a_sentence_with_a_fix() -> None:
    described = Schema((dataclasses.replace(AGE, bounds_from_file=True),))
    found = (
        *lint(ConformalChoices(method="oracle"), described),
        *lint(ConformalChoices(delta=0.1, steps=3, grid=ORDER_STATISTICS), described, n_rows=100),
    )
    assert len({leak.code for leak in found}) == 7
    for leak in found:
        assert leak.sentence.endswith(".")
        assert leak.fix.endswith(".")


def test_a_number_of_rows_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="n_rows"):
        lint(ConformalChoices(), CLEAN, n_rows=0)
