"""What is to be released, planned from public numbers before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from dpcp_core.conformal.linter import Leak, large_delta
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import SAMPLES, load_sample
from dpcp_core.data.schema import Schema
from dpcp_core.data.spreadsheet import formulas_in
from dpcp_core.errors import InputError, NotPrivateError
from dpcp_core.privacy.ledger import ReleaseCost
from dpcp_core.privacy.receipt import PrivacyReceipt

Files = Mapping[str, bytes]
"""Contents of a bundle by name."""

_USUAL = "Commas separate the columns."
_SHOWN = 3


@dataclass(frozen=True)
class Draft:
    """What was drawn, before it is packed.

    Attributes
    ----------
    files : mapping of name to bytes
    receipt : PrivacyReceipt
    promise : str
        What is promised, in one sentence.
    """

    files: Files
    receipt: PrivacyReceipt
    promise: str


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """A release that was checked and may be made.

    Attributes
    ----------
    data : Dataset
    title : str
        What is published, in a few words, for the ledger.
    cost : ReleaseCost
    reminders : tuple of str
        What only a person can know to be private, one sentence each.
    draw : callable
        Draws once, with the operating system's randomness.
    """

    data: Dataset
    title: str
    cost: ReleaseCost
    reminders: tuple[str, ...]
    draw: Callable[[], Draft]


def require_saved_schema(data: Dataset, schema_text: str) -> None:
    """Refuse to release under a description that was not written down before.

    Parameters
    ----------
    data : Dataset
    schema_text : str
        Text of the schema's file.

    Raises
    ------
    NotPrivateError
        If there is none, or it says something else than the table's own, or some of it was read off the rows.
    """
    if not schema_text.strip():
        raise NotPrivateError(
            "A release needs a schema that was saved before: write it down as a TOML file, have it checked, and give "
            "that."
        )
    saved = Schema.from_toml(schema_text)
    if saved != data.schema:
        raise NotPrivateError(
            "The saved schema is not the one that the table is read by; save it again and release with that."
        )


def reminders_of(leaks: Iterable[Leak], data: Dataset) -> tuple[str, ...]:
    """Return what only a person can know to be private; how a file was read is told to its owner alone."""
    said = tuple(f"{leak.sentence} {leak.fix}" for leak in leaks)
    guessed = [note for note in data.report.notes if note != _USUAL]
    if not guessed or _is_sample(data):
        return said
    more = len(guessed) - _SHOWN
    rest = (f"And {more} more {'guess' if more == 1 else 'guesses'}, told when the file was read.",) if more > 0 else ()
    how = " ".join(("How the file is written was recognised from its rows.", *guessed[:_SHOWN], *rest))
    return (*said, f"{how} A release takes that for publicly known; make sure that it is true of every such file.")


def told_of_left_out(receipt: PrivacyReceipt, data: Dataset) -> PrivacyReceipt:
    """Return a receipt that says which rows were left out beforehand: by what was asked for, not by what was found."""
    said = tuple(
        f"Rows in which {name!r} is empty were left out beforehand: how many are left is taken for publicly known, and "
        "what is promised is about people for whom it is filled in."
        for name in data.report.filled
    )
    return replace(receipt, assumptions=(*receipt.assumptions, *said))


def _is_sample(data: Dataset) -> bool:
    """Whether the rows are a sample's, cell by cell: a file of somebody's own may have a sample's name."""
    return data.name in {sample.name for sample in SAMPLES} and data.rows_digest == load_sample(data.name).rows_digest


def require_no_formulas(schema: Schema) -> None:
    """Refuse names and categories that a spreadsheet would run: what is released is opened by strangers.

    Raises
    ------
    InputError
        If a column that is not ignored has one.
    """
    found = formulas_in(schema)
    if found:
        raise InputError(
            f"{found[0][:60]!r} is a name or a category of the schema, and a spreadsheet would run it as a formula; "
            "rename it in the schema and in the table."
        )


def require_small_delta(delta: float, n_rows: int) -> None:
    """Refuse a delta under which publishing one row in full, chosen at random, would pass for private.

    Raises
    ------
    NotPrivateError
        If it is more than 1 in the number of rows.
    """
    for leak in large_delta(delta, n_rows):
        raise NotPrivateError(f"{leak.sentence.removesuffix('.')}; {leak.fix[0].lower()}{leak.fix[1:]}")


def require_all_rows_readable(read: Callable[[], object]) -> None:
    """Try to read the rows before any budget is set aside; what is wrong is told to their owner alone.

    Raises
    ------
    InputError
        If some row cannot be read.
    """
    try:
        read()
    except InputError as problem:
        raise InputError(f"Nothing was spent. {problem}") from None
