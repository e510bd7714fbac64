"""Digits of other scripts than ours: Arabic-Indic, Persian, Devanagari, Bengali, Thai and full-width ones.

>>> import pyarrow as pa
>>> cells = pa.chunked_array([["٤٠", "٥١٫٥", None]])
>>> has_foreign_digits(cells), plain_digits(cells).to_pylist()
(True, ['40', '51.5', None])
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_ZEROS = "٠۰०০๐０"  # each script has its ten digits in a row
_DIGITS = {ord(zero) + value: str(value) for zero in _ZEROS for value in range(10)}
# The Arabic decimal mark, its thousands mark (written as the one that is never anything else), and wide signs.
_MARKS = {0x066B: ".", 0x066C: "'", 0xFF0E: ".", 0xFF0C: ",", 0xFF0B: "+", 0xFF0D: "-", 0xFF05: "%", 0x066A: "%"}
_PATTERN = "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + "]"


def has_foreign_digits(cells: Any) -> bool:
    """Return whether a cell of a column of text has a digit of another script."""
    return bool(pc.any(pc.match_substring_regex(cells, _PATTERN)).as_py())


def plain_digits(cells: Any) -> Any:
    """Return a column of text with the digits 0 to 9 in place of those of other scripts."""
    values = cells.to_pylist()
    return pa.chunked_array(
        [[None if cell is None else cell.translate(_DIGITS | _MARKS) for cell in values]], pa.string()
    )
