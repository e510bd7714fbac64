"""The network trainer: its public plan, what a fit learns, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.mlp import Mlp
from dpcp_core.training.mlp_plan import MlpDefaults, TwinDefaults
from dpcp_core.training.protocol import ProblemSize, TrainingChoices

MLP = Mlp()
NOTHING_SET, NO_LIMIT = TrainingChoices(), TrainingBudget(math.inf, 1e-5)
Rows = tuple[np.ndarray, np.ndarray]


def crossed(n: int, seed: int = 0) -> Rows:
    """Return rows whose class is whether two columns have the same sign: nothing for a straight line."""
    rng = np.random.default_rng(seed)
    columns = rng.uniform(-1, 1, size=(n, 2))
    x = np.column_stack([np.ones(n), columns]) / math.sqrt(3)
    return x.astype(np.float32), (columns[:, 0] * columns[:, 1] > 0).astype(np.int64)


def accuracy(models, rows: Rows) -> float:
    return float((models.predict(rows[0]).argmax(axis=2) == rows[1][:, None]).mean())


def test_what_a_person_sets_wins_over_the_defaults() -> None:
    choices = TrainingChoices(
        step_size=0.3, max_grad_norm=2.0, penalty=0.01, noise_multiplier=50, batch_size=100, epochs=2,
        warmup_share=0.2, decay="cosine",
    )  # fmt: skip
    descent = MLP.plan(ProblemSize(1000, 5), TrainingBudget(1.0, 1e-5), choices).descent
    assert (descent.step_size, descent.max_grad_norm, descent.penalty) == (0.3, 2.0, 0.01)
    assert (descent.noise_multiplier, descent.sampling_rate, descent.steps) == (50, 0.1, 20)
    assert (descent.warmup_share, descent.decay) == (0.2, "cosine")


@pytest.mark.parametrize("beside", [0.0, 0.5])
@pytest.mark.parametrize("choices", [NOTHING_SET, TrainingChoices(sampling_rate=1), TrainingChoices(batch_size=100)])
def test_every_plan_keeps_to_its_budget(beside: float, choices: TrainingChoices) -> None:
    spending = TrainingBudget(2.0, 1e-5, beside)
    profile = MLP.profile(MLP.plan(ProblemSize(1000, 5, 3), spending, choices))
    assert spending.admits(profile)
    assert not replace(spending, epsilon=1.9).admits(profile)


def test_too_little_noise_is_refused_with_what_is_needed() -> None:
    with pytest.raises(InputError, match=r"noise_multiplier is 1, but .* need at least"):
        MLP.plan(ProblemSize(1000, 5), TrainingBudget(1.0, 1e-5), TrainingChoices(noise_multiplier=1))


def test_batches_and_budgets_have_the_profile_of_their_mechanism() -> None:
    size, spending = ProblemSize(1000, 5), TrainingBudget(1.0, 1e-5)
    assert isinstance(MLP.profile(MLP.plan(size, spending, NOTHING_SET)), SubsampledGaussianProfile)
    full = MLP.profile(MLP.plan(size, spending, TrainingChoices(sampling_rate=1)))
    assert isinstance(full, GaussianProfile)
    assert full.mu == pytest.approx(spending.mu)
    assert MLP.profile(MLP.plan(size, NO_LIMIT, NOTHING_SET)) == NoPrivacyProfile()


def test_a_budget_as_good_as_none_is_accounted_for_at_once_and_still_valid() -> None:
    spending = TrainingBudget(1e6, 1e-5)
    plan = MLP.plan(ProblemSize(4000, 5), spending, NOTHING_SET)
    assert 0 < plan.descent.noise_multiplier < 0.1
    assert plan.descent.sampling_rate < 1
    assert spending.admits(MLP.profile(plan))


@given(st.integers(2, 10**7), st.one_of(st.floats(1e-3, 1e3), st.just(math.inf)))
def test_default_steps_and_batches_are_possible_at_every_size(n_rows: int, mu: float) -> None:
    steps = MlpDefaults().steps(n_rows, mu)
    assert MlpDefaults().fewest_steps <= steps <= MlpDefaults().most_steps
    assert 0 < MlpDefaults().sampling_rate(n_rows, mu, steps) <= 1
    assert 0 < TwinDefaults().plan(n_rows).sampling_rate <= 1


def test_clipping_without_noise_learns_what_no_straight_line_can() -> None:
    rows, fresh = crossed(2000), crossed(2000, seed=1)
    plan = MLP.plan(ProblemSize(2000, 3, 2), NO_LIMIT, NOTHING_SET)
    twin = MLP.fit_exactly(*rows, plan, np.ones((2000, 1)))
    clipped = MLP.fit(*rows, plan, n_models=1, rng=np.random.default_rng(0))
    assert accuracy(twin, fresh) > 0.93
    assert accuracy(clipped, fresh) > accuracy(twin, fresh) - 0.03


def test_more_budget_is_better() -> None:
    rows, fresh = crossed(1000), crossed(2000, seed=1)
    found = []
    for epsilon in (0.2, 1.0, 10.0):
        plan = MLP.plan(ProblemSize(1000, 3, 2), TrainingBudget(epsilon, 1e-5), NOTHING_SET)
        found.append(accuracy(MLP.fit(*rows, plan, n_models=3, rng=np.random.default_rng(0)), fresh))
    assert found[0] + 0.05 < found[1] < found[2]


def test_a_number_that_bends_is_fitted_better_than_by_a_straight_line() -> None:
    x, _ = crossed(3000)
    y = np.abs(3 * x[:, 1]) - 0.8
    plan = MLP.plan(ProblemSize(3000, 3), TrainingBudget(8.0, 1e-5), NOTHING_SET)
    models = MLP.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0))
    assert models.predict(x).shape == (3000, 2, 1)
    assert np.mean((models.predict(x)[:, :, 0] - y[:, None]) ** 2) < 0.1 * y.var()


def test_sixty_classes_get_probabilities_that_sum_to_one() -> None:
    rng = np.random.default_rng(0)
    x, y = crossed(600)[0], rng.integers(0, 60, size=600)
    plan = MLP.plan(ProblemSize(600, 3, 60), TrainingBudget(1.0, 1e-5), TrainingChoices(sampling_rate=1, steps=20))
    found = MLP.fit(x, y, plan, n_models=2, rng=rng).predict(x)
    assert found.shape == (600, 2, 60)
    np.testing.assert_allclose(found.sum(axis=2), 1, atol=1e-5)


def test_a_row_left_out_has_no_influence() -> None:
    x, y = crossed(300)
    included = np.ones((300, 2))
    included[100:, 1] = 0
    plan = MLP.plan(ProblemSize(300, 3, 2), NO_LIMIT, TrainingChoices(steps=15, sampling_rate=0.5))
    other = x.copy()
    other[100:] = 0.3
    one, two = (
        MLP.fit(table, y, plan, n_models=2, rng=np.random.default_rng(4), included=included).weights(1)
        for table in (np.vstack([x[:100], x[100:]]), np.vstack([x[:100], other[100:]]))
    )
    # The first model, which sees the changed rows, draws as many numbers either way.
    for ours, theirs in zip(one, two, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    exact = [MLP.fit_exactly(table, y, plan, included).weights(1) for table in (x, other)]
    for ours, theirs in zip(*exact, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_each_model_has_chance_of_its_own_and_the_same_seed_gives_the_same_models() -> None:
    x, y = crossed(200)
    plan = MLP.plan(ProblemSize(200, 3, 2), TrainingBudget(1.0, 1e-5), TrainingChoices(steps=5, sampling_rate=1))
    first, again = (MLP.fit(x, y, plan, n_models=2, rng=np.random.default_rng(1)) for _ in range(2))
    assert not np.allclose(first.weights(0)[0], first.weights(1)[0])
    np.testing.assert_array_equal(first.weights(1)[0], again.weights(1)[0])


def test_training_starts_from_public_weights_and_gains_from_good_ones() -> None:
    public, rows, fresh = crossed(4000, seed=7), crossed(500), crossed(2000, seed=1)
    spending = TrainingBudget(0.5, 1e-5)
    plan = MLP.plan(ProblemSize(500, 3, 2), spending, NOTHING_SET)
    start = MLP.fit_exactly(*public, plan, np.ones((4000, 1))).weights()
    cold = MLP.fit(*rows, plan, n_models=3, rng=np.random.default_rng(0))
    gentle = MLP.plan(ProblemSize(500, 3, 2), spending, TrainingChoices(step_size=1e-3))
    warm = MLP.fit(*rows, gentle, n_models=3, rng=np.random.default_rng(0), start=start)
    assert accuracy(warm, fresh) > accuracy(cold, fresh) + 0.2
    still = MLP.plan(ProblemSize(500, 3, 2), spending, TrainingChoices(step_size=1e-9))
    moved = MLP.fit(*rows, still, n_models=1, rng=np.random.default_rng(0), start=start).weights()
    for ours, theirs in zip(moved, start, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("start", [(), (np.zeros((3, 2)), np.zeros(2)), (np.zeros(3),)])
def test_a_start_of_another_network_is_refused(start: tuple[np.ndarray, ...]) -> None:
    x, y = crossed(50)
    plan = MLP.plan(ProblemSize(50, 3, 2), NO_LIMIT, NOTHING_SET)
    with pytest.raises(InputError, match="start holds weights of shapes"):
        MLP.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0), start=start)


def test_a_trace_shows_a_falling_loss_and_only_where_it_is_wanted() -> None:
    x, y = crossed(1000)
    plan = MLP.plan(ProblemSize(1000, 3, 2), NO_LIMIT, TrainingChoices(steps=200))
    assert MLP.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0)).trace is None
    trace = MLP.fit(x, y, plan, n_models=2, rng=np.random.default_rng(0), record=True).trace
    assert trace is not None
    assert (len(trace.step), trace.step[0], trace.step[-1]) == (50, 1, 200)
    assert trace.loss[0] == pytest.approx(math.log(2), abs=1e-4)
    assert trace.loss[-5:].mean() < 0.5
    # All classes being equally likely at first, the gradient is half of the last layer's input and its constant.
    assert trace.gradient_norm[0] > math.sqrt(2) / 2
    assert ((trace.clipped_share >= 0) & (trace.clipped_share <= 1)).all()


def test_steps_that_grow_without_end_are_refused() -> None:
    x, y = crossed(50)
    plan = MLP.plan(ProblemSize(50, 3, 2), NO_LIMIT, TrainingChoices(step_size=1e38, steps=10))
    with pytest.raises(InputError, match="diverged"):
        MLP.fit(x, y, plan, n_models=1, rng=np.random.default_rng(0))


def test_no_coupling_is_claimed_and_the_receipt_says_what_ran() -> None:
    plan = MLP.plan(ProblemSize(1000, 5), TrainingBudget(1.0, 1e-5), TrainingChoices(max_grad_norm=2.0))
    assert MLP.coupling_radius(plan) is None
    note = MLP.describe(plan)
    assert note.mechanism == "Private gradient descent on a neural network"
    assert note.sensitivity.startswith("2 ")
    assert f"{plan.descent.steps} steps" in note.detail
