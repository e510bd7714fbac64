from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dpcp_core.conformal.choices import AUTO, GRIDS
from dpcp_core.conformal.methods import METHODS
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import STABILITIES
from dpcp_core.errors import InputError
from dpcp_core.evaluation.doctor import STABILITY_NAMES
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.glossary import GLOSSARY
from dpcp_core.presentation.wording.terms import OPTIONS, QUANTILES, option_title, term
from dpcp_core.privacy.composition import COMPOSITIONS
from dpcp_core.privacy.grid import BIN_RULES
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.quantile_mechanisms import QUANTILES as ALL_QUANTILES
from dpcp_core.training.protocol import DECAYS
from dpcp_core.training.registry import TRAINERS


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("method", METHODS),
        ("stability", STABILITIES),
        ("score", (AUTO, *SCORES)),
        ("trainer", (AUTO, *TRAINERS)),
        ("decay", DECAYS),
        ("loss", LOSSES),
        ("guarantee", GUARANTEES),
        ("grid", GRIDS),
        ("composition", (*COMPOSITIONS, "parallel")),
        ("bins", BIN_RULES),
    ],
)
def test_every_choice_is_explained_and_nothing_else(field: str, values: object) -> None:
    assert set(OPTIONS[field]) == set(values)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("terms", "registered"),
    [(OPTIONS["trainer"], TRAINERS), (OPTIONS["score"], SCORES), (QUANTILES, ALL_QUANTILES)],
)
def test_what_is_registered_brings_its_own_words(terms: Any, registered: Any) -> None:
    for name, entry in registered.items():
        assert (terms[name].title, terms[name].sentence) == (entry.title, entry.sentence)


def test_candidates_that_are_scores_are_marked_as_not_private() -> None:
    explained = term("grid", "order_statistics")
    assert "NOT PRIVATE" in explained.title
    assert "NOT PRIVATE" in explained.sentence


def test_every_setting_has_a_label_and_help() -> None:
    assert set(CONTROLS) == {field.name for field in dataclasses.fields(ConformalSettings)}


def test_labels_are_short_and_help_is_a_sentence() -> None:
    for control in CONTROLS.values():
        assert len(control.label.split()) <= 3
        assert control.help.endswith(".")
        assert bool(control.low_end) == bool(control.high_end)


def test_the_private_end_of_epsilon_is_the_low_one() -> None:
    epsilon = CONTROLS["epsilon"]
    assert (epsilon.low_end, epsilon.high_end) == ("stronger privacy", "sharper answers")


def test_titles_are_short_different_and_explained_in_sentences() -> None:
    for options in (*OPTIONS.values(), GLOSSARY):
        titles = [option.title for option in options.values()]
        assert len(set(titles)) == len(titles)
        assert max(map(len, titles)) <= 30
        assert all(option.sentence.endswith(".") for option in options.values())


def test_the_doctor_uses_the_same_names() -> None:
    for name, title in STABILITY_NAMES.items():
        assert term("stability", name).title == title


def test_what_has_no_explanation_is_named() -> None:
    with pytest.raises(InputError, match="no explanation of method = 'magic'"):
        term("method", "magic")


def test_a_value_that_speaks_for_itself_is_its_own_title() -> None:
    assert option_title("bins", 100) == "100"
    assert option_title("epsilon", 0.5) == "0.5"
    assert [option_title("by_group", value) for value in (True, False)] == ["yes", "no"]
