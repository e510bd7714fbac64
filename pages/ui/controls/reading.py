"""Widgets -> frozen settings, and which controls change nothing just now."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dpcp_core.conformal.choices import AUTO
from dpcp_core.conformal.methods import METHODS, ORDER_STATISTICS, Recipe
from dpcp_core.conformal.scores import SCORES
from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording import idle as words
from dpcp_core.presentation.wording.terms import option_title
from dpcp_core.training.protocol import Task, TrainingChoices
from dpcp_core.training.registry import TRAINERS, default_trainer
from pages.ui import state
from pages.ui.controls.keys import DEFAULTS, held
from pages.ui.text import opening
from pages.ui.trainers import choices_used

Reasons = Mapping[str, str]
"""By setting: why its control changes nothing, as a sentence."""

_OF_QUANTILE = ("bins", "grid", "loss", "guarantee", "composition", "training_share", "bound_share", "smallest_width")
_OF_GRID = ("bins", "bound_share", "smallest_width")
# Two ways to say one thing: where the first is given, the second has nothing left to say.
_SAID_BY = {"batch_size": ("sampling_rate", "The sampling rate"), "epochs": ("steps", "The number of steps")}


def settings() -> ConformalSettings:
    """Return the settings that the widgets stand for, drawn or not.

    Raises
    ------
    InputError
        If a browser sent a value that no widget offers, or two that contradict each other.
    """
    values = _suited(held(), state.task())
    return _settings(values, refused(values))


def _settings(values: Mapping[str, Any], off: Reasons) -> ConformalSettings:
    return ConformalSettings(**{**values, **{field: getattr(DEFAULTS, field) for field in off}})


def idle() -> Reasons:
    """Return the settings that change nothing, because the method, the table or another choice decides them."""
    values = _suited(held(), state.task())
    off = dict(refused(values))
    try:
        recipe = _settings(values, off).recipe
    except InputError:
        return off
    return {**_left_over(recipe, values), **off}


def suiting(field: str, task: Task) -> tuple[str, ...]:
    """Return the trainers or scores that suit what is predicted, the automatic choice first.

    >>> suiting("score", "regression")
    ('auto', 'absolute', 'normalized')
    """
    if field == "trainer":
        return (AUTO, *(name for name, trainer in TRAINERS.items() if task in trainer.tasks))
    return (AUTO, *(name for name, score in SCORES.items() if score.task == task))


def refused(values: Mapping[str, Any]) -> Reasons:
    """Return the settings that a run with these values would refuse, and so does not hear of."""
    trainer = default_trainer(state.task(), state.n_classes()) if values["trainer"] == AUTO else values["trainer"]
    off = unused(trainer, values)
    schema = state.current().schema
    if not any(schema.column(name).is_numeric for name in schema.from_file):
        off["bounds_epsilon"] = words.ALL_PUBLIC
    if schema.group is None:
        off["by_group"] = words.NO_GROUP
    return off


def unused(trainer: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the choices of training that a trainer has no use for, and those that another choice has made already."""
    fields = {field.name for field in dataclasses.fields(TrainingChoices)}
    off = dict.fromkeys(sorted(fields - choices_used(trainer)), words.NO_USE.format(opening(TRAINERS[trainer].title)))
    for field, (other, title) in _SAID_BY.items():
        if values[other] is not None and other not in off:
            off.setdefault(field, words.SAID_BY.format(title))
    return off


def _suited(values: dict[str, Any], task: Task) -> dict[str, Any]:
    """Return the values with the automatic choice in place of one that suits another kind of target."""
    fitting = {field: AUTO for field in ("trainer", "score") if values[field] not in suiting(field, task)}
    return {**values, **fitting}


def _left_over(recipe: Recipe, values: Mapping[str, Any]) -> dict[str, str]:
    """Return what the recipe of a method decides or never reads."""
    method = f"“{option_title('method', recipe.method)}”"
    off = dict.fromkeys(METHODS[recipe.method].fixed, words.DECIDES.format(method))
    if not recipe.private_training:
        off |= dict.fromkeys(("epsilon", "delta", "noise_multiplier"), words.SPENDS_NOTHING.format(method))
        if not recipe.clips:
            off["max_grad_norm"] = words.SHORTENS_NONE.format(method)
    if not recipe.private_quantile:
        off |= dict.fromkeys(_OF_QUANTILE, words.EXACT_THRESHOLD.format(method))
    elif recipe.grid == ORDER_STATISTICS:
        off |= dict.fromkeys(_OF_GRID, words.SCORES_ARE_CANDIDATES)
    elif recipe.quantile != "exponential":
        off["bound_share"] = words.PUBLIC_BOUND.format(method)
    if recipe.composition == "parallel":
        off["training_share"] = words.OTHER_ROWS
    if not recipe.splits_rows:
        off["row_share"] = words.ALL_ROWS
    if recipe.grid == "uniform" and not values["bound_share"]:
        off["smallest_width"] = words.EQUAL_STEPS
    if state.task() == "regression":
        off["allow_empty"] = words.OF_NUMBERS
    return off
