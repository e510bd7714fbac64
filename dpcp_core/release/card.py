"""The model card of a bundle: what it is, what it promises, what it does not, how it is used."""

from __future__ import annotations

from collections.abc import Iterable

from dpcp_core import __version__
from dpcp_core._words import names_text
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.procedure import FittedProcedure
from dpcp_core.data.dataset import Dataset
from dpcp_core.privacy.receipt import PrivacyReceipt

_PARAGRAPH = "\n\n"
_CHECK = (
    "`sha256sum -c SHA256SUMS` finds files that were changed. Whoever released the bundle can tell whether it is "
    "theirs: the SHA-256 of the ZIP as a whole stands in their ledger."
)
_CELLS = (
    "`schema.toml` says what each column of NEW.csv holds. Commas separate its cells, numbers have points, and missing "
    "cells are empty: words such as NA, which `dpcp predict` understands, are refused among numbers here, and among "
    "categories count as one that is not listed. Blanks around a cell do not count."
)
_NO_USE = (
    "It was not tested for any use on patients. It predicts what was usual among people like those in the table; it "
    "does not say what would happen if something was changed."
)
_PUBLIC_FORMAT = "How the file of the rows was written (its separators and marks) is public knowledge."


def intervals_card(data: Dataset, choices: ConformalChoices, procedure: FittedProcedure) -> str:
    """Return the card of released intervals or sets, as Markdown."""
    target = data.schema.target
    assert target is not None
    what = "intervals" if target.is_numeric else "sets of classes"
    names = names_text([column.name for column in data.schema.features], 12)
    return _PARAGRAPH.join(
        (
            f"# Predictions of {target.title}, with {what}",
            f"A model of the kind `{choices.trainer}`, trained privately on {data.n_rows:,} rows, and a threshold "
            f"drawn privately. It reads {names}.",
            "## What is promised",
            procedure.certificate.reason,
            *_assumptions(procedure.receipt),
            "The promise is an average over all new rows. It says nothing about one person, and may be kept less well "
            "in a small group.",
            "## Privacy",
            *_privacy(procedure.receipt),
            "## How to use it",
            "Unpack this file. With Python and numpy:",
            "    python predict.py NEW.csv OUT.csv",
            _CELLS,
            _CHECK,
            "## What it is not for",
            _NO_USE,
            _made_with(),
        )
    )


def table_card(n_rows: int, columns: tuple[str, ...], receipt: PrivacyReceipt) -> str:
    """Return the card of a released synthetic table, as Markdown."""
    return _PARAGRAPH.join(
        (
            "# A synthetic table",
            f"{n_rows:,} made-up rows with {names_text(columns, 12)}. No row is a person's.",
            "## What is promised",
            receipt.guarantee,
            *_assumptions(receipt),
            "## Privacy",
            *_privacy(receipt),
            "## How to use it",
            "`synthetic.csv` holds the rows, `schema.toml` says what each column is. Check a finding on real rows "
            "before it is believed: relations that the table was not made to keep are lost.",
            _CHECK,
            _made_with(),
        )
    )


def _privacy(receipt: PrivacyReceipt) -> tuple[str, ...]:
    one_row = receipt.one_row_is or "not described"
    head = f"{receipt.total}; one row is {one_row}. The whole receipt is in `receipt.txt`."
    return head, "Not protected:", _listed(receipt.not_protected)


def _assumptions(receipt: PrivacyReceipt) -> tuple[str, ...]:
    return "It rests on this:", _listed((*receipt.assumptions, _PUBLIC_FORMAT))


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _made_with() -> str:
    return f"Made with DPCP Explorer {__version__}.\n"
