"""Simulations on real tables: what they measure, what they promise, what they refuse."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

from dpcp_core import ConformalSettings, Dataset, InputError, PrivacyLeakWarning, Schema, load_sample, simulate
from dpcp_core.conformal.methods import METHODS
from dpcp_core.experiments.run import calibrate, prepare, train


@pytest.fixture(scope="module")
def cohort() -> Dataset:
    return load_sample("blood_pressure")


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_runs_and_reports_itself(cohort: Dataset, method: str) -> None:
    result = simulate(cohort, ConformalSettings(method=method, repetitions=4))
    assert result.coverage.shape == (4,)
    assert 0.7 < result.coverage_mean <= 1
    summary = json.loads(json.dumps(result.summary()))
    assert summary["method"] == method
    private = METHODS[method].private_training and METHODS[method].private_quantile
    assert result.receipt.is_private is private
    assert len(result.receipt.entries) == 2


@pytest.mark.parametrize("method", ["dpcp", "pscp"])
@pytest.mark.parametrize("level", [0.7, 0.9, 0.95])
def test_private_methods_reach_their_level(cohort: Dataset, method: str, level: float) -> None:
    result = simulate(cohort, ConformalSettings(method=method, confidence_level=level, epsilon=2.0))
    assert result.coverage_mean >= level - 2 * result.coverage_se


@pytest.mark.parametrize("stability", ["split", "dp", "profile", "coupling", "best"])
@pytest.mark.parametrize("loss", ["paper", "bracket"])
def test_every_certified_combination_reaches_its_level(cohort: Dataset, stability: str, loss: str) -> None:
    result = simulate(cohort, ConformalSettings(stability=stability, loss=loss, repetitions=10))
    assert result.certificate.holds
    assert result.coverage_mean >= 0.9 - 2 * result.coverage_se


def test_a_seed_repeats_everything_and_another_does_not(cohort: Dataset) -> None:
    first, again, other = (simulate(cohort, ConformalSettings(seed=seed, repetitions=3)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.coverage, again.coverage)
    np.testing.assert_array_equal(first.thresholds, again.thresholds)
    assert not np.array_equal(first.coverage, other.coverage)


def test_the_stages_give_what_simulate_gives(cohort: Dataset) -> None:
    settings = ConformalSettings(repetitions=3, confidence_level=0.8)
    runs = train(prepare(cohort), ConformalSettings(repetitions=3).training_key())
    np.testing.assert_array_equal(calibrate(runs, settings).thresholds, simulate(cohort, settings).thresholds)


def test_runs_of_other_settings_are_refused(cohort: Dataset) -> None:
    runs = train(prepare(cohort), ConformalSettings(repetitions=2, method="oracle").training_key())
    with pytest.raises(InputError, match="trained for other settings"):
        calibrate(runs, ConformalSettings(repetitions=2))


def test_full_data_methods_use_every_row_and_split_methods_half(cohort: Dataset) -> None:
    full = simulate(cohort, ConformalSettings(repetitions=2))
    half = simulate(cohort, ConformalSettings(repetitions=2, method="pscp"))
    assert (full.n_train, full.n_calibration, full.n_test) == (3200, 3200, 800)
    assert (half.n_train, half.n_calibration, half.n_test) == (1600, 1600, 800)


@pytest.mark.parametrize("method", ["dpcp", "pscp", "split"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_the_reference_is_the_oracle_whatever_the_method_and_the_budget(method: str, epsilon: float) -> None:
    data = load_sample("diabetes")
    compared = simulate(data, ConformalSettings(method=method, epsilon=epsilon, repetitions=3))
    oracle = simulate(data, ConformalSettings(method="oracle", repetitions=3))
    np.testing.assert_allclose(compared.reference_size, oracle.size)
    np.testing.assert_allclose(compared.reference_coverage, oracle.coverage)
    assert oracle.width_ratio == pytest.approx(1.0)


def test_privacy_costs_width(cohort: Dataset) -> None:
    assert simulate(cohort, ConformalSettings(repetitions=3)).width_ratio > 1


def test_covered_rows_shown_are_those_counted(cohort: Dataset) -> None:
    result = simulate(cohort, ConformalSettings(repetitions=2))
    rows = result.rows
    assert len(rows.truth) == 100
    np.testing.assert_allclose(rows.covered, np.abs(rows.truth - rows.predicted) <= result.thresholds[0] + 1e-9)


@pytest.mark.parametrize("coverage", [[0.9, 1.0, 1.0], [0.0, 0.1, 0.0], [1.0]])
def test_the_interval_of_the_mean_coverage_stays_a_share(cohort: Dataset, coverage: list[float]) -> None:
    result = dataclasses.replace(simulate(cohort, ConformalSettings(repetitions=2)), coverage=np.array(coverage))
    low, high = result.coverage_interval
    assert 0 <= low <= result.coverage_mean <= high <= 1


def test_a_larger_epsilon_narrows_the_interval(cohort: Dataset) -> None:
    widths = [simulate(cohort, ConformalSettings(epsilon=epsilon)).width_mean for epsilon in (0.25, 1.0, 8.0)]
    assert widths[0] > widths[1] > widths[2]


def test_literal_dpcp_widens_again_as_its_training_budget_grows(cohort: Dataset) -> None:
    levels = [
        simulate(cohort, ConformalSettings(method="dpcp_paper", epsilon=epsilon, repetitions=3)).certificate.level
        for epsilon in (0.5, 2.0, 8.0)
    ]
    assert levels == sorted(levels, reverse=True)


def test_tight_composition_gives_training_more_than_adding() -> None:
    tight, basic = (ConformalSettings(composition=name).allocation for name in ("tight", "basic"))
    assert tight.training.mu > 1.2 * basic.training.mu
    assert tight.quantile_epsilon == basic.quantile_epsilon == 0.5


def tiny(n: int = 200, **columns: object) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    return pd.DataFrame({"x": x, "y": x + 0.1 * rng.normal(size=n)} | columns)


SCHEMA = Schema.from_dict(
    {
        "x": {"kind": "number", "bounds": [-4, 4]},
        "y": {"kind": "number", "bounds": [-5, 5], "role": "target"},
    }
)


def test_a_table_of_five_rows_is_refused_with_the_number_needed() -> None:
    with pytest.raises(InputError, match="5 rows; at least 30"):
        simulate(Dataset.from_frame(tiny(5), SCHEMA), ConformalSettings())


def test_thirty_rows_run_and_say_that_nothing_narrower_is_certified() -> None:
    result = simulate(Dataset.from_frame(tiny(30), SCHEMA), ConformalSettings(repetitions=2))
    assert result.certificate.nothing_narrower
    assert result.coverage_mean == 1.0
    assert "nothing_certified" in [finding.code for finding in result.findings]


def test_no_target_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="No column is the target"):
        simulate(Dataset.from_frame(tiny(), SCHEMA.with_role("y", "feature")), ConformalSettings())


def test_a_table_without_features_is_refused() -> None:
    with pytest.raises(InputError, match="No column is left to predict from"):
        simulate(Dataset.from_frame(tiny(), SCHEMA.with_role("x", "ignore")), ConformalSettings())


def test_a_constant_feature_is_named_by_the_doctor_and_harms_nobody() -> None:
    frame = tiny(z=1.0)
    schema = Schema((*SCHEMA.columns, Schema.from_dict({"z": {"kind": "number", "bounds": [0, 2]}}).columns[0]))
    result = simulate(Dataset.from_frame(frame, schema), ConformalSettings(repetitions=2))
    (finding,) = [finding for finding in result.findings if finding.code == "constant_columns"]
    assert finding.symptom.startswith("z has the same value")


def test_clipped_targets_are_counted_and_the_doctor_says_so() -> None:
    narrow = SCHEMA.with_column(Schema.from_dict({"y": {"kind": "number", "bounds": [-1, 1]}}).columns[0])
    frame = tiny()
    result = simulate(Dataset.from_frame(frame, narrow.with_target("y")), ConformalSettings(repetitions=2))
    assert result.target_clipped == (frame["y"].abs() > 1).sum() > 10
    (finding,) = [finding for finding in result.findings if finding.code == "rows_clipped"]
    assert f"y ({result.target_clipped})" in finding.symptom


def test_bounds_from_the_file_warn_where_simulate_was_called_and_make_the_receipt_infinite(cohort: Dataset) -> None:
    drafted = Schema.draft(cohort.frame).filled_from(cohort.frame).with_target("systolic")
    with pytest.warns(PrivacyLeakWarning, match="age, .* were read off the rows, which is not private") as caught:
        result = simulate(Dataset.from_frame(cohort.frame, drafted), ConformalSettings(repetitions=2))
    assert [warning.filename for warning in caught] == [__file__]
    assert not result.receipt.is_private
    assert "were read off the rows" in " ".join(result.receipt.to_text().split())


def test_nothing_is_certified_on_bounds_from_the_file(cohort: Dataset) -> None:
    drafted = Schema.draft(cohort.frame).filled_from(cohort.frame).with_target("systolic")
    with pytest.warns(PrivacyLeakWarning):
        certificate = simulate(Dataset.from_frame(cohort.frame, drafted), ConformalSettings(repetitions=2)).certificate
    assert not certificate.holds
    assert certificate.reason.startswith("Not proved, as bounds")


@pytest.mark.filterwarnings("ignore::dpcp_core.PrivacyLeakWarning")
def test_a_thousand_columns_run() -> None:
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.normal(size=(300, 1000)), columns=[f"c{i}" for i in range(1000)])
    schema = Schema.draft(wide).filled_from(wide).with_target("c0")
    assert simulate(Dataset.from_frame(wide, schema), ConformalSettings(repetitions=2)).n_test == 60
