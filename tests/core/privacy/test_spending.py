"""What training may spend beside a quantile, held to exact numbers of mechanisms whose composition is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.privacy.spending import TrainingBudget, joint_delta
from dpcp_core.privacy.subsampled import LEAST_SAMPLED_NOISE


@dataclass(frozen=True)
class RandomisedResponse:
    """One bit that is told rightly with probability ``e^cost / (1 + e^cost)``."""

    cost: float

    def outcomes(self) -> list[tuple[float, float]]:
        """Return the probability of each answer with the row, and without it."""
        right = 1 / (1 + math.exp(-self.cost))
        return [(right, 1 - right), (1 - right, right)]

    def delta(self, epsilon: float) -> float:
        return sum(max(0.0, one - math.exp(epsilon) * other) for one, other in self.outcomes())

    def epsilon(self, delta: float) -> float:
        return self.cost if delta < 1 else 0.0


@pytest.mark.parametrize(("cost", "beside", "epsilon"), [(0.7, 0.4, 0.9), (1.5, 0.4, 0.5), (0.3, 0.8, 1.0)])
def test_two_answers_beside_each_other_cost_what_counting_their_outcomes_gives(
    cost: float, beside: float, epsilon: float
) -> None:
    training, quantile = RandomisedResponse(cost), RandomisedResponse(beside)
    counted = sum(
        max(0.0, one * first - math.exp(epsilon) * other * second)
        for one, other in training.outcomes()
        for first, second in quantile.outcomes()
    )
    assert joint_delta(training, beside, epsilon) == pytest.approx(counted, rel=1e-12)


def test_a_point_leaves_what_is_beside_it_and_gives_a_part_its_share_of_both() -> None:
    point = TrainingBudget(1.0, 1e-5, beside=0.4, part=0.25).point
    assert (point.epsilon, point.delta) == pytest.approx((0.15, 2.5e-6))


def test_fits_whose_costs_are_added_keep_to_the_budget_together() -> None:
    first, second = TrainingBudget(1.0, 1e-5, beside=0.4).added_split(0.7)
    assert (first.epsilon, first.delta) == pytest.approx((0.42, 7e-6))
    assert (second.epsilon, second.delta) == pytest.approx((0.18, 3e-6))


def test_a_budget_admits_its_own_mu_and_nothing_louder() -> None:
    budget = TrainingBudget(1.0, 1e-5, beside=0.4, part=0.5)
    assert budget.admits(GaussianProfile(budget.mu))
    assert not budget.admits(GaussianProfile(budget.mu * 1.001))


def test_what_takes_the_whole_budget_leaves_nothing_to_train_with() -> None:
    for beside in (1.0, 1.5):
        with pytest.raises(InputError, match=rf"^beside is {beside:g}, which leaves nothing of epsilon = 1\.$"):
            TrainingBudget(1.0, 1e-5, beside=beside)


def test_a_budget_without_a_limit_asks_for_no_noise_and_admits_everything() -> None:
    budget = TrainingBudget(math.inf, 1e-5)
    assert (budget.mu, budget.point) == (math.inf, PrivacyBudget.infinite())
    assert (budget.noise_multiplier(10), budget.noise_multiplier(10, 0.1)) == (0.0, 0.0)
    assert budget.admits(NoPrivacyProfile())
    assert not TrainingBudget(100.0, 0.5).admits(NoPrivacyProfile())


@pytest.mark.parametrize(
    "budget",
    [
        TrainingBudget(1.0, 1e-5),
        TrainingBudget(1.0, 1e-5, part=0.3),
        TrainingBudget(1.0, 1e-5, beside=0.4),
        TrainingBudget(1.0, 1e-5, beside=0.4, part=0.3),
        # Next to nothing beside it: no more noise than rounding adds.
        TrainingBudget(1.0, 1e-5, beside=1e-11),
    ],
)
def test_batches_get_the_noise_that_their_budget_admits_and_hardly_more(budget: TrainingBudget) -> None:
    noise = budget.noise_multiplier(40, 0.05)
    assert budget.admits(SubsampledGaussianProfile(noise, 0.05, 40))
    assert not budget.admits(SubsampledGaussianProfile(noise * 0.99, 0.05, 40))


def test_with_hardly_any_noise_batches_are_taken_to_hide_nothing() -> None:
    noise = TrainingBudget(60.0, 1e-3, beside=1.0).noise_multiplier(2, 0.05)
    assert noise < LEAST_SAMPLED_NOISE
    assert noise == pytest.approx(TrainingBudget(59.0, 1e-3).noise_multiplier(2))
