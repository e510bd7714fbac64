"""What a person chooses for training: contradictions are refused, schedules and noise are what they claim to be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training._choices import DESCENT, checked_noise, refuse_unused, sampling, step_sizes
from dpcp_core.training.protocol import TrainingChoices

BUDGET = TrainingBudget(1.0, 1e-5)


@pytest.mark.parametrize(
    "choices",
    [
        TrainingChoices(steps=3),
        TrainingChoices(penalty=0.0),
        TrainingChoices(batch_size=3),
        TrainingChoices(warmup_share=0.1),
        TrainingChoices(decay="cosine"),
    ],
    ids=lambda choices: next(name for name in DESCENT if getattr(choices, name) != getattr(TrainingChoices(), name)),
)
def test_a_choice_without_a_use_is_refused_by_name(choices: TrainingChoices) -> None:
    refuse_unused("ridge", choices, DESCENT)
    (set_one,) = (name for name in DESCENT if getattr(choices, name) != getattr(TrainingChoices(), name))
    with pytest.raises(InputError, match=f"^{set_one} is .* 'adassp' has no use for it"):
        refuse_unused("adassp", choices, frozenset())


def test_nothing_chosen_is_never_refused() -> None:
    refuse_unused("adassp", TrainingChoices(), frozenset())


@given(st.integers(1, 300), st.floats(0, 0.99), st.sampled_from(["constant", "cosine"]), st.floats(1e-3, 10))
@settings(deadline=None)
def test_every_step_is_above_zero_and_the_longest_is_the_step_size(
    steps: int, share: float, decay: Any, size: float
) -> None:
    lengths = step_sizes(steps, size, share, decay)
    assert lengths.shape == (steps,)
    assert lengths.min() > 0
    assert lengths.max() == pytest.approx(size)
    longest = int(np.argmax(lengths))
    assert (np.diff(lengths[: longest + 1]) > 0).all()
    assert (np.diff(lengths[longest:]) <= 1e-12).all()


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (TrainingChoices(), (40, 0.5)),
        (TrainingChoices(steps=7), (7, 0.5)),
        (TrainingChoices(epochs=3), (6, 0.5)),
        (TrainingChoices(epochs=0.1), (1, 0.5)),
        (TrainingChoices(sampling_rate=1), (40, 1.0)),
        (TrainingChoices(sampling_rate=0.1, epochs=3), (30, 0.1)),
        (TrainingChoices(batch_size=250), (40, 0.25)),
        (TrainingChoices(batch_size=1000), (40, 1.0)),
        (TrainingChoices(batch_size=250, sampling_rate=0.25, steps=8, epochs=2), (8, 0.25)),
    ],
    ids=str,
)
def test_steps_and_batches_follow_from_any_way_to_give_them(
    choices: TrainingChoices, expected: tuple[int, float]
) -> None:
    assert sampling(choices, 1000, default_rate=0.5, default_steps=40) == expected


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (TrainingChoices(steps=7, epochs=3), "steps is 7 but epochs = 3 means 6 steps"),
        (TrainingChoices(batch_size=250, sampling_rate=0.5), "batch_size is 250 but sampling_rate = 0.5 means 500"),
        (TrainingChoices(batch_size=1001), "batch_size is 1,001 but there are 1,000"),
        (TrainingChoices(batch_size=0), "batch_size"),
        (TrainingChoices(sampling_rate=0.0), "sampling_rate"),
        (TrainingChoices(sampling_rate=1.1), "sampling_rate"),
        (TrainingChoices(epochs=0.0), "epochs"),
        (TrainingChoices(epochs=math.inf), "epochs"),
        (TrainingChoices(steps=0), "steps"),
        (TrainingChoices(epochs=1e9), "epochs is 1e[+]09, which means 2,000,000,000 steps"),
    ],
    ids=str,
)
def test_contradictions_and_numbers_out_of_range_are_refused(choices: TrainingChoices, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sampling(choices, 1000, default_rate=0.5, default_steps=40)


@pytest.mark.parametrize("rate", [1.0, 0.1])
def test_noise_that_overspends_is_refused_and_what_the_sentence_says_is_enough(rate: float) -> None:
    needed = checked_noise(TrainingChoices(), BUDGET, 50, rate)
    assert needed == BUDGET.noise_multiplier(50, rate)
    with pytest.raises(InputError, match="noise_multiplier") as refusal:
        checked_noise(TrainingChoices(noise_multiplier=0.99 * needed), BUDGET, 50, rate)
    said = float(str(refusal.value).rstrip(".").rsplit(" ", 1)[1])
    assert needed <= said <= 1.002 * needed
    assert checked_noise(TrainingChoices(noise_multiplier=said), BUDGET, 50, rate) == said


def test_more_noise_than_needed_is_kept() -> None:
    assert checked_noise(TrainingChoices(noise_multiplier=99.0), BUDGET, 50, 1.0) == 99.0
    assert checked_noise(TrainingChoices(noise_multiplier=0.5), TrainingBudget(math.inf, 1e-5), 50, 1.0) == 0.5


@pytest.mark.parametrize("noise", [-1.0, math.inf, math.nan])
def test_noise_that_is_no_size_is_refused(noise: float) -> None:
    with pytest.raises(InputError, match="noise_multiplier"):
        checked_noise(TrainingChoices(noise_multiplier=noise), BUDGET, 50, 1.0)
