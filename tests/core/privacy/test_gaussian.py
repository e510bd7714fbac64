from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_mu, largest_below

EPSILONS = (1e-3, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0, 1000.0)
DELTAS = (1e-12, 1e-8, 1e-5, 1e-2, 0.3)


def exact_delta(mu: float, epsilon: float) -> float:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)

        def normal(x: object) -> object:
            return mpmath.erfc(-x / mpmath.sqrt(2)) / 2

        return normal(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * normal(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize("mu", [1e-4, 0.01, 0.3, 1.0, 5.0, 40.0])
@pytest.mark.parametrize("epsilon", [-30.0, -1.0, -1e-4, 0.0, 1e-6, 1e-3, 0.05, 1.0, 10.0, 300.0])
def test_delta_agrees_with_sixty_digits(mu: float, epsilon: float) -> None:
    expected = float(exact_delta(mu, epsilon))
    assert gaussian_delta(mu, epsilon) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.5])
def test_delta_agrees_with_dp_accounting(mu: float) -> None:
    from dp_accounting.pld import privacy_loss_distribution

    theirs = privacy_loss_distribution.from_gaussian_mechanism(1 / mu)
    for epsilon in (0.0, 0.1, 0.5, 1.0, 2.0):
        delta = gaussian_delta(mu, epsilon)
        # Theirs is rounded to the private side by its discretisation.
        assert delta - 1e-14 <= theirs.get_delta_for_epsilon(epsilon) <= delta * 1.01 + 1e-7


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_mu_is_on_the_private_side_and_within_a_thousandth(epsilon: float, delta: float) -> None:
    mu = gaussian_mu(epsilon, delta)
    assert gaussian_delta(mu, epsilon) <= delta
    assert exact_delta(mu, epsilon) <= delta * (1 + 1e-12)
    assert gaussian_delta(mu * 1.001, epsilon) > delta


@pytest.mark.parametrize("mu", [1e-3, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("delta", DELTAS)
def test_epsilon_is_on_the_private_side_and_tight(mu: float, delta: float) -> None:
    epsilon = gaussian_epsilon(mu, delta)
    assert gaussian_delta(mu, epsilon) <= delta
    assert epsilon == 0 or gaussian_delta(mu, epsilon * 0.999) > delta


@given(st.floats(1e-3, 20), st.floats(-20, 20), st.floats(0, 5))
def test_delta_is_a_probability_that_falls_in_epsilon(mu: float, epsilon: float, step: float) -> None:
    high, low = gaussian_delta(mu, epsilon), gaussian_delta(mu, epsilon + step)
    assert 0 <= low <= high * (1 + 1e-9) + 1e-15
    assert high <= 1


def test_the_ends_need_no_limit() -> None:
    assert gaussian_delta(0.0, 0.0) == 0
    assert gaussian_delta(math.inf, 5.0) == 1
    assert gaussian_mu(math.inf, 1e-5) == math.inf
    assert gaussian_epsilon(math.inf, 1e-5) == math.inf
    assert gaussian_epsilon(1.0, 0.0) == math.inf
    assert gaussian_epsilon(0.0, 0.0) == 0


def test_delta_zero_is_refused_with_a_way_out() -> None:
    with pytest.raises(InputError, match=r"delta is 0.*try"):
        gaussian_mu(1.0, 0.0)


@pytest.mark.parametrize(("limit", "point"), [(0.5, 1.0), (1.0, 1.0), (5.0, 3.0), (3.0, 3.0)])
def test_a_curve_that_does_not_cross_between_the_ends_gives_the_nearer_one(limit: float, point: float) -> None:
    assert largest_below(lambda x: x, limit, 1.0, 3.0) == point


def test_a_budget_too_small_for_any_noise_leaves_nothing() -> None:
    assert gaussian_mu(1e-300, 5e-324) == 0
