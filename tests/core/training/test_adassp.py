from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.adassp import AdaSSP, released_ridge, solve_projected
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.statistics import StatisticsPlan, sums, symmetric_noise

TRAINER = AdaSSP()
BUDGET, NO_BUDGET = TrainingBudget(1.0, 1e-5), TrainingBudget(math.inf, 1e-5)


def rows(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x /= np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]
    return x, x @ rng.normal(size=d) + 0.3 * rng.normal(size=n)


def test_no_row_moves_a_sum_further_than_stated_and_one_gets_there() -> None:
    furthest = np.zeros(3)
    for trial in range(100):
        x, y = rows(30, 3, seed=trial)
        x[0] /= np.linalg.norm(x[0]) * (1 + trial % 3)
        y[0] = 1e6 * (-1) ** trial
        everyone = np.ones((30, 2))
        everyone[0, 1] = 0
        gram, moment = sums(x, y, 0.7, 2, everyone)
        smallest = np.linalg.eigvalsh(gram)[:, 0]
        moved = np.linalg.norm(gram[0] - gram[1]), np.linalg.norm(moment[0] - moment[1]), abs(np.diff(smallest)[0])
        furthest = np.maximum(furthest, moved)
    assert furthest[:2] == pytest.approx([1.0, 0.7], rel=1e-9)
    assert furthest[2] <= 1
    # With few others a row can carry the smallest eigenvalue alone.
    alone = sums(np.ones((1, 1)), np.zeros(1), 1.0, 1)[0]
    assert np.linalg.eigvalsh(alone)[0, 0] == 1


def test_masked_sums_are_the_sums_of_the_rows_left() -> None:
    x, y = rows(50, 4)
    mask = (np.random.default_rng(1).random((50, 3)) < 0.5).astype(np.float32)
    gram, moment = sums(x, y, math.inf, 3, mask)
    for k in range(3):
        kept = mask[:, k] > 0
        np.testing.assert_allclose(gram[k], x[kept].T @ x[kept], atol=1e-12)
        np.testing.assert_allclose(moment[k], x[kept].T @ y[kept], atol=1e-12)


def test_matrix_noise_is_standard_in_the_frobenius_geometry() -> None:
    noise = symmetric_noise(np.random.default_rng(2), 40_000, 3)
    np.testing.assert_array_equal(noise, noise.transpose(0, 2, 1))
    coordinates = np.column_stack(
        [noise[:, i, i] for i in range(3)] + [math.sqrt(2) * noise[:, i, j] for i, j in ((0, 1), (0, 2), (1, 2))]
    )
    np.testing.assert_allclose(np.cov(coordinates.T), np.eye(6), atol=0.03)


@pytest.mark.parametrize("d", [1, 3, 20])
def test_the_noise_of_the_matrix_is_rarely_larger_than_the_ridge_assumes(d: int) -> None:
    norms = np.abs(np.linalg.eigvalsh(symmetric_noise(np.random.default_rng(3), 4000, d))).max(axis=1)
    assert np.mean(norms > math.sqrt(2 * d) + math.sqrt(2 * math.log(20))) < 0.05


def test_the_ridge_adapts_to_the_smallest_eigenvalue() -> None:
    rng = np.random.default_rng(4)
    whole = 10 * (math.sqrt(6) + math.sqrt(2 * math.log(20)))
    nothing = released_ridge(np.zeros((500, 3, 3)), 10.0, rng)
    assert np.mean(nothing == whole) > 0.98
    assert np.all(released_ridge(np.broadcast_to(1e6 * np.eye(3), (500, 3, 3)), 10.0, rng) == 0)
    half = released_ridge(np.broadcast_to(50 * np.eye(3), (4000, 3, 3)), 10.0, rng)
    assert half.mean() == pytest.approx(whole - (50 - 10 * math.sqrt(2 * math.log(20))), rel=0.02)
    assert half.std() == pytest.approx(10, rel=0.05)


@pytest.mark.parametrize(("penalty", "parts"), [(None, 3), (1e-9, 2)])
def test_both_sums_get_noise_of_the_stated_size(penalty: float | None, parts: int) -> None:
    """With one feature and many rows the solution is (m + e) / (g + E), which noise moves by (e - E w) / g."""
    n, bound = 1_000_000, 0.8
    plan = TRAINER.plan(ProblemSize(n, 1), BUDGET, TrainingChoices(penalty=penalty, max_grad_norm=bound))
    x, y = np.ones((1000, 1)), np.full(1000, 0.6)
    x_many = np.repeat(x, 20, axis=0)
    models = TRAINER.fit(x_many, np.repeat(y, 20), plan, n_models=40_000, rng=np.random.default_rng(5))
    spread = models.coefficients[0].std() * len(x_many)
    assert spread == pytest.approx(math.sqrt(parts) / BUDGET.mu * math.hypot(bound, 0.6), rel=0.02)


