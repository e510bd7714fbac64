"""Logistic, softmax and linear SVM as trainers: what they refuse, promise and reach."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.class_losses import SmoothedHinge, SoftmaxLoss
from dpcp_core.training.classifiers import LINEAR_SVM, LOGISTIC, SOFTMAX, LinearClassifier
from dpcp_core.training.protocol import Matrix, ProblemSize, Trainer, TrainingChoices

ALL = [(LOGISTIC, 2), (SOFTMAX, 2), (SOFTMAX, 4), (LINEAR_SVM, 2), (LINEAR_SVM, 4)]
EPSILON_1 = TrainingBudget(1.0, 1e-5)
NO_LIMIT = TrainingBudget(math.inf, 1e-5)
Codes = npt.NDArray[np.int64]


def table(n: int, d: int, n_classes: int, seed: int = 0) -> tuple[Matrix, Codes]:
    """Encoded rows and classes that a linear model explains well."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    logits = x @ rng.normal(size=(d, n_classes))
    codes = np.argmax(3 * logits / logits.std() + rng.gumbel(size=logits.shape), axis=1)
    rows = np.column_stack([np.ones(n), x]) / math.sqrt(1.3 * (1 + d))
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1)[:, None] * (1 + 1e-6)
    return rows.astype(np.float32), codes


def accuracy(probabilities: Matrix, codes: Codes) -> float:
    return float((probabilities.argmax(axis=2) == codes[:, None]).mean())


@pytest.mark.parametrize(("trainer", "n_classes"), ALL)
def test_clip_only_matches_the_non_private_twin(trainer: LinearClassifier, n_classes: int) -> None:
    x, codes = table(6000, 5, n_classes)
    plan = trainer.plan(ProblemSize(3000, 6, n_classes), NO_LIMIT, TrainingChoices())
    assert plan.noise_multiplier == 0
    clipped = trainer.fit(x[:3000], codes[:3000], plan, n_models=1, rng=np.random.default_rng(0))
    twin = trainer.fit_exactly(x[:3000], codes[:3000], plan, np.ones((3000, 1)))
    best = accuracy(twin.predict(x[3000:]), codes[3000:])
    assert best > 0.7
    assert accuracy(clipped.predict(x[3000:]), codes[3000:]) == pytest.approx(best, abs=0.02)


@pytest.mark.parametrize(("trainer", "n_classes"), ALL)
def test_more_budget_is_never_clearly_worse(trainer: LinearClassifier, n_classes: int) -> None:
    x, codes = table(4000, 8, n_classes)
    found, errors = [], []
    for epsilon in (0.05, 0.5, 2.0, 16.0):
        plan = trainer.plan(ProblemSize(2000, 9, n_classes), TrainingBudget(epsilon, 1e-5), TrainingChoices())
        models = trainer.fit(x[:2000], codes[:2000], plan, n_models=20, rng=np.random.default_rng(1))
        right = (models.predict(x[2000:]).argmax(axis=2) == codes[2000:, None]).mean(axis=0)
        found.append(right.mean())
        errors.append(right.std() / math.sqrt(20) + 0.005)
    for less, more, error in zip(found, found[1:], errors, strict=False):
        assert more > less - 2 * error
    assert found[-1] > found[0] + 0.02


@pytest.mark.parametrize(("trainer", "n_classes"), ALL)
def test_probabilities_sum_to_one_for_every_row_and_model(trainer: LinearClassifier, n_classes: int) -> None:
    x, codes = table(300, 4, n_classes)
    plan = trainer.plan(ProblemSize(300, 5, n_classes), EPSILON_1, TrainingChoices(steps=5, step_size=2.0))
    models = trainer.fit(x, codes, plan, n_models=3, rng=np.random.default_rng(0))
    probabilities = models.predict(x[:7])
    assert probabilities.shape == (7, 3, n_classes)
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=2), 1, atol=1e-5)
    (weights,) = models.weights(1)
    alone = dataclasses.replace(models, coefficients=weights.T[:, None])
    np.testing.assert_allclose(alone.predict(x[:7])[:, 0], probabilities[:, 1], atol=1e-6)


