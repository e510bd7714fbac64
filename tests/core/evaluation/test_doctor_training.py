"""What the doctor says of the model: clip norms, learning, spreads, and what the rows themselves are short of."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column
from dpcp_core.evaluation.doctor import Symptoms, TrainingSigns, examine
from dpcp_core.evaluation.doctor.training import round_number
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings
from tests.core.evaluation.runs import CLASSES, MANY_ROWS, clicked, codes, finding_of, line, run, said, wide_table

FINE = Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1)
LEARNT = TrainingSigns(gain=0.5, reference_gain=0.5, clip_norm=1.0, gradient_norm=0.5)

MENDABLE: list[tuple[str, str, dict[str, Any]]] = [
    ("clip_norm_far_off", MANY_ROWS, {"max_grad_norm": 100.0}),
    ("clip_norm_far_off", MANY_ROWS, {"max_grad_norm": 0.01}),
    ("clip_norm_far_off", MANY_ROWS, {"max_grad_norm": 0.01, "trainer": "mlp", "repetitions": 2}),
    ("clip_norm_far_off", CLASSES, {"max_grad_norm": 0.01}),
    ("not_learning", MANY_ROWS, {"step_size": 1e-4}),
    ("not_learning", MANY_ROWS, {"step_size": 50.0}),
    ("not_learning", MANY_ROWS, {"steps": 1, "step_size": 0.001, "decay": "cosine"}),
    ("not_learning", MANY_ROWS, {"trainer": "posterior_sample", "training_share": 0.05, "epsilon": 0.25}),
    ("not_learning", MANY_ROWS, {"trainer": "posterior_sample", "epsilon": 0.05}),
]


@pytest.mark.parametrize(("code", "sample", "choices"), MENDABLE)
def test_one_click_mends_what_the_doctor_finds(code: str, sample: str, choices: dict[str, Any]) -> None:
    before = run(sample, choices)
    for sentence in said(finding_of(before, code)):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    after = clicked(sample, before, code)
    assert code not in codes(after)
    # Adam takes steps of one length, however short the gradients are clipped.
    assert after.size_mean < before.size_mean or sample == CLASSES or choices.get("trainer") == "mlp"


@pytest.mark.parametrize("trainer", ["ols", "ridge", "lasso", "mlp", "objective_perturbation"])
def test_default_training_is_not_found_fault_with(trainer: str) -> None:
    found = codes(run(MANY_ROWS, {"trainer": trainer, "repetitions": 3}))
    assert not {"clip_norm_far_off", "not_learning"} & set(found)


def test_the_clip_norm_it_proposes_is_a_round_number_near_the_gradients() -> None:
    finding = finding_of(run(MANY_ROWS, {"max_grad_norm": 100.0}), "clip_norm_far_off")
    assert finding.change == {"max_grad_norm": 0.5}
    assert "before a release, find it on public or simulated rows" in finding.remedy


def test_short_gradients_at_public_weights_are_no_finding() -> None:
    data = load_sample(MANY_ROWS)
    half = data.n_rows // 2
    public, own = (
        Dataset.from_frame(part.reset_index(drop=True), data.schema) for part in (data.frame[:half], data.frame[half:])
    )
    assert "clip_norm_far_off" not in codes(simulate(own, ConformalSettings(repetitions=3), public))
    short = dataclasses.replace(LEARNT, gradient_norm=0.01)
    assert [f.code for f in examine(dataclasses.replace(FINE, training=short))] == ["clip_norm_far_off"]
    started = dataclasses.replace(short, public_start=True)
    assert examine(dataclasses.replace(FINE, training=started)) == ()


def test_a_short_clip_norm_is_no_finding_where_gradients_keep_their_length() -> None:
    signs = dataclasses.replace(LEARNT, clip_norm=0.01, clipped_share=0.8)
    assert examine(dataclasses.replace(FINE, training=signs)) == ()
    clipped = dataclasses.replace(signs, clipped_share=0.95)
    assert [f.code for f in examine(dataclasses.replace(FINE, training=clipped))] == ["clip_norm_far_off"]


@given(value=st.floats(1e-6, 1e6))
def test_a_round_number_is_1_2_or_5_times_a_power_of_ten_and_at_most_half_as_large_again(value: float) -> None:
    found = round_number(value)
    assert f"{found:.0e}"[0] in "125"
    assert f"{found:e}"[1:8] == ".000000"
    assert abs(math.log(found / value)) <= math.log(2.5) / 2 + 1e-9


def test_without_privacy_nothing_is_blamed_on_noise() -> None:
    nothing = wide_table(400, 3)
    rng = np.random.default_rng(1)
    frame = nothing.frame.assign(y=rng.normal(size=nothing.n_rows))
    result = run(Dataset.from_frame(frame, nothing.schema), {"epsilon": 4.0})
    finding = finding_of(result, "not_learning")
    assert "Also without privacy" in finding.cause
    assert finding.change == {}


def test_a_spread_that_never_leaves_its_floor_is_found_and_mended() -> None:
    data = line(noise=0.02)
    before = run(data, {"score": "normalized", "epsilon": 0.5})
    assert finding_of(before, "spread_at_floor").change == {"score": "absolute"}
    assert clicked(data, before, "spread_at_floor").width_mean < before.width_mean
    assert "spread_at_floor" not in codes(run(MANY_ROWS, {"score": "normalized", "epsilon": 4.0}))


def test_constant_columns_are_named_the_first_three_of_them() -> None:
    result = run(line(a=1.0, b=2.0, c=3.0, d=0.5), {"repetitions": 2})
    finding = finding_of(result, "constant_columns")
    assert finding.symptom == "a, b, c and 1 more have the same value in every row."
    assert "ignore" in finding.remedy


def test_bought_bounds_that_take_much_of_the_level_are_found_and_mended() -> None:
    data = line(4000)
    unknown = dataclasses.replace(data.schema.column("y"), bounds=None, typical=None)
    data = data.with_schema(data.schema.with_column(unknown))
    before = run(data, {"bounds_epsilon": 1.0, "epsilon": 2.0})
    after = clicked(data, before, "bounds_eat_level")
    assert "bounds_eat_level" not in codes(after)
    assert after.settings.bounds_epsilon < 0.1
    assert after.width_mean < before.width_mean


def test_a_part_of_the_level_that_bounds_took_is_not_laid_at_the_door_of_stability() -> None:
    bought = dataclasses.replace(
        FINE, bounds_epsilon=0.8, bounds_bought=1, level=0.1 * math.exp(-0.8), epsilon=1.8, n_rows=4000
    )
    assert not bought.level_is_reduced
    assert [finding.code for finding in examine(bought)] == ["bounds_eat_level"]


def test_a_budget_for_bounds_that_are_public_anyway_is_called_unused() -> None:
    (finding,) = examine(dataclasses.replace(FINE, bounds_epsilon=0.2))
    assert (finding.code, dict(finding.change)) == ("bounds_unused", {"bounds_epsilon": 0.0})


def test_a_column_that_is_not_used_is_not_called_constant() -> None:
    data = line(a=1.0)
    ignored = dataclasses.replace(data.schema.column("a"), role="ignore")
    assert isinstance(ignored, Column)
    assert "constant_columns" not in codes(run(data.with_schema(data.schema.with_column(ignored)), {"repetitions": 2}))
