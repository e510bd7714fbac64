"""The public side of descent: its privacy profile, and how far one more row can move a coupled run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile, NoPrivacyProfile, SubsampledGaussianProfile
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan, coupling_radius, descent_profile

SCHEDULES = ((0.0, "constant"), (0.4, "constant"), (0.2, "cosine"))


def radius_of(plan: DescentPlan) -> float:
    radius = coupling_radius(plan)
    assert radius is not None
    return radius


def distance_with_one_more_row(
    x: np.ndarray, y: np.ndarray, plan: DescentPlan, start: np.ndarray | None = None
) -> float:
    with_it, without = (
        descend(x[:m], y[:m], plan, n_models=1, rng=np.random.default_rng(99), start=start)
        for m in (plan.n_rows + 1, plan.n_rows)
    )
    return float(np.linalg.norm(with_it - without))


def table_with_a_worst_row(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n + 1, d))
    norms = np.linalg.norm(x, axis=1)
    x /= np.maximum(norms, 1)[:, None]
    x[-1] /= np.linalg.norm(x[-1])
    y = rng.normal(size=n + 1)
    y[-1] = 1e3  # it always pulls with the whole clip norm
    return x, y


@pytest.mark.parametrize("penalty", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("absolute_penalty", [0.0, 0.03])
@pytest.mark.parametrize("noise", [0.0, 5.0])
@pytest.mark.parametrize("step_size", [0.5, 1.6])
@pytest.mark.parametrize(("warmup_share", "decay"), SCHEDULES)
def test_one_more_row_never_moves_the_weights_further_than_the_radius(
    penalty: float, absolute_penalty: float, noise: float, step_size: float, warmup_share: float, decay: Any
) -> None:
    plan = DescentPlan(40, 60, step_size, 0.7, noise, penalty, absolute_penalty, 1.0, warmup_share, decay)
    radius = radius_of(plan)
    for seed in range(10):
        x, y = table_with_a_worst_row(seed, n=40, d=6)
        start = np.random.default_rng(seed).normal(size=6) if seed % 2 else None
        assert distance_with_one_more_row(x, y, plan, start) <= radius * (1 + 1e-9)


@pytest.mark.parametrize("penalty", [0.0, 0.05])
@pytest.mark.parametrize(("warmup_share", "decay"), SCHEDULES)
def test_the_radius_is_reached_where_nothing_pulls_back(penalty: float, warmup_share: float, decay: Any) -> None:
    x, y = np.zeros((11, 2)), np.zeros(11)
    x[-1, 0], y[-1] = 1.0, 1e6
    plan = DescentPlan(10, 50, 0.8, 0.7, penalty=penalty, warmup_share=warmup_share, decay=decay)
    assert distance_with_one_more_row(x, y, plan) == pytest.approx(radius_of(plan), rel=1e-9)


def test_a_shorter_schedule_lets_a_row_pull_less() -> None:
    constant = radius_of(DescentPlan(1000, 50, 1.0, 0.5))
    assert radius_of(DescentPlan(1000, 50, 1.0, 0.5, decay="cosine")) < 0.7 * constant
    assert radius_of(DescentPlan(1000, 50, 1.0, 0.5, warmup_share=0.5)) < constant


@pytest.mark.parametrize(
    "plan",
    [
        DescentPlan(100, 10, 2.1, 1.0),
        DescentPlan(100, 10, 2.1, 1.0, warmup_share=0.9),
        DescentPlan(100, 10, 1.9, 1.0, penalty=0.2),
        DescentPlan(100, 10, 1.0, math.inf),
        DescentPlan(100, 10, 1.0, 1.0, sampling_rate=0.5),
    ],
    ids=["long steps", "long steps at last", "penalty", "no clipping", "batches"],
)
def test_a_plan_whose_steps_may_drive_runs_apart_has_no_radius(plan: DescentPlan) -> None:
    assert coupling_radius(plan) is None


def test_a_penalty_bounds_the_radius_however_many_steps() -> None:
    assert radius_of(DescentPlan(1000, 100_000, 1.0, 0.8, penalty=0.05)) <= 0.8 / (0.05 * 1000) * (1 + 1e-9)


@given(st.integers(1, 500), st.floats(0.01, 100))
@settings(deadline=None)
def test_full_batches_are_one_gaussian_mechanism(steps: int, noise: float) -> None:
    profile = descent_profile(DescentPlan(100, steps, 1.0, 0.5, noise_multiplier=noise))
    assert isinstance(profile, GaussianProfile)
    assert profile.mu == pytest.approx(math.sqrt(steps) / noise)


def test_batches_have_the_profile_of_subsampled_mechanisms() -> None:
    plan = DescentPlan(100, 20, 1.0, 0.5, noise_multiplier=1.5, sampling_rate=0.1)
    assert descent_profile(plan) == SubsampledGaussianProfile(1.5, 0.1, 20)
    assert descent_profile(plan).epsilon(1e-5) < descent_profile(DescentPlan(100, 20, 1.0, 0.5, 1.5)).epsilon(1e-5)


def test_no_noise_is_no_privacy() -> None:
    assert descent_profile(DescentPlan(100, 20, 1.0, 0.5)) == NoPrivacyProfile()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_rows", 0),
        ("steps", 0),
        ("step_size", 0.0),
        ("max_grad_norm", -1.0),
        ("noise_multiplier", math.inf),
        ("penalty", -0.1),
        ("absolute_penalty", math.nan),
        ("sampling_rate", 1.5),
        ("warmup_share", 1.0),
        ("decay", "linear"),
    ],
)
def test_a_plan_refuses_numbers_out_of_range_by_name(name: str, value: Any) -> None:
    good: dict[str, Any] = {"n_rows": 100, "steps": 5, "step_size": 1.0, "max_grad_norm": 1.0}
    with pytest.raises(InputError, match=name):
        DescentPlan(**{**good, name: value})
