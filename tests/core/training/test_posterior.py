from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.linear_model import Ridge

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.posterior import PosteriorDefaults, PosteriorPlan, PosteriorSample, posterior
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.statistics import sums, symmetric_noise

TRAINER = PosteriorSample()
BUDGET, NO_BUDGET = TrainingBudget(1.0, 1e-5), TrainingBudget(math.inf, 1e-5)


def rows(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    x /= np.maximum(np.linalg.norm(x, axis=1), 1)[:, None]
    return x, x @ rng.normal(size=d) + 0.3 * rng.normal(size=n)


def test_without_privacy_noise_draws_come_from_the_exact_conjugate_posterior() -> None:
    x, y = rows(60, 3)
    plan = PosteriorPlan(60, 100.0, 0.1, 0.0, noise_precision=5.0, prior_precision=2.0)
    draws = TRAINER.fit(x, y, plan, n_models=60_000, rng=np.random.default_rng(1)).coefficients
    covariance = np.linalg.inv(5 * x.T @ x + 2 * np.eye(3))
    np.testing.assert_allclose(draws.mean(axis=1), covariance @ (5 * x.T @ y), atol=0.01)
    np.testing.assert_allclose(np.cov(draws), covariance, atol=0.002)


@pytest.mark.parametrize("mu", [0.3, 1.0, 10.0])
def test_draws_know_how_uncertain_they_are(mu: float) -> None:
    """Weights from the prior, rows from the model, released sums: the truth is one more draw of the posterior."""
    rng, n, d, repetitions = np.random.default_rng(2), 400, 3, 600
    plan = PosteriorPlan(n, 2.0, None, 1 / mu, noise_precision=8.0, prior_precision=4.0)
    x, _ = rows(n, d)
    truths = rng.normal(size=(repetitions, d)) / 2
    ranks = []
    for truth in truths:
        y = x @ truth + rng.normal(size=n) / math.sqrt(8)
        gram, moment = sums(x, y, 2.0, 1)
        noisy = moment + plan.noise(2) * 2.0 * rng.standard_normal((1, d))
        mean, spread, vectors = posterior(gram + plan.noise(2) * symmetric_noise(rng, 1, d), noisy, plan)
        ranks.append(norm.cdf((truth @ vectors[0] - mean[0]) / spread[0]))
    inside = np.mean(np.abs(np.array(ranks) - 0.5) < 0.45)
    assert 0.86 < inside < 0.96


@pytest.mark.parametrize("bound", [0.5, 1.5])
def test_both_sums_get_noise_of_the_stated_size(bound: float) -> None:
    """With one feature, many rows and no other uncertainty a draw moves by (e - E w) / g and its own spread."""
    n, mu, w = 100_000, 0.25, 0.4
    plan = PosteriorPlan(n, bound, None, 1 / mu, noise_precision=1e9, prior_precision=1.0)
    x, y = np.ones((n, 1)), np.full(n, w)
    models = TRAINER.fit(x, y, plan, n_models=40_000, rng=np.random.default_rng(3))
    noise = 2 / mu**2 * (bound**2 + w**2)
    own = 2 / mu**2 * (bound**2 + 1)
    assert models.coefficients.std() * n == pytest.approx(math.sqrt(noise + own), rel=0.02)


def test_the_budget_is_spent_and_kept() -> None:
    plan = TRAINER.plan(ProblemSize(1000, 5), BUDGET, TrainingChoices())
    assert TRAINER.profile(plan) == GaussianProfile(1 / plan.noise_multiplier)
    assert BUDGET.admits(TRAINER.profile(plan))
    assert not BUDGET.admits(GaussianProfile(1.001 / plan.noise_multiplier))
    assert TRAINER.profile(TRAINER.plan(ProblemSize(1000, 5), NO_BUDGET, TrainingChoices())) == NoPrivacyProfile()
    assert TRAINER.coupling_radius(plan) is None


def test_the_twin_is_the_posterior_mean_which_is_ridge() -> None:
    x, y = rows(200, 4)
    plan = TRAINER.plan(ProblemSize(200, 4), BUDGET, TrainingChoices())
    ours = TRAINER.fit_exactly(x, y, plan, np.ones((200, 1))).coefficients[:, 0]
    defaults = PosteriorDefaults()
    alpha = defaults.prior_precision / defaults.noise_precision
    np.testing.assert_allclose(ours, Ridge(alpha=alpha, fit_intercept=False).fit(x, y).coef_, atol=1e-5)


def test_a_penalty_is_a_prior() -> None:
    plan = TRAINER.plan(ProblemSize(500, 4), BUDGET, TrainingChoices(penalty=0.02))
    assert plan.prior_precision == pytest.approx(0.02 * 500 * PosteriorDefaults().noise_precision)
    assert plan.penalty == 0.02


def test_where_rows_say_nothing_draws_come_from_the_prior_about_the_public_start() -> None:
    plan = TRAINER.plan(ProblemSize(10**6, 2), TrainingBudget(0.01, 1e-6), TrainingChoices())
    start = (np.array([3.0, -1.0]),)
    models = TRAINER.fit(
        np.zeros((5, 2)), np.zeros(5), plan, n_models=20_000, rng=np.random.default_rng(4), start=start
    )
    np.testing.assert_allclose(models.coefficients.mean(axis=1), start[0], atol=0.02)
    np.testing.assert_allclose(models.coefficients.std(axis=1), 0.5, rtol=0.05)


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
        (ProblemSize(100, 3, 2), TrainingChoices(), "trainer 'posterior_sample' predicts numbers"),
        (ProblemSize(100, 3), TrainingChoices(epochs=3), "epochs is 3, but trainer 'posterior_sample' has no use"),
        (ProblemSize(100, 3), TrainingChoices(penalty=0.0), "penalty is 0.0 but must be a number above 0"),
        (ProblemSize(100, 3), TrainingChoices(max_grad_norm=0.0), "max_grad_norm is 0.0 but must be"),
    ],
)
def test_what_does_not_fit_is_refused(size: ProblemSize, choices: TrainingChoices, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        TRAINER.plan(size, BUDGET, choices)
