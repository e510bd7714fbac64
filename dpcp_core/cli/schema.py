"""``dpcp schema``: draft what is publicly known about a table, for a person to complete."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpcp_core.cli import aside
from dpcp_core.cli.options import DataArg
from dpcp_core.cli.tables import open_table
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.data.column import Column
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.data.schema import Schema


_WIDEST_NAME = 40


def schema_command(
    data: DataArg,
    out: Annotated[Path | None, typer.Option(metavar="FILE.toml", help="Where to write it.")] = None,
    fill_from_file: Annotated[
        bool,
        typer.Option("--fill-from-file", help="Read bounds and categories off the rows, marked as not public."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    decimal: Annotated[
        str | None, typer.Option(metavar="MARK", help="The decimal mark, '.' or ',', where the file leaves it open.")
    ] = None,
) -> None:
    """Draft a schema: kinds and roles are guessed, bounds and categories are left to a person."""
    _refuse_overwriting(out, force)
    table = open_table(data, decimal=decimal)
    schema, notes = table.schema, table.report.notes
    if fill_from_file:
        schema, filled = schema.filled_with_notes(table.frame)
        # That a column was filled stands in its own line below; what else happened is said here.
        named = [f"column {name!r}" for name in schema.from_file]
        notes = (*notes, *(note for note in filled if not any(name in note for name in named)))
    if out is not None:
        _write(out, schema.to_toml())
    # With the schema itself on standard output, what is said about it goes beside it.
    for line in about(table, schema, notes, out):
        typer.echo(aside.printable(line), err=out is None)
    if out is None:
        typer.echo(schema.to_toml().rstrip())


def about(table: Dataset, schema: Schema, notes: tuple[str, ...], out: Path | None) -> list[str]:
    """Return the lines that say what was read, what was guessed and what is left to fill in."""
    read = f"Read {table.report.source or table.name}: {table.n_rows:,} rows, {len(schema.columns)} columns."
    lines = [read, *(line for note in notes for line in _wrapped(note, "  ")), ""]
    width = min(max(len(column.name) for column in schema.columns), _WIDEST_NAME)
    lines += [f"  {column.name:<{width}}  {column.kind:<8}  {_state(column)}" for column in schema.columns]
    lines += ["", *(line for sentence in _to_do(schema) for line in _wrapped(sentence))]
    return [*lines, f"Written to {out}."] if out else [*lines, ""]


def _wrapped(sentence: str, indent: str = "") -> list[str]:
    return textwrap.wrap(sentence, 88, initial_indent=indent, subsequent_indent=f"{indent}  ")


def _state(column: Column) -> str:
    if column.role == "ignore":
        return "ignored"
    what = "bounds" if column.is_numeric else "categories"
    if not column.is_complete:
        return f"{column.role}; fill in {what}"
    source = f"{what} from the file, not public" if column.bounds_from_file else "complete"
    return f"{column.role}; {source}"


def _to_do(schema: Schema) -> list[str]:
    lines = []
    if schema.incomplete or schema.from_file:
        lines.append(
            "Give bounds and categories from public knowledge (a code book, an instrument's range), "
            "not from these rows."
        )
    if schema.from_file:
        lines.append(
            'Where values marked bounds_source = "file" are common knowledge, such as no and yes, delete that line.'
        )
    if schema.target is None:
        lines.append('Mark the column to predict with role = "target", or name it later with --target.')
    if not schema.one_row_is:
        lines.append('Say what one row stands for on the first line, such as one_row_is = "one patient".')
    return lines


def _refuse_overwriting(out: Path | None, force: bool) -> None:
    if out is not None and out.exists() and not force:
        raise InputError(f"{out} is there already: choose another name, or add --force to overwrite it.")


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}): choose another place.") from None
