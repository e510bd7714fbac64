"""From what a person wrote to the syntax tree of a rule: bounded in length and depth, and never executed.

>>> schema = Schema((Column("body mass", "number", bounds=(10, 60)),))
>>> text, tree = parsed_rule("`body mass` > 20", {column.name: column for column in schema.columns})
>>> ast.unparse(tree)
'body mass > 20'
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from dpcp_core.data.column import Column
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError

__all__ = ["COMPARISONS", "RuleText", "Schema", "parsed_rule", "rule_refused", "shortened_rule"]

RuleText: TypeAlias = str | tuple[str, str, Any]

COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
"""Signs that a rule may compare with."""

_LONGEST, _DEEPEST, _SHOWN = 2000, 60, 80
_SAME = {"=": "==", "≤": "<=", "≥": ">=", "≠": "!="}
# A text in quotes, in which backticks are letters; or a name in backticks.
_QUOTED = re.compile(r"""('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|`([^`]+)`""")


def shortened_rule(text: str) -> str:
    """Return a rule in quotes as a sentence shows it: its beginning, where it is long.

    >>> shortened_rule("age >= 18"), len(shortened_rule("age + " * 500))
    ("'age >= 18'", 83)
    """
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def rule_refused(text: str) -> InputError:
    """Return the refusal of what cannot be read as a rule."""
    return InputError(
        f'The rule {shortened_rule(text)} cannot be read; write comparisons such as "age >= 18" or '
        "\"job in ['a', 'b']\", joined by and, or, not."
    )


def parsed_rule(given: RuleText, columns: Mapping[str, Column]) -> tuple[str, ast.expr]:
    """Return a rule's text and its tree, in which names are those of columns.

    Raises
    ------
    InputError
        What is no expression, or is too long or too deep to be checked.
    """
    if not isinstance(given, str):
        return _of_parts(given, columns)
    if not given.strip():
        raise InputError('A rule is empty; write one such as "age >= 18", or leave it out.')
    if len(given) > _LONGEST:
        raise InputError(
            f"The rule {shortened_rule(given)} has {len(given):,} characters, but at most {_LONGEST:,} are read; "
            "divide it into several rules."
        )
    text, names = _without_backticks(given.strip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _unread(given, columns) from None
    _refuse_depth(given, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return given, tree


def _without_backticks(text: str) -> tuple[str, dict[str, str]]:
    """Return the text with a stand-in for each name in backticks, which may hold anything."""
    stem = "_column_"
    while stem in text:
        stem += "_"
    stand_ins: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        return match[1] or stand_ins.setdefault(match[2], f"{stem}{len(stand_ins)}")

    replaced = _QUOTED.sub(stand_in, text)
    return replaced, {stand: name for name, stand in stand_ins.items()}


def _unread(text: str, columns: Mapping[str, Column]) -> InputError:
    """Return the refusal, with the one thing that people forget most often."""
    odd = [name for name in columns if not name.isidentifier() and name in text and f"`{name}`" not in text]
    if not odd:
        return rule_refused(text)
    return InputError(
        f"The rule {shortened_rule(text)} cannot be read; put the name of the column in backticks: `{odd[0]}`."
    )


def _refuse_depth(text: str, tree: ast.expr) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise InputError(f"The rule {shortened_rule(text)} is nested too deeply; divide it into several rules.")


def _of_parts(given: Any, columns: Mapping[str, Column]) -> tuple[str, ast.expr]:
    parts = tuple(given) if isinstance(given, (tuple, list)) else ()
    if len(parts) != 3 or not isinstance(parts[0], str):
        raise rule_refused(str(given))
    left, sign, right = parts
    text = f"{left} {sign} {right!r}"
    kinds = {name: kind for kind, name in COMPARISONS.items()}
    kind = kinds.get(_SAME.get(str(sign), str(sign)))
    if kind is None:
        raise rule_refused(text)
    column = columns.get(left)
    is_level = column is not None and not column.is_numeric and right in column.categories
    return text, ast.Compare(ast.Name(left), [kind()], [_side(right, columns, literal=is_level)])


def _side(value: Any, columns: Mapping[str, Column], *, literal: bool) -> ast.expr:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ast.List([ast.Constant(_plain(part)) for part in value])
    if isinstance(value, str) and value in columns and not literal:
        return ast.Name(value)
    return ast.Constant(_plain(value))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
