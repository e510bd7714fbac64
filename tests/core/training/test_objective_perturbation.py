from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import kstest, norm
from sklearn.linear_model import LogisticRegression, Ridge

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import NoPrivacyProfile
from dpcp_core.privacy.profile_objective import SOLVER_SHARE, ObjectivePerturbationProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.erm import objective
from dpcp_core.training.objective_perturbation import ObjectivePerturbation, solver_noise, stretch_of
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

TRAINER = ObjectivePerturbation()
BUDGET, NO_BUDGET = TrainingBudget(1.0, 1e-5), TrainingBudget(math.inf, 1e-5)
NOTHING_SET = TrainingChoices()


def rows(n: int, d: int, n_classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x /= np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]
    score = 3 * x @ rng.normal(size=d) + rng.normal(size=n)
    return x, (score > 0).astype(int) if n_classes else score


@pytest.mark.parametrize("n_classes", [0, 2])
def test_the_output_is_the_minimum_for_noise_of_the_stated_size(n_classes: int) -> None:
    """From each output the noise that led to it is read off: it has to be the stated Gaussian."""
    n, d, models = 80, 3, 3000
    x, y = rows(n, d, n_classes)
    plan = TRAINER.plan(ProblemSize(n, d, n_classes), BUDGET, NOTHING_SET)
    fitted = TRAINER.fit(x, y, plan, n_models=models, rng=np.random.default_rng(1))
    weights = np.stack([fitted.weights(k)[0] for k in range(models)], axis=1)
    weights = weights[:, :, 1:] - weights[:, :, :1] if n_classes else weights[:, :, None]
    quiet = objective(x, y, plan.loss, plan.penalty, models, n_rows=n)
    tilt = -quiet.gradient(weights, quiet.scores(weights))[:, :, 0]
    for row in tilt:
        assert kstest(row / (plan.noise_multiplier * plan.loss.bound / n), norm.cdf).pvalue > 1e-3
    np.testing.assert_allclose(np.corrcoef(tilt), np.eye(d), atol=0.08)


def test_one_row_of_a_logistic_model_is_distributed_as_its_formula_says() -> None:
    plan = TRAINER.plan(ProblemSize(10, 1, 2), BUDGET, TrainingChoices(penalty=0.4))
    fitted = TRAINER.fit(np.ones((1, 1)), np.array([1]), plan, n_models=4000, rng=np.random.default_rng(2))
    w = np.array([np.diff(fitted.weights(k)[0])[0, 0] for k in range(4000)])
    noise = -(expit(w) - 1 + 0.4 * 10 * w)
    assert kstest(noise / plan.noise_multiplier, norm.cdf).pvalue > 1e-3


def test_what_the_solver_leaves_open_is_hidden_at_the_price_that_the_profile_pays() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 3), BUDGET, NOTHING_SET)
    sensitivity = 2 * plan.tolerance / plan.penalty
    assert sensitivity / solver_noise(plan) == pytest.approx(SOLVER_SHARE / plan.noise_multiplier)


@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("n_rows", [100, 10_000, 10**7])
def test_hiding_what_the_solver_leaves_open_hardly_moves_the_weights(n_rows: int, n_classes: int) -> None:
    plan = TRAINER.plan(ProblemSize(n_rows, 3, n_classes), BUDGET, NOTHING_SET)
    # The noise in the objective moves its minimum by about this much.
    main = plan.noise_multiplier * plan.loss.bound / (plan.n_rows * plan.penalty)
    assert solver_noise(plan) < 0.1 * main


@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 16.0])
def test_the_budget_is_spent_and_kept(n_classes: int, epsilon: float) -> None:
    for budget in (TrainingBudget(epsilon, 1e-5), TrainingBudget(epsilon, 1e-5, beside=epsilon / 3)):
        plan = TRAINER.plan(ProblemSize(2000, 5, n_classes), budget, NOTHING_SET)
        profile = TRAINER.profile(plan)
        assert profile == ObjectivePerturbationProfile(plan.noise_multiplier, stretch_of(plan))
        assert budget.admits(profile)
        assert not budget.admits(replace(profile, noise_multiplier=0.999 * plan.noise_multiplier))


def test_the_stretch_is_the_curvature_of_a_row_over_the_whole_penalty() -> None:
    number = TRAINER.plan(ProblemSize(1000, 3), BUDGET, TrainingChoices(penalty=0.01))
    classes = TRAINER.plan(ProblemSize(1000, 3, 2), BUDGET, TrainingChoices(penalty=0.01))
    assert (stretch_of(number), stretch_of(classes)) == (math.log1p(0.1), math.log1p(0.025))


