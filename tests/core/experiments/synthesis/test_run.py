"""Simulating a synthesis: what is held out, what is measured, what is kept, and how it is stopped."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcp_core import SynthesisSettings, load_sample
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import split_for_synthesis
from dpcp_core.experiments.synthesis import SynthesisStopped, simulate_synthesis
from dpcp_core.synthesis.domain import made_columns
from dpcp_core.synthesis.run import synthesize
from tests.core.synthesis.tables import PEOPLE, people

DATA = Dataset.from_frame(people(1000), PEOPLE, "people")
SETTINGS = SynthesisSettings(epsilon=4.0, task_model="logistic", seed=3)
LINEAR = ("logistic",)


@pytest.fixture(scope="module")
def result():
    """Return two repetitions with two models."""
    return simulate_synthesis(DATA, SETTINGS, ("logistic", "svm"), repetitions=2)


@pytest.fixture(scope="module")
def split():
    """Return the split of the first repetition."""
    return split_for_synthesis(DATA.frame, columns=made_columns(PEOPLE), seed=SETTINGS.seed)


def test_the_table_is_the_synthesis_of_the_training_part(result, split):
    alone = synthesize(Dataset.from_frame(split.train, PEOPLE), SETTINGS)
    pd.testing.assert_frame_equal(result.table, alone.table)
    assert result.receipt == alone.receipt
    run = result.runs[0]
    assert (
        (run.n_train, run.n_validation, run.n_test)
        == (800, 100, 100)
        == tuple(map(len, (split.train, split.validation, split.test)))
    )


def test_rows_that_differ_only_in_ignored_columns_are_on_one_side():
    twice = pd.concat([people(400), people(400).assign(note="a copy")])
    found = simulate_synthesis(Dataset.from_frame(twice, PEOPLE), SETTINGS, models=())
    assert found.n_duplicates >= 400
    # Every row has its copy in its own part, so that all parts are even.
    run = found.runs[0]
    assert [n % 2 for n in (run.n_train, run.n_validation, run.n_test)] == [0, 0, 0]


def test_the_control_is_the_private_model_on_the_held_out_rows(result, split):
    model = synthesize(Dataset.from_frame(split.train, PEOPLE), SETTINGS).model
    right = (model.predict(split.test) == split.test["ill"].to_numpy()).mean()
    assert result.task_model("accuracy").values[0] == pytest.approx(right)
    guess = (split.test["ill"] == split.train["ill"].mode()[0]).mean()
    assert result.majority("accuracy").values[0] == pytest.approx(guess)


def test_repetitions_draw_split_and_noise_anew_and_the_first_is_the_single_one(result):
    single = simulate_synthesis(DATA, SETTINGS, LINEAR)
    found = result.score("logistic", "auc")
    assert single.score("logistic", "auc").values == found.values[:1]
    assert single.score("logistic", "auc").sd == 0
    assert len({run.seed for run in result.runs}) == 2
    assert found.values[0] != found.values[1]
    assert found.sd == pytest.approx(np.std(found.values, ddof=1))
    assert [run.scores.fidelity.n_real for run in result.runs] == [800, 800]


def test_scores_on_real_rows_are_taken_over_and_not_measured_again(result):
    def marked(report):
        model = report.models[0]
        return replace(report, models=(replace(model, on_real=replace(model.on_real, accuracy=0.123)),))

    reference = replace(result.reference, known=tuple((s, m, marked(r)) for s, m, r in result.reference.known))
    again = simulate_synthesis(DATA, SETTINGS.replace(epsilon=1.0), ("svm",), repetitions=2, reference=reference)
    assert again.score("svm", "accuracy", "real").values == (0.123, 0.123)
    assert again.score("svm", "accuracy").values != (0.123, 0.123)
    assert again.reference == reference


def test_what_a_reference_does_not_have_is_measured_and_kept(result):
    short = replace(result.reference, known=result.reference.known[:1])
    again = simulate_synthesis(DATA, SETTINGS, ("logistic", "svm"), repetitions=2, reference=short)
    key = lambda each: each[:2]  # noqa: E731 - sorted by seed and model
    assert sorted(map(key, again.reference.known)) == sorted(map(key, result.reference.known))
    assert again.score("svm", "f1", "real") == result.score("svm", "f1", "real")


def test_a_reference_of_another_table_or_target_is_refused(result):
    with pytest.raises(InputError, match="reference is of another table"):
        simulate_synthesis(load_sample("breast_cancer"), SETTINGS, LINEAR, reference=result.reference)
    with pytest.raises(InputError, match="reference is of another table"):
        simulate_synthesis(DATA, SETTINGS.replace(target="smoker"), LINEAR, reference=result.reference)


def test_the_same_seed_gives_the_same_numbers(result):
    again = simulate_synthesis(DATA, SETTINGS, ("logistic", "svm"), repetitions=2)
    timed = ("seconds_fit", "seconds_sample", "seconds_evaluate")
    assert [value for name, value in again.summary().items() if name not in timed] == [
        value for name, value in result.summary().items() if name not in timed
    ]


def test_label_rates_are_those_of_the_tables(result, split):
    single = simulate_synthesis(DATA, SETTINGS, models=())
    rates = single.label_rates
    assert rates.synthetic[1] == pytest.approx((single.table["ill"] == "yes").mean())
    assert rates.real[1] == pytest.approx((split.train["ill"] == "yes").mean())
    assert result.label_rates.real != rates.real


def test_rules_hold_and_what_they_dropped_is_told():
    found = simulate_synthesis(DATA, SETTINGS.replace(rules=("age >= 40", "dose < 5")), models=())
    assert found.table["age"].min() >= 40
    assert [rule for rule, _ in found.report.dropped_by] == ["age >= 40", "dose < 5"]
    broken = [n for _, n in found.report.dropped_by]
    # One row can break both rules; of those that break none, some may not be needed.
    assert 0 < max(broken) <= found.report.n_dropped <= sum(broken)
    assert found.report.n_drawn - found.report.n_dropped >= len(found.table) == 800


def test_a_number_is_scored_by_its_error():
    found = simulate_synthesis(
        DATA, SynthesisSettings(epsilon=4.0, target="years_employed", task_model="ridge"), LINEAR
    )
    assert found.measures == ("rmse", "r2")
    assert found.model_title("logistic") == "ridge regression"
    assert found.score("logistic", "rmse", "real").mean < found.majority("rmse").mean
    assert found.task_model("rmse").mean < found.majority("rmse").mean
    assert found.label_rates is None
    assert "label_rate" not in found.summary()


def test_without_a_target_tables_are_compared_and_nothing_is_trained():
    untargeted = DATA.with_schema(PEOPLE.with_role("ill", "feature"))
    found = simulate_synthesis(untargeted, SETTINGS, LINEAR)
    assert (found.target, found.measures, found.models) == (None, (), ())
    assert found.fidelity("column_shapes").mean > 0.8


def test_downstream_models_do_not_see_later_targets():
    both = simulate_synthesis(DATA, SETTINGS.replace(target=("ill", "smoker")), LINEAR)
    without = simulate_synthesis(DATA.with_schema(PEOPLE.with_role("smoker", "ignore")), SETTINGS, LINEAR)
    # Rows that are equal but for smoking could fall on one side in one of the two: there are none here.
    assert both.score("logistic", "auc", "real") == without.score("logistic", "auc", "real")


def test_rivals_get_the_same_rows_and_a_slow_one_is_not_tried_again():
    found = simulate_synthesis(
        DATA, SETTINGS, LINEAR, rivals=("uniform", "naive_bayes"), repetitions=2, rival_timeout=1e-3
    )
    assert [(rival.is_timeout, rival.scores, rival.making_seconds.n) for rival in found.rivals] == [(True, (), 1)] * 2
    assert found.rival("uniform").problem.startswith("uniform was stopped after 0.001 seconds")
    assert found.is_complete


def test_a_rival_is_measured_as_the_table_is():
    found = simulate_synthesis(DATA, SETTINGS, LINEAR, rivals=("independent",))
    rival = found.rival("independent")
    assert rival.problem == ""
    # Nothing predicts the target there, and the models say so.
    assert abs(rival.score("logistic", "auc").mean - 0.5) < abs(found.score("logistic", "auc").mean - 0.5)
    assert rival.scores[0].fidelity.n_synthetic == len(found.table)
    assert rival.scores[0].utility.model("logistic").on_real == found.runs[0].scores.utility.model("logistic").on_real


def test_progress_names_every_step_and_ends_at_all_of_them():
    heard = []
    simulate_synthesis(DATA, SETTINGS, LINEAR, repetitions=2, on_progress=heard.append)
    assert [progress.part for progress in heard] == [*("table", "fidelity", "logistic") * 2, ""]
    assert [progress.done for progress in heard] == list(range(7))
    assert {progress.total for progress in heard} == {6}
    assert [progress.left_s is None for progress in heard] == [True] * 3 + [False] * 4
    assert heard[-1].left_s == 0


def test_one_that_is_stopped_at_once_has_nothing_to_show():
    with pytest.raises(SynthesisStopped):
        simulate_synthesis(DATA, SETTINGS, LINEAR, should_stop=lambda: True)


@pytest.mark.parametrize("n_steps", [2, 3, 4, 6])
def test_one_that_is_stopped_keeps_what_is_finished(n_steps):
    asked = []
    stop = lambda: len(asked) >= n_steps or asked.append(0)  # noqa: E731 - False so many times, then True
    found = simulate_synthesis(DATA, SETTINGS, ("logistic", "svm"), repetitions=2, should_stop=stop)
    assert not found.is_complete
    assert found.models == ("logistic", "svm")[: max(n_steps - 2, 0)]
    assert len(found.runs) == (1 if n_steps <= 4 else 2)
    if n_steps == 2:
        assert math.isnan(found.score("svm", "accuracy").mean)


def test_a_rival_is_stopped_in_the_middle_of_its_run_and_not_told_of():
    heard = []
    stop = lambda: bool(heard) and heard[-1].part == "uniform"  # noqa: E731
    # One is let begin, as the question before it was answered with no.
    found = simulate_synthesis(DATA, SETTINGS, LINEAR, rivals=("uniform",), on_progress=heard.append, should_stop=stop)
    assert [progress.part for progress in heard] == ["table", "fidelity", "logistic", "uniform"]
    assert not found.is_complete
    assert found.models == LINEAR
    assert found.rivals == ()


def test_held_out_rows_are_for_simulations():
    with pytest.raises(InputError, match=r"^mode is \"release\", but held-out rows are looked at in a simulation only"):
        simulate_synthesis(DATA, SETTINGS.replace(mode="release", seed=0), LINEAR)


def test_too_few_rows_are_told_with_all_that_there_are():
    few = Dataset.from_frame(people(20), PEOPLE)
    with pytest.raises(InputError, match=r"^With rows held out, 16 of 20 are left; 16 rows are too few"):
        simulate_synthesis(few, SynthesisSettings(task_model="logistic"), LINEAR)


@pytest.mark.parametrize(
    "wrong", [{"models": ("forest",)}, {"rivals": ("gan",)}, {"repetitions": 0}, {"rival_timeout": 0}]
)
def test_wrong_choices_are_refused_before_anything_is_made(wrong):
    with pytest.raises(InputError, match="must be"):
        simulate_synthesis(DATA, SETTINGS, on_progress=pytest.fail, **wrong)
