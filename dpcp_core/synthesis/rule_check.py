"""Rules that no row can satisfy are refused before anything is read: a question of the public schema alone.

>>> schema = Schema((Column("age", "integer", bounds=(0, 99)), Column("job", "category", categories=("CEO", "none"))))
>>> rules = [Rule.of(text, schema) for text in ("age < 18", "age >= 18 or job == 'CEO'", "job != 'CEO'")]
>>> refuse_contradictions(rules[:2])
>>> refuse_contradictions(rules)  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: No row that the schema allows satisfies the rules (age < 18; age >= 18 or ...
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.data.column import Column
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.synthesis.rules import Rule

__all__ = ["Column", "Schema", "no_row_satisfies", "refuse_contradictions"]

_MOST_TRIED = 200_000
_SHOWN, _LONGEST = 3, 160


def refuse_contradictions(rules: Sequence[Rule]) -> None:
    """Refuse rules that no filled row of the schema satisfies.

    Parameters
    ----------
    rules : sequence of Rule

    Raises
    ------
    InputError
        Rules that compare columns with constants, or categories with each other, and leave nothing. Others, such as
        ``a < b - 3``, and those with very many combinations are not judged here.

    Notes
    -----
    **Privacy.** Costs nothing: no row is read. Such a comparison changes only at its constants, so that the constants,
    the bounds and one value between each two neighbours stand for all values.
    """
    for linked in _linked(rules):
        tried = _every_kind_of_row(linked)
        if tried is not None and not np.logical_and.reduce([rule.holds(tried) for rule in linked]).any():
            raise no_row_satisfies("No row that the schema allows", linked, surely=True)


def no_row_satisfies(what: str, rules: Sequence[Rule], *, surely: bool = False) -> InputError:
    """Return the refusal of rules that leave nothing; ``surely`` where it is proven and not only seen."""
    said = "; ".join(rule.text for rule in rules[:_SHOWN])
    said = f"{said[:_LONGEST]}…" if len(said) > _LONGEST else said
    rest = "; …" if len(rules) > _SHOWN else ""
    if len(rules) == 1:
        verb = "contradicts" if surely else "may contradict"
        return InputError(f"{what} satisfies the rule ({said}): it {verb} itself or the schema; change it.")
    verb = "contradict" if surely else "may contradict"
    return InputError(
        f"{what} satisfies the rules ({said}{rest}): they {verb} each other or the schema; change or remove one."
    )


def _linked(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return the rules in groups that have no column in common: each group is satisfied or not by itself."""
    groups: list[tuple[set[str], list[Rule]]] = []
    for rule in rules:
        names, together = set(rule.names), [rule]
        apart = []
        for group in groups:
            if group[0] & names:
                names, together = names | group[0], [*group[1], *together]
            else:
                apart.append(group)
        groups = [*apart, (names, together)]
    return [group for _, group in groups]


def _every_kind_of_row(rules: Sequence[Rule]) -> pd.DataFrame | None:
    """Return a row for each way in which the rules can come out; None where that cannot be told or is too many."""
    comparisons = [node for rule in rules for node in ast.walk(rule.tree) if isinstance(node, ast.Compare)]
    columns = rules[0].columns
    if not all(_is_plain(node, columns) for node in comparisons):
        return None
    constants = sorted({value for node in comparisons for value in _constants(node)})
    names = sorted({name for rule in rules for name in rule.names})
    values = [_values(columns[name], constants) for name in names]
    sizes = [len(each) for each in values]
    if math.prod(sizes) > _MOST_TRIED:
        return None
    places = np.unravel_index(np.arange(math.prod(sizes)), sizes)
    return pd.DataFrame({name: each[place] for name, each, place in zip(names, values, places, strict=True)})


def _is_plain(node: ast.Compare, columns: Mapping[str, Column]) -> bool:
    """Whether a comparison is of one column with constants, or of categories."""
    parts = [child for side in (node.left, *node.comparators) for child in ast.walk(side)]
    numbers = [part for part in parts if isinstance(part, ast.Name) and columns[part.id].is_numeric]
    return len(numbers) <= 1 and not any(isinstance(part, ast.BinOp) for part in parts)


def _constants(node: ast.Compare) -> Iterator[float]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
            yield from (float(part.value), -float(part.value))


def _values(column: Column, constants: Iterable[float]) -> Any:
    """Return values that stand for all of a column's."""
    if not column.is_numeric:
        return np.array(column.categories, dtype=object)
    low, high = column.bounds or (-math.inf, math.inf)
    ends = np.array(sorted({low, high, *(value for value in constants if low <= value <= high)}))
    between: Floats = (ends[:-1] + ends[1:]) / 2
    if column.kind != "integer":
        return np.unique(np.concatenate([ends, between]))
    around = np.concatenate([np.floor(ends), np.ceil(ends), np.floor(ends) + 1, np.ceil(ends) - 1])
    return np.unique(around[(around >= low) & (around <= high)])
