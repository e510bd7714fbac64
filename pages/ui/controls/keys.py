"""Where each setting lives: the key of its widget, and what the widget holds for a value.

The URL carries epsilon, coverage, share and bins; the rest lasts for the session. Nothing that comes from a person's
table, not even a column's name, is bound to the URL: URLs land in logs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import streamlit as st

from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording.controls import CONTROLS, Control
from dpcp_core.presentation.wording.numbers import level, short
from dpcp_core.presentation.wording.terms import OPTIONS, option_title
from pages.ui import state

EPSILON, COVERAGE, SHARE, BINS = "epsilon", "coverage", "share", "bins"
"""Keys of the widgets whose values the URL carries, and their names there."""

BIN_RULE = "set_bin_rule"
AS_SLIDER = "as the slider says"

DEFAULTS = ConformalSettings()
FIELDS = tuple(field.name for field in dataclasses.fields(ConformalSettings) if field.name != "target")
"""Everything that a control sets; the target is chosen with the table."""

COVERAGES, SHARES = range(50, 100), range(10, 91, 5)

_NAMED = {"epsilon": EPSILON, "confidence_level": COVERAGE, "training_share": SHARE}
_PERCENT = frozenset({"confidence_level", "training_share", "row_share", "test_share", "bound_share", "warmup_share"})
_WHOLE = frozenset({"steps", "batch_size", "repetitions", "seed"})


def key(field: str) -> str:
    """Return the key of a setting's widget.

    >>> key("confidence_level"), key("loss")
    ('coverage', 'set_loss')
    """
    return _NAMED.get(field, f"set_{field}")


def words(field: str) -> Control:
    """Return label and help of a setting's widget."""
    return CONTROLS[field]


def held() -> dict[str, Any]:
    """Return what the widgets stand for, drawn or not, by setting."""
    get = st.session_state.get
    rule = get(BIN_RULE, AS_SLIDER)
    bins = get(BINS, DEFAULTS.bins) if rule == AS_SLIDER else rule
    return {**{field: chosen(field) for field in FIELDS if field != "bins"}, "bins": bins}


def chosen(field: str) -> Any:
    """Return what the widget of one setting other than the bins stands for, drawn or not."""
    default = _for_widget(field, getattr(DEFAULTS, field))
    return _of_widget(field, st.session_state.get(key(field), default))


def widget_values(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the widget values for changed settings, by key.

    Parameters
    ----------
    changes : mapping
        Fields of :class:`ConformalSettings` and their new values.

    >>> widget_values({"confidence_level": 0.8, "bins": 200, "loss": "bracket"})
    {'coverage': 80, 'set_bin_rule': 'as the slider says', 'bins': 200, 'set_loss': 'bracket'}
    >>> widget_values({"steps": 40.0, "max_grad_norm": 1, "penalty": None})
    {'set_steps': 40, 'set_max_grad_norm': 1.0, 'set_penalty': None}
    """
    values: dict[str, Any] = {}
    for field, value in changes.items():
        if field == "bins":
            values[BIN_RULE] = value if isinstance(value, str) else AS_SLIDER
            if not isinstance(value, str):
                values[BINS] = value
        else:
            values[key(field)] = _for_widget(field, value)
    return values


def apply(changes: Mapping[str, Any]) -> None:
    """Set the widgets to changed settings; for callbacks only."""
    state.put(widget_values(changes))


def change_label(changes: Mapping[str, Any]) -> str:
    """Return what a button that makes these changes is called.

    >>> change_label({"epsilon": 2.0}), change_label({"method": "dpcp", "guarantee": "certified"})
    ('Set privacy budget ε to 2', 'Set method to “DPCP, certified” and guarantee to “certified”')
    >>> change_label({"steps": None}), change_label({"allow_empty": False}).startswith("Switch off ")
    ('Set training steps to the public default', True)
    """
    # One verb serves all that follow it.
    by_verb = groupby((_change(field, value) for field, value in changes.items()), key=itemgetter(0))
    text = " and ".join(f"{verb} {' and '.join(what for _, what in parts)}" for verb, parts in by_verb)
    return text[0].upper() + text[1:]


def percent(share: float) -> int:
    """Return a share as the sliders hold it."""
    return round(100 * share)


def _for_widget(field: str, value: Any) -> Any:
    if field in _PERCENT:
        return percent(value)
    if isinstance(value, str | bool) or value is None:
        return value
    return int(value) if field in _WHOLE else float(value)


def _of_widget(field: str, value: Any) -> Any:
    return value / 100 if field in _PERCENT else value


def _change(field: str, value: Any) -> tuple[str, str]:
    """Return a verb, and what it does."""
    label = words(field).label
    label = label if label.startswith("δ") else label[0].lower() + label[1:]
    if isinstance(value, bool):
        return ("switch on" if value else "switch off"), label
    if value is None:
        return "set", f"{label} to the public default"
    if field in OPTIONS and isinstance(value, str):
        return "set", f"{label} to “{option_title(field, value)}”"
    return "set", f"{label} to {level(value) if field in _PERCENT else short(value)}"
