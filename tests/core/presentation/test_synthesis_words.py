"""What is said of a synthetic table: numbers of the result, and nothing that it does not have."""

from __future__ import annotations

import pytest

from dpcp_core import SynthesisSettings
from dpcp_core.data.dataset import Dataset
from dpcp_core.evaluation.fidelity import LabelRates
from dpcp_core.evaluation.utility import DOWNSTREAM
from dpcp_core.experiments.synthesis import SynthesisProgress, simulate_synthesis
from dpcp_core.presentation.wording import synthesis as words
from tests.core.synthesis.tables import PEOPLE, people

DATA = Dataset.from_frame(people(600), PEOPLE, "people")
SETTINGS = SynthesisSettings(epsilon=4.0, task_model="logistic", rules=("age >= 40",))


@pytest.fixture(scope="module")
def result():
    """Return a result of classes, with a rule and a rival that gave nothing."""
    return simulate_synthesis(DATA, SETTINGS, ("logistic",), rivals=("uniform",), rival_timeout=1e-3)


@pytest.fixture(scope="module")
def of_number():
    """Return a result of a number with a unit, in two repetitions."""
    schema = PEOPLE.with_role("ill", "feature").with_target("years_employed")
    settings = SynthesisSettings(epsilon=4.0, task_model="ridge")
    return simulate_synthesis(DATA.with_schema(schema), settings, ("logistic",), repetitions=2)


def plain(text: str) -> str:
    """Return a sentence with ordinary spaces."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def test_the_table_is_compared_with_real_rows_and_a_guess(result):
    shares = [result.score("logistic", "accuracy", of).mean for of in ("synthetic", "real")]
    said = plain(words.utility_sentence(result))
    assert said.startswith("A logistic regression that learnt from the synthetic table is right about ")
    for share in (*shares, result.majority("accuracy").mean):
        assert f"about {100 * share:.1f} %" in said
    assert "patients" in said


def test_a_number_is_compared_by_its_error_and_its_spread(of_number):
    assert "is typically off by" in words.utility_sentence(of_number)
    rows = words.score_rows(of_number)
    assert [(row.model, row.source) for row in rows] == [
        ("ridge regression", "synthetic rows"), ("ridge regression", "real rows"),
        ("", "private model itself"), ("", "guess: the mean"),
    ]  # fmt: skip
    found = of_number.score("logistic", "r2")
    assert rows[0].texts[1] == f"{found.mean:.3f} ± {found.sd:.3f}".replace("-", "\u2212")


def test_rules_and_rivals_that_gave_nothing_are_named(result):
    report = result.report
    said = plain(words.rules_sentence(result))
    assert f"Of {report.n_drawn:,} drawn rows, {report.n_dropped:,} were dropped by rules" in said
    assert f"{report.dropped_by[0][1]:,} rows broke age >= 40" in said
    assert words.rival_sentences(result) == ("uniform was stopped after 0.001 seconds without an answer.",)
    assert [row.source for row in words.score_rows(result)][:2] == ["synthetic rows", "real rows"]


@pytest.mark.parametrize(
    ("made", "begins"),
    [(0.9, "Counts of labels mislead: 20.0 % of the real rows are yes"), (0.79, "Classes are about")],
)
def test_label_rates_mislead_only_where_they_are_off(made, begins):
    said = plain(words.label_sentence(LabelRates(("no", "yes"), (made, 1 - made), (0.8, 0.2))))
    assert said.startswith(begins)
    assert words.label_sentence(None) == ""


def test_chance_is_said_by_held_out_rows_or_by_repetitions(result, of_number):
    real, n_test = result.score("logistic", "accuracy", "real").mean, result.runs[0].n_test
    points = 196 * (real * (1 - real) / n_test) ** 0.5
    said = plain(words.uncertainty_sentence(result))
    assert said.startswith(f"With {n_test} held-out rows, chance moves each accuracy by about {points:.1f} points")
    assert words.uncertainty_sentence(of_number).startswith("Behind ±: the standard deviation over repetitions")


def test_rows_are_accounted_for(result):
    run = result.runs[0]
    said = plain(words.split_sentence(result))
    assert f"Made from {run.n_train} rows, measured on {run.n_test} that were held out; {run.n_validation} were" in said


def test_a_table_without_a_target_says_that_nothing_was_trained():
    untargeted = DATA.with_schema(PEOPLE.with_role("ill", "feature"))
    found = simulate_synthesis(untargeted, SETTINGS.replace(rules=()), ("logistic",))
    assert words.utility_sentence(found).startswith("The table has no target")
    assert (words.control_sentence(found), words.rules_sentence(found), words.score_rows(found)) == ("", "", ())


@pytest.mark.parametrize("part", ["table", "fidelity", *DOWNSTREAM, "mst"])
def test_every_step_has_words(part):
    said = words.progress_words(SynthesisProgress(0, 9, part, 0.0, None))
    assert said.startswith("step 1 of 9: ")
    assert ("making a table with mst" in said) == (part == "mst")