def test_a_large_penalty_shows_the_noise_of_the_moment_alone() -> None:
    plan = TRAINER.plan(ProblemSize(100, 2), BUDGET, TrainingChoices(penalty=1e4, max_grad_norm=0.8))
    models = TRAINER.fit(np.zeros((3, 2)), np.zeros(3), plan, n_models=20_000, rng=np.random.default_rng(6))
    wanted = math.sqrt(2) / BUDGET.mu * 0.8
    np.testing.assert_allclose(models.coefficients.std(axis=1) * 1e4 * 100, wanted, rtol=0.02)


def test_the_budget_is_spent_and_kept() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 5), BUDGET, TrainingChoices())
    assert TRAINER.profile(plan) == GaussianProfile(1 / plan.noise_multiplier)
    assert BUDGET.admits(TRAINER.profile(plan))
    assert not BUDGET.admits(GaussianProfile(1.001 / plan.noise_multiplier))
    assert plan.noise(3) == pytest.approx(math.sqrt(3) / BUDGET.mu)


def test_without_noise_it_is_least_squares_or_ridge() -> None:
    x, y = rows(300, 4)
    y_kept = np.clip(y, -1.5, 1.5)
    mask = np.ones((300, 2))
    plan = TRAINER.plan(ProblemSize(300, 4), NO_BUDGET, TrainingChoices())
    assert TRAINER.profile(plan) == NoPrivacyProfile()
    ours = TRAINER.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0), included=mask).coefficients
    plain = LinearRegression(fit_intercept=False)
    np.testing.assert_allclose(ours[:, 1], plain.fit(x, y_kept).coef_, atol=1e-5)
    np.testing.assert_allclose(
        TRAINER.fit_exactly(x, y, plan, mask).coefficients[:, 0], plain.fit(x, y).coef_, atol=1e-5
    )
    ridged = TRAINER.plan(ProblemSize(300, 4), NO_BUDGET, TrainingChoices(penalty=0.01))
    theirs = Ridge(alpha=3.0, fit_intercept=False).fit(x, y).coef_
    np.testing.assert_allclose(TRAINER.fit_exactly(x, y, ridged, mask).coefficients[:, 0], theirs, atol=1e-6)


def test_negative_eigenvalues_of_a_noisy_matrix_count_as_none() -> None:
    gram = np.array([[[-5.0, 0.0], [0.0, 3.0]]])
    assert solve_projected(gram, np.array([[2.0, 8.0]]), np.array([1.0])).tolist() == [[2.0, 2.0]]


def test_public_weights_are_kept_where_the_rows_say_nothing() -> None:
    plan = TRAINER.plan(ProblemSize(100, 2), NO_BUDGET, TrainingChoices(penalty=0.1))
    start = (np.array([0.3, -0.2]),)
    models = TRAINER.fit(np.zeros((5, 2)), np.zeros(5), plan, n_models=1, rng=np.random.default_rng(0), start=start)
    assert models.coefficients[:, 0].tolist() == [0.3, -0.2]


def test_targets_are_clipped_after_public_weights_were_taken_off() -> None:
    x, y = np.ones((10, 1)), np.full(10, 5.0)
    plan = TRAINER.plan(ProblemSize(10, 1), NO_BUDGET, TrainingChoices(max_grad_norm=1.0))
    warm = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0), start=(np.array([4.5]),))
    cold = TRAINER.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0))
    assert (warm.coefficients[0, 0], cold.coefficients[0, 0]) == pytest.approx((5.0, 1.0), rel=1e-6)


def test_more_budget_predicts_better() -> None:
    x, y = rows(3000, 5)
    errors = []
    for epsilon in (0.2, 1.0, 5.0, 1e6):
        plan = TRAINER.plan(ProblemSize(3000, 5), TrainingBudget(epsilon, 1e-5), TrainingChoices())
        predicted = TRAINER.fit(x, y, plan, n_models=100, rng=np.random.default_rng(7)).predict(x)[:, :, 0]
        errors.append(np.sqrt(np.mean((predicted - y[:, None]) ** 2)))
    assert errors[0] > errors[1] > errors[2] > errors[3]


@pytest.mark.parametrize(
    ("size", "choices", "sentence"),
    [
        (ProblemSize(100, 3, 2), TrainingChoices(), "trainer 'adassp' predicts numbers, but the target holds classes"),
        (ProblemSize(100, 3), TrainingChoices(steps=3), "steps is 3, but trainer 'adassp' has no use for it"),
        (ProblemSize(100, 3), TrainingChoices(noise_multiplier=1.0), "noise_multiplier is 1"),
        (ProblemSize(100, 3), TrainingChoices(penalty=-1.0), "penalty is -1.0 but must be"),
    ],
)
def test_what_does_not_fit_is_refused(size: ProblemSize, choices: TrainingChoices, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TRAINER.plan(size, BUDGET, choices)


def test_the_receipt_says_what_was_released() -> None:
    note = TRAINER.describe(StatisticsPlan(1000, 1.5, None, 2.0))
    assert note.sensitivity == "1 for X'X and its eigenvalue, 1.5 for X'y"
    assert note.detail == "noise of 3.464 times that on each of the smallest eigenvalue of X'X, X'X and X'y"
