"""What is said of a synthesis that was stopped, scored nothing, repeated rows or had a rival beside it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpcp_core import SynthesisSettings
from dpcp_core.data.dataset import Dataset
from dpcp_core.evaluation.fidelity import LabelRates
from dpcp_core.experiments.synthesis import SynthesisProgress, simulate_synthesis
from dpcp_core.experiments.synthesis.measured import Measured
from dpcp_core.experiments.synthesis.result import RivalResult
from dpcp_core.presentation.wording import synthesis as words
from dpcp_core.presentation.wording.synthesis_answer import default_measure, margin, synthesis_answer
from tests.core.synthesis.tables import PEOPLE, people

DATA = Dataset.from_frame(people(600), PEOPLE, "people")
SETTINGS = SynthesisSettings(epsilon=4.0)


@pytest.fixture(scope="module")
def unscored():
    """Return a result of classes on which no model was trained."""
    return simulate_synthesis(DATA, SETTINGS.replace(task_model="logistic"), ())


@pytest.fixture(scope="module")
def once():
    """Return a result of a number in a single repetition."""
    schema = PEOPLE.with_role("ill", "feature").with_target("years_employed")
    return simulate_synthesis(DATA.with_schema(schema), SETTINGS.replace(task_model="ridge"), ("logistic",))


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def test_without_a_model_nothing_is_said_of_models_but_the_private_one_and_the_guess_are_scored(unscored):
    assert words.utility_sentence(unscored) == ""
    assert words.uncertainty_sentence(unscored) == ""
    rows = words.score_rows(unscored)
    assert [row.source for row in rows] == ["private model itself", "guess: most frequent class"]
    assert rows[0].texts[0] in words.control_sentence(unscored)


def test_chance_moves_an_error_as_held_out_rows_allow(once):
    n_test = once.runs[0].n_test
    percent = round(196 / math.sqrt(2 * n_test))
    assert plain(words.uncertainty_sentence(once)) == (
        f"With {n_test} held-out rows, chance moves each typical error by about {percent} % either way."
    )


def test_a_rival_that_gave_a_table_has_a_row_and_one_that_gave_none_a_sentence(once):
    seconds = Measured((1.0,))
    same = RivalResult("aim", "AIM", tuple(run.scores for run in once.runs), seconds)
    none = RivalResult("mst", "MST", (), seconds, problem="MST was stopped after 1 second without an answer.")
    beside = replace(once, rivals=(same, none))
    rows = words.score_rows(beside)
    assert [row.source for row in rows[:3]] == ["synthetic rows", "real rows", "rows of AIM"]
    assert rows[2].texts == rows[0].texts
    assert "MST" not in str(rows)
    assert words.rival_sentences(beside) == (none.problem,)


@pytest.mark.parametrize(
    ("n", "said"), [(0, "not used."), (1, "1 row equals an earlier one;"), (30, "30 rows equal an earlier one;")]
)
def test_equal_rows_are_counted(unscored, n, said):
    sentence = plain(words.split_sentence(replace(unscored, n_duplicates=n)))
    assert said in sentence
    assert ("equal rows were kept on one side" in sentence) == (n > 0)


def test_a_single_row_was_and_many_were_dropped(unscored):
    def dropped(n: int) -> str:
        run = unscored.runs[0]
        report = replace(run.report, n_drawn=4096, n_dropped=n, dropped_by=(("age > 20", n),))
        return plain(words.rules_sentence(replace(unscored, runs=(replace(run, report=report),))))

    assert dropped(1).startswith("Of 4,096 drawn rows, 1 was dropped by rules: 1 row broke age > 20.")
    assert dropped(2).startswith("Of 4,096 drawn rows, 2 were dropped by rules: 2 rows broke age > 20.")


def test_a_run_that_was_stopped_says_how_far_it_came(unscored):
    assert words.partial_sentence(unscored) == ""
    stopped = replace(unscored, repetitions=5, is_complete=False)
    assert plain(words.partial_sentence(stopped)) == "Stopped early: 1 of 5 repetitions begun."


def test_shares_of_classes_that_nobody_knows_are_not_told():
    unknown = LabelRates(("no", "yes"), (math.nan, math.nan), (0.5, 0.5))
    assert words.label_sentence(unknown) == ""


def test_a_run_begins_and_is_done():
    assert words.progress_words(None) == "begins"
    assert words.progress_words(SynthesisProgress(5, 5, "", 1.0, None)) == "done"


def test_where_nothing_was_trained_the_answer_is_left_open(unscored):
    assert default_measure(unscored) == ""
    assert synthesis_answer(unscored, "").verdict == "open"


@pytest.mark.parametrize("measure", ["rmse", "r2"])
def test_four_times_the_held_out_rows_halve_what_chance_does_to_a_number(once, measure):
    run = once.runs[0]
    more = replace(once, runs=(replace(run, n_test=4 * run.n_test),))
    assert margin(more, measure) == pytest.approx(margin(once, measure) / 2)


def test_the_best_rival_is_named_and_said_to_do_better_only_where_it_does(once):
    run, seconds = once.runs[0], Measured((1.0,))
    model = run.scores.utility.models[0]

    def scored(rmse: float):
        found = replace(model, on_synthetic=replace(model.on_synthetic, rmse=rmse))
        return replace(run.scores, utility=replace(run.scores.utility, models=(found,)))

    def told(*errors: float) -> str:
        rivals = tuple(RivalResult(f"r{n}", f"R{n}", (scored(error),), seconds) for n, error in enumerate(errors))
        return plain(synthesis_answer(replace(once, rivals=rivals), "rmse").detail)

    own = model.on_synthetic.rmse
    assert f"The rival “R1” does better: {own / 2:.2f}." in told(2 * own, own / 2)
    assert f"The rival “R0”: {2 * own:.2f}." in told(2 * own, 3 * own)
    assert "rival" not in told()
