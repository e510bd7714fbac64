"""Text that a spreadsheet would run as a formula: found in a schema, and made harmless in files that people open.

>>> runs_as_formula("=1+1"), runs_as_formula("-2+cmd|' /C calc'!A0"), runs_as_formula("@SUM(A1)")
(True, True, True)
>>> runs_as_formula("-3.2"), runs_as_formula("+ve"), runs_as_formula("-5 (low)"), runs_as_formula("a = b")
(False, False, False, False)
"""

from __future__ import annotations

import re
import unicodedata

import pandas as pd

from dpcp_core.data.schema import Schema

# A program may pass over these; one of them is the mark at the head of a file.
_UNSEEN = r"[\s\x00\u200b-\u200f\u2060\ufeff]*"
# A sign or an @ alone calls nothing: "+ve" and "-5 (low)" are words of every clinic.
_FORMULA = re.compile(rf"{_UNSEEN}(?:=|[+\-@].*(?:[^\W\d][\d.]*\s*\(|[|!]))", re.DOTALL)


def runs_as_formula(text: str) -> bool:
    """Whether a spreadsheet that opens a CSV file with this cell may run it.

    That is what begins with ``=``, or with ``+``, ``-`` or ``@`` and calls something: with ``|``, ``!`` or a word
    before a ``(``.

    References
    ----------
    OWASP, CSV Injection.
    """
    # Wide signs of East Asian keyboards are signs too.
    return bool(_FORMULA.match(unicodedata.normalize("NFKC", text)))


def formulas_in(schema: Schema) -> tuple[str, ...]:
    """Return the names and categories of a schema that a spreadsheet would run; ignored columns do not count."""
    used = [column for column in schema.columns if column.role != "ignore"]
    texts = [text for column in used for text in (column.name, *column.categories)]
    return tuple(text for text in texts if runs_as_formula(text))


def harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which every cell and name that a spreadsheet would run begins with an apostrophe.

    Numbers stay numbers, and so does text that is none of a formula.

    >>> harmless(pd.DataFrame({"a": ["=1+1", "b"], "c": [-1, -2]})).to_dict("list")
    {'a': ["'=1+1", 'b'], 'c': [-1, -2]}
    """
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    found = [name for name in texts if any(map(_runs, frame[name].unique()))]
    changed = {name: frame[name].astype(object).map(_quoted) for name in found}
    return frame.assign(**changed).rename(columns=_quoted)


def csv_text(frame: pd.DataFrame) -> str:
    r"""Return a table as CSV for whatever program it is opened with.

    >>> csv_text(pd.DataFrame({"a": ["=1+1", "x"]}))
    "a\n'=1+1\nx\n"
    """
    return str(harmless(frame).to_csv(index=False, lineterminator="\n"))


def _runs(cell: object) -> bool:
    return isinstance(cell, str) and runs_as_formula(cell)


def _quoted(cell: object) -> object:
    return f"'{cell}" if _runs(cell) else cell
