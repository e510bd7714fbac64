from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.profile import (
    GaussianProfile,
    NoPrivacyProfile,
    PrivacyProfile,
    SubsampledGaussianProfile,
)
from dpcp_core.privacy.shared_budget import SharedBudget, _last_within, joint_delta, joint_epsilon
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

BESIDE = GaussianProfile(0.12)


def test_gaussian_parts_add_in_squares():
    left = SharedBudget(1.0, 1e-5, others=(GaussianProfile(0.1), GaussianProfile(0.15)))
    assert math.hypot(left.mu, 0.1, 0.15) == pytest.approx(gaussian_mu(1.0, 1e-5), rel=1e-9)
    assert left.noise_multiplier(steps=50) == pytest.approx(math.sqrt(50) / left.mu)


@pytest.mark.parametrize(("epsilon", "rate", "steps"), [(1.0, 0.04, 150), (0.2, 0.3, 60), (4.0, 0.02, 300)])
def test_batches_beside_a_gaussian_keep_to_the_budget_and_use_it(epsilon, rate, steps):
    budget = SharedBudget(epsilon, 1e-5, others=(GaussianProfile(gaussian_mu(epsilon, 1e-5) / 2),))
    noise = budget.noise_multiplier(steps, rate)
    profile = SubsampledGaussianProfile(noise, rate, steps)
    assert budget.admits(profile)
    assert joint_delta((*budget.others, profile), epsilon) <= 1e-5
    assert not budget.admits(SubsampledGaussianProfile(noise * 0.99, rate, steps))


def test_it_needs_less_noise_than_adding_the_costs_and_more_than_being_alone():
    rate, steps = 0.04, 150
    beside = SharedBudget(1.0, 1e-5, others=(BESIDE,)).noise_multiplier(steps, rate)
    alone = TrainingBudget(1.0, 1e-5).noise_multiplier(steps, rate)
    added = TrainingBudget(1.0 - BESIDE.epsilon(5e-6), 5e-6).noise_multiplier(steps, rate)
    assert alone < beside < added


def test_the_joint_cost_agrees_with_an_accountant_of_its_own():
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
    from dp_accounting.pld import PLDAccountant

    noise, rate, steps = 2.2, 0.04, 150
    accountant = PLDAccountant()
    accountant.compose(SelfComposedDpEvent(PoissonSampledDpEvent(rate, GaussianDpEvent(noise)), steps))
    accountant.compose(GaussianDpEvent(1 / BESIDE.mu))
    ours = joint_epsilon((BESIDE, SubsampledGaussianProfile(noise, rate, steps)), 1e-5)
    assert ours == pytest.approx(accountant.get_epsilon(1e-5), rel=2e-3)


def test_a_part_known_at_one_point_only_is_added():
    budget = SharedBudget(1.0, 1e-5, others=(BESIDE,))
    assert budget.point.epsilon == pytest.approx(1.0 - BESIDE.epsilon(5e-6))
    assert budget.point.delta == pytest.approx(5e-6)


def test_what_point_leaves_is_within_the_budget_in_whatever_order_the_parts_stand():
    first, second = GaussianProfile(0.05), GaussianProfile(0.11)
    left = SharedBudget(1.0, 1e-5, others=(first, second)).point
    single = largest_noise_profile(left)
    for order in ((first, single, second), (single, first, second), (first, second, single)):
        assert joint_epsilon(order, 1e-5) <= 1.0 + 1e-6
        assert joint_delta(order, 1.0) == joint_delta((first, second, single), 1.0)


def largest_noise_profile(left: PrivacyBudget) -> PrivacyProfile:
    """Return the profile of a trainer whose cost can only be added, calibrated to what is left."""
    trainer = TRAINERS["objective_perturbation"]
    size = ProblemSize(4000, 11)
    return trainer.profile(trainer.plan(size, TrainingBudget(left.epsilon, left.delta), TrainingChoices()))


def test_what_leaves_nothing_is_refused_in_one_sentence():
    with pytest.raises(InputError, match=r"^Nothing of epsilon = 1 is left for one of the parts; raise epsilon\.$"):
        _ = SharedBudget(1.0, 1e-5, others=(GaussianProfile(5.0),)).mu


def test_a_point_is_refused_where_the_others_have_spent_all():
    with pytest.raises(InputError, match=r"^Nothing of epsilon = 1 is left for a part whose cost can only be added; "):
        _ = SharedBudget(1.0, 1e-5, others=(GaussianProfile(5.0),)).point


def test_alone_it_is_an_ordinary_budget():
    assert SharedBudget(1.0, 1e-5).point == TrainingBudget(1.0, 1e-5).point
    assert SharedBudget(1.0, 1e-5).mu == pytest.approx(TrainingBudget(1.0, 1e-5).mu)


def test_without_a_limit_it_asks_for_no_noise_and_admits_everything():
    budget = SharedBudget(math.inf, 1e-5, others=(BESIDE,))
    assert (budget.mu, budget.point) == (math.inf, PrivacyBudget.infinite())
    assert (budget.noise_multiplier(10), budget.noise_multiplier(10, 0.1)) == (0.0, 0.0)
    assert budget.admits(NoPrivacyProfile())
    assert not SharedBudget(100.0, 0.5, others=(BESIDE,)).admits(NoPrivacyProfile())


def test_a_gaussian_beside_batches_keeps_to_the_budget_and_uses_it():
    budget = SharedBudget(1.0, 1e-5, others=(SubsampledGaussianProfile(3.0, 0.04, 100),))
    mu = budget.mu
    assert budget.admits(GaussianProfile(mu))
    assert not budget.admits(GaussianProfile(mu * 1.01))


BATCHES_REFUSED = {
    "batches that have spent all": (
        SharedBudget(1.0, 1e-5, others=(SubsampledGaussianProfile(1.0, 0.1, 200),)), 50,
        "Nothing of epsilon = 1 is left for one of the parts; raise epsilon.",
    ),
    "a delta below what is accounted for": (
        SharedBudget(1.0, 1e-11, others=(BESIDE,)), 50,
        "delta is 1e-11, but drawn batches can be accounted for only from 1e-10 on; raise delta, or train on full "
        "batches.",
    ),
    "more steps than can be hidden": (
        SharedBudget(1e-3, 1e-6, others=(GaussianProfile(1e-5),)), 10**10,
        "epsilon = 0.001 over 10000000000 steps asks for more noise than can be accounted for; raise epsilon or take "
        "fewer steps.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES_REFUSED)
def test_batches_that_no_noise_can_hide_are_refused_in_one_sentence(name):
    budget, steps, said = BATCHES_REFUSED[name]
    with pytest.raises(InputError) as caught:
        budget.noise_multiplier(steps, 0.1)
    assert str(caught.value) == said


@dataclass(frozen=True)
class Jumps:
    """A mechanism that keeps to a budget of delta 1e-5 up to a precision of 0.1, and breaks it at once beyond."""

    precision: float

    def delta(self, epsilon: float) -> float:  # noqa: ARG002 - a profile's
        return 5e-6 if self.precision <= 0.1 else 2e-5

    def epsilon(self, delta: float) -> float:
        return 0.5 if delta >= self.delta(0.0) else math.inf


@pytest.mark.parametrize("guess", [0.01, 0.09, 0.5])
def test_a_cost_that_jumps_over_the_budget_is_never_taken(guess):
    found = _last_within(SharedBudget(1.0, 1e-5), Jumps, guess)
    assert 0.05 < found <= 0.1
