"""A synthetic table to take away: one archive with the rows, the receipt and the schema, so that none gets lost."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from dpcp_core.data.spreadsheet import csv_text
from dpcp_core.presentation.wording.synthesis_page import archive_words

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import SynthesisResult

_WHEN = (1980, 1, 1, 0, 0, 0)
"""No clock in the archive: the same table gives the same file."""


def archive_name(result: SynthesisResult) -> str:
    """Return the archive's file name, safe on every system."""
    text = f"{result.dataset_name or 'table'}-synthetic-epsilon-{result.settings.epsilon:g}"
    stem = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "_" for letter in text)
    return f"{stem}.zip"


def archive(result: SynthesisResult) -> bytes:
    """Return a ZIP with ``synthetic.csv``, ``receipt.txt``, ``receipt.json``, ``schema.toml`` and ``README.txt``.

    Notes
    -----
    **Privacy.** Nothing that was measured on real rows is in it; the receipt says what the table costs, and that it was
    made in a simulation.
    """
    files = {
        "README.txt": archive_words(result),
        "synthetic.csv": csv_text(result.table),
        "receipt.txt": result.receipt.to_text(),
        "receipt.json": result.receipt.to_json(),
        "schema.toml": result.schema.to_toml(),
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, text)
    return held.getvalue()
