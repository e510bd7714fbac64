from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from dpcp_core.errors import InputError
from dpcp_core.training import erm
from dpcp_core.training.erm import minimise, objective
from dpcp_core.training.erm_losses import HuberLoss, LogisticLoss, Loss, SoftmaxLoss
from dpcp_core.training.erm_models import ErmPlan, models_of, start_of

LOSSES: list[Loss] = [HuberLoss(0.3), HuberLoss(math.inf), LogisticLoss(), LogisticLoss(0.4), SoftmaxLoss(4)]


def rows(loss: Loss, n: int = 200, d: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x /= np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]
    if isinstance(loss, HuberLoss):
        return x, x @ rng.normal(size=d) + rng.standard_t(2, size=n)
    classes = loss.n_scores if isinstance(loss, SoftmaxLoss) else 2
    return x, np.argmax(3 * x @ rng.normal(size=(d, classes)) + rng.gumbel(size=(n, classes)), axis=1)


def gradient_at(wanted: erm.Objective, weights: np.ndarray) -> np.ndarray:
    move = weights - wanted.centre
    return wanted.gradient(move, wanted.scores(move))


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_no_gradient_is_longer_than_the_bound(loss: Loss) -> None:
    x, y = rows(loss)
    x[:20] /= np.linalg.norm(x[:20], axis=1)[:, None]
    norms = np.linalg.norm(x, axis=1)[:, None, None]
    scores = 100 * np.random.default_rng(1).normal(size=(len(x), 3, loss.n_scores))
    residuals = loss.residuals(scores, loss.targets(y), norms)
    lengths = np.linalg.norm(residuals, axis=2) * norms[:, :, 0]
    assert lengths.max() <= loss.bound * (1 + 1e-12)
    if math.isfinite(loss.bound):
        assert lengths.max() > 0.99 * loss.bound


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_bending_is_the_derivative_of_the_residuals_and_within_the_curvature(loss: Loss) -> None:
    x, y = rows(loss)
    norms, rng = np.linalg.norm(x, axis=1)[:, None, None], np.random.default_rng(2)
    scores = rng.normal(size=(len(x), 2, loss.n_scores))
    direction = rng.normal(size=scores.shape)
    target, step = loss.targets(y), 1e-6
    change = loss.residuals(scores + step * direction, target, norms) - loss.residuals(scores, target, norms)
    bent = loss.bend(loss.slopes(scores, target, norms), direction)
    np.testing.assert_allclose(change / step, bent, atol=1e-5)
    assert np.all((bent * direction).sum(axis=2) <= loss.curvature * (direction**2).sum(axis=2) * (1 + 1e-12))


@pytest.mark.parametrize("loss", [loss.unclipped() for loss in LOSSES], ids=repr)
def test_residuals_are_the_derivatives_of_the_losses(loss: Loss) -> None:
    x, y = rows(loss)
    rng, target = np.random.default_rng(3), loss.targets(y)
    scores = rng.normal(size=(len(x), 2, loss.n_scores))
    direction = rng.normal(size=scores.shape)
    step = 1e-6
    change = (
        (loss.values(scores + step * direction, target) - loss.values(scores - step * direction, target)) / 2 / step
    )
    slope = (loss.residuals(scores, target, np.ones((len(x), 1, 1))) * direction).sum(axis=2)
    np.testing.assert_allclose(change, slope, atol=1e-7)


@pytest.mark.parametrize("penalty", [1e-5, 0.1])
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_solver_reaches_its_tolerance_for_every_model(loss: Loss, penalty: float) -> None:
    x, y = rows(loss)
    rng = np.random.default_rng(4)
    included = (rng.random((len(x), 6)) < 0.7).astype(float)
    included[:, 0] = 0
    tilt = 0.05 * rng.normal(size=(x.shape[1], 6, loss.n_scores))
    wanted = objective(x, y, loss, penalty, 6, n_rows=len(x), included=included, tilt=tilt)
    weights = minimise(wanted, 1e-11)
    gradient = gradient_at(wanted, weights)
    assert np.sqrt((gradient**2).sum(axis=(0, 2))).max() <= 1e-11
    # A model without rows has the minimum of the penalty and the tilt.
    np.testing.assert_allclose(weights[:, 0], -tilt[:, 0] / penalty, rtol=1e-5)