def test_softmax_without_noise_or_bounds_is_that_of_scikit_learn() -> None:
    x, codes = table(800, 4, 3)
    wide, penalty = x.astype(np.float64), 1e-3
    plan = SOFTMAX.plan(ProblemSize(800, 5, 3), NO_LIMIT, TrainingChoices(penalty=penalty))
    ours = SOFTMAX.fit_exactly(wide, codes, plan, np.ones((800, 1))).predict(wide)[:, 0]
    theirs = LogisticRegression(C=1 / (800 * penalty), fit_intercept=False, tol=1e-8, max_iter=5000).fit(wide, codes)
    np.testing.assert_allclose(ours, theirs.predict_proba(wide), atol=2e-3)


def test_each_exact_fit_sees_its_own_rows_only() -> None:
    x, codes = table(600, 3, 2)
    included = np.ones((600, 2))
    included[200:, 1] = 0
    plan = LOGISTIC.plan(ProblemSize(600, 4, 2), NO_LIMIT, TrainingChoices(penalty=0.01))
    both = LOGISTIC.fit_exactly(x.astype(np.float64), codes, plan, included)
    alone = LOGISTIC.fit_exactly(x[:200].astype(np.float64), codes[:200], plan, np.ones((200, 1)))
    np.testing.assert_allclose(both.weights(1)[0], alone.weights(0)[0], atol=5e-3)
    assert np.abs(both.weights(0)[0] - alone.weights(0)[0]).max() > 0.05


@pytest.mark.parametrize(("trainer", "n_classes"), ALL)
def test_one_more_row_moves_no_vector_of_logits_further_than_promised(
    trainer: LinearClassifier, n_classes: int
) -> None:
    for seed in range(10):
        x, codes = (part[:41] for part in table(41, 5, n_classes, seed))
        x = x.astype(np.float64) / np.linalg.norm(x, axis=1, keepdims=True)
        plan = trainer.plan(ProblemSize(40, 6, n_classes), EPSILON_1, TrainingChoices(steps=40, noise_multiplier=60))
        ends = [
            trainer.fit(x[:m], codes[:m], plan, n_models=1, rng=np.random.default_rng(5)).predict(x)[:, 0]
            for m in (41, 40)
        ]
        # Logits are known up to a constant for each row; the closest pair of them is centred.
        logits = [np.log(np.maximum(end, 1e-300)) for end in ends]
        moved = logits[0] - logits[1]
        moved -= moved.mean(axis=1, keepdims=True)
        radius = trainer.coupling_radius(plan)
        assert radius is not None
        assert np.linalg.norm(moved, axis=1).max() <= radius * (1 + 1e-6)


def test_two_classes_have_logits_minus_half_and_plus_half_the_margin() -> None:
    x, codes = table(50, 3, 2)
    plan = LOGISTIC.plan(ProblemSize(50, 4, 2), EPSILON_1, TrainingChoices())
    models = LOGISTIC.fit(x, codes, plan, n_models=1, rng=np.random.default_rng(0))
    margins = models.coefficients.reshape(1, -1) @ x.T
    assert np.array_equal(models.loss.logits(margins), np.concatenate([-margins, margins]) / 2)
    np.testing.assert_allclose(models.predict(x)[:, 0, 1], 1 / (1 + np.exp(-margins[0])), atol=1e-5)


def test_logistic_refuses_three_classes_and_names_softmax() -> None:
    with pytest.raises(InputError, match="has 3; use 'softmax'"):
        LOGISTIC.plan(ProblemSize(100, 5, 3), EPSILON_1, TrainingChoices())


@pytest.mark.parametrize("trainer", [LOGISTIC, SOFTMAX, LINEAR_SVM])
def test_a_numeric_target_is_refused(trainer: LinearClassifier) -> None:
    with pytest.raises(InputError, match="predicts classes, but the target holds numbers"):
        trainer.plan(ProblemSize(100, 5), EPSILON_1, TrainingChoices())


def test_noise_that_overspends_is_refused() -> None:
    with pytest.raises(InputError, match="need at least"):
        SOFTMAX.plan(ProblemSize(100, 5, 3), EPSILON_1, TrainingChoices(steps=10, noise_multiplier=1.0))


