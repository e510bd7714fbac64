from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.output_perturbation import OutputPerturbation
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

TRAINER = OutputPerturbation()
BUDGET, NO_BUDGET = TrainingBudget(1.0, 1e-5), TrainingBudget(math.inf, 1e-5)
NOTHING_SET = TrainingChoices()


def rows(n: int, d: int, n_classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x /= np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]
    if n_classes == 0:
        return x, x @ rng.normal(size=d) + rng.normal(size=n)
    return x, np.argmax(3 * x @ rng.normal(size=(d, n_classes)) + rng.gumbel(size=(n, n_classes)), axis=1)


def weights_without_noise(x: np.ndarray, y: np.ndarray, n_classes: int, n_rows: int, start: np.ndarray) -> np.ndarray:
    plan = TRAINER.plan(ProblemSize(n_rows, x.shape[1], n_classes), NO_BUDGET, TrainingChoices(penalty=0.05))
    models = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0), start=(start,))
    return models.weights(0)[0]


@pytest.mark.parametrize("n_classes", [0, 2, 5])
def test_no_row_moves_the_weights_further_than_stated_and_one_nearly_does(n_classes: int) -> None:
    rng, n, d = np.random.default_rng(1), 40, 3
    plan = TRAINER.plan(ProblemSize(n, d, n_classes), BUDGET, TrainingChoices(penalty=0.05))
    scores = max(n_classes, 1)
    # The two opposite scores of two classes move by less than the one they stand for.
    bound = plan.movement / (math.sqrt(2) if n_classes == 2 else 1)
    furthest = 0.0
    for trial in range(60):
        x, y = rows(n, d, n_classes, seed=trial)
        start = rng.normal(size=(d, scores)) * rng.choice([0.0, 1.0, 100.0])
        if trial % 2:
            # Nobody else is there, and the row disagrees with the start as much as it can.
            x[:] = 0
            x[0] = [1.0, 0.0, 0.0]
            start[0] = 100.0 * np.eye(scores)[-1]
            y[0] = 0 if n_classes else 1e6
        with_row = weights_without_noise(x, y, n_classes, n, start)
        x[0] = 0
        moved = np.linalg.norm(with_row - weights_without_noise(x, y, n_classes, n, start))
        assert moved <= bound * (1 + 1e-9)
        furthest = max(furthest, moved)
    assert furthest > 0.999 * bound


@pytest.mark.parametrize("n_classes", [0, 2, 5])
def test_the_noise_has_the_stated_size_about_the_exact_minimum(n_classes: int) -> None:
    x, y = rows(300, 4, n_classes)
    plan = TRAINER.plan(ProblemSize(300, 4, n_classes), BUDGET, NOTHING_SET)
    models = TRAINER.fit(x, y, plan, n_models=5000, rng=np.random.default_rng(2))
    quiet = TRAINER.fit(x, y, replace(plan, noise_multiplier=0.0), n_models=1, rng=np.random.default_rng(2))
    drawn = np.stack([models.weights(k)[0] for k in range(5000)])
    if n_classes == 2:
        drawn, exact = drawn[:, :, 1] - drawn[:, :, 0], quiet.weights()[0][:, 1] - quiet.weights()[0][:, 0]
    else:
        exact = quiet.weights()[0]
    wanted = plan.movement / BUDGET.mu
    np.testing.assert_allclose((drawn - exact).std(axis=0), wanted, rtol=0.05)
    np.testing.assert_allclose((drawn - exact).mean(axis=0), 0, atol=5 * wanted / math.sqrt(5000))


def test_the_stated_movement_includes_what_the_solver_leaves_open() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 5), BUDGET, TrainingChoices(penalty=0.01, max_grad_norm=0.5))
    assert plan.movement == pytest.approx(0.5 / (0.01 * 1000) * (1 + 2e-8), rel=1e-12)
    assert plan.movement > 0.5 / (0.01 * 1000)


@pytest.mark.parametrize("n_classes", [0, 2, 5])
def test_one_more_row_moves_no_output_further_than_the_coupling_radius(n_classes: int) -> None:
    size = ProblemSize(50, 4, n_classes)
    plan = TRAINER.plan(size, BUDGET, TrainingChoices(penalty=0.02))
    radius = TRAINER.coupling_radius(plan)
    assert radius is not None
    for trial in range(20):
        x, y = rows(51, 4, n_classes, seed=trial)
        x /= np.linalg.norm(x, axis=1)[:, None]
        fewer = np.ones((51, 1))
        fewer[-1] = 0
        runs = [
            TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(trial), included=mask)
            for mask in (fewer, np.ones((51, 1)))
        ]
        scores = [(x @ run.weights()[0].reshape(4, -1)) for run in runs]
        assert np.linalg.norm(scores[0] - scores[1], axis=1).max() <= radius


@pytest.mark.parametrize("n_classes", [0, 2, 5])
def test_a_row_left_out_counts_as_an_empty_one(n_classes: int) -> None:
    x, y = rows(60, 4, n_classes)
    plan = TRAINER.plan(ProblemSize(60, 4, n_classes), NO_BUDGET, NOTHING_SET)
    mask = np.ones((60, 1))
    mask[:10] = 0
    masked = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0), included=mask)
    x[:10] = 0
    emptied = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0))
    np.testing.assert_allclose(masked.weights()[0], emptied.weights()[0], atol=1e-9)


