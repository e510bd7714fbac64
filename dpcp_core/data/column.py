"""One column of a table: what it holds, what it is for, and what is publicly known about it.

>>> age = Column("age", "integer", bounds=(18, 100), typical=(40, 70), unit="years")
>>> age.scale_range, age.title, age.missing
((40.0, 70.0), 'age', 'impute-public')
>>> Column("age", "integer", bounds=(100, 18))
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: Column 'age' has bounds [100, 18] in the wrong order; put the smaller one first.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from dpcp_core.errors import InputError

Kind = Literal["number", "integer", "category", "boolean", "ordinal"]
Role = Literal["feature", "target", "group", "ignore"]
Missing = Literal["category", "impute-public", "refuse"]

KINDS: tuple[Kind, ...] = get_args(Kind)
ROLES: tuple[Role, ...] = get_args(Role)
MISSING: tuple[Missing, ...] = get_args(Missing)

_NUMERIC: tuple[Kind, ...] = ("number", "integer")
_LARGEST = 1e100
"""Beyond this, squares and sums of values may overflow."""

_KIND_DECIDES = cast(Missing, "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean 'age'?)`` for the closest known word, or an empty string."""
    by_lower = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(word.casefold(), by_lower, n=1)
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def exact_number(value: float) -> str:
    """Write a float exactly, as a whole number where it is one (valid in TOML and in prose)."""
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)


