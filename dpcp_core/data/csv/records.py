r"""The records of a text with the lines they stand in, one by one: for the head of a file, and for messages.

>>> [(record.line, record.cells) for record in records(b'a,b\n"1\n2",3\n4,5\n', Dialect(","))]
[(1, ['a', 'b']), (2, ['1\n2', '3']), (4, ['4', '5'])]
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from dpcp_core.data.csv.dialect import Dialect
from dpcp_core.errors import InputError

BLANKS = (
    " \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
    # Signs without width that programs leave behind, those that turn the direction of writing among them.
    "\u00ad\u180e\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069"
)
"""What may stand around a cell's contents without being part of them."""

_HEAD_RECORDS, _HEAD_BYTES = 400, 1_000_000


@dataclass(frozen=True)
class Record:
    """One record: usually a line, more of them where a quoted cell holds line ends.

    Attributes
    ----------
    cells : list of str
        Without blanks around them.
    line : int
        The line it begins in, from 1.
    end : int
        Offset of the byte after it.
    last_line : int
        The line it ends in.
    """

    cells: list[str]
    line: int
    end: int
    last_line: int

    @property
    def width(self) -> int:
        """Number of cells, the blank ones included."""
        return len(self.cells)

    @property
    def filled(self) -> int:
        """Number of cells that are not blank."""
        return sum(map(bool, self.cells))

    @property
    def last_filled(self) -> int:
        """Position of the last cell that is not blank, from 0, or -1."""
        return max((i for i, cell in enumerate(self.cells) if cell), default=-1)


def records(data: bytes, dialect: Dialect, *, first_line: int = 1) -> Iterator[Record]:
    """Cut UTF-8 text into records.

    Parameters
    ----------
    data
        Text whose first line is line ``first_line`` of the file.

    Raises
    ------
    InputError
        Naming the line, if a cell never ends.
    """
    lines, size = first_line - 1, 0

    def counted() -> Iterator[str]:
        nonlocal lines, size
        # newline="" leaves line ends inside cells as they are, and so the count of bytes right.
        for line in io.StringIO(data.decode("utf-8", "replace"), newline=""):
            lines += 1
            size += len(line.encode())
            yield line

    reader = dialect.records(counted())
    while True:
        begins = lines + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise _endless(begins, data, dialect) from None
        yield Record([cell.strip(BLANKS) for cell in cells], begins, size, lines)


def refuse_unclosed(data: bytes, dialect: Dialect) -> None:
    """Refuse a text in which the last quote opens a cell that is never closed.

    Raises
    ------
    InputError
        Naming the line.
    """
    # An odd number of quotes alone may be inches.
    quote = dialect.quote.encode()
    if quote not in data or data.count(quote) % 2 == 0:
        return
    start = 0
    for record in records(data, dialect):
        if record.end == len(data) and _is_open(data[start:], dialect):
            raise _unclosed(record.line)
        start = record.end


def _is_open(record: bytes, dialect: Dialect) -> bool:
    # One line more would be a record of its own, if quotes did not swallow it.
    return len(list(records(record.rstrip(b"\r\n") + b"\n.", dialect))) == 1


def _endless(line: int, data: bytes, dialect: Dialect) -> InputError:
    if data.count(dialect.quote.encode()) % 2:
        return _unclosed(line)
    return InputError(
        f"A cell in line {line:,} has more than {csv.field_size_limit():,} characters; take that column out of the "
        "file, for it is no use to a model."
    )


def _unclosed(line: int) -> InputError:
    return InputError(
        f"A quotation mark opens in line {line:,} and is never closed; close it, or double it "
        "where it is part of the text."
    )


def head(data: bytes, dialect: Dialect) -> list[Record]:
    """Return the first records: 400 of them, or what a megabyte holds."""
    part = data[:_HEAD_BYTES]
    if len(part) == len(data):
        return list(islice(records(part, dialect), _HEAD_RECORDS))
    found = list(islice(records(part[: part.rfind(b"\n") + 1], dialect), _HEAD_RECORDS))
    if len(found) < 2:
        raise InputError("The first line is longer than a megabyte; put every row on a line of its own.")
    # Where the text was cut, the last record may be half of one.
    return found[:-1]


def line_of(data: bytes, dialect: Dialect, number: int, *, start: int, first_line: int) -> int:
    """Return the line in which a record begins.

    Parameters
    ----------
    data
        The whole file, as UTF-8.
    number
        Which record below the header, from 0; blank lines count.
    start, first_line
        Where the records below the header begin: the byte and the line.
    """
    found = next(islice(records(data[start:], dialect, first_line=first_line), number, None), None)
    return found.line if found else first_line
