r"""Which character separates the columns, and how cells are quoted.

Where one separator alone gives every line the same number of cells, nothing needs to be guessed; otherwise
``clevercsv`` decides on the first lines.

>>> find_dialect("a;b\n1,5;2,5\n2,5;3,5\n")
Dialect(separator=';', quote='"', escape='')
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dpcp_core.errors import InputError

SEPARATORS = {",": "Commas", ";": "Semicolons", "\t": "Tabs", "|": "Vertical bars"}

_LINES, _SAMPLE, _CLEVER_SAMPLE = 300, 64_000, 12_000
_CONSISTENT = 0.97
_SAID = re.compile(rb'(?i)"?sep=(?P<separator>[^\x00"\r\n\x80-\xff])"?[,;\t]*\r?\n')
_WRAPPED = re.compile(rb'"((?:[^"\r\n]|"")*)"[;,\t]*')
_WRAPPED_LINE = re.compile(b"(?m)^" + _WRAPPED.pattern + b"(?=\r?$)")


@dataclass(frozen=True)
class Dialect:
    """How a line is cut into cells.

    Attributes
    ----------
    separator, quote : str
        One character each.
    escape : str
        The character that takes the meaning from a quote after it, or empty where quotes are doubled.
    """

    separator: str
    quote: str = '"'
    escape: str = ""

    def records(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Cut lines into records of cells.

        Raises
        ------
        csv.Error
            If a cell is longer than 131,072 characters.
        """
        return csv.reader(
            lines,
            delimiter=self.separator,
            quotechar=self.quote,
            doublequote=not self.escape,
            escapechar=self.escape or None,
        )


def find_dialect(text: str, *, separator: str | None = None) -> Dialect:
    """Find how the lines of a text are cut into cells.

    Parameters
    ----------
    text
        The beginning of a file; what is beyond the first 64,000 characters does not count.
    separator
        The separator, where it is known.
    """
    sample = "".join(text[:_SAMPLE].splitlines(keepends=True)[:_LINES])
    if separator is None:
        separator = _separator(sample)
    elif not isinstance(separator, str) or len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise InputError(f"separator is {separator!r} but must be one ASCII character, such as ';'.")
    quote = "'" if '"' not in sample and _mostly_in_single_quotes(sample, separator) else '"'
    return _with_escape(sample, Dialect(separator, quote))


def said_separator(data: bytes) -> str | None:
    r"""Return the separator that a first line ``sep=;`` names, as Excel reads and writes it, if it does cut lines.

    >>> said_separator(b"sep=^\na^b\n1^2\n")
    '^'
    """
    said = _SAID.match(data)
    if said is None:
        return None
    separator = said["separator"].decode()
    sample = data[said.end() : said.end() + _SAMPLE].decode("utf-8", "ignore")
    return separator if _fit(sample, Dialect(separator))[0] > 1 else None


def unwrapped(data: bytes) -> tuple[bytes, bool]:
    r"""Take off quotation marks that go round whole lines, as a program leaves them that saved one column of text.

    >>> unwrapped(b'"age,sex"\n"40,""f"" "\n')
    (b'age,sex\n40,"f" \n', True)
    """
    if not data.startswith(b'"'):
        return data, False
    lines = [line.rstrip(b"\r") for line in data[:_SAMPLE].split(b"\n")[:_LINES]]
    lines = [line for line in lines[: max(1, len(lines) - 1)] if line]
    if not all(map(_WRAPPED.fullmatch, lines)) or not any(mark.encode() in lines[0] for mark in SEPARATORS):
        return data, False
    return _WRAPPED_LINE.sub(lambda found: found[1].replace(b'""', b'"'), data), True


def without_tails(data: bytes) -> tuple[bytes, bool]:
    r"""Take off semicolons behind every line, as a program leaves them that took lines of commas for single cells.

    >>> without_tails(b"age,sex;;\n40,f;;\n")
    (b'age,sex\n40,f\n', True)
    """
    lines = [line.rstrip(b"\r") for line in data[:_SAMPLE].split(b"\n")[:_LINES]]
    lines = [line for line in lines[: max(1, len(lines) - 1)] if line]
    bare = [line.rstrip(b";") for line in lines]
    separated = bool(bare) and any(mark in bare[0] for mark in (b",", b"\t", b"|"))
    if not separated or any(b";" in line or line == whole for line, whole in zip(bare, lines, strict=True)):
        return data, False
    return re.sub(rb"(?m);+(?=\r?$)", b"", data), True


def closed_up(data: bytes, dialect: Dialect) -> bytes:
    """Take out blanks between a separator and the quote after it, where quotes go round whole cells only so.

    Parameters
    ----------
    data
        The whole file, as UTF-8.
    """
    separator, quote = dialect.separator.encode(), dialect.quote.encode()
    pattern = re.compile(re.escape(separator) + b" +(?=" + re.escape(quote) + b")")
    sample = data[:_SAMPLE]
    opened = len(pattern.findall(sample))
    if not opened:
        return data
    whole = pattern.pattern + rb"%b[^%b\n]*%b *(?=%b|\r|\n|$)" % (quote, quote, quote, re.escape(separator))
    if len(re.findall(whole, sample)) == opened:
        return pattern.sub(separator, data)
    open_fit, closed_fit = (
        _fit(part.decode("utf-8", "ignore"), dialect)[1] for part in (sample, pattern.sub(separator, sample))
    )
    return pattern.sub(separator, data) if closed_fit > open_fit else data


def _separator(sample: str) -> str:
    fits = {separator: _fit(sample, Dialect(separator)) for separator in SEPARATORS}
    cutting = [separator for separator, (width, _) in fits.items() if width > 1]
    if len(cutting) == 1 and fits[cutting[0]][1] >= _CONSISTENT:
        return cutting[0]
    clever = _clever(sample)
    if clever in cutting:
        return clever
    return max(SEPARATORS, key=lambda separator: fits[separator][1] * (fits[separator][0] > 1))


def _fit(sample: str, dialect: Dialect) -> tuple[int, float]:
    """Return the commonest number of cells in a line, and the share of lines that have it."""
    try:
        widths = Counter(len(record) for record in dialect.records(io.StringIO(sample, newline="")) if record)
    except csv.Error:
        return 0, 0.0
    if not widths:
        return 0, 0.0
    ((width, count),) = widths.most_common(1)
    return width, count / widths.total()


def _clever(sample: str) -> str:
    from clevercsv import Detector

    # Long lines would leave it too few to compare, many lines take it long.
    part = sample[: min(max(_CLEVER_SAMPLE, 6 * len(sample.partition("\n")[0])), 2 * _CLEVER_SAMPLE)]
    try:
        found = Detector().detect(part, delimiters=[*SEPARATORS])
    except Exception:  # whatever goes wrong in there, the separator can still be found by counting
        return ""
    return found.delimiter if found is not None and found.delimiter in SEPARATORS else ""


def _mostly_in_single_quotes(sample: str, separator: str) -> bool:
    cells = [cell.strip() for line in sample.splitlines() for cell in line.split(separator)]
    filled = [cell for cell in cells if cell]
    quoted = sum(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in filled)
    return quoted * 2 > len(filled)


def _with_escape(sample: str, dialect: Dialect) -> Dialect:
    """Let a backslash escape quotes where lines fit together only so."""
    escaped = Dialect(dialect.separator, dialect.quote, "\\")
    if not re.search(r"\\" + dialect.quote, sample):
        return dialect
    return escaped if _fit(sample, escaped)[1] > _fit(sample, dialect)[1] else dialect
