"""Torch modules through Opacus: what one row can do, how much noise there is, what is refused, that it learns."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training import module_descent
from dpcp_core.training.opacus_modules import CNN, FT_TRANSFORMER, ModuleModels, ModulePlan, OpacusTrainer
from dpcp_core.training.protocol import ProblemSize, Task, TrainingChoices, Weights

torch = pytest.importorskip("torch")
pytest.importorskip("opacus")

Floats = npt.NDArray[np.floating]
NO_NOISE, BUDGET = TrainingBudget(math.inf, 1e-5), TrainingBudget(2.0, 1e-5)
# A full batch and one long step: the weights then move by the clipped sum itself, over the rows.
ONE_STEP = TrainingChoices(steps=1, step_size=1.0, max_grad_norm=0.1, sampling_rate=1.0)
BUILT_IN = pytest.mark.parametrize("trainer", [CNN, FT_TRANSFORMER], ids=lambda trainer: trainer.name)
# Opacus divides by a gradient's norm plus 1e-6, and sums are of single precision.
CLOSE = {"rtol": 1e-4, "atol": 1e-6}


def plain_steps(trainer: OpacusTrainer) -> OpacusTrainer:
    """Return the same trainer without Adam, so that a step shows the gradient."""
    from dataclasses import replace

    return replace(trainer, defaults=replace(trainer.defaults, adam=None))


def images(n: int, seed: int = 0) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return encoded 4 x 4 images that are bright in one half or the other, with the half as class."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, n)
    shades = np.clip(0.6 * rng.normal(size=(n, 4, 4)) - 0.3, -1, 1)
    for half in (0, 1):
        shades[codes == half, :, 2 * half : 2 * half + 2] += 0.6
    rows = np.column_stack([np.ones(n), np.clip(shades, -1, 1).reshape(n, 16)]) / math.sqrt(1.3 * 17)
    return rows.astype(np.float32), codes


def moved(before: Weights, after: Weights) -> Floats:
    return np.concatenate([(b - a).ravel().astype(np.float64) for a, b in zip(before, after, strict=True)])


def one_step(trainer: OpacusTrainer, plan: ModulePlan, rows: Floats, codes: Any, **options: Any) -> tuple[Floats, Any]:
    """Return how far a step moved the weights, and the models."""
    seed = options.pop("seed", 3)
    start = first_weights(trainer, plan.size)
    fitted = trainer.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(seed), start=start, **options)
    return moved(start, fitted.weights()), fitted


def first_weights(trainer: OpacusTrainer, size: ProblemSize) -> Weights:
    torch.manual_seed(0)
    return tuple(weight.detach().numpy().copy() for weight in trainer.make_module(size).parameters())


def row_gradients(trainer: OpacusTrainer, size: ProblemSize, rows: Floats, codes: Any) -> Floats:
    """Return each row's gradient by torch alone, shape (n, weights)."""
    torch.manual_seed(0)
    module = trainer.make_module(size)
    gradients = []
    for row, code in zip(torch.from_numpy(rows), torch.from_numpy(codes), strict=True):
        module.zero_grad()
        torch.nn.functional.cross_entropy(module(row[None]), code[None]).backward()
        gradients.append(torch.cat([weight.grad.reshape(-1) for weight in module.parameters()]).numpy().copy())
    return np.array(gradients, dtype=np.float64)


@BUILT_IN
@pytest.mark.parametrize("part", [128, 7])
def test_a_step_is_the_clipped_sum_over_the_public_number_of_rows(
    trainer: OpacusTrainer, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module_descent, "PART", part)
    rows, codes = images(24)
    size = ProblemSize(50, 17, 2)  # rows there may be fewer than the public number
    plan = plain_steps(trainer).plan(size, NO_NOISE, ONE_STEP)
    gradients = row_gradients(trainer, size, rows, codes)
    norms = np.linalg.norm(gradients, axis=1)
    assert (norms > 0.1).any()
    expected = -(np.minimum(1, 0.1 / norms) @ gradients) / 50
    np.testing.assert_allclose(one_step(plain_steps(trainer), plan, rows, codes)[0], expected, **CLOSE)


@BUILT_IN
def test_emptying_a_row_moves_the_sum_by_at_most_the_clip_norm(trainer: OpacusTrainer) -> None:
    rows, codes = images(20)
    plan = plain_steps(trainer).plan(ProblemSize(20, 17, 2), NO_NOISE, ONE_STEP)
    whole = one_step(plain_steps(trainer), plan, rows, codes)[0]
    for place in range(3):
        there = np.ones((20, 1))
        there[place] = 0
        without = one_step(plain_steps(trainer), plan, rows, codes, included=there)[0]
        assert 0 < 20 * np.linalg.norm(whole - without) <= 0.1 * (1 + 1e-4)