def test_a_code_outside_the_classes_is_refused() -> None:
    plan = SOFTMAX.plan(ProblemSize(3, 1, 3), EPSILON_1, TrainingChoices())
    with pytest.raises(InputError, match="outside 0 to 2"):
        SOFTMAX.fit(np.zeros((3, 1)), np.array([0, 1, 3]), plan, n_models=1, rng=np.random.default_rng(0))


@pytest.mark.parametrize("trainer", [SOFTMAX, LINEAR_SVM])
def test_sixty_classes_work_also_where_one_has_a_single_member(trainer: LinearClassifier) -> None:
    x, _ = table(2000, 10, 2)
    codes = np.random.default_rng(0).integers(0, 59, 2000)
    codes[0] = 59
    plan = trainer.plan(ProblemSize(2000, 11, 60), EPSILON_1, TrainingChoices())
    probabilities = trainer.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(0)).predict(x)
    assert probabilities.shape == (2000, 2, 60)
    assert np.isfinite(probabilities).all()
    exact = trainer.fit_exactly(x, codes, plan, np.ones((2000, 1))).predict(x)
    assert accuracy(exact, codes) > 1 / 60


@given(st.integers(2, 10**7), st.integers(2, 60), st.floats(0.01, 50), st.floats(0, 2))
@settings(deadline=None, max_examples=50)
def test_default_plans_are_coupled_and_spend_the_whole_budget(n: int, k: int, epsilon: float, penalty: float) -> None:
    for trainer in (LOGISTIC, SOFTMAX, LINEAR_SVM):
        n_classes = 2 if trainer is LOGISTIC else k
        budget = TrainingBudget(epsilon, 1e-5)
        plan = trainer.plan(ProblemSize(n, 12, n_classes), budget, TrainingChoices(penalty=penalty))
        assert trainer.coupling_radius(plan) is not None
        profile = trainer.profile(plan)
        assert isinstance(profile, GaussianProfile)
        assert profile.mu == pytest.approx(budget.mu)


def test_profiles_follow_the_plan() -> None:
    size = ProblemSize(1000, 5, 3)
    batches = SOFTMAX.plan(size, EPSILON_1, TrainingChoices(batch_size=100, epochs=2))
    assert (batches.steps, batches.sampling_rate) == (20, 0.1)
    assert SOFTMAX.profile(batches) == SubsampledGaussianProfile(batches.noise_multiplier, 0.1, 20)
    assert SOFTMAX.coupling_radius(batches) is None
    assert SOFTMAX.profile(SOFTMAX.plan(size, NO_LIMIT, TrainingChoices())) == NoPrivacyProfile()


def test_a_clip_norm_never_buys_more_noise_than_a_row_can_do() -> None:
    size = ProblemSize(1000, 5, 3)
    assert SOFTMAX.plan(size, EPSILON_1, TrainingChoices(max_grad_norm=9.0)).max_grad_norm == math.sqrt(2)
    assert LINEAR_SVM.plan(size, EPSILON_1, TrainingChoices(max_grad_norm=9.0)).max_grad_norm == math.sqrt(1.5)
    shorter = SOFTMAX.plan(size, EPSILON_1, TrainingChoices(max_grad_norm=0.5))
    assert shorter.max_grad_norm == 0.5
    full = SOFTMAX.plan(size, EPSILON_1, TrainingChoices(max_grad_norm=2.0, steps=10, step_size=1.0))
    cut = SOFTMAX.plan(size, EPSILON_1, TrainingChoices(max_grad_norm=0.5, steps=10, step_size=1.0))
    assert SOFTMAX.coupling_radius(cut) == pytest.approx(SOFTMAX.coupling_radius(full) * 0.5 / math.sqrt(2))
    assert "clipped" in SOFTMAX.describe(shorter).sensitivity


def test_poisson_batches_learn_as_full_ones_do() -> None:
    x, codes = table(4000, 5, 3)
    found = []
    for rate in (1.0, 0.2):
        plan = SOFTMAX.plan(ProblemSize(2000, 6, 3), TrainingBudget(8.0, 1e-5), TrainingChoices(sampling_rate=rate))
        models = SOFTMAX.fit(x[:2000], codes[:2000], plan, n_models=3, rng=np.random.default_rng(0))
        found.append(accuracy(models.predict(x[2000:]), codes[2000:]))
    assert found[1] == pytest.approx(found[0], abs=0.03)