def test_twins_agree_with_scikit_learn() -> None:
    x, y = rows(200, 4, 0)
    plan = TRAINER.plan(ProblemSize(100, 4), NO_BUDGET, TrainingChoices(penalty=0.01))
    mask = (np.arange(200)[:, None] % 2 == np.array([0, 1])).astype(np.float32)
    twins = TRAINER.fit_exactly(x, y, plan, mask)
    for k in (0, 1):
        theirs = Ridge(alpha=1.0, fit_intercept=False).fit(x[k::2], y[k::2])
        np.testing.assert_allclose(twins.weights(k)[0], theirs.coef_, atol=1e-6)
        np.testing.assert_allclose(twins.predict(x)[:, k, 0], theirs.predict(x), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_class_twins_agree_with_scikit_learn(n_classes: int) -> None:
    x, y = rows(200, 4, n_classes)
    plan = TRAINER.plan(ProblemSize(200, 4, n_classes), NO_BUDGET, TrainingChoices(penalty=0.01))
    ours = TRAINER.fit_exactly(x, y, plan, np.ones((200, 1))).predict(x)[:, 0]
    theirs = LogisticRegression(C=1 / 2.0, fit_intercept=False, tol=1e-9, max_iter=5000).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-12)


def test_the_budget_is_spent_and_kept() -> None:
    for budget in (BUDGET, TrainingBudget(2.0, 1e-6, beside=0.5)):
        plan = TRAINER.plan(ProblemSize(1000, 5), budget, NOTHING_SET)
        profile = TRAINER.profile(plan)
        assert profile == GaussianProfile(1 / plan.noise_multiplier)
        assert budget.admits(profile)
        assert not budget.admits(GaussianProfile(1.001 / plan.noise_multiplier))


def test_a_plan_without_privacy_clips_but_adds_no_noise() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 5), NO_BUDGET, NOTHING_SET)
    assert (plan.noise_multiplier, plan.loss.bound) == (0, 0.5)
    assert TRAINER.profile(plan) == NoPrivacyProfile()


@pytest.mark.parametrize(
    ("choices", "n_classes", "sentence"),
    [
        (TrainingChoices(steps=5), 0, "steps is 5, but trainer 'output_perturbation' has no use for it"),
        (TrainingChoices(max_grad_norm=1.0), 3, "gradients of 3 classes cannot be shortened here"),
        (TrainingChoices(noise_multiplier=0.1), 0, "noise_multiplier is 0.1"),
        (TrainingChoices(penalty=0.0), 0, "penalty is 0.0 but must be a number above 0"),
        (TrainingChoices(max_grad_norm=-1.0), 0, "max_grad_norm is -1.0 but must be"),
        (TrainingChoices(max_grad_norm=math.inf), 0, "max_grad_norm is inf but must be"),
    ],
)
def test_choices_that_do_not_fit_are_refused(choices: TrainingChoices, n_classes: int, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TRAINER.plan(ProblemSize(100, 3, n_classes), BUDGET, choices)


def test_more_noise_than_needed_leaves_some_budget_unused() -> None:
    plan = TRAINER.plan(ProblemSize(100, 3), BUDGET, TrainingChoices(noise_multiplier=50))
    assert TRAINER.profile(plan) == GaussianProfile(1 / 50)


def test_a_strong_penalty_keeps_the_models_at_the_public_start() -> None:
    x, y = rows(60, 4, 3)
    start = np.arange(12.0).reshape(4, 3)
    plan = TRAINER.plan(ProblemSize(60, 4, 3), NO_BUDGET, TrainingChoices(penalty=1e6))
    models = TRAINER.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0), start=(start,))
    np.testing.assert_allclose(models.weights(1)[0], start, atol=1e-5)


def test_more_budget_predicts_better_and_much_of_it_as_well_as_clipping_alone() -> None:
    x, y = rows(2000, 6, 0)
    size, errors = ProblemSize(2000, 6), []
    for epsilon in (0.2, 1.0, 5.0, 1e6, math.inf):
        plan = TRAINER.plan(size, TrainingBudget(epsilon, 1e-5), TrainingChoices(penalty=0.01))
        predicted = TRAINER.fit(x, y, plan, n_models=50, rng=np.random.default_rng(3)).predict(x)[:, :, 0]
        errors.append(np.sqrt(np.mean((predicted - y[:, None]) ** 2)))
    assert errors[0] > errors[1] > errors[2] > errors[3]
    assert errors[3] == pytest.approx(errors[4], rel=1e-4)


def test_sixty_classes_work() -> None:
    x, y = rows(400, 4, 60)
    plan = TRAINER.plan(ProblemSize(400, 4, 60), BUDGET, NOTHING_SET)
    chances = TRAINER.fit(x.astype(np.float32), y, plan, n_models=2, rng=np.random.default_rng(0)).predict(x)
    assert chances.shape == (400, 2, 60)
    np.testing.assert_allclose(chances.sum(axis=2), 1, atol=1e-6)


def test_the_trace_says_how_many_gradients_were_shortened() -> None:
    x, y = rows(300, 4, 0)
    plan = TRAINER.plan(ProblemSize(300, 4), NO_BUDGET, TrainingChoices(max_grad_norm=0.3))
    models = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0), record=True)
    lengths = np.abs(models.predict(x)[:, 0, 0] - y) * np.linalg.norm(x, axis=1)
    assert models.trace is not None
    assert models.trace.clipped_share[0] == pytest.approx(np.mean(lengths > 0.3), abs=0.01)
    assert models.trace.gradient_norm[0] == pytest.approx(np.median(lengths), rel=1e-6)


def test_the_receipt_names_the_distance_and_the_noise() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 5), BUDGET, TrainingChoices(penalty=0.01, max_grad_norm=0.5))
    note = TRAINER.describe(plan)
    assert note.sensitivity == "0.05 (distance that the weights move)"
    assert note.detail == "penalty 0.01; noise of 3.731 times that distance on each weight"