def test_huge_targets_and_far_starts_do_not_stop_the_solver() -> None:
    x, _ = rows(HuberLoss(1.0))
    y = np.where(np.arange(len(x)) % 2, 1e9, -1e9)
    for loss in (HuberLoss(1e-3), LogisticLoss()):
        target = y if isinstance(loss, HuberLoss) else (y > 0).astype(int)
        far = np.full((x.shape[1], 1), 1e4)
        wanted = objective(x, target, loss, 1e-3, 1, n_rows=len(x), start=far)
        weights = minimise(wanted, 1e-10)
        assert np.linalg.norm(gradient_at(wanted, weights)) <= 1e-10


def test_squared_error_agrees_with_ridge_of_scikit_learn() -> None:
    x, y = rows(HuberLoss(1.0))
    ours = minimise(objective(x, y, HuberLoss(math.inf), 0.01, 1, n_rows=len(x)), 1e-12)[:, 0, 0]
    theirs = Ridge(alpha=0.01 * len(x), fit_intercept=False).fit(x, y).coef_
    np.testing.assert_allclose(ours, theirs, atol=1e-8)


@pytest.mark.parametrize("loss", [LogisticLoss(), SoftmaxLoss(4)], ids=repr)
def test_log_loss_agrees_with_logistic_regression_of_scikit_learn(loss: Loss) -> None:
    x, y = rows(loss)
    ours = minimise(objective(x, y, loss, 0.01, 1, n_rows=len(x)), 1e-12)[:, 0]
    theirs = LogisticRegression(C=1 / (0.01 * len(x)), fit_intercept=False, tol=1e-10, max_iter=10_000).fit(x, y).coef_
    np.testing.assert_allclose(ours.T, theirs, atol=1e-5)


def test_models_solved_in_blocks_are_the_models_solved_together(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = rows(LogisticLoss())
    included = (np.random.default_rng(5).random((len(x), 7)) < 0.5).astype(float)
    counts = included.sum(axis=0)[:, None]
    wanted = objective(x, y, LogisticLoss(), 0.01, 7, n_rows=counts, included=included)
    together = minimise(wanted, 1e-12)
    monkeypatch.setattr(erm, "_BLOCK", 3 * len(x))
    np.testing.assert_allclose(minimise(wanted, 1e-12), together, atol=1e-9)


def test_a_tolerance_out_of_reach_refuses_no_table_as_that_would_tell_of_its_rows() -> None:
    x, y = rows(HuberLoss(1.0))
    wanted = objective(x, y, HuberLoss(1.0), 1e-6, 1, n_rows=len(x))
    np.testing.assert_allclose(minimise(wanted, 1e-30), minimise(wanted, 1e-10), atol=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_the_public_tolerance_is_reached_at_the_smallest_penalty(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(20, 4)), 60 * rng.standard_cauchy(size=20)
    x /= np.linalg.norm(x, axis=1)[:, None]
    plan = ErmPlan(20, 0, HuberLoss(0.5), 1e-5, 1.0)
    wanted = objective(x, y, plan.loss, plan.penalty, 1, n_rows=20)
    found = minimise(wanted, plan.tolerance)
    assert np.linalg.norm(wanted.gradient(found, wanted.scores(found))) <= plan.tolerance


def test_two_classes_come_back_as_two_opposite_scores() -> None:
    plan = ErmPlan(100, 2, LogisticLoss(), 0.1, 1.0)
    weights = np.array([[[1.0]], [[-2.0]]])
    models = models_of(plan, weights, np.float64)
    assert models.weights(0)[0].tolist() == [[-0.5, 0.5], [1.0, -1.0]]
    x = np.array([[0.6, 0.1]])
    assert models.predict(x)[0, 0, 1] == pytest.approx(1 / (1 + math.exp(-0.4)))
    back = start_of(plan, models.weights(0), 2)
    assert back is not None
    assert back.tolist() == [[1.0], [-2.0]]


@pytest.mark.parametrize("start", [(np.zeros(3),), (np.zeros((4, 3)),), (np.zeros(4), np.zeros(4))])
def test_a_start_of_another_shape_is_refused(start: tuple[np.ndarray, ...]) -> None:
    with pytest.raises(InputError, match="another shape"):
        start_of(ErmPlan(100, 0, HuberLoss(1.0), 0.1, 1.0), start, 4)


def test_a_penalty_of_next_to_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"^penalty is 1e-09"):
        ErmPlan(100, 0, HuberLoss(1.0), 1e-9, 1.0)
