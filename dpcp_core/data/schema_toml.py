"""Columns to and from plain dicts and TOML; what is written is read back equal."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpcp_core.data.column import KINDS, Column, did_you_mean, exact_number
from dpcp_core.errors import InputError

_KEYS = ("kind", "role", "label", "unit", "bounds", "typical", "categories", "missing", "bounds_source")
_SCALAR = "one_row_is"
_NEST = "columns"

Parts = tuple[tuple[Column, ...], str]


def to_dict(columns: Sequence[Column], one_row_is: str) -> dict[str, Any]:
    """Return ``{"one_row_is": ..., "columns": {name: {...}}}`` with lists and scalars only."""
    return {_SCALAR: one_row_is, _NEST: {column.name: _column_dict(column) for column in columns}}


def from_dict(described: Mapping[str, Any]) -> Parts:
    """Read columns under their names or under ``"columns"``, and ``one_row_is``."""
    if not isinstance(described, Mapping):
        raise InputError("A schema must be a mapping from column names to descriptions.")
    one_row_is = ""
    columns: list[Column] = []
    for name, value in described.items():
        if name == _SCALAR and not isinstance(value, Mapping):
            one_row_is = value
        elif name == _NEST and _is_nest(value):
            columns.extend(_column(inner, part) for inner, part in value.items())
        else:
            columns.append(_column(name, value))
    return tuple(columns), one_row_is


def to_toml(columns: Sequence[Column], one_row_is: str) -> str:
    """Write TOML: ``one_row_is`` first, then a table per column."""
    # A column may itself be called "columns" or "one_row_is": nested, it cannot be mistaken for ours.
    prefix = f"{_NEST}." if any(column.name in (_SCALAR, _NEST) for column in columns) else ""
    blocks = [f"{_SCALAR} = {_text(one_row_is)}\n"] if one_row_is else []
    blocks += [f"[{prefix}{_key(column.name)}]\n{_lines(_column_dict(column))}" for column in columns]
    return "\n".join(blocks)


def from_toml(source: str | os.PathLike[str]) -> Parts:
    """Read a TOML file, or TOML text."""
    text, where = _source(source)
    try:
        described = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(_syntax_sentence(str(error), text, where)) from None
    return from_dict(described)


def _is_nest(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(part, Mapping) for part in value.values())


def _column_dict(column: Column) -> dict[str, Any]:
    default = Column(column.name, column.kind)
    full: dict[str, Any] = {
        "role": column.role,
        "label": column.label,
        "unit": column.unit,
        "bounds": list(column.bounds) if column.bounds else None,
        "typical": list(column.typical) if column.typical else None,
        "categories": list(column.categories),
        "missing": column.missing,
        "bounds_source": "file" if column.bounds_from_file else "",
    }
    for key in ("role", "missing"):
        if full[key] == getattr(default, key):
            full[key] = None
    return {"kind": column.kind, **{key: value for key, value in full.items() if value}}


def _column(name: object, described: object) -> Column:
    if not isinstance(described, Mapping):
        raise InputError(
            f"Column {name!r} is described by a single value; describe it in a table of its own, "
            f'[{_key(str(name))}] with kind = "number" below it.'
        )
    for key, value in described.items():
        if key not in _KEYS:
            raise InputError(_unknown_key_sentence(str(name), str(key), value))
    if "kind" not in described:
        raise InputError(f"Column {name!r} has no kind; add kind = with one of: {', '.join(KINDS)}.")
    source = described.get("bounds_source", "public")
    if source not in ("file", "public"):
        raise InputError(f"Column {name!r} has bounds_source {source!r}; it must be file or public.")
    given = {key: value for key, value in described.items() if key != "bounds_source" and value is not None}
    return Column(name, **given, bounds_from_file=source == "file")  # type: ignore[arg-type]


def _unknown_key_sentence(name: str, key: str, value: object) -> str:
    if isinstance(value, Mapping):
        whole = f"{name}.{key}"
        return (
            f"Column {name!r} has an unknown key {key!r}; "
            f'if the column is called {whole!r}, write its name in quotes: ["{whole}"].'
        )
    return f"Column {name!r} has an unknown key {key!r}{did_you_mean(key, _KEYS)}; correct it."


def _source(source: str | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(source, str) and not _is_path(source):
        return source, "The schema"
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8-sig"), f"The schema {path.name}"
    except UnicodeDecodeError:
        raise InputError(f"The schema {path.name} is not UTF-8 text; save it as UTF-8.") from None
    except OSError:
        raise InputError(f"The schema file {str(path)!r} cannot be opened; check the path.") from None


def _is_path(text: str) -> bool:
    return "\n" not in text and (text.lower().endswith(".toml") or os.path.isfile(text))


def _syntax_sentence(message: str, text: str, where: str) -> str:
    found = re.search(r"\s*\(at line (\d+), column \d+\)", message)
    line = int(found.group(1)) if found else text.count("\n") + 1
    reason = re.sub(r"\s*\(at .*\)$", "", message)
    twice = re.match(r"Cannot declare \((.*?),?\) twice", reason)
    if twice:
        name = twice.group(1).split(", ")[-1]
        return f"Column {name} is in the schema twice, the second time in line {line}; remove one of the two."
    return f"{where} is not valid TOML: {reason[:1].lower()}{reason[1:]} in line {line}; correct that line."


def _lines(described: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in described.items())


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return exact_number(value) if isinstance(value, float) else _text(str(value))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _text(value: str) -> str:
    # JSON's escapes are TOML's too, but for DEL, which JSON leaves bare and TOML forbids.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
