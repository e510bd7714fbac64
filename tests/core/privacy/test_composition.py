from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import bounded_range_delta, composed_delta, training_mu
from dpcp_core.privacy.gaussian import gaussian_delta, gaussian_mu

CASES = [(0.05, 0.1, 0.15), (0.2, 0.5, 1.0), (0.5, 2.0, 3.0), (1.0, 1.0, 0.5), (2.0, 4.0, 9.0), (0.1, 0.01, 0.3)]


def randomised_response_delta(quantile_epsilon: float, epsilon: float) -> float:
    """Search the two-point pairs with ratios exp(t) and exp(t - quantile_epsilon) for the worst."""
    t = np.linspace(0, quantile_epsilon, 200_001)
    q = (np.exp(-t) - math.exp(-quantile_epsilon)) / (1 - math.exp(-quantile_epsilon))
    up = q * np.maximum(np.exp(t) - math.exp(epsilon), 0)
    down = (1 - q) * np.maximum(np.exp(t - quantile_epsilon) - math.exp(epsilon), 0)
    return float((up + down).max())


@pytest.mark.parametrize("quantile_epsilon", [0.01, 0.5, 1.0, 6.0])
@pytest.mark.parametrize("part", [-1.5, -1.0, -0.6, 0.0, 0.4, 0.9, 1.0, 1.2])
def test_bounded_range_curve_is_the_worst_two_point_pair(quantile_epsilon: float, part: float) -> None:
    epsilon = part * quantile_epsilon
    ours = float(bounded_range_delta(quantile_epsilon, np.array(epsilon)))
    assert ours == pytest.approx(randomised_response_delta(quantile_epsilon, epsilon), rel=1e-6, abs=1e-12)


@settings(max_examples=200)
@given(st.lists(st.integers(-40, 40), min_size=2, max_size=30), st.floats(0.01, 4), st.randoms())
def test_no_exponential_mechanism_exceeds_the_bounded_range_curve(
    utilities: list[int], quantile_epsilon: float, random: object
) -> None:
    utility = np.array(utilities, dtype=float)
    moved = utility + np.array([random.choice((-1, 0, 1)) for _ in utilities])  # type: ignore[attr-defined]
    p, q = (np.exp(quantile_epsilon / 2 * u - (quantile_epsilon / 2 * u).max()) for u in (utility, moved))
    p, q = p / p.sum(), q / q.sum()
    for epsilon in np.linspace(-1.1, 1.1, 9) * quantile_epsilon:
        stick = np.maximum(p - math.exp(epsilon) * q, 0).sum()
        assert stick <= float(bounded_range_delta(quantile_epsilon, np.array(epsilon))) + 1e-12


def exact_composed_delta(mu: float, quantile_epsilon: float, epsilon: float) -> float:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(30):
        q = mpmath.mpf(quantile_epsilon)

        def curve(x: object) -> object:
            if x >= q:
                return mpmath.mpf(0)
            return 1 - mpmath.exp(x) if x < -q else (1 - mpmath.exp((x - q) / 2)) ** 2 / (1 - mpmath.exp(-q))

        def integrand(z: object) -> object:
            return mpmath.npdf(z) * curve(epsilon - mu * z - mpmath.mpf(mu) ** 2 / 2)

        kinks = [(epsilon + side * q) / mu - mpmath.mpf(mu) / 2 for side in (-1, 1)]
        inner = sorted({max(min(float(k), 40.0), -40.0) for k in kinks} | set(np.linspace(-40, 40, 33).tolist()))
        return float(mpmath.quad(integrand, inner))


@pytest.mark.parametrize(("mu", "quantile_epsilon", "epsilon"), CASES)
def test_composed_delta_agrees_with_thirty_digits_from_above(
    mu: float, quantile_epsilon: float, epsilon: float
) -> None:
    exact = exact_composed_delta(mu, quantile_epsilon, epsilon)
    assert exact * (1 - 1e-13) <= composed_delta(mu, quantile_epsilon, epsilon) <= exact * (1 + 1e-8)