def test_a_batch_without_rows_takes_a_step_of_noise_that_was_paid_for() -> None:
    trainer = plain_steps(CNN)
    rows, codes = images(40)
    plan = trainer.plan(ProblemSize(40, 17, 2), BUDGET, ONE_STEP)
    noise = one_step(trainer, plan, rows, codes, included=np.zeros((40, 1)))[0]
    assert noise.size > 5000
    assert noise.std() * 40 == pytest.approx(0.1 * plan.descent.noise_multiplier, rel=0.04)
    assert plan.descent.noise_multiplier == pytest.approx(BUDGET.noise_multiplier(1), rel=1e-9)


def test_poisson_batches_are_divided_by_their_public_expected_size() -> None:
    trainer = plain_steps(CNN)
    rows, codes = images(60)
    choices = TrainingChoices(steps=1, step_size=1.0, max_grad_norm=0.1, sampling_rate=0.25)
    plan = trainer.plan(ProblemSize(60, 17, 2), NO_NOISE, choices)
    gradients = row_gradients(trainer, plan.size, rows, codes)
    clipped = np.minimum(1, 0.1 / np.linalg.norm(gradients, axis=1))[:, None] * gradients
    step = -one_step(trainer, plan, rows, codes)[0] * 0.25 * 60
    # Which rows were drawn is what the step is made of: shares of 0 or 1.
    shares = np.linalg.lstsq(clipped.T, step, rcond=None)[0]
    np.testing.assert_allclose(shares, shares.round(), atol=0.02)
    assert set(shares.round()) == {0.0, 1.0}


@BUILT_IN
def test_each_model_has_chance_of_its_own_and_a_seed_repeats_it(trainer: OpacusTrainer) -> None:
    rows, codes = images(60)
    plan = trainer.plan(ProblemSize(60, 17, 2), BUDGET, TrainingChoices(steps=2, batch_size=20))
    one, same = (trainer.fit(rows, codes, plan, n_models=2, rng=np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one.predict(rows), same.predict(rows))
    assert np.abs(moved(one.weights(0), one.weights(1))).max() > 1e-3


def test_training_leaves_torch_as_it_was() -> None:
    rows, codes = images(30)
    plan = CNN.plan(ProblemSize(30, 17, 2), BUDGET, TrainingChoices(steps=1))
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    CNN.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(0)).predict(rows)
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_the_library_names_these_trainers_without_loading_torch() -> None:
    code = "import sys, dpcp_core.training.opacus_modules; sys.exit('torch' in sys.modules or 'opacus' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def learnt(models: ModuleModels, rows: Floats, codes: npt.NDArray[np.int64]) -> float:
    return float((models.predict(rows)[:, 0].argmax(1) == codes).mean())


@BUILT_IN
def test_classes_are_learnt_privately_and_exactly(trainer: OpacusTrainer) -> None:
    rows, codes = images(900)
    seen, fresh = slice(0, 600), slice(600, None)
    size = ProblemSize(600, 17, 2)
    plan = trainer.plan(size, TrainingBudget(8.0, 1e-5), TrainingChoices(steps=25, sampling_rate=0.3))
    models = trainer.fit(rows[seen], codes[seen], plan, n_models=1, rng=np.random.default_rng(0), record=True)
    exact = trainer.fit_exactly(rows[seen], codes[seen], plan, np.ones((600, 1)))
    assert learnt(models, rows[fresh], codes[fresh]) > 0.8
    assert learnt(exact, rows[fresh], codes[fresh]) > 0.9
    predicted = models.predict(rows[:7])
    assert predicted.shape == (7, 1, 2)
    np.testing.assert_allclose(predicted.sum(-1), 1)
    trace = models.trace
    assert trace is not None
    assert trace.step.tolist() == list(range(1, 26))
    assert trace.loss[-3:].mean() < trace.loss[:3].mean()
    assert ((trace.clipped_share >= 0) & (trace.clipped_share <= 1)).all()
    assert (trace.gradient_norm > 0).all()


@BUILT_IN
def test_numbers_are_learnt(trainer: OpacusTrainer) -> None:
    rows, codes = images(900)
    targets = codes - 0.5
    plan = trainer.plan(ProblemSize(600, 17), TrainingBudget(8.0, 1e-5), TrainingChoices(steps=25, sampling_rate=0.3))
    models = trainer.fit(rows[:600], targets[:600], plan, n_models=1, rng=np.random.default_rng(0))
    predicted = models.predict(rows[600:])
    assert predicted.shape == (300, 1, 1)
    assert np.mean((predicted[:, 0, 0] - targets[600:]) ** 2) < 0.6 * targets.var()


def test_an_exact_fit_sees_the_included_rows_only() -> None:
    rows, codes = images(200)
    wrong = np.where(np.arange(200) < 100, codes, 1 - codes)
    included = np.stack([np.arange(200) < 100, np.arange(200) >= 100], axis=1).astype(np.float64)
    plan = FT_TRANSFORMER.plan(ProblemSize(100, 17, 2), BUDGET, TrainingChoices())
    predicted = FT_TRANSFORMER.fit_exactly(rows, wrong, plan, included).predict(rows).argmax(2)
    assert (predicted[:100, 0] == codes[:100]).mean() > 0.9
    assert (predicted[100:, 1] == 1 - codes[100:]).mean() > 0.9


