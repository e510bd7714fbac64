"""From what stands on the command line to a :class:`~dpcp_core.data.dataset.Dataset`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dpcp_core._words import names_text
from dpcp_core.cli import aside
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.settings import ConformalSettings

SAMPLE = "sample:"
_USUAL = "Commas separate the columns."
_SHOWN = 5


def tables_to_explore(
    source: str, schema_file: Path | None, public_file: Path | None, target: str, leave_out_empty: str = ""
) -> tuple[Dataset, Dataset | None]:
    """Read a table that a simulation can use, and the public one that training starts from, if there is one.

    Raises
    ------
    InputError
        One of the files cannot be used.
    """
    with aside.stage("Reading the table"):
        table = ready_to_explore(open_table(source, schema_file, leave_out_empty=leave_out_empty), target)
        return table, None if public_file is None else open_public(public_file, table)


def open_table(
    source: str, schema_file: Path | None = None, *, decimal: str | None = None, leave_out_empty: str = ""
) -> Dataset:
    """Read a CSV file, or a sample by ``sample:NAME``, under a schema file and by a decimal mark if there is one.

    Rows in which the column ``leave_out_empty`` is empty are left out, if one is named.

    Raises
    ------
    InputError
        If the file cannot be read as a table, there is no such sample, or the schema does not fit.
    """
    from dpcp_core.data.schema import Schema

    schema = None if schema_file is None else Schema.from_toml(schema_file)
    if source.startswith(SAMPLE):
        from dpcp_core.data.samples import load_sample

        sample = load_sample(source.removeprefix(SAMPLE))
        sample = sample.where_filled(leave_out_empty) if leave_out_empty else sample
        return sample if schema is None else sample.with_schema(schema)
    from dpcp_core.data.reading import read_csv

    left_out = leave_out_empty or None
    return read_csv(Path(source), schema=schema, decimal=decimal, leave_out_empty=left_out)  # type: ignore[arg-type]


def open_public(path: Path, table: Dataset) -> Dataset:
    """Read a public table by the schema of the table that it is to help with.

    Raises
    ------
    InputError
        If it cannot be read, or does not fit that schema; the sentence says that it is the public one.
    """
    from dpcp_core.data.reading import read_csv

    try:
        return read_csv(path, schema=table.schema)
    except InputError as error:
        raise InputError(f"The public table does not fit: {error}") from None


def ready_to_explore(data: Dataset, target: str) -> Dataset:
    """Choose the target and read off the rows whatever bounds and categories nobody has given.

    The columns so filled are flagged in the schema; simulations warn of them and releases refuse them.
    """
    schema = data.schema.with_target(target) if target else data.schema
    if schema.target is None:
        listed = names_text(schema.names, _SHOWN)
        raise InputError(f"No target is chosen; name the column to predict with --target: {listed}.")
    if schema.incomplete:
        schema = schema.filled_from(data.frame)
    return data if schema == data.schema else data.with_schema(schema)


def notes(data: Dataset, source: str, settings: ConformalSettings, leaks: list[str]) -> list[str]:
    """Return what is to be said beside the answer: guesses, and bounds that were read off the rows.

    Parameters
    ----------
    data : Dataset
    source : str
        As it was typed.
    settings : ConformalSettings
    leaks : list of str
        What the library warned of. It knows best where bounds were bought.
    """
    if leaks and not settings.bounds_epsilon and data.schema.from_file:
        leaks = [leak_sentence(data)]
    return [*guesses(data, source), *leaks]


def guesses(data: Dataset, source: str) -> list[str]:
    """Return what was guessed when a file was read, and what is doubtful about its target; a sample needs neither."""
    from dpcp_core.data.schema_check import doubt_about_target

    if source.startswith(SAMPLE):
        return []
    target = data.schema.target
    doubt = doubt_about_target(target, data.frame[target.name]) if target else ""
    # The draft may have left out the very column that was then named as the target.
    untrue = () if target is None else (_USUAL, f"Column {target.name!r} is ignored because ")
    notes = [note for note in data.report.notes if not note.startswith(untrue or _USUAL)]
    return [*notes, *([doubt] if doubt else [])]


def leak_sentence(data: Dataset) -> str:
    """Say which bounds came from the rows, or nothing if none did."""
    names = data.schema.from_file
    if not names:
        return ""
    return (
        f"Bounds or categories of {names_text(names, _SHOWN)} were read off the file and are not public, so the "
        "receipt counts this run as epsilon = infinity; give them in a schema (dpcp schema drafts one), and where it "
        'says bounds_source = "file" although they are common knowledge, delete that line.'
    )
