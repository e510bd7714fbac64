"""Simulations with classes, spreads, groups, bought bounds and every method and trainer: what they report."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from dpcp_core import Column, ConformalSettings, Dataset, InputError, Schema, load_sample, simulate
from dpcp_core.conformal.methods import METHODS
from dpcp_core.conformal.scores import SCORES
from dpcp_core.experiments.result import HeldOutIntervals, HeldOutSets

SAMPLES = {"regression": "blood_pressure", "classification": "readmission"}
both_tasks = pytest.mark.parametrize("task", list(SAMPLES))


@pytest.fixture(scope="module")
def samples() -> dict[str, Dataset]:
    """Return a part of each sample, so that all methods can be run."""
    parts = {}
    for task, name in SAMPLES.items():
        data = load_sample(name)
        rows = data.frame.iloc[:1500].reset_index(drop=True)
        parts[task] = Dataset.from_frame(rows, schema=data.schema, name=name)
    return parts


@both_tasks
@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_runs_for_numbers_and_for_classes(samples: dict, task: str, method: str) -> None:
    result = simulate(samples[task], ConformalSettings(method=method, repetitions=3, epsilon=4.0))
    assert result.task == task
    assert result.coverage.shape == result.size.shape == (3,)
    assert 0.75 < result.coverage_mean <= 1
    assert (result.sets is None) == (task == "regression")
    assert isinstance(result.rows, HeldOutIntervals if task == "regression" else HeldOutSets)
    assert result.receipt.is_private is (METHODS[method].private_training and METHODS[method].private_quantile)
    json.dumps(result.summary())


@pytest.mark.parametrize("score", [name for name, score in SCORES.items() if score.task == "classification"])
@pytest.mark.parametrize("stability", ["split", "profile", "best"])
def test_every_score_of_classes_reaches_its_level(samples: dict, score: str, stability: str) -> None:
    settings = ConformalSettings(score=score, stability=stability, repetitions=10, epsilon=2.0)
    result = simulate(samples["classification"], settings)
    assert result.certificate.holds
    assert result.coverage_mean >= 0.9 - 2 * result.coverage_se
    assert 1 <= result.size_mean <= 2


def test_the_sets_are_counted_as_they_are_shown(samples: dict) -> None:
    # Most may be missed, so that some sets would be empty.
    settings = {"confidence_level": 0.4, "repetitions": 4, "epsilon": 8.0, "smallest_width": 0.02}
    shown, bare = (
        simulate(samples["classification"], ConformalSettings(allow_empty=empty, **settings)) for empty in (False, True)
    )
    assert bare.sets.empty_share.mean() > 0.05
    assert (shown.sets.empty_share == 0).all()
    np.testing.assert_allclose(shown.sets.singleton_share, bare.sets.singleton_share + bare.sets.empty_share)
    assert shown.sets.size_counts.sum() == 4 * shown.n_test
    mean_size = shown.sets.size_counts @ np.arange(len(shown.sets.size_counts)) / shown.sets.size_counts.sum()
    assert mean_size == pytest.approx(shown.size_mean)
    assert np.average(shown.sets.class_coverage, weights=shown.sets.class_counts) == pytest.approx(shown.coverage_mean)


def test_the_rows_that_are_shown_are_those_that_were_measured(samples: dict) -> None:
    result = simulate(samples["classification"], ConformalSettings(repetitions=2))
    rows = result.rows
    assert rows.probabilities.shape == rows.members.shape == (100, 2)
    np.testing.assert_allclose(rows.probabilities.sum(axis=1), 1, atol=1e-6)
    assert abs(rows.covered.mean() - result.coverage[0]) < 0.12


@pytest.mark.parametrize(
    ("target", "trainer"),
    [
        ("regression", "ols"),
        ("regression", "lasso"),
        ("regression", "adassp"),
        ("classification", "logistic"),
        ("classification", "linear_svm"),
        ("classification", "softmax"),
    ],
)
def test_linear_trainers_reach_their_level(samples: dict, target: str, trainer: str) -> None:
    result = simulate(samples[target], ConformalSettings(trainer=trainer, epsilon=4.0, repetitions=6))
    assert result.certificate.holds
    assert result.coverage_mean >= 0.9 - 2 * result.coverage_se


@both_tasks
def test_a_trainer_or_score_of_the_other_task_is_one_sentence(samples: dict, task: str) -> None:
    other = {"regression": ("softmax", "aps"), "classification": ("ridge", "normalized")}[task]
    for choice in ({"trainer": other[0]}, {"score": other[1]}):
        with pytest.raises(InputError, match=next(iter(choice))):
            simulate(samples[task], ConformalSettings(repetitions=2, **choice))


def uneven(n: int = 4000) -> Dataset:
    """Return rows whose error grows tenfold along one feature."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (n, 2))
    y = 2 * x[:, 0] + np.where(x[:, 1] > 0, 2.0, 0.2) * rng.normal(size=n)
    columns = (
        Column("a", "number", bounds=(-1, 1)),
        Column("b", "number", bounds=(-1, 1)),
        Column("y", "number", bounds=(-12, 12), typical=(-3, 3), role="target"),
    )
    return Dataset.from_frame(pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": y}), schema=Schema(columns), name="uneven")


def test_normalized_intervals_are_narrower_where_errors_differ() -> None:
    settings = {"epsilon": 8.0, "repetitions": 8, "stability": "split"}
    plain, fitted = (
        simulate(uneven(), ConformalSettings(score=score, **settings)) for score in ("absolute", "normalized")
    )
    for result in (plain, fitted):
        assert result.coverage_mean >= 0.9 - 2 * result.coverage_se
    assert fitted.size_mean < plain.size_mean
    assert len(fitted.receipt.entries) == 3
    assert fitted.receipt.total == plain.receipt.total
    assert fitted.size_median[0] != plain.size_median[0]


def grouped(n: int = 3000) -> Dataset:
    """Return two groups of unequal difficulty and three rows of a third."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, n)
    codes[:3] = 2
    x = rng.normal(size=n)
    y = x + np.array([0.3, 1.5, 1.0])[codes] * rng.normal(size=n)
    columns = (
        Column("x", "number", bounds=(-3, 3)),
        Column("kind", "category", categories=("calm", "wild", "rare"), role="group", label="Kind of person"),
        Column("y", "number", bounds=(-8, 8), typical=(-2, 2), role="target"),
    )
    frame = pd.DataFrame({"x": x, "kind": np.array(["calm", "wild", "rare"])[codes], "y": y})
    return Dataset.from_frame(frame, schema=Schema(columns), name="grouped")


@pytest.mark.parametrize("stability", ["split", "best"])
def test_groups_are_covered_by_their_own_thresholds_and_not_by_a_common_one(stability: str) -> None:
    settings = {"epsilon": 2.0, "repetitions": 8, "stability": stability}
    own, common = (simulate(grouped(), ConformalSettings(by_group=by_group, **settings)) for by_group in (True, False))
    calm, wild, rare = own.groups
    assert [group.name for group in own.groups] == ["calm", "wild", "rare"]
    assert min(calm.coverage_mean, wild.coverage_mean) > 0.88
    assert wild.size_mean > 2 * calm.size_mean
    assert rare.certificate.nothing_narrower
    assert calm.column == "Kind of person"
    assert common.groups[0].coverage_mean > 0.96
    assert common.groups[1].coverage_mean < 0.87
    assert common.groups[0].certificate is None
    assert own.receipt.total == common.receipt.total


def test_a_threshold_by_group_needs_groups() -> None:
    with pytest.raises(InputError, match='role "group"'):
        simulate(uneven(200), ConformalSettings(by_group=True, repetitions=2))


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if name != "dpcp"])
def test_every_method_takes_groups(method: str) -> None:
    result = simulate(grouped(), ConformalSettings(by_group=True, method=method, repetitions=2, epsilon=4.0))
    assert np.isfinite(result.groups[0].size_mean)


@both_tasks
def test_clip_only_tells_what_clipping_costs(samples: dict, task: str) -> None:
    """Without noise it is close to training at an enormous budget, and it is not private."""
    clipped, lavish = (
        simulate(samples[task], ConformalSettings(method=method, epsilon=epsilon, repetitions=4))
        for method, epsilon in (("clip_only", 1.0), ("naive", 5000.0))
    )
    assert not clipped.receipt.is_private
    assert not clipped.certificate.holds
    assert clipped.size_mean == pytest.approx(lavish.size_mean, rel=0.1)


def test_a_bought_bound_stands_on_the_receipt(samples: dict) -> None:
    plain, bought = (
        simulate(samples["regression"], ConformalSettings(bound_share=share, repetitions=4)) for share in (0.0, 0.2)
    )
    assert (len(plain.receipt.entries), len(bought.receipt.entries)) == (2, 3)
    assert bought.certificate.holds
    assert bought.receipt.total == plain.receipt.total


def odd_classes(codes: np.ndarray, classes: int) -> Dataset:
    names = tuple(f"class {code}" for code in range(classes))
    x = np.random.default_rng(0).normal(size=len(codes))
    columns = (Column("x", "number", bounds=(-3, 3)), Column("y", "category", categories=names, role="target"))
    frame = pd.DataFrame({"x": x, "y": np.array(names)[codes]})
    return Dataset.from_frame(frame, schema=Schema(columns), name="odd")


def test_sixty_classes_and_a_class_of_one_row_are_simulated() -> None:
    rng = np.random.default_rng(0)
    many = simulate(odd_classes(rng.integers(0, 60, 1500), 60), ConformalSettings(repetitions=2))
    assert many.sets.holds.shape == (60, 60)
    lonely = np.where(np.arange(1500) == 0, 2, rng.integers(0, 2, 1500))
    result = simulate(odd_classes(lonely, 3), ConformalSettings(repetitions=5))
    assert result.coverage_mean >= 0.88
    assert result.sets.class_counts[2] <= 5


def test_one_class_in_all_rows_is_one_sentence() -> None:
    with pytest.raises(InputError, match="in every row"):
        simulate(odd_classes(np.zeros(100, dtype=int), 2), ConformalSettings(repetitions=2))


def test_a_cell_that_is_no_class_is_one_sentence() -> None:
    data = odd_classes(np.arange(100) % 2, 2)
    frame = data.frame.assign(y=np.where(np.arange(100) == 7, "in secret", data.frame["y"]))
    with pytest.raises(InputError, match="categories") as caught:
        simulate(Dataset.from_frame(frame, schema=data.schema, name="odd"), ConformalSettings(repetitions=2))
    assert "secret" not in str(caught.value)
