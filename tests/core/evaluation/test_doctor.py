"""The doctor finds what ails a run, says it in the run's own numbers, and its one click mends it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.conformal.stability import STABILITIES, StabilityFacts, stability_factor
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.evaluation.doctor import EPSILON_STEPS, STABILITY_NAMES, Finding, Symptoms, examine
from dpcp_core.evaluation.symptoms import count_at, rows_needed
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.privacy.profile import GaussianProfile, gaussian_mu

FEW_ROWS, MANY_ROWS = "diabetes", "blood_pressure"

MENDABLE = [
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.25}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 4.0, "stability": "dp"}),
    ("nothing_certified", FEW_ROWS, {"epsilon": 0.25, "stability": "split"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 10.0, "method": "dpcp_paper"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 0.1, "method": "pscp"}),
    ("level_too_small", FEW_ROWS, {"epsilon": 10.0, "guarantee": "paper", "stability": "dp"}),
    ("threshold_at_top", MANY_ROWS, {"method": "dpcp_paper"}),
    ("threshold_at_top", MANY_ROWS, {"method": "pscp"}),
    ("threshold_at_top", MANY_ROWS, {"epsilon": 0.5, "loss": "paper"}),
    ("threshold_at_top", MANY_ROWS, {"epsilon": 0.1}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 4.0, "stability": "dp"}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 10.0, "stability": "profile"}),
    ("stability_eats_level", MANY_ROWS, {"epsilon": 5.0, "method": "dpcp_paper"}),
    ("few_bins", MANY_ROWS, {"bins": 20}),
    ("few_bins", MANY_ROWS, {"bins": "cbrt"}),
    ("few_bins", MANY_ROWS, {"confidence_level": 0.95}),
]


def run(sample: str, choices: dict[str, Any]) -> SimulationResult:
    return simulate(load_sample(sample), ConformalSettings(**{"repetitions": 10, **choices}))


def finding_of(result: SimulationResult, code: str) -> Finding:
    (found,) = [finding for finding in result.findings if finding.code == code]
    return found


@pytest.mark.parametrize(("code", "sample", "choices"), MENDABLE)
def test_one_click_mends_what_the_doctor_finds(code: str, sample: str, choices: dict[str, Any]) -> None:
    before = run(sample, choices)
    change = finding_of(before, code).change
    assert change
    after = simulate(load_sample(sample), before.settings.replace(**change))
    assert code not in [finding.code for finding in after.findings]


@pytest.mark.parametrize(("code", "sample", "choices"), MENDABLE)
def test_a_finding_says_what_why_and_what_to_do_in_a_sentence_each(
    code: str, sample: str, choices: dict[str, Any]
) -> None:
    finding = finding_of(run(sample, choices), code)
    for sentence in (finding.symptom, finding.cause, finding.remedy):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "nan" not in sentence.split()


@pytest.mark.parametrize("sample", [MANY_ROWS, "length_of_stay"])
def test_nothing_ails_a_run_with_the_defaults(sample: str) -> None:
    assert run(sample, {}).findings == ()


def test_a_change_of_epsilon_makes_intervals_narrower_than_the_range() -> None:
    before = run(FEW_ROWS, {"epsilon": 0.25})
    assert before.width_mean == pytest.approx(400)
    after = simulate(load_sample(FEW_ROWS), before.settings.replace(**finding_of(before, "nothing_certified").change))
    assert after.width_mean < 330


def test_the_rows_it_asks_for_are_just_enough() -> None:
    sick = Symptoms(alpha=0.1, epsilon=0.5, quantile_epsilon=0.25, n_calibration=200, bins=100, level=0.1)
    assert sick.nothing_certified
    needed = rows_needed(sick)
    assert needed is not None
    assert f"at least {needed} ranked rows" in examine(sick)[0].remedy
    assert not dataclasses.replace(sick, n_calibration=needed).nothing_certified
    assert dataclasses.replace(sick, n_calibration=needed - 1).nothing_certified


@given(
    n=st.integers(30, 5000),
    epsilon=st.sampled_from(EPSILON_STEPS[:-1]),
    bins=st.integers(2, 1000),
    alpha=st.sampled_from([0.05, 0.1, 0.2]),
)
def test_an_epsilon_it_proposes_certifies_something(n: int, epsilon: float, bins: int, alpha: float) -> None:
    sick = Symptoms(alpha=alpha, epsilon=epsilon, quantile_epsilon=epsilon / 2, n_calibration=n, bins=bins, level=alpha)
    for finding in examine(sick):
        if "epsilon" in finding.change:
            proposed = float(str(finding.change["epsilon"]))
            assert proposed in EPSILON_STEPS
            assert proposed > epsilon
            assert count_at(sick, epsilon=proposed) > 0


def test_measured_noise_above_the_target_is_called_before_it_happens() -> None:
    quiet = Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1)
    noisy = dataclasses.replace(quiet, epsilon=0.1, quantile_epsilon=0.05)
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
    settings = ConformalSettings(confidence_level=0.9, bins=100)
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


def wide_table(n_rows: int = 100, n_columns: int = 60) -> Dataset:
    """More freedom than rows can tie down: a model that has seen a row fits it far too well."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n_rows, n_columns)), columns=[f"x{i}" for i in range(n_columns)])
    frame["y"] = frame["x0"] + rng.normal(size=n_rows)
    features = [Column(name, "number", bounds=(-4, 4), typical=(-1, 1)) for name in frame.columns[:-1]]
    target = Column("y", "number", role="target", bounds=(-8, 8), typical=(-1.4, 1.4))
    return Dataset.from_frame(frame, Schema((*features, target), one_row_is="one patient"))


def test_a_method_that_covers_too_little_is_named_and_mended() -> None:
    data = wide_table()
    careless = ConformalSettings(method="naive", epsilon=200.0, penalty=0.0, steps=400, repetitions=30, test_share=0.3)
    before = simulate(data, careless)
    finding = finding_of(before, "coverage_below_target")
    assert before.coverage_mean < 0.88
    after = simulate(data, careless.replace(**finding.change))
    assert "coverage_below_target" not in [f.code for f in after.findings]
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