def test_a_row_left_out_is_as_good_as_empty() -> None:
    x, codes = table(100, 4, 3)
    plan = SOFTMAX.plan(ProblemSize(100, 5, 3), EPSILON_1, TrainingChoices())
    included = np.ones((100, 2))
    included[50:, 1] = 0
    masked = SOFTMAX.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(0), included=included)
    emptied = np.where(np.arange(100)[:, None] < 50, x, 0)
    empty = SOFTMAX.fit(emptied, codes, plan, n_models=2, rng=np.random.default_rng(0))
    np.testing.assert_allclose(masked.weights(1)[0], empty.weights(1)[0], atol=1e-3)
    assert np.abs(masked.weights(0)[0] - empty.weights(0)[0]).max() > 1e-2


def test_a_public_start_is_where_training_begins() -> None:
    x, codes = table(3000, 5, 3)
    plan = SOFTMAX.plan(ProblemSize(3000, 6, 3), NO_LIMIT, TrainingChoices(steps=1, step_size=1e-9))
    public = SOFTMAX.fit_exactly(x, codes, plan, np.ones((3000, 1)))
    warm = SOFTMAX.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(0), start=public.weights())
    np.testing.assert_allclose(warm.weights(1)[0], public.weights()[0], atol=1e-5)
    with pytest.raises(InputError, match="train it on the same columns"):
        SOFTMAX.fit(x, codes, plan, n_models=1, rng=np.random.default_rng(0), start=(np.zeros((5, 3)),))


def test_a_trace_shows_the_loss_fall_and_what_was_clipped() -> None:
    x, codes = table(1000, 5, 2)
    size = ProblemSize(1000, 6, 2)
    choices = TrainingChoices(steps=200, max_grad_norm=0.3)
    plan = LOGISTIC.plan(size, NO_LIMIT, choices)
    trace = LOGISTIC.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(0), record=True).trace
    assert trace is not None
    assert len(trace.step) == 50
    assert (trace.step[0], trace.step[-1]) == (1, 200)
    assert trace.loss[0] == pytest.approx(math.log(2), rel=1e-4)
    assert trace.loss[-1] < 0.8 * trace.loss[0]
    assert trace.clipped_share[0] > 0.8 > trace.clipped_share[-1] > 0
    assert 0 < trace.gradient_norm[-1] < trace.gradient_norm[0] <= 0.5
    assert LOGISTIC.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(0)).trace is None


def test_a_record_changes_nothing_that_is_fitted() -> None:
    x, codes = table(200, 3, 3)
    plan = SOFTMAX.plan(ProblemSize(200, 4, 3), EPSILON_1, TrainingChoices(sampling_rate=0.3, steps=20))
    fits = [
        SOFTMAX.fit(x, codes, plan, n_models=2, rng=np.random.default_rng(3), record=record) for record in (True, False)
    ]
    assert np.array_equal(fits[0].coefficients, fits[1].coefficients)


def test_one_against_the_rest_counts_the_rest_as_much_as_the_one() -> None:
    loss = SmoothedHinge()
    truth = loss.truth(np.array([1]), 5, np.float64)
    assert truth[1, 0] == 1
    assert truth.sum() == pytest.approx(0)
    assert loss.longest_residual(5) == pytest.approx(np.linalg.norm(truth))


def test_softmax_survives_margins_beyond_what_an_exponential_holds() -> None:
    loss = SoftmaxLoss()
    margins = np.array([[5000.0, -5000.0], [0.0, 0.0]], dtype=np.float32)[:, None]
    truth = loss.truth(np.array([0, 0]), 2, np.float32)[:, None]
    assert loss.values(margins.copy(), truth).tolist() == [[0.0, 5000.0]]
    assert loss.residuals(margins, truth)[:, 0].T.tolist() == [[0.0, 0.0], [-1.0, 1.0]]


def test_they_are_trainers() -> None:
    trainers: list[Trainer[Any]] = [LOGISTIC, SOFTMAX, LINEAR_SVM]
    assert [trainer.name for trainer in trainers] == ["logistic", "softmax", "linear_svm"]
    for trainer in trainers:
        assert trainer.sentence.endswith(".")
        assert 2 <= len(trainer.title.split()) <= 3
