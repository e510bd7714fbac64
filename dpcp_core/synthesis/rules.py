"""Public rules that every synthetic row must satisfy, read by a small grammar and never executed as code.

A rule is text, such as ``"age >= 18"``, ``"not (age < 18 and job == 'CEO')"``, ``"sex in ['f', 'm']"``, or
``"years_employed <= age - 14"`` (names with spaces in backticks), or three parts: ``("age", ">=", 18)``, where the
third may name a column. An empty cell may make each comparison true or false, as in a CHECK of SQL: a row breaks a rule
only if the rule fails however these fall. Rules that contradict each other are refused, see
:mod:`dpcp_core.synthesis.rule_check`.

>>> schema = Schema((Column("age", "integer", bounds=(0, 99)), Column("job", "category", categories=("CEO", "none"))))
>>> rule = Rule.of("not (age < 18 and job == 'CEO')", schema)
>>> rule.holds(pd.DataFrame({"age": [10, 40], "job": ["CEO", "CEO"]})).tolist()
[False, True]
>>> Rule.of("agee > 3", schema)
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: The rule 'agee > 3' names a column 'agee' (did you mean 'age'?) that is not made.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Booleans, Floats
from dpcp_core._words import names_text
from dpcp_core.data.classes import category_codes
from dpcp_core.data.column import Column, did_you_mean
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.synthesis.rule_text import COMPARISONS, RuleText, parsed_rule, rule_refused, shortened_rule

_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip
_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule, checked against the schema.

    Attributes
    ----------
    text : str
        As a person wrote it.
    tree : syntax tree
    columns : mapping of name to Column
        What it may name.
    """

    text: str
    tree: ast.expr
    columns: Mapping[str, Column]

    @classmethod
    def of(cls, given: RuleText, schema: Schema) -> Rule:
        """Read one rule.

        Raises
        ------
        InputError
            Anything but comparisons of columns, numbers and texts joined by and, or, not; the sentence shows the rule.
        """
        columns = {column.name: column for column in schema.columns if column.role != "ignore"}
        text, tree = parsed_rule(given, columns)
        rule = cls(text, tree, columns)
        # On no rows everything but the rows themselves is checked.
        rule.holds(pd.DataFrame({name: pd.Series(dtype=object) for name in columns}))
        if not rule.names:
            raise InputError(f"The rule {shortened_rule(text)} names no column; compare a column with something.")
        return rule

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Columns that it names, in the order of the table."""
        named = _names_in(self.tree)
        return tuple(name for name in self.columns if name in named)

    def holds(self, frame: pd.DataFrame) -> Booleans:
        """Return whether each row satisfies the rule, as far as is known, shape (n,)."""
        return self._possible(self.tree, frame)[0]

    def _possible(self, node: ast.expr, frame: pd.DataFrame) -> tuple[Booleans, Booleans]:
        """Return whether this part can be true and whether it can be false, both where a cell is empty."""
        if isinstance(node, ast.BoolOp):
            parts = [self._possible(part, frame) for part in node.values]
            trues, falses = [part[0] for part in parts], [part[1] for part in parts]
            return (_all(trues), _any(falses)) if isinstance(node.op, ast.And) else (_any(trues), _all(falses))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            true, false = self._possible(node.operand, frame)
            return false, true
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            links = [self._link(*link, frame) for link in zip(sides[:-1], node.ops, sides[1:], strict=True)]
            return _all([link[0] for link in links]), _any([link[1] for link in links])
        raise self._refused()

    def _unknown(self, node: ast.expr, frame: pd.DataFrame) -> Booleans:
        """Return where a column that this part names is empty."""
        names = sorted(_names_in(node))
        return _any([np.zeros(len(frame), np.bool_), *(frame[name].isna().to_numpy() for name in names)])

    def _link(self, left: ast.expr, sign: ast.cmpop, right: ast.expr, frame: pd.DataFrame) -> tuple[Booleans, Booleans]:
        held: Booleans
        name = COMPARISONS.get(type(sign))
        if name is None:
            raise self._refused()
        if name in ("in", "not in"):
            found = self._among(left, right, frame)
            held = found if name == "in" else np.logical_not(found)
        else:
            one, other = self._sides(left, right, frame)
            held = _filled(_COMPARE[name](one, other), frame)
        unknown: Booleans = _any([self._unknown(left, frame), self._unknown(right, frame)])
        return _any([held, unknown]), _any([np.logical_not(held), unknown])

    def _among(self, left: ast.expr, right: ast.expr, frame: pd.DataFrame) -> Booleans:
        if not isinstance(right, (ast.List, ast.Tuple)) or not right.elts:
            raise self._refused()
        found = []
        for part in right.elts:
            one, other = self._sides(left, part, frame)
            found.append(_filled(one == other, frame))
        return _any(found)

    def _sides(self, left: ast.expr, right: ast.expr, frame: pd.DataFrame) -> tuple[Any, Any]:
        """Return both sides as numbers; a text is the place of a category of the column on the other side."""
        named = [self._category(node) for node in (left, right)]
        column = named[0] or named[1]
        if column is None:
            return self._number(left, frame), self._number(right, frame)
        if named[0] and named[1] and named[0].categories != named[1].categories:
            raise InputError(
                f"The rule {shortened_rule(self.text)} compares {named[0].name!r} with {named[1].name!r}, whose "
                "categories differ."
            )
        one, other = (self._place(node, column, frame) for node in (left, right))
        return one, other

    def _category(self, node: ast.expr) -> Column | None:
        column = self._column(node) if isinstance(node, ast.Name) else None
        return None if column is None or column.is_numeric else column

    def _place(self, node: ast.expr, column: Column, frame: pd.DataFrame) -> Any:
        if isinstance(node, ast.Name):
            own = self._column(node)
            if own.is_numeric:
                raise self._refused()
            return category_codes(frame[own.name], own)
        value = node.value if isinstance(node, ast.Constant) else None
        code = int(category_codes(pd.Series([value], dtype=object), column)[0])
        if code < 0:
            raise InputError(
                f"The rule {shortened_rule(self.text)} compares {column.name!r} with something that is none of its "
                f"categories ({names_text(column.categories, 5)})."
            )
        return code

    def _number(self, node: ast.expr, frame: pd.DataFrame) -> Floats | float:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            if not abs(node.value) <= _LARGEST:
                raise InputError(f"The rule {shortened_rule(self.text)} compares with what is no number, or too large.")
            return float(node.value)
        if isinstance(node, ast.Name):
            column = self._column(node)
            if not column.is_numeric:
                raise self._refused()
            return frame[column.name].to_numpy(dtype=np.float64, na_value=np.nan)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._number(node.operand, frame)
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            combined: Floats | float = _ARITHMETIC[type(node.op)](
                self._number(node.left, frame), self._number(node.right, frame)
            )
            return combined
        raise self._refused()

    def _column(self, node: ast.Name) -> Column:
        found = self.columns.get(node.id)
        if found is None:
            hint = did_you_mean(node.id, self.columns)
            raise InputError(f"The rule {shortened_rule(self.text)} names a column {node.id!r}{hint} that is not made.")
        return found

    def _refused(self) -> InputError:
        return rule_refused(self.text)


def _all(parts: list[Booleans]) -> Booleans:
    result: Booleans = np.logical_and.reduce(parts)
    return result


def _any(parts: list[Booleans]) -> Booleans:
    result: Booleans = np.logical_or.reduce(parts)
    return result


def _filled(compared: Any, frame: pd.DataFrame) -> Booleans:
    """Return one answer per row, also where neither side reads the rows."""
    return np.broadcast_to(np.asarray(compared, np.bool_), len(frame))


def _names_in(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
