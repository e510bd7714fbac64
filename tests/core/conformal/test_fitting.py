"""One way to fit: one model, or two that share the budget, for every score and task."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.conformal.fitting import fit, fit_exactly, plan_fitting
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.target import ClassTarget, NumericTarget
from dpcp_core.errors import InputError
from dpcp_core.privacy.allocation import allocate_nothing
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

NUMBER = NumericTarget(centre=10.0, spread=2.0, lower=0.0, upper=20.0)
CLASSES = ClassTarget(("no", "perhaps", "yes"))
SPENDING = TrainingBudget(1.0, 1e-5)
N, D = 600, 4


def rows(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features of norm at most 1, numbers whose spread grows with the second feature, and class codes."""
    rng = np.random.default_rng(seed)
    inside = rng.uniform(-0.4, 0.4, (N, D - 1))
    features = np.column_stack([np.full(N, 0.6), inside])
    numbers = 10 + 3 * inside[:, 0] + (0.1 + np.abs(inside[:, 1] + 0.4)) * rng.normal(size=N)
    return features, numbers, np.digitize(inside[:, 0] + 0.2 * rng.normal(size=N), [-0.1, 0.1])


def plan(score: str, spending: TrainingBudget = SPENDING, trainer: str = ""):
    target = CLASSES if SCORES[score].task == "classification" else NUMBER
    chosen = trainer or ("softmax" if target.n_classes else "ridge")
    size = ProblemSize(N, D, target.n_classes)
    return plan_fitting(target, size, spending, trainer=chosen, score=score, choices=TrainingChoices())


@pytest.mark.parametrize("score", list(SCORES))
def test_predictions_have_the_shape_that_the_score_reads(score: str) -> None:
    features, numbers, codes = rows()
    planned = plan(score)
    truth = codes if planned.target.n_classes else numbers
    predicted = fit(planned, features, truth, n_models=3, rng=np.random.default_rng(0)).predict(features)
    width = planned.target.n_classes or (2 if SCORES[score].needs_spread else 1)
    assert (predicted.shape, predicted.dtype) == ((N, 3, width), np.float64)
    scores = SCORES[score].scores(np.repeat(truth[:, None], 3, axis=1), predicted, planned.target, np.full((N, 3), 0.5))
    assert scores.shape == (N, 3)
    assert (scores <= SCORES[score].bound(planned.target)).all()


def test_two_models_keep_to_the_budget_of_one() -> None:
    one, two = plan("absolute"), plan("normalized")
    assert one.spread is None
    whole, main, spread = (TRAINERS["ridge"].profile(part).mu for part in (one.main, two.main, two.spread))
    assert math.hypot(main, spread) == pytest.approx(whole)
    assert main > spread
    assert two.profile.delta(1.0) <= 1e-5 * (1 + 1e-9)
    assert SPENDING.admits(two.profile)


def test_each_model_stands_on_the_receipt() -> None:
    assert len(plan("absolute").receipt_entries()) == 1
    main, spread = plan("normalized").receipt_entries()
    assert spread.mechanism.startswith("Spread of the predictions: ")
    assert main.epsilon > spread.epsilon
    assert all(math.isinf(entry.epsilon) for entry in plan("normalized", allocate_nothing().training).receipt_entries())


def test_the_spread_is_larger_where_rows_miss_by_more() -> None:
    features, numbers, _ = rows()
    exact = fit_exactly(plan("normalized", allocate_nothing().training), features, numbers, np.ones((N, 1)))
    spread = exact.predict(features)[:, 0, 1]
    order = np.argsort(features[:, 2])
    assert spread[order[-100:]].mean() > 1.5 * spread[order[:100]].mean()
    assert (spread >= 0).all()


def test_numbers_are_predicted_within_their_bounds_and_probabilities_add_up() -> None:
    features, numbers, codes = rows()
    wild = fit(
        plan("absolute", TrainingBudget(0.001, 1e-9)), features, numbers, n_models=2, rng=np.random.default_rng(0)
    )
    assert wild.predict(features).min() >= 0
    assert wild.predict(features).max() <= 20
    fitted = fit(plan("aps"), features, codes, n_models=2, rng=np.random.default_rng(0))
    np.testing.assert_allclose(fitted.predict(features).sum(axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("score", ["absolute", "normalized", "probability"])
def test_rows_that_are_left_out_do_not_matter(score: str) -> None:
    features, numbers, codes = rows()
    planned = plan(score)
    truth = codes if planned.target.n_classes else numbers
    included = np.ones((N, 2))
    included[:200, 1] = 0.0
    changed = truth.copy()
    changed[:200] = truth[:200][::-1]
    one, other = (
        fit(planned, features, values, n_models=2, rng=np.random.default_rng(1), included=included).predict(features)
        for values in (truth, changed)
    )
    assert (one[:, 0] != other[:, 0]).any()
    np.testing.assert_allclose(one[:, 1], other[:, 1], atol=1e-12)


def test_a_start_is_where_training_begins() -> None:
    features, numbers, _ = rows()
    exact = fit_exactly(plan("absolute", allocate_nothing().training), features, numbers, np.ones((N, 1)))
    tight = plan("absolute", TrainingBudget(0.02, 1e-6))
    cold, warm = (
        fit(tight, features, numbers, n_models=20, rng=np.random.default_rng(2), start=start).predict(features)[..., 0]
        for start in (None, exact.models.weights())
    )
    missed = [np.abs(predicted - numbers[:, None]).mean() for predicted in (cold, warm)]
    assert missed[1] < 0.9 * missed[0]


@pytest.mark.parametrize(("score", "trainer"), [("absolute", "softmax"), ("probability", "ridge"), ("aps", "logistic")])
def test_a_trainer_that_does_not_suit_the_target_is_one_sentence(score: str, trainer: str) -> None:
    with pytest.raises(InputError, match=f"trainer '{trainer}'"):
        plan(score, trainer=trainer)


def test_only_scores_that_move_with_the_prediction_couple() -> None:
    assert plan("absolute").movement > 0
    assert plan("normalized").movement is None
    assert plan("aps").movement is None