def worst_pair(quantile_epsilon: float, cells: int) -> tuple[dict[float, float], dict[float, float]]:
    """Return log-probabilities of a pair whose hockey-stick curve is the bounded-range curve, linearly joined.

    With ``x = exp(epsilon)`` the curve is ``E_Q (P/Q - x)_+``: its kinks in x are the probabilities under Q.
    """
    x = np.exp(np.linspace(-quantile_epsilon, quantile_epsilon, cells + 1))
    value = bounded_range_delta(quantile_epsilon, np.log(x))
    slopes = np.diff(value) / np.diff(x)
    q = np.diff(np.concatenate([[-1.0], slopes, [0.0]]))
    p = q * x
    assert q.sum() == pytest.approx(1)
    assert p.sum() == pytest.approx(1)
    keep = q > 0
    outcomes = np.flatnonzero(keep)
    lower = dict(zip(outcomes.tolist(), np.log(q[keep]).tolist(), strict=True))
    upper = dict(zip(outcomes.tolist(), np.log(p[keep]).tolist(), strict=True))
    return lower, upper


@pytest.mark.parametrize(("mu", "quantile_epsilon", "epsilon"), CASES)
def test_composed_delta_agrees_with_dp_accounting(mu: float, quantile_epsilon: float, epsilon: float) -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    fine = min(1e-4, quantile_epsilon / 2000)
    gaussian = pld.from_gaussian_mechanism(1 / mu, value_discretization_interval=fine)
    lower, upper = worst_pair(quantile_epsilon, 2000)
    quantile = pld.from_two_probability_mass_functions(lower, upper, value_discretization_interval=fine)
    theirs = gaussian.compose(quantile).get_delta_for_epsilon(epsilon)
    ours = composed_delta(mu, quantile_epsilon, epsilon)
    assert ours == pytest.approx(theirs, rel=0.01)
    pure = pld.from_privacy_parameters(_pure(quantile_epsilon), value_discretization_interval=fine)
    assert ours <= gaussian.compose(pure).get_delta_for_epsilon(epsilon)


def _pure(epsilon: float) -> object:
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    return DifferentialPrivacyParameters(epsilon, 0)


@settings(max_examples=100, deadline=None)
@given(st.floats(1e-3, 50), st.floats(1e-3, 100), st.floats(-50, 200))
def test_composition_costs_more_than_each_part_and_less_than_the_sum(
    mu: float, quantile_epsilon: float, epsilon: float
) -> None:
    joint = composed_delta(mu, quantile_epsilon, epsilon)
    assert joint >= gaussian_delta(mu, epsilon) * (1 - 1e-9)
    assert joint >= float(bounded_range_delta(quantile_epsilon, np.array(epsilon))) * (1 - 1e-6) - 1e-12
    assert joint <= gaussian_delta(mu, epsilon - quantile_epsilon) * (1 + 1e-8) + 1e-300
    assert 0 <= joint <= 1


@pytest.mark.parametrize("epsilon", [1e-3, 0.05, 0.5, 1.0, 4.0, 30.0, 1000.0])
@pytest.mark.parametrize("delta", [1e-10, 1e-5, 1e-2])
@pytest.mark.parametrize("share", [0.001, 0.3, 0.5, 0.99])
def test_training_mu_keeps_to_the_budget_and_leaves_nothing(epsilon: float, delta: float, share: float) -> None:
    budget, quantile_epsilon = PrivacyBudget(epsilon, delta), share * epsilon
    basic = training_mu(budget, quantile_epsilon, "basic")
    tight = training_mu(budget, quantile_epsilon, "tight")
    assert composed_delta(tight, quantile_epsilon, epsilon) <= delta
    assert composed_delta(1.01 * tight, quantile_epsilon, epsilon) > delta
    assert basic <= tight <= gaussian_mu(epsilon, delta)


def test_limits_of_the_parts() -> None:
    assert composed_delta(0.7, 0.0, 0.4) == gaussian_delta(0.7, 0.4)
    assert composed_delta(0.0, 1.0, 0.0) == pytest.approx(0.2449187)
    assert composed_delta(math.inf, 1.0, 5.0) == 1
    assert training_mu(PrivacyBudget.infinite(), 1.0, "tight") == math.inf


@pytest.mark.parametrize("quantile_epsilon", [0.0, 1.0, 2.0])
def test_training_must_be_left_something(quantile_epsilon: float) -> None:
    with pytest.raises(InputError, match="quantile_epsilon"):
        training_mu(PrivacyBudget(1.0, 1e-5), quantile_epsilon, "tight")


def test_training_needs_a_delta_and_a_known_composition() -> None:
    with pytest.raises(InputError, match="delta is 0"):
        training_mu(PrivacyBudget(1.0), 0.5, "tight")
    with pytest.raises(InputError, match="composition"):
        training_mu(PrivacyBudget(1.0, 1e-5), 0.5, "loose")  # type: ignore[arg-type]
