"""Every trainer, whatever its kind: its plan keeps to the budget, and its profile says what its noise was bought by."""

from __future__ import annotations

import math

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget, joint_delta
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

SIZES = {"cnn": ProblemSize(48_000, 65, 10), "ft_transformer": ProblemSize(39_000, 20, 2)}
BUDGETS = [
    TrainingBudget(0.5, 1e-5),
    TrainingBudget(1.0, 1e-5, beside=0.5),
    TrainingBudget(16.0, 1e-5),
    TrainingBudget(1e4, 1e-5),
    TrainingBudget(2.0, 1e-5).split(0.7)[1],
]
DRAWN = {"sampling_rate": 0.01, "steps": 300}


def size_for(name: str) -> ProblemSize:
    classes = "classification" in TRAINERS[name].tasks
    return SIZES.get(name, ProblemSize(5000, 12, 2 if classes else 0))


# Two of them look for their noise on many steps, which takes half a minute a budget: one is enough.
CASES = [(name, budget) for name in TRAINERS for budget in BUDGETS if name not in SIZES or budget.epsilon == 16]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "budget"), CASES, ids=str)
def test_a_plan_keeps_to_its_budget_and_uses_it(name: str, budget: TrainingBudget) -> None:
    trainer = TRAINERS[name]
    plan = trainer.plan(size_for(name), budget, TrainingChoices())
    profile = trainer.profile(plan)
    assert budget.admits(profile)
    stated = profile.epsilon(budget.point.delta)
    assert stated <= budget.epsilon * (1 + 1e-6)
    # Where least noise and numerical rounding do not decide, most of the budget is used.
    if budget.epsilon < 100:
        assert stated > 0.5 * budget.point.epsilon


@pytest.mark.slow
@pytest.mark.parametrize(("name", "epsilon"), [("ridge", 1.0), ("softmax", 2.0), ("mlp", 8.0)])
def test_drawn_batches_are_accounted_for_as_drawn_in_noise_and_in_profile(name: str, epsilon: float) -> None:
    trainer, budget = TRAINERS[name], TrainingBudget(epsilon, 1e-5)
    plan = trainer.plan(size_for(name), budget, TrainingChoices(**DRAWN))
    assert 0.9 * epsilon < trainer.profile(plan).epsilon(1e-5) <= epsilon


def test_batches_so_rare_that_nobody_is_drawn_still_get_noise() -> None:
    assert TrainingBudget(1.0, 1e-5).noise_multiplier(50, sampling_rate=1e-7) >= 0.25


def test_a_delta_too_small_for_numerical_accounting_is_refused_for_drawn_batches_only() -> None:
    tiny = TrainingBudget(10.0, 1e-13)
    with pytest.raises(InputError, match="delta is 1e-13, but drawn batches can be accounted for only from 1e-10"):
        tiny.noise_multiplier(100, sampling_rate=0.1)
    assert math.isfinite(tiny.noise_multiplier(100))


def test_a_part_of_a_budget_beside_a_quantile_needs_more_noise_on_drawn_batches_than_the_whole() -> None:
    whole = TrainingBudget(1.0, 1e-5, beside=0.5)
    part, _ = whole.split(0.5)
    noise, less = part.noise_multiplier(4, 0.1), whole.noise_multiplier(4, 0.1)
    assert noise > less
    assert part.admits(SubsampledGaussianProfile(noise, 0.1, 4))
    assert not part.admits(SubsampledGaussianProfile(less, 0.1, 4))


def test_beside_a_quantile_what_promises_nothing_still_promises_nothing() -> None:
    assert joint_delta(NoPrivacyProfile(), 0.5, 1.0) == 1
