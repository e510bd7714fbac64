"""What the lessons teach is true of the mechanisms that they show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core import ConformalSettings, load_sample, simulate
from dpcp_core.errors import InputError
from dpcp_core.experiments.lessons.copying import look_for_person
from dpcp_core.experiments.lessons.counting import count_of, hide_one
from dpcp_core.experiments.lessons.sharing import widths_by_share
from dpcp_core.presentation.wording.lessons import LESSONS
from dpcp_core.presentation.wording.lessons.odds import chance_words
from dpcp_core.presentation.wording.odds import posterior
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.whole_noise import whole_laplace, whole_laplace_log_probabilities

EPSILONS = (0.1, 0.5, 1.0, 4.0)


@pytest.fixture(scope="module")
def smokers() -> int:
    return count_of(load_sample("blood_pressure").frame["smoker"].to_numpy(), "yes")


@pytest.fixture(scope="module")
def patients():
    return simulate(load_sample("blood_pressure"))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_exact_chances_are_those_of_the_noise_that_is_drawn(epsilon):
    noise = whole_laplace(epsilon, (200_000,), simulation_generator(3))
    values = np.arange(-3, 4)
    exact = np.exp(whole_laplace_log_probabilities(epsilon, values))
    drawn = np.asarray([(noise == value).mean() for value in values])
    assert np.abs(drawn - exact).max() < 5 * math.sqrt(0.25 / len(noise))
    assert np.exp(whole_laplace_log_probabilities(epsilon, np.arange(-400, 401))).sum() == pytest.approx(1)


def test_noise_of_about_three_hides_one_of_more_than_a_thousand(smokers):
    hidden = hide_one(smokers, 0.5)
    assert LESSONS["noise"].guess.right == 2
    assert smokers > 1000
    assert hidden.usual_error == pytest.approx(3, abs=0.5)
    assert hidden.usual_error < 0.01 * smokers
    assert hidden.best_guess < 0.65


def test_chance_alone_moves_a_count_by_one_or_more_three_times_in_four(smokers):
    hidden = hide_one(smokers, 0.5)
    unmoved = np.exp(hidden.with_person[hidden.answers == smokers]).sum()
    assert 1 - unmoved == pytest.approx(0.75, abs=0.02)
    assert "three times in four" in LESSONS["noise"].guess.options[1].reply


def test_a_count_ten_times_as_large_needs_just_as_much_noise(smokers):
    small, large = hide_one(smokers, 1.0), hide_one(10 * smokers, 1.0)
    assert LESSONS["noise"].check.answer.text == "Just as much"
    assert (small.usual_error, small.best_guess) == (large.usual_error, pytest.approx(large.best_guess))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("prior", [0.01, 0.5, 0.9])
def test_the_worst_published_count_moves_a_belief_just_as_far_as_epsilon_allows(smokers, epsilon, prior):
    low, high = hide_one(smokers, epsilon).beliefs(prior)
    assert high == pytest.approx(posterior(epsilon, prior))
    assert low == pytest.approx(1 - posterior(epsilon, 1 - prior))


def test_the_answers_about_odds_are_what_the_mechanism_gives(smokers):
    lesson, hidden = LESSONS["odds"], hide_one(smokers, 1.0)
    assert lesson.guess.answer.text == chance_words(hidden.beliefs(0.5)[1])
    assert lesson.check.answer.text == chance_words(hidden.beliefs(0.01)[1])
    assert "2.7 to 1" in lesson.guess.answer.reply
    assert math.exp(1) == pytest.approx(2.7, abs=0.02)
    # What is said of the wrong answers.
    assert chance_words(hide_one(smokers, 0.04).beliefs(0.5)[1]) == "51 in 100"


@pytest.mark.parametrize("wrong", [0.0, 1.0])
def test_a_belief_that_leaves_nothing_open_is_refused(smokers, wrong):
    with pytest.raises(InputError, match="prior"):
        hide_one(smokers, 1.0).beliefs(wrong)


def test_about_ten_in_a_hundred_are_missed_or_fewer_and_chance_decides(patients):
    assert LESSONS["coverage"].guess.right == 2
    assert patients.coverage_mean >= 0.9
    assert 0.85 < patients.coverage.min() < patients.coverage.max() < 0.95
    assert len(set(patients.coverage.tolist())) > 5


def test_ninety_percent_is_a_mean_and_lower_for_the_pregnant(patients):
    assert LESSONS["coverage"].check.right == 1
    pregnant = next(group for group in patients.groups if group.column == "Pregnant" and group.name == "yes")
    assert pregnant.coverage_mean < 0.85 < patients.coverage_mean


def test_both_ends_of_the_budget_are_wider_than_what_lies_between():
    curve = widths_by_share(load_sample("blood_pressure"), ConformalSettings(epsilon=0.1), (0.1, 0.4, 0.9))
    assert LESSONS["budget"].guess.answer.text.startswith("Something in between")
    error = curve.widths.std(axis=1, ddof=1) / math.sqrt(curve.widths.shape[1])
    assert curve.best == 0.4
    for end in (0, 2):
        assert curve.means[end] - curve.means[1] > 4 * math.hypot(error[end], error[1])
    assert curve.means[2] - curve.means[1] > 5 * (curve.means[0] - curve.means[1])
    assert curve.means.min() > curve.reference


def test_the_curve_agrees_with_a_simulation_at_each_share():
    data, settings = load_sample("diabetes"), ConformalSettings(epsilon=1.0, repetitions=5)
    curve = widths_by_share(data, settings, (0.7, 0.3))
    assert curve.shares == (0.3, 0.7)
    for share in curve.shares:
        assert curve.width_of(share) == pytest.approx(simulate(data, settings.replace(training_share=share)).width_mean)
    with pytest.raises(InputError, match="not measured"):
        curve.width_of(0.5)


def test_a_target_of_classes_has_no_width():
    with pytest.raises(InputError, match="choose one that is a number"):
        widths_by_share(load_sample("breast_cancer"), ConformalSettings(), (0.5,))


def test_twelve_months_at_epsilon_one_add_up_to_twelve(smokers):
    hidden = hide_one(smokers, 1.0)
    one_month = np.abs(hidden.with_person - hidden.without_person).max()
    assert LESSONS["budget"].check.answer.text.startswith("ε = 12")
    # Months are independent: the log-ratios of the counts that point most clearly to a person add up.
    assert 12 * one_month == pytest.approx(12)


def test_shuffled_columns_give_the_only_one_away_always():
    traces = look_for_person(load_sample("readmission"), "shuffle", 1.0, n_tables=10)
    assert (traces.n_with, traces.n_without) == (10, 0)
    assert math.isinf(traces.epsilon)
    assert LESSONS["synthetic"].guess.right == 1


@pytest.mark.parametrize("epsilon", [0.25, 1.0])
def test_noisy_counts_give_away_no_more_than_epsilon_allows(epsilon):
    traces = look_for_person(load_sample("readmission"), "marginals", epsilon)
    share_with, share_without = traces.n_with / traces.n_tables, traces.n_without / traces.n_tables
    luck = 3 * math.sqrt(0.25 / traces.n_tables)
    assert 0 < traces.n_without <= traces.n_with < traces.n_tables
    assert share_with <= math.exp(epsilon) * share_without + traces.delta + luck
    assert LESSONS["synthetic"].check.right == 2


def test_a_maker_or_value_that_does_not_exist_is_one_sentence():
    with pytest.raises(InputError, match="maker"):
        look_for_person(load_sample("readmission"), "magic", 1.0)
    with pytest.raises(InputError, match="No value is 'maybe'"):
        count_of(np.asarray(["yes", "no"]), "maybe")
