"""Where the table ends: sources, footnotes and totals that stand below it.

>>> rows = [Row(0, ["40", "70"]), Row(1, []), Row(2, ["Source: ward 7"])]
>>> end_of_table(rows, width=2)
1
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dpcp_core.data.csv.header import is_number

_NOTE = re.compile(
    r"(?i)\s*(sources?|notes?|footnotes?|quellen?|fu(ß|ss)noten?|anmerkung(en)?|hinweise?|stand|fuentes?|notas?|nota|"
    r"remarques?|fonti?|bron(nen)?|kilde|källa|legend|key|copyright|©|\*+|†|\(?[0-9a-z]\)|\[[0-9a-z]\])"
    r"(\(n\))?\W|\([0-9,]+ rows?( affected)?\)"
)
_TOTAL = re.compile(
    r"(?i)\W*((grand|sub|over)?-?\s*(totals?|totaux|totales|totaal|totali|totale)|all|sum|summe|gesamt(summe)?|"
    r"insgesamt|zusammen|somme|suma|summa|totalt|i alt|ensemble|razem|celkem|итого|всего|合計|总计|總計|합계)\b"
)
_AVERAGE = re.compile(
    r"(?i)\W*(averages?|avg|means?|medians?|durchschnitt|mittel(wert)?|moyenne|mediane?|media|promedio|gemiddelde|"
    r"genomsnitt|st(an)?d\.?[ -]?(dev(iation)?)?\.?)\W*"
)
_COMMENT = re.compile(r"#+(\s|$)")  # but not #12, which may be a code
_LABEL_WORDS = 3


@dataclass(frozen=True)
class Row:
    """A record near the end of a file.

    Attributes
    ----------
    number : int
        Which record it is, from 0.
    cells : list of str
        Without blanks around them.
    """

    number: int
    cells: list[str]

    @property
    def filled(self) -> int:
        """Number of cells that are not blank."""
        return sum(map(bool, self.cells))

    @property
    def last_filled(self) -> int:
        """Position of the last cell that is not blank, from 0, or -1."""
        return max((i for i, cell in enumerate(self.cells) if cell), default=-1)

    @property
    def is_comment(self) -> bool:
        """Whether it begins like a comment in a program."""
        return bool(self.cells) and _COMMENT.match(self.cells[0]) is not None


def end_of_table(rows: Sequence[Row], width: int) -> int:
    """Return the number of the first record that no longer belongs to the table.

    A note is a row of its own kind: below a blank row it has one cell, or too few of them; directly below
    the table it must also read like one.

    Parameters
    ----------
    rows
        The last records in order, those of another width among them.
    width
        Number of columns of the table.
    """
    last = len(rows)
    while last and not _is_certainly_row(rows[last - 1], width):
        last -= 1
    tail = rows[last:]
    for i, row in enumerate(tail):
        after_blank = i > 0 and not all(above.filled for above in tail[:i])
        if row.filled and (after_blank or _reads_like_note(row, width)):
            return _first_blank_before(tail, i)
        if row.filled and len(row.cells) != width:
            break
    return rows[-1].number + 1 if rows else 0


def is_total(label: str) -> bool:
    """Whether a row's label calls it a total, in few words; ``=SUM(A1:A9)`` is a formula and no label."""
    return not label.startswith("=") and _TOTAL.match(label) is not None and len(label.split()) <= _LABEL_WORDS


def is_summary(label: str) -> bool:
    """Whether a row's label is the word for a total or an average, and nothing else."""
    return _TOTAL.fullmatch(label.rstrip(" :.*")) is not None or _AVERAGE.fullmatch(label) is not None


def _is_certainly_row(row: Row, width: int) -> bool:
    if row.filled == 2 and width > 3 and _NOTE.match(_first(row)):
        return False
    if len(row.cells) == width:
        return row.filled > 1 or any(map(is_number, row.cells))
    return row.filled > 2 or (row.filled == 2 and width < 4)


def _reads_like_note(row: Row, width: int) -> bool:
    text = _first(row)
    if row.filled > 2 or is_number(text):
        return False
    prose = row.filled == 1 and len(row.cells) != width and len(text.split()) > 3
    return prose or _NOTE.match(text) is not None


def _first(row: Row) -> str:
    return next(cell for cell in row.cells if cell)


def _first_blank_before(tail: Sequence[Row], i: int) -> int:
    while i and not tail[i - 1].filled:
        i -= 1
    return tail[i].number
