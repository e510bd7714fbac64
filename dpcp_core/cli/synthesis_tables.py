"""From a table on the command line to one that a synthesis can use, and what is said of the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.cli.tables import guesses, leak_sentence

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.synthesis.settings import SynthesisSettings


def described(table: Dataset, settings: SynthesisSettings) -> tuple[Dataset, tuple[str, ...]]:
    """Mark the targets, and read off the rows whatever bounds and categories nobody has given.

    Returns
    -------
    Dataset
    tuple of str
        Which columns were left out on the way, a sentence each.

    Raises
    ------
    InputError
        A target that is not there, or one whose classes nobody has listed and that looks like none.
    """
    from dpcp_core.synthesis.reading import refuse_no_class

    schema, notes = table.schema, tuple[str, ...]()
    given = settings.target if isinstance(settings.target, tuple) else (settings.target,) if settings.target else ()
    for name in given[1:]:
        schema = schema.with_role(name, "feature")
    if given:
        schema = schema.with_target(given[0])
    if schema.incomplete:
        schema, said = schema.filled_with_notes(table.frame)
        ignored = {column.name for column in schema.columns if column.role == "ignore"}
        notes = tuple(note for note in said if any(note.startswith(f"Column {name!r} is ignored") for name in ignored))
    for name in given or ([schema.target.name] if schema.target else []):
        refuse_no_class(schema.column(name), table.frame)
    return (table if schema == table.schema else table.with_schema(schema)), notes


def notes_on(table: Dataset, source: str, settings: SynthesisSettings, leaks: list[str], *, written: bool) -> list[str]:
    """Return what is to be said beside the answer: guesses, what is not private, and what a table from a seed is.

    Parameters
    ----------
    table : Dataset
    source : str
        As it was typed.
    settings : SynthesisSettings
    leaks : list of str
        What the library warned of.
    written : bool
        Whether a table is written.
    """
    from dpcp_core.presentation.wording.synthesis import NO_LABELS, SIMULATED_TABLE
    from dpcp_core.privacy.leaks import file_leaks

    said = [*guesses(table, source), *(leak for leak in leaks if leak not in file_leaks(table.schema.from_file))]
    if table.schema.target is None and settings.target is None:
        said.append(NO_LABELS)
    if sentence := leak_sentence(table):
        said.append(sentence)
    return [*said, SIMULATED_TABLE] if written else said
