"""Registered names in help texts, looked up when somebody asks for help and not before: they take time to import."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from typer.core import TyperCommand


class NamingCommand(TyperCommand):
    """A command whose help lists what is registered in place of ``{method}``, ``{trainer}`` and so on."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help with all names filled in."""
        names = registered_names()
        for parameter in self.params:
            if text := getattr(parameter, "help", None):
                parameter.help = filled(text, names)  # type: ignore[attr-defined]  # what has one, can have another
        super().format_help(ctx, formatter)


def registered_names() -> Mapping[str, tuple[str, ...]]:
    """Return the values of every option that takes one of several names."""
    from dpcp_core.conformal.choices import OPTIONS
    from dpcp_core.evaluation.utility import DOWNSTREAM
    from dpcp_core.experiments.audit.registry import AUDITED
    from dpcp_core.privacy.grid import BIN_RULES
    from dpcp_core.synthesis.attributes import ATTRIBUTES
    from dpcp_core.synthesis.rivals import RIVALS
    from dpcp_core.synthesis.settings import LABELS
    from dpcp_core.training.protocol import DECAYS

    return {
        **OPTIONS,
        "bins": BIN_RULES,
        "decay": DECAYS,
        "attributes": tuple(ATTRIBUTES),
        "labels": LABELS,
        "downstream": tuple(DOWNSTREAM),
        "rival": tuple(RIVALS),
        "audited": tuple(AUDITED),
    }


def filled(text: str, names: Mapping[str, Iterable[str]]) -> str:
    """Return a help text with names in place of ``{...}``.

    >>> filled("Model: {trainer}.", {"trainer": ["ols", "ridge"]})
    'Model: ols, ridge.'
    """
    return re.sub(r"\{(\w+)\}", lambda found: ", ".join(names[found[1]]), text)