@BUILT_IN
def test_a_public_start_is_where_training_starts(trainer: OpacusTrainer) -> None:
    rows, codes = images(40)
    plan = trainer.plan(ProblemSize(40, 17, 2), NO_NOISE, TrainingChoices(steps=1, step_size=1e-7))
    start = tuple(weight + 0.1 for weight in first_weights(trainer, plan.size))
    fitted = trainer.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(0), start=start)
    np.testing.assert_allclose(moved(start, fitted.weights()), 0, atol=1e-6)
    with pytest.raises(InputError, match=r"^start holds weights of shapes"):
        trainer.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(0), start=start[:-1])


def test_models_travel_between_processes() -> None:
    rows, codes = images(30)
    plan = CNN.plan(ProblemSize(30, 17, 2), BUDGET, TrainingChoices(steps=1))
    models = CNN.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(models)).predict(rows), models.predict(rows))


@BUILT_IN
def test_a_plan_keeps_to_its_budget_and_to_what_a_person_sets(trainer: OpacusTrainer) -> None:
    size = ProblemSize(4000, 17, 2)
    plan = trainer.plan(size, BUDGET, TrainingChoices(batch_size=400, epochs=3, max_grad_norm=0.7, step_size=0.2))
    descent = plan.descent
    assert (descent.steps, descent.sampling_rate, descent.max_grad_norm, descent.step_size) == (30, 0.1, 0.7, 0.2)
    assert plan.n_rows == 4000
    assert trainer.profile(plan) == SubsampledGaussianProfile(descent.noise_multiplier, 0.1, 30)
    assert BUDGET.admits(trainer.profile(plan))
    assert trainer.coupling_radius(plan) is None
    note = trainer.describe(plan)
    assert "Opacus" in note.mechanism
    assert note.sensitivity.startswith("0.7 ")


def test_full_batches_are_accounted_for_in_closed_form_and_no_noise_promises_nothing() -> None:
    size = ProblemSize(400, 17, 2)
    plan = CNN.plan(size, BUDGET, TrainingChoices(steps=9, sampling_rate=1.0))
    profile = CNN.profile(plan)
    assert isinstance(profile, GaussianProfile)
    assert profile.mu == pytest.approx(BUDGET.mu)
    bare = CNN.plan(size, NO_NOISE, TrainingChoices())
    assert bare.descent.noise_multiplier == 0
    assert math.isfinite(bare.descent.max_grad_norm)
    assert isinstance(CNN.profile(bare), NoPrivacyProfile)


def test_a_huge_budget_is_planned_for_at_once_and_stays_within_it() -> None:
    loose = TrainingBudget(1e6, 1e-5)
    plan = CNN.plan(ProblemSize(4000, 17, 2), loose, TrainingChoices())
    assert 0 < plan.descent.noise_multiplier < 0.1
    assert loose.admits(CNN.profile(plan))


def test_less_noise_than_the_budget_needs_is_refused() -> None:
    with pytest.raises(InputError, match=r"^noise_multiplier is 0.1"):
        CNN.plan(ProblemSize(400, 17, 2), BUDGET, TrainingChoices(noise_multiplier=0.1))


def of_layers(size: ProblemSize, *layers: Any) -> Any:
    return torch.nn.Sequential(torch.nn.Linear(size.n_features, 4), *layers, torch.nn.Linear(4, size.n_outputs))


def with_frozen_first_layer(size: ProblemSize) -> Any:
    module = of_layers(size, torch.nn.Tanh())
    module[0].requires_grad_(False)
    return module


def own(make_module: Any) -> OpacusTrainer:
    both: frozenset[Task] = frozenset({"regression", "classification"})
    return OpacusTrainer("own", "own network", "A network of one's own.", both, make_module)


def test_a_module_of_ones_own_keeps_its_frozen_layers() -> None:
    trainer, (rows, codes) = own(with_frozen_first_layer), images(60)
    plan = trainer.plan(ProblemSize(60, 17, 2), BUDGET, TrainingChoices(steps=2))
    start = first_weights(trainer, plan.size)
    fitted = trainer.fit(rows, codes, plan, n_models=1, rng=np.random.default_rng(0), start=start)
    assert np.abs(moved(start[:2], fitted.weights()[:2])).max() < 1e-7
    assert np.abs(moved(start[2:], fitted.weights()[2:])).max() > 1e-3


def test_weights_that_grow_without_end_are_told() -> None:
    rows, codes = images(40)
    choices = TrainingChoices(steps=20, step_size=1e30, max_grad_norm=1e9)
    plan = own(of_layers).plan(ProblemSize(40, 17), NO_NOISE, choices)
    with pytest.raises(InputError, match=r"^Training diverged"):
        own(of_layers).fit(rows, codes.astype(float), plan, n_models=1, rng=np.random.default_rng(0))
