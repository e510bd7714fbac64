"""Bounds from draws: below a true claim as often as stated, above a false one, blind to what chose the threshold."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.distinguishing import epsilon_from_outcomes, epsilon_from_scores
from dpcp_core.privacy.gaussian import gaussian_epsilon


def laplace(rng, n, epsilon):
    noise = rng.laplace(size=(2, n)) / epsilon
    return noise[0] + 1, noise[1]


def test_a_true_claim_is_exceeded_no_more_often_than_stated():
    rng = np.random.default_rng(0)
    above = [epsilon_from_scores(*laplace(rng, 300, 4.0)).value > 4 for _ in range(60)]
    # 5 % would be 3; 8 or more of 60 come up once in 100 times.
    assert sum(above) < 8


def test_half_of_the_noise_is_caught():
    assert epsilon_from_scores(*laplace(np.random.default_rng(0), 40_000, 2.0)).value > 1.7


@pytest.mark.parametrize("mu", [0.5, 2.0])
def test_gaussian_noise_is_bounded_closely_where_it_is_claimed_to_be_gaussian(mu):
    noise = np.random.default_rng(1).normal(size=(2, 40_000))
    plain, tight = (
        epsilon_from_scores(noise[0] + mu, noise[1], delta=1e-5, is_gaussian=is_gaussian).value
        for is_gaussian in (False, True)
    )
    claim = gaussian_epsilon(mu, 1e-5)
    assert plain < tight
    assert 0.8 * claim < tight <= claim


def test_the_second_half_alone_is_counted():
    """Draws that only look telling in the half that chooses the threshold prove nothing."""
    rng = np.random.default_rng(2)
    seen, unseen = rng.normal(size=(2, 4000))
    seen[:2000] += 10
    assert epsilon_from_scores(seen, unseen).value < 0.2


def test_outputs_of_any_name_are_told_apart():
    rng = np.random.default_rng(3)
    seen = rng.choice([7, 2, 0], 60_000, p=[0.5, 0.3, 0.2])
    unseen = rng.choice([7, 2, 0], 60_000, p=[0.25, 0.35, 0.4])
    assert 0.62 < epsilon_from_outcomes(seen, unseen).value <= np.log(2)
    assert epsilon_from_outcomes(seen, seen[::-1]).value < 0.1


@pytest.mark.parametrize("prove", [epsilon_from_scores, epsilon_from_outcomes])
@pytest.mark.parametrize("samples", [([1], [2]), ([1, 2, 3, 4], [1, 2, 3]), ([[1, 2], [3, 4]], [[1, 2], [3, 4]])])
def test_samples_that_do_not_match_are_refused(prove, samples):
    with pytest.raises(InputError, match="two equally long lists"):
        prove(*samples)
