"""A threshold for each public group: budgets in parallel, small groups lose nothing, predictions by group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core import Column, DPCPClassifier, DPCPRegressor, InputError, Schema
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.groups import draw_by_group
from dpcp_core.conformal.thresholds import CalibrationPlan
from dpcp_core.data.target import NumericTarget
from dpcp_core.privacy.profile import GaussianProfile

NAMES = ("calm", "wild", "rare", "nobody")


def plan_of(**choices: object) -> CalibrationPlan:
    chosen = ConformalChoices(**choices).resolved("regression")
    target = NumericTarget(centre=0.0, spread=2.0, lower=-8.0, upper=8.0)
    return CalibrationPlan(chosen, target, GaussianProfile(chosen.allocation.training.mu), 0.01)


def scored(n: int = 3000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and groups: wild rows miss by ten times as much, and there are three rare ones."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n, 1))
    codes[:3] = 2
    return np.minimum(np.abs(rng.normal(size=(n, 1))) * np.array([0.3, 3.0, 1.0])[codes], 16.0), codes


def people(n: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    codes = rng.choice(2, n, p=[0.7, 0.3])
    codes[:3] = 2
    x = rng.normal(size=n)
    y = np.clip(x + np.array([0.3, 1.5, 1.0])[codes] * rng.normal(size=n), -8, 8)
    return pd.DataFrame({"x": x, "kind": np.array(NAMES)[codes]}), y


def schema(target: Column | None = None) -> Schema:
    return Schema(
        (
            Column("x", "number", bounds=(-3, 3)),
            Column("kind", "category", categories=NAMES, role="group"),
            target or Column("y", "number", bounds=(-8, 8), typical=(-2, 2), role="target"),
        )
    )


def test_emptying_a_row_changes_the_law_of_its_own_group_only() -> None:
    scores, codes = scored()
    plan = plan_of()
    gone = int(np.argmax(codes[:, 0] == 1))
    whole = draw_by_group(scores, codes, NAMES, plan, np.random.default_rng(0)).first
    # An empty row has no score: as if it were 0, which lies above no candidate, with the same public n.
    emptied = scores.copy()
    emptied[gone] = 0.0
    without = draw_by_group(emptied, codes, NAMES, plan, np.random.default_rng(0)).first
    for code in (0, 2):
        one, other = whole[code].distribution, without[code].distribution
        np.testing.assert_array_equal(one.log_probabilities, other.log_probabilities)
    moved = np.abs(whole[1].distribution.log_probabilities - without[1].distribution.log_probabilities)
    assert 0 < moved.max() <= plan.choices.allocation.quantile_epsilon


def test_every_group_spends_the_whole_budget_of_the_quantile_and_the_receipt_counts_it_once() -> None:
    X, y = people(3000)
    model = DPCPRegressor(schema=schema(), by_group=True, random_state=0).fit(X, y)
    assert {c.quantile_epsilon for c in model.group_certificates_.values()} == {0.5}
    assert (model.receipt_.total.epsilon, len(model.receipt_.entries)) == (1.0, 2)
    assert any("nobody is in two groups" in sentence for sentence in model.receipt_.assumptions)


@given(
    arrays.arrays(np.float64, 40, elements=st.floats(0, 16) | st.sampled_from([5e-324, 1e308, np.inf])),
    arrays.arrays(np.int64, (40, 2), elements=st.integers(0, 2)),
)
@settings(max_examples=25)
def test_whatever_the_groups_every_row_gets_a_candidate_of_its_own_group(scores: np.ndarray, codes: np.ndarray) -> None:
    plan = plan_of(confidence_level=0.5, epsilon=20, stability="split")
    drawn = draw_by_group(np.column_stack([scores, scores]), codes, NAMES, plan, np.random.default_rng(0))
    assert drawn.largest == np.bincount(codes[:, 0], minlength=4).argmax()
    for code, group in enumerate(drawn.first):
        n = int((codes[:, 0] == code).sum())
        assert group.certificate.n == n
        assert group.raw[0] in (plan.grid(n).edges if n else [plan.bound])
    assert (drawn.of_rows(codes) == drawn.widened[[0, 1], codes]).all()


def test_thresholds_follow_the_groups_difficulty() -> None:
    scores, codes = scored()
    raw = draw_by_group(scores, codes, NAMES, plan_of(), np.random.default_rng(0)).raw[0]
    assert 4 < raw[1] / raw[0] < 20


@pytest.mark.parametrize("loss", ["bracket", "one_sided"])
@pytest.mark.parametrize("stability", ["split", "profile", "coupling"])
def test_a_group_of_three_rows_or_none_gets_the_whole_range_and_nothing_is_lost(stability: str, loss: str) -> None:
    X, y = people(3000)
    model = DPCPRegressor(schema=schema(), by_group=True, stability=stability, loss=loss, random_state=0).fit(X, y)
    for name in ("rare", "nobody"):
        certificate = model.group_certificates_[name]
        assert certificate.holds
        assert certificate.nothing_narrower
        assert certificate.reason.startswith("Coverage of 90 % could only be certified by ruling nothing out")
        assert model.group_thresholds_[name] >= 16
    _, intervals = model.predict_interval(X)
    rare = (X["kind"] == "rare").to_numpy()
    assert (intervals[rare, 1, 0] - intervals[rare, 0, 0] == 16).all()
    assert (intervals[~rare, 1, 0] - intervals[~rare, 0, 0] < 10).all()
    assert model.certificate_ == model.group_certificates_["calm"]
    assert not model.certificate_.nothing_narrower


def test_several_repetitions_keep_their_own_groups() -> None:
    scores, codes = (np.column_stack(parts) for parts in zip(*(scored(seed=seed) for seed in range(3)), strict=True))
    codes[:, 2] = codes[::-1, 2]
    drawn = draw_by_group(scores, codes, NAMES, plan_of(), np.random.default_rng(0))
    assert drawn.raw.shape == drawn.widened.shape == (3, 4)
    of_rows = drawn.of_rows(codes)
    for repetition in range(3):
        for row in (0, 5, -1):
            assert of_rows[row, repetition] == drawn.widened[repetition, codes[row, repetition]]


def test_each_row_is_predicted_with_the_threshold_of_its_group() -> None:
    X, y = people(3000)
    model = DPCPRegressor(schema=schema(), by_group=True, random_state=0).fit(X, y)
    middle = pd.DataFrame({"x": [0.0] * 3, "kind": ["wild", "calm", "wild"]})
    predicted, intervals = model.predict_interval(middle)
    half = (intervals[:, 1, 0] - intervals[:, 0, 0]) / 2
    np.testing.assert_allclose(half, [model.group_thresholds_[name] for name in middle["kind"]])
    assert len(set(predicted)) == 1


@pytest.mark.parametrize("score", ["probability", "aps", "aps_randomized"])
def test_a_classifier_takes_groups_too(score: str) -> None:
    X, y = people(4000)
    sick = np.where(y > 0, "yes", "no")
    described = schema(Column("y", "boolean", categories=("no", "yes"), role="target"))
    model = DPCPClassifier(schema=described, by_group=True, score=score, epsilon=4.0, random_state=0)
    sets = model.fit(X, sick).predict_set(X)[1]
    held = np.where(sick == "yes", sets[:, 1, 0], sets[:, 0, 0])
    for name in ("calm", "wild", "rare"):
        assert held[X["kind"] == name].mean() > 0.88
    assert sets[X["kind"] == "rare"].all()


def test_the_normalized_score_takes_groups_too() -> None:
    X, y = people(4000)
    model = DPCPRegressor(schema=schema(), by_group=True, score="normalized", epsilon=4.0, random_state=0).fit(X, y)
    _, intervals = model.predict_interval(X)
    covered = (intervals[:, 0, 0] <= y) & (y <= intervals[:, 1, 0])
    assert min(covered[X["kind"] == name].mean() for name in ("calm", "wild")) > 0.88


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda X: X.assign(kind="unheard of"), "10 rows are in none of its groups"),
        (lambda X: X.assign(kind=None), "10 rows are in none of its groups"),
        (lambda X: X[["x"]], "needs a table with the column 'kind'"),
        (lambda X: X[["x"]].to_numpy(), "needs a table with the column 'kind'"),
    ],
)
def test_a_new_row_without_a_known_group_is_one_sentence(change, words: str) -> None:
    X, y = people(2000)
    model = DPCPRegressor(schema=schema(), by_group=True, random_state=0).fit(X, y)
    with pytest.raises(InputError, match=words):
        model.predict_interval(change(X.head(10)))
    assert model.predict(X.head(10)).shape == (10,)


def test_groups_need_a_column_of_the_schema() -> None:
    X, y = people(200)
    plain = Schema(tuple(column for column in schema().columns if column.role != "group"))
    for known in ({"schema": plain}, {"bounds_X": (-3, 3), "bounds_y": (-8, 8)}):
        with pytest.raises(InputError, match='role "group"'):
            DPCPRegressor(by_group=True, random_state=0, **known).fit(X[["x"]], y)


def test_the_group_is_no_feature() -> None:
    X, y = people(2000)
    model = DPCPRegressor(schema=schema(), by_group=True, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X.assign(kind="wild")), model.predict(X))