@dataclass(frozen=True)
class Column:
    """A column with what is publicly known about it; checked when made.

    Parameters
    ----------
    name
        The column's name in the table, exactly.
    kind
        ``"number"``, ``"integer"``, ``"category"``, ``"boolean"`` or ``"ordinal"``.
    role
        ``"feature"`` (predicts), ``"target"`` (is predicted), ``"group"`` (results are told apart by it)
        or ``"ignore"``.
    bounds
        Smallest and largest value that count, in the column's unit; values beyond are clipped.
        Only for ``number`` and ``integer``.
    typical
        Where the middle two thirds of the population lie by public knowledge, inside ``bounds``.
        Used to scale, so that training is well conditioned.
    categories
        The values that count, as text; for ``ordinal`` in rising order, for ``boolean`` exactly
        (negative, positive), by default ``("no", "yes")``.
    unit, label
        Shown beside numbers; the label stands in for the name.
    missing
        What an empty cell becomes: a category of its own (``"category"``, the default of that kind), a public
        value (``"impute-public"``, the default of the others), or an error (``"refuse"``).
    bounds_from_file
        True if bounds or categories were read off the rows. Such a column is not public.

    Raises
    ------
    InputError
        If the parts contradict each other; the sentence names the column and the fix.

    Notes
    -----
    **Privacy**: a column costs nothing as long as nothing in it was computed from rows
    (``bounds_from_file`` is False and a person or a code book gave the values).
    """

    name: str
    kind: Kind
    role: Role = "feature"
    bounds: tuple[float, float] | None = None
    typical: tuple[float, float] | None = None
    categories: tuple[str, ...] = ()
    unit: str = ""
    label: str = ""
    missing: Missing = _KIND_DECIDES
    bounds_from_file: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        self._check_choice("kind", KINDS)
        self._check_choice("role", ROLES)
        if self.missing == _KIND_DECIDES:
            self._set("missing", "category" if self.kind == "category" else "impute-public")
        self._check_choice("missing", MISSING)
        for part in ("unit", "label"):
            if not _is_text(getattr(self, part)):
                raise InputError(f"Column {self.name!r} has a {part} that is not text; put it in quotes.")
        if not isinstance(self.bounds_from_file, bool):
            raise InputError(f"Column {self.name!r} has a bounds_from_file that is neither True nor False.")
        self._check_numbers()
        self._check_categories()

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    @property
    def is_numeric(self) -> bool:
        """Whether the cells are numbers."""
        return self.kind in _NUMERIC

    @property
    def is_complete(self) -> bool:
        """Whether bounds or categories are known."""
        return bool(self.bounds if self.is_numeric else self.categories)

    @property
    def scale_range(self) -> tuple[float, float]:
        """The typical range, or the bounds where none is given.

        Raises
        ------
        InputError
            If the column has neither.
        """
        known = self.typical or self.bounds
        if known is None:
            raise InputError(f"Column {self.name!r} has no bounds; give the smallest and largest possible value.")
        return known

    def with_kind(self, kind: Kind) -> Column:
        """Return the column as another kind, without what only made sense for the old one."""
        if kind == self.kind:
            return self
        keep_bounds = self.is_numeric and kind in _NUMERIC
        keep_categories = not self.is_numeric and kind in ("category", "ordinal")
        return replace(
            self,
            kind=kind,
            bounds=self.bounds if keep_bounds else None,
            typical=self.typical if keep_bounds else None,
            categories=self.categories if keep_categories else (),
            missing=_KIND_DECIDES,
            bounds_from_file=self.bounds_from_file and (keep_bounds or keep_categories),
        )

    def _set(self, part: str, value: object) -> None:
        object.__setattr__(self, part, value)

    def _check_choice(self, part: str, options: Sequence[str]) -> None:
        value = getattr(self, part)
        if value not in options:
            hint = did_you_mean(value, options) if isinstance(value, str) else ""
            raise InputError(
                f"Column {self.name!r} has {part} {value!r}{hint}; it must be one of: {', '.join(options)}."
            )

    def _check_numbers(self) -> None:
        for part in ("bounds", "typical"):
            value = getattr(self, part)
            if value is None:
                continue
            if not self.is_numeric:
                raise InputError(
                    f"Column {self.name!r} is of kind {self.kind}, which has no {part}; "
                    "give categories instead, or make it a number."
                )
            self._set(part, _pair(self.name, part, value))
        if self.bounds and self.typical:
            (low, high), (typical_low, typical_high) = self.bounds, self.typical
            if typical_low < low or typical_high > high:
                raise InputError(
                    f"Column {self.name!r} has a typical range {_show(self.typical)} that reaches outside "
                    f"its bounds {_show(self.bounds)}; widen the bounds or narrow the typical range."
                )

    def _check_categories(self) -> None:
        given = self.categories
        if isinstance(given, str) or not isinstance(given, Iterable) or not all(map(_is_text, given := tuple(given))):
            raise InputError(
                f"Column {self.name!r} has categories that are not a list of texts; "
                'write them like ["no", "yes"], each in quotes.'
            )
        self._set("categories", given)
        if given and self.is_numeric:
            raise InputError(
                f"Column {self.name!r} is of kind {self.kind}, which has no categories; "
                "give bounds instead, or make it a category."
            )
        repeated = [c for i, c in enumerate(given) if c in given[:i]] if len(set(given)) < len(given) else []
        if repeated:
            raise InputError(f"Column {self.name!r} lists the category {repeated[0]!r} twice; keep it once.")
        if self.kind == "boolean":
            self._set("categories", given or ("no", "yes"))
            if len(self.categories) != 2:
                raise InputError(
                    f"Column {self.name!r} is boolean but lists {len(given)} categories; "
                    'give exactly two, the negative one first, like ["no", "yes"].'
                )


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_name(name: object) -> None:
    if not _is_text(name):
        raise InputError(f"A column's name is {name!r} but must be text; rename the column.")
    if not str(name).strip():
        raise InputError("A column has an empty name; give every column a name.")


def _show(pair: tuple[float, float]) -> str:
    return f"[{exact_number(pair[0])}, {exact_number(pair[1])}]"


def _pair(name: str, part: str, value: object) -> tuple[float, float]:
    wrong = f"Column {name!r} has {part} that are not two numbers; write them like [0, 100]."
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise InputError(wrong)
    parts = tuple(value)
    if len(parts) != 2 or any(isinstance(part, (bool, str, bytes)) for part in parts):
        raise InputError(wrong)
    try:
        low, high = (float(part) + 0.0 for part in parts)
    except (TypeError, ValueError, OverflowError):
        raise InputError(wrong) from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputError(f"Column {name!r} has {part} that are not finite; write two ordinary numbers.")
    if max(abs(low), abs(high)) > _LARGEST:
        raise InputError(
            f"Column {name!r} has {part} too large to compute with (beyond {_LARGEST:g}); write it in a larger unit."
        )
    if low == high:
        raise InputError(f"Column {name!r} has {part} {_show((low, high))} that are equal; make the second one larger.")
    if low > high:
        raise InputError(
            f"Column {name!r} has {part} {_show((low, high))} in the wrong order; put the smaller one first."
        )
    return low, high
