"""Settings are checked when made, survive a round trip, and know what training depends on."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core import ConformalSettings, InputError
from dpcp_core.conformal.methods import METHODS


@pytest.mark.parametrize("method", list(METHODS))
def test_settings_survive_json(method: str) -> None:
    settings = ConformalSettings(method=method, epsilon=0.5, bins="sqrt", target="days", steps=7)
    assert ConformalSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize("bins", [100, "100", " 100 ", 100.0, "1e2"])
def test_a_number_of_bins_becomes_a_plain_number_however_it_is_written(bins: object) -> None:
    assert ConformalSettings(bins=bins).bins == 100
    assert type(ConformalSettings(bins=bins).bins) is int


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(InputError, match="'epsilonn'"):
        ConformalSettings.from_dict({"epsilonn": 1})


@pytest.mark.parametrize(
    "change",
    [
        {"confidence_level": 0.8},
        {"bins": 7},
        {"loss": "paper"},
        {"grid": "uniform"},
        {"guarantee": "paper"},
        {"stability": "profile"},
        {"smallest_width": 2.0},
    ],
)
def test_what_only_the_quantile_reads_keeps_the_trained_models(change: dict) -> None:
    settings = ConformalSettings()
    assert settings.replace(**change).training_key() == settings.training_key()


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": 2.0},
        {"delta": 1e-6},
        {"training_share": 0.3},
        {"stability": "split"},
        {"composition": "basic"},
        {"trainer": "ols"},
        {"seed": 1},
        {"repetitions": 5},
        {"test_share": 0.3},
        {"steps": 9},
        {"method": "oracle"},
        {"target": "x"},
    ],
)
def test_what_training_reads_changes_its_key(change: dict) -> None:
    settings = ConformalSettings()
    assert settings.replace(**change).training_key() != settings.training_key()


@pytest.mark.parametrize("name", ["epsilon", "delta", "confidence_level", "test_share", "repetitions", "seed"])
@pytest.mark.parametrize("value", [-1, "abc", None, float("nan"), True])
def test_a_wrong_value_is_one_sentence_with_the_name(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        ConformalSettings(**{name: value})


NAMES = [field.name for field in dataclasses.fields(ConformalSettings)]
ANYTHING = st.one_of(
    st.sampled_from(["", "abc", " 5 ", "0.5", "1e-3", 1e-320, 1e308, 10**400, 1 - 2**-53, math.inf, [], [1], {}]),
    st.none() | st.booleans() | st.integers(-2, 2000) | st.floats() | st.floats(0, 1),
)


def outcome(values: dict[str, object]) -> ConformalSettings | str:
    """Return what the values make, with budgets that can be worked out, or why not."""
    try:
        made = ConformalSettings.from_dict(values)
        return made if made.allocation else ""
    except InputError as refusal:
        return str(refusal)


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(NAMES), ANYTHING, min_size=1, max_size=2))
def test_settings_of_anything_are_refused_in_a_sentence_or_work_and_survive_json(values: dict[str, object]) -> None:
    chosen = outcome(values)
    if isinstance(chosen, str):
        assert chosen.endswith(".")
        assert len(chosen) < 500
        return
    budgets = chosen.allocation
    assert budgets.training.epsilon <= chosen.epsilon or not chosen.recipe.private_training
    assert budgets.quantile_epsilon is None or budgets.quantile_epsilon <= chosen.epsilon
    assert hash(chosen.training_key()) == hash(chosen.replace().training_key())
    assert ConformalSettings.from_dict(json.loads(json.dumps(chosen.to_dict(), allow_nan=False))) == chosen
