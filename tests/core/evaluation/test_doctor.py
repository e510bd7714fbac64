"""The doctor finds what ails a run, says it in the run's own numbers, and its one click mends it."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.conformal.stability import STABILITIES, StabilityFacts, stability_factor
from dpcp_core.data.samples import load_sample
from dpcp_core.evaluation.doctor import EPSILON_STEPS, STABILITY_NAMES, Symptoms, examine
from dpcp_core.evaluation.doctor.remedies import changed
from dpcp_core.evaluation.symptoms import count_at, rows_needed
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS
from tests.core.evaluation.runs import FEW_ROWS, MANY_ROWS, clicked, codes, finding_of, run, said, wide_table

MENDABLE = [
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.1}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.25, "loss": "bracket"}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.5, "loss": "bracket", "training_share": 0.9}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 1.0, "training_share": 0.95}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 6.0, "stability": "dp"}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.1, "stability": "split"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 10.0, "method": "dpcp_paper"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 0.1, "method": "pscp"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 10.0, "guarantee": "paper", "stability": "dp"}),
    ("threshold_at_top", MANY_ROWS, {"method": "dpcp_paper"}),
    ("threshold_at_top", MANY_ROWS, {"method": "pscp"}),
    ("threshold_at_top", MANY_ROWS, {"epsilon": 0.5, "loss": "paper"}),
    ("threshold_at_top", MANY_ROWS, {"epsilon": 0.1, "loss": "bracket"}),
    ("threshold_at_top", FEW_ROWS, {"epsilon": 1.0, "loss": "bracket"}),
    ("threshold_at_top", FEW_ROWS, {"epsilon": 0.5}),
    ("noise_costs_much", MANY_ROWS, {"epsilon": 0.25, "loss": "bracket"}),
    ("costs_added", MANY_ROWS, {"method": "pscp"}),
    ("costs_added", MANY_ROWS, {"composition": "basic"}),
    ("costs_added", MANY_ROWS, {"composition": "basic", "stability": "split"}),
    ("budget_unused", MANY_ROWS, {"noise_multiplier": 200.0}),
    ("budget_unused", MANY_ROWS, {"noise_multiplier": 200.0, "stability": "split"}),
    ("delta_too_large", MANY_ROWS, {"delta": 0.001}),
    ("split_hurts", MANY_ROWS, {"stability": "split", "row_share": 0.02}),
    ("split_hurts", MANY_ROWS, {"stability": "split", "row_share": 0.98}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 4.0, "stability": "dp"}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 10.0, "stability": "profile"}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 5.0, "method": "dpcp_paper"}),
    ("few_bins", MANY_ROWS, {"bins": 20}),
    ("few_bins", MANY_ROWS, {"bins": "cbrt"}),
    ("few_bins", MANY_ROWS, {"confidence_level": 0.95}),
]


@pytest.mark.parametrize(("code", "sample", "choices"), MENDABLE)
def test_one_click_mends_what_the_doctor_finds(code: str, sample: str, choices: dict[str, Any]) -> None:
    before = run(sample, choices)
    assert code not in codes(clicked(sample, before, code))


@pytest.mark.parametrize(("code", "sample", "choices"), MENDABLE)
def test_a_finding_says_what_why_and_what_to_do_in_a_sentence_each(
    code: str, sample: str, choices: dict[str, Any]
) -> None:
    for sentence in said(finding_of(run(sample, choices), code)):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "nan" not in sentence.split()


@pytest.mark.parametrize("sample", [MANY_ROWS, "length_of_stay"])
def test_nothing_ails_a_run_with_the_defaults(sample: str) -> None:
    assert run(sample, {}).findings == ()


def test_a_change_of_epsilon_makes_intervals_narrower_than_the_range() -> None:
    before = run(FEW_ROWS, {"epsilon": 0.1})
    assert before.width_mean == pytest.approx(400)
    assert clicked(FEW_ROWS, before, "nothing_certified").width_mean < 300


@pytest.mark.parametrize(
    ("code", "choices"),
    [
        ("noise_costs_much", {"epsilon": 0.25, "loss": "bracket"}),
        ("split_hurts", {"stability": "split", "row_share": 0.02}),
        ("split_hurts", {"stability": "split", "row_share": 0.98}),
        ("costs_added", {"method": "pscp"}),
    ],
)
def test_what_should_narrow_intervals_at_no_cost_does(code: str, choices: dict[str, Any]) -> None:
    before = run(MANY_ROWS, choices)
    after = clicked(MANY_ROWS, before, code)
    assert after.settings.epsilon == before.settings.epsilon
    assert after.width_mean < 0.97 * before.width_mean


def test_a_loss_with_half_of_the_noise_is_tried_before_more_budget() -> None:
    far = run(FEW_ROWS, {"epsilon": 1.0, "loss": "bracket"})
    assert finding_of(far, "threshold_at_top").change == {"loss": "one_sided"}
    none = run(FEW_ROWS, {"epsilon": 0.1, "loss": "bracket"})
    assert finding_of(none, "nothing_certified").change == {"loss": "one_sided", "epsilon": 0.75}


def test_an_even_division_of_the_budget_is_tried_before_more_of_it() -> None:
    lopsided = run(FEW_ROWS, {"epsilon": 1.0, "training_share": 0.95})
    assert finding_of(lopsided, "nothing_certified").change == {"training_share": 0.5}
    # Halves share no row, so the division plays no part.
    halves = run(FEW_ROWS, {"epsilon": 0.1, "training_share": 0.95, "stability": "split"})
    assert "training_share" not in finding_of(halves, "nothing_certified").change


def test_splitting_rows_as_a_person_did_not_ask_to_is_not_held_against_it() -> None:
    result = run(MANY_ROWS, {"trainer": "adassp", "epsilon": 8.0, "row_share": 0.02})
    assert result.certificate.stability == "split"
    assert "split_hurts" not in codes(result)


def test_noise_that_the_budget_needs_is_not_called_unused() -> None:
    assert "budget_unused" not in codes(run(MANY_ROWS, {}))
    settings = ConformalSettings(epsilon=2.0)
    needed = (
        TRAINERS["ridge"].plan(ProblemSize(3200, 9), settings.allocation.training, TrainingChoices()).noise_multiplier
    )
    assert "budget_unused" not in codes(run(MANY_ROWS, {"epsilon": 2.0, "noise_multiplier": 1.05 * needed}))
    assert "budget_unused" in codes(run(MANY_ROWS, {"epsilon": 2.0, "noise_multiplier": 1.5 * needed}))


@pytest.mark.parametrize("loss", ["bracket", "one_sided"])
def test_the_rows_it_asks_for_are_just_enough(loss: str) -> None:
    sick = Symptoms(
        alpha=0.1, epsilon=0.5, quantile_epsilon=0.25, n_calibration=150, bins=100, level=0.1, loss=loss
    )  # fmt: skip
    assert sick.nothing_certified
    needed = rows_needed(sick)
    assert needed is not None
    assert f"at least {needed} ranked rows" in examine(sick)[0].remedy
    assert not dataclasses.replace(sick, n_calibration=needed).nothing_certified
    assert dataclasses.replace(sick, n_calibration=needed - 1).nothing_certified


@given(
    n=st.integers(30, 5000),
    epsilon=st.sampled_from(EPSILON_STEPS[:-1]),
    share=st.sampled_from([0.3, 0.5, 0.9]),
    loss=st.sampled_from(["bracket", "one_sided"]),
    level=st.sampled_from([1.0, 0.6]),
    bins=st.integers(2, 1000),
    alpha=st.sampled_from([0.05, 0.1, 0.2]),
)
def test_what_it_proposes_for_the_threshold_certifies_something(
    n: int, epsilon: float, share: float, loss: str, level: float, bins: int, alpha: float
) -> None:
    sick = Symptoms(
        alpha=alpha, epsilon=epsilon, quantile_epsilon=(1 - share) * epsilon, n_calibration=n, bins=bins,
        level=level * alpha, training_share=share, loss=loss,
    )  # fmt: skip
    for finding in examine(sick):
        if finding.code in ("nothing_certified", "threshold_at_top") and finding.change:
            proposed = float(str(finding.change.get("epsilon", epsilon)))
            assert proposed in EPSILON_STEPS
            assert proposed >= epsilon
            assert count_at(changed(sick, dict(finding.change))) > 0


def test_a_change_is_worked_out_as_the_settings_would() -> None:
    settings = ConformalSettings(epsilon=1.0, training_share=0.8, loss="bracket", bounds_epsilon=0.2)
    now = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=settings.allocation.quantile_epsilon, n_calibration=4000, bins=100,
        level=0.05, training_share=0.8, loss="bracket", bounds_epsilon=0.2,
    )  # fmt: skip
    changes: list[dict[str, object]] = [
        {"epsilon": 3.0},
        {"training_share": 0.5},
        {"epsilon": 2.0, "training_share": 0.5},
        {"stability": "split", "epsilon": 1.5},
        {"loss": "one_sided"},
    ]
    for change in changes:
        after = changed(now, change)
        assert after.quantile_epsilon == pytest.approx(settings.replace(**change).allocation.quantile_epsilon)
    halves = changed(now, {"stability": "split"})
    assert (halves.n_calibration, halves.level) == (2000, 0.1)


def test_measured_noise_above_the_target_is_called_before_it_happens() -> None:
    quiet = Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1)
    noisy = dataclasses.replace(quiet, epsilon=0.05, quantile_epsilon=0.025)
    assert examine(quiet) == ()
    assert [finding.code for finding in examine(noisy)] == ["threshold_at_top"]


def test_a_threshold_at_the_top_without_noise_is_blamed_on_the_scores() -> None:
    seen = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1,
        top_share=0.4, target_title="Systolic",
    )  # fmt: skip
    (finding,) = examine(seen)
    assert finding.code == "threshold_at_top"
    assert finding.symptom.startswith("In 40")
    assert "bounds of Systolic" in finding.remedy
    assert finding.change == {}


def test_scores_at_their_bound_are_reported_with_their_share() -> None:
    seen = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1,
        scores_clipped_share=0.125,
    )  # fmt: skip
    (finding,) = examine(seen)
    assert finding.code == "scores_clipped"
    assert finding.symptom.startswith("12.5")


def test_a_hundred_bins_are_enough_for_ninety_percent() -> None:
    settings = ConformalSettings(confidence_level=0.9)
    fine = Symptoms(
        alpha=1 - settings.confidence_level, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000,
        bins=100, level=0.1,
    )  # fmt: skip
    assert examine(fine) == ()
    assert [f.code for f in examine(dataclasses.replace(fine, bins=99))] == ["few_bins"]


def test_methods_without_a_private_threshold_are_not_told_about_bins() -> None:
    assert (
        examine(Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=None, n_calibration=9, bins=None, level=None)) == ()
    )


def test_a_method_that_covers_too_little_is_named_and_mended() -> None:
    data = wide_table()
    careless = ConformalSettings(method="naive", epsilon=200.0, penalty=0.0, steps=400, repetitions=30, test_share=0.3)
    before = simulate(data, careless)
    finding = finding_of(before, "coverage_below_target")
    assert before.coverage_mean < 0.88
    after = simulate(data, careless.replace(**finding.change))
    assert "coverage_below_target" not in codes(after)
    assert after.coverage_mean >= 0.9


def test_chance_below_the_target_is_no_finding_where_coverage_is_certified() -> None:
    unlucky = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1,
        coverage_interval=(0.87, 0.89),
    )  # fmt: skip
    assert examine(unlucky) == ()
    codes = [finding.code for finding in examine(dataclasses.replace(unlucky, certified=False))]
    assert codes == ["coverage_below_target"]


def test_many_values_outside_public_bounds_are_named_with_their_column() -> None:
    data = load_sample(MANY_ROWS)
    narrow = dataclasses.replace(data.schema.column("age"), bounds=(40, 60), typical=(45, 55))
    result = simulate(data.with_schema(data.schema.with_column(narrow)), ConformalSettings(repetitions=5))
    finding = finding_of(result, "rows_clipped")
    outside = int(((data.frame["age"] < 40) | (data.frame["age"] > 60)).sum())
    assert f"({outside:,})" in finding.symptom
    assert "not from the rows" in finding.remedy


def test_a_few_values_outside_public_bounds_are_not_worth_a_finding() -> None:
    seen = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=3200, bins=100, level=0.1,
        n_rows=4000, target_clipped=40, columns_clipped={"age": 40},
    )  # fmt: skip
    assert examine(seen) == ()
    assert [f.code for f in examine(dataclasses.replace(seen, target_clipped=41))] == ["rows_clipped"]


def test_factors_that_take_level_have_a_name() -> None:
    profile = GaussianProfile(gaussian_mu(1.0, 1e-5))
    facts = StabilityFacts(alpha=0.1, epsilon_1=1.0, delta=1e-5, profile=profile, movement=0.01, score_spread=1.0)
    taking = {name for name in STABILITIES if stability_factor(name, facts).level < facts.alpha}
    assert set(STABILITY_NAMES) == taking


def test_a_factor_that_the_doctor_has_no_name_for_goes_by_its_own() -> None:
    sick = Symptoms(
        alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=40_000, bins=100, level=0.02, stability="smooth",
    )  # fmt: skip
    (finding,) = examine(sick)
    assert finding.code == "stability_eats_level"
    assert "“smooth” factor" in finding.cause
