"""From lists on the command line to a plan: ``--methods``, ``--epsilons`` and ``--over``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dpcp_core.cli.settings import level_from, listed, number_or_text, settings_from
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.experiments.sweep.plan import SweepPlan

DEFAULT = "default"
"""The word for a setting's own default in a list of values."""

_ELSEWHERE = {"method": "--methods", "epsilon": "--epsilons"}
_ONE_FOR_ALL = ("target", "repetitions")
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def plan_from(typed: Mapping[str, Any], methods: str, epsilons: str, over: Iterable[str]) -> SweepPlan:
    """Return the plan that was typed.

    Parameters
    ----------
    typed : mapping
        Options of the settings by name.
    methods, epsilons : str
        Values with commas between them.
    over : iterable of str
        Further settings, each as ``NAME=VALUE,VALUE,...``.

    Raises
    ------
    InputError
        No such setting or method, or a value outside its range.
    """
    from dpcp_core.experiments.presets import COMPARED
    from dpcp_core.experiments.sweep.plan import ALL, SweepPlan

    tried = [number_or_text(word) for word in listed(epsilons)]
    # What must stay below epsilon is held against the largest here, and against each one in the plan.
    largest = max((value for value in tried if not isinstance(value, str)), default=1.0)
    settings = settings_from({**typed, "method": "dpcp", "epsilon": largest})
    named = [name for word in listed(methods) for name in (COMPARED if word == ALL else (word,))]
    return SweepPlan.of(settings, methods=named, epsilons=tried, **_axes(over))  # type: ignore[arg-type]  # is checked


def _axes(over: Iterable[str]) -> dict[str, list[object]]:
    axes: dict[str, list[object]] = {}
    for text in over:
        name, has_values, values = text.partition("=")
        if not has_values:
            raise InputError(f"--over is {text!r} but must name a setting and its values, such as bins=50,100,200.")
        setting = _setting(name.strip())
        axes.setdefault(setting, []).extend(_value(setting, word) for word in listed(values))
    return axes


def _setting(name: str) -> str:
    from dpcp_core.experiments.settings import ConformalSettings

    plain = name.removeprefix("--").replace("-", "_")
    if plain in _ELSEWHERE:
        raise InputError(f"--over cannot take {name}; give its values with {_ELSEWHERE[plain]}.")
    if plain in _ONE_FOR_ALL:
        raise InputError(f"--over cannot take {name}, which is one for all cells; run a sweep for each.")
    known = [field.name for field in dataclasses.fields(ConformalSettings)]
    if plain != "alpha" and plain not in known:
        raise InputError(f"--over names {name!r}, which is no setting; dpcp sweep --help lists them as options.")
    return "confidence_level" if plain == "alpha" else plain


def _value(setting: str, word: str) -> object:
    """Return the value of a setting that a word stands for; what does not do is left for the settings to refuse."""
    from dpcp_core.experiments.settings import ConformalSettings

    default = getattr(ConformalSettings(), setting)
    if word == DEFAULT:
        return default
    if setting == "confidence_level":
        return level_from(word)
    if isinstance(default, bool):
        return _yes_or_no(setting, word)
    return number_or_text(word)


def _yes_or_no(setting: str, word: str) -> bool:
    if word.lower() not in (*_YES, *_NO):
        raise InputError(f"{setting} is {word!r} but must be yes or no.")
    return word.lower() in _YES