@pytest.mark.parametrize("n_classes", [0, 2])
def test_one_more_row_moves_no_output_further_than_the_coupling_radius(n_classes: int) -> None:
    plan = TRAINER.plan(ProblemSize(50, 4, n_classes), BUDGET, TrainingChoices(penalty=0.05))
    radius = TRAINER.coupling_radius(plan)
    assert radius is not None
    for trial in range(20):
        x, y = rows(51, 4, n_classes, seed=trial)
        x /= np.linalg.norm(x, axis=1)[:, None]
        fewer = np.ones((51, 1))
        fewer[-1] = 0
        first, second = (
            TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(trial), included=mask).weights()[0]
            for mask in (fewer, np.ones((51, 1)))
        )
        assert np.linalg.norm((x @ (first - second)).reshape(51, -1), axis=1).max() <= radius


def test_twins_agree_with_scikit_learn() -> None:
    x, y = rows(200, 4, 0)
    plan = TRAINER.plan(ProblemSize(200, 4), NO_BUDGET, TrainingChoices(penalty=0.01))
    ours = TRAINER.fit_exactly(x, y, plan, np.ones((200, 1))).weights(0)[0]
    np.testing.assert_allclose(ours, Ridge(alpha=2.0, fit_intercept=False).fit(x, y).coef_, atol=1e-6)
    x, y = rows(200, 4, 2)
    plan = TRAINER.plan(ProblemSize(200, 4, 2), NO_BUDGET, TrainingChoices(penalty=0.01))
    chances = TRAINER.fit_exactly(x, y, plan, np.ones((200, 1))).predict(x)[:, 0]
    theirs = LogisticRegression(C=1 / 2.0, fit_intercept=False, tol=1e-9).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(chances, theirs, atol=1e-5)


def test_without_privacy_logistic_models_are_their_twins() -> None:
    x, y = rows(200, 4, 2)
    plan = TRAINER.plan(ProblemSize(200, 4, 2), NO_BUDGET, NOTHING_SET)
    assert TRAINER.profile(plan) == NoPrivacyProfile()
    clipped = TRAINER.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0))
    exact = TRAINER.fit_exactly(x, y, plan, np.ones((200, 1)))
    np.testing.assert_allclose(clipped.weights(1)[0], exact.weights(0)[0], atol=1e-6)


@pytest.mark.parametrize(
    ("choices", "n_classes", "sentence"),
    [
        (NOTHING_SET, 3, "is proved private for two classes, but the target holds 3; choose 'softmax'"),
        (TrainingChoices(step_size=0.5), 0, "step_size is 0.5, but trainer 'objective_perturbation' has no use"),
        (TrainingChoices(noise_multiplier=3.0), 0, "noise_multiplier is 3, but this budget needs at least"),
        (TrainingChoices(penalty=1e-4), 0, "penalty is too small for this budget"),
    ],
)
def test_choices_that_do_not_fit_are_refused(choices: TrainingChoices, n_classes: int, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TRAINER.plan(ProblemSize(1000, 3, n_classes), BUDGET, choices)


def test_the_noise_that_the_refusal_names_is_enough() -> None:
    with pytest.raises(InputError, match="at least") as refused:
        TRAINER.plan(ProblemSize(1000, 3), BUDGET, TrainingChoices(noise_multiplier=0.0))
    named = float(str(refused.value).rstrip(".").split()[-1])
    assert TRAINER.plan(ProblemSize(1000, 3), BUDGET, TrainingChoices(noise_multiplier=named)).noise_multiplier == named


@pytest.mark.parametrize("n_classes", [0, 2])
def test_defaults_work_from_few_rows_and_little_budget_to_many_and_much(n_classes: int) -> None:
    for n_rows in (5, 1000, 10**7):
        for epsilon in (0.01, 1.0, 1e6):
            plan = TRAINER.plan(ProblemSize(n_rows, 5, n_classes), TrainingBudget(epsilon, 1e-9), NOTHING_SET)
            assert 0 < plan.noise_multiplier < math.inf


def test_more_budget_predicts_better_and_much_of_it_as_well_as_clipping_alone() -> None:
    x, y = rows(800, 6, 0)
    size, errors = ProblemSize(800, 6), []
    for epsilon in (0.1, 0.5, 5.0, 1e6, math.inf):
        plan = TRAINER.plan(size, TrainingBudget(epsilon, 1e-5), NOTHING_SET)
        predicted = TRAINER.fit(x, y, plan, n_models=50, rng=np.random.default_rng(3)).predict(x)[:, :, 0]
        errors.append(np.sqrt(np.mean((predicted - y[:, None]) ** 2)))
    assert errors[0] > errors[1] > errors[2] >= errors[3] * (1 - 1e-3)
    assert errors[3] == pytest.approx(errors[4], rel=1e-3)


def test_a_good_public_start_helps() -> None:
    x, y = rows(100, 6, 0)
    plan = TRAINER.plan(ProblemSize(100, 6), BUDGET, NOTHING_SET)
    truth = np.linalg.lstsq(x, y, rcond=None)[0]
    runs = [
        TRAINER.fit(x, y, plan, n_models=50, rng=np.random.default_rng(0), start=start) for start in (None, (truth,))
    ]
    cold, warm = (np.mean((run.predict(x)[:, :, 0] - y[:, None]) ** 2) for run in runs)
    assert warm < 0.8 * cold
