r"""The bytes of a file, however it was given; what is not a table of text is refused by its first bytes.

>>> load(b"a,b\n1,2\n").data
b'a,b\n1,2\n'
>>> load(b"%PDF-1.7", name="results.csv")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: `results.csv` is a PDF document, not a table; export the table in it as CSV.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from dpcp_core.errors import InputError

Given: TypeAlias = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str]

MOST_BYTES = 4 << 30  # a gzip file of a few megabytes can unpack to terabytes
_HEAD = 4096
_LONGEST_PATH = 200
_NOTHING = b"\x00 \t\r\n\x0b\x0c\xef\xbb\xbf\xfe\xff"  # blanks and byte-order marks
_GZIP = b"\x1f\x8b"
_PICTURE = "not a table; save the table itself as CSV"
_WORKBOOK = "not a CSV file; open it and save the sheet as CSV (UTF-8)"
_ARCHIVE = "not a CSV file; unpack it and give the CSV file inside"
_DATA = "not a CSV file; export the table in it as CSV"

_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", _PICTURE),
    (b"\xff\xd8\xff", "a JPEG picture", _PICTURE),
    (b"GIF89a", "a GIF picture", _PICTURE),
    (b"GIF87a", "a GIF picture", _PICTURE),
    (b"II*\x00", "a TIFF picture", _PICTURE),
    (b"MM\x00*", "a TIFF picture", _PICTURE),
    (b"%PDF-", "a PDF document", "not a table; export the table in it as CSV"),
    (b"{\\rtf", "a word-processor document", "not a table; save the table in it as CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook or Word document", _WORKBOOK),
    (b"PAR1\x15", "a Parquet file", _DATA),
    (b"ARROW1\x00\x00", "a Feather file", _DATA),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _DATA),
    (b"SQLite format 3\x00", "an SQLite database", _DATA),
    (b"$FL2@", "an SPSS file", _DATA),
    (b"<stata_dta>", "a Stata file", _DATA),
    (
        b"version https://git-lfs.github.com/spec",
        "a pointer of Git LFS",
        "not the table itself; download that (git lfs pull)",
    ),
    (b"BZh9", "a bzip2 archive", _ARCHIVE),
    (b"\xfd7zXZ\x00", "an xz archive", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _ARCHIVE),
    (b"Rar!\x1a\x07", "a RAR archive", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _ARCHIVE),
    (_GZIP, "a gzip archive inside another", "which is one too many; unpack it once and give the inner file"),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_IN_ZIP: tuple[tuple[bytes, str, str], ...] = (
    (b"xl/", "an Excel workbook", _WORKBOOK),
    (b"word/", "a Word document", "not a table; save the table in it as CSV"),
    (b"ppt/", "a PowerPoint file", _PICTURE),
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet", _WORKBOOK),
    (b"opendocument", "an OpenDocument file", "not a table; save the table in it as CSV"),
)
_MARKUP = re.compile(
    rb"\s*<(!doctype\s+html|html|head|body|table|!--|\?xml|(?P<other>[a-z][\w:]*)(\s[^<>]*)?>\s*<)", re.I
)
_WEKA = re.compile(rb"(?im)\A(\s*(%.*)?\n)*\s*@relation\s")
_JSON = re.compile(rb"\s*(\{\s*(\}|\"[^\"\n]*\"\s*:)|\[\s*(\{\s*\"|\[|\"[^\"\n]*\"\s*,|-?\d[\d.]*\s*,|\]))")


@dataclass(frozen=True)
class Source:
    """Bytes to read, what to call them, and what was done to get them.

    Attributes
    ----------
    data : bytes
        The contents, unpacked.
    name : str
        The file's name, or empty.
    notes : tuple of str
    """

    data: bytes
    name: str = ""
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What a sentence about the file begins with."""
        return f"`{self.name}`" if self.name else "The file"

    @property
    def stem(self) -> str:
        """The name without ``.csv`` and the like."""
        return re.sub(r"(?i)(\.(csv|tsv|txt|tab|dat))?(\.gz)?$", "", self.name)


def load(given: Given, *, name: str | None = None, max_bytes: int = MOST_BYTES) -> Source:
    """Return the bytes of a path, of bytes, or of an open file; unpack gzip.

    Parameters
    ----------
    given
        Path of a file, its contents, or a file opened for reading (it is read from its start).
    name
        Stands in where the file has no name of its own.
    max_bytes
        A packed file that unpacks to more is refused.

    Raises
    ------
    InputError
        If there is no such file, it is empty, or it is plainly something else than text.
    """
    data, own = _contents(given)
    source = Source(data, own or name or "")
    if data.startswith(_GZIP):
        source = Source(_unpacked(source, max_bytes), source.name, ("The file was unpacked from gzip.",))
    if not source.data[:_HEAD].strip(_NOTHING) and not source.data.strip(_NOTHING):
        what = "holds only blanks" if source.data else "is empty (0 bytes)"
        raise InputError(f"{source.title} {what}; give a CSV file with a line of column names and rows below it.")
    refuse_foreign(source)
    return source


def refuse_foreign(source: Source) -> None:
    """Refuse pictures, workbooks, archives and other well-known kinds of files by their first bytes.

    Raises
    ------
    InputError
        Saying what the file is, and how to get a CSV file from it.
    """
    head = source.data[:_HEAD]
    for start, what, fix in _SIGNATURES:
        if head.startswith(start):
            raise InputError(f"{source.title} is {what}, {fix}.")
    if head.startswith(_ZIP):
        for inside, what, fix in _IN_ZIP:
            if inside in source.data:
                raise InputError(f"{source.title} is {what}, {fix}.")
        raise InputError(f"{source.title} is a ZIP archive, {_ARCHIVE}.")


def refuse_markup(title: str, text: bytes) -> None:
    """Refuse HTML, XML and JSON.

    Parameters
    ----------
    title
        What the sentence begins with.
    text
        The beginning of the file, as UTF-8.

    Raises
    ------
    InputError
        Saying which of them it is, and what to do.
    """
    markup = _MARKUP.match(text)
    if markup:
        if re.search(rb"urn:schemas-microsoft-com:office:spreadsheet", text):
            raise InputError(f"{title} is an Excel workbook in XML, {_WORKBOOK}.")
        is_xml = b"?xml" in markup[0] or markup["other"] is not None
        what = "an XML document" if is_xml else "a web page (HTML)"
        raise InputError(f"{title} is {what}, not a CSV file; download or export the table itself as CSV.")
    if _WEKA.match(text):
        raise InputError(f"{title} is a Weka file (ARFF), {_DATA}.")
    if _JSON.match(text):
        raise InputError(f"{title} is JSON, not a CSV file; export the table as CSV.")


def _contents(given: Given) -> tuple[bytes, str]:
    if isinstance(given, (bytes, bytearray, memoryview)):
        return bytes(given), ""
    if isinstance(given, (str, os.PathLike)):
        return _read_path(given)
    if not hasattr(given, "read"):
        raise InputError(f"A table is read from a path, bytes or an open file, not from {type(given).__name__}.")
    return _read_stream(given)


def _read_path(given: str | os.PathLike[str]) -> tuple[bytes, str]:
    text = os.fspath(given)
    if "\n" in text or "\r" in text or "\0" in text:
        raise InputError("The text given is not the path of a file; give a path, or the contents as bytes.")
    path = Path(text)
    try:
        if path.is_dir():
            raise InputError(f"`{path}` is a folder; give the path of one CSV file in it.")
        return path.read_bytes(), path.name
    except FileNotFoundError:
        raise InputError(f"There is no file `{_shown(path)}`; check the path.") from None
    except OSError as error:
        reason = error.strerror or "the system refused"
        raise InputError(f"`{_shown(path)}` cannot be opened ({reason}); check the path and its permissions.") from None


def _shown(path: Path) -> str:
    text = str(path)
    return text if len(text) <= _LONGEST_PATH else f"{text[:_LONGEST_PATH]}…"


def _read_stream(given: IO[bytes] | IO[str]) -> tuple[bytes, str]:
    own = getattr(given, "name", "")
    name = os.path.basename(own) if isinstance(own, str) else ""
    try:
        # An upload may have been read before, and its end would look like an empty file.
        if given.seekable():
            given.seek(0)
        data = given.read()
    except (OSError, ValueError, AttributeError):
        raise InputError("The open file cannot be read; open it again, in binary mode.") from None
    return (data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)), name


def _unpacked(source: Source, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(source.data)) as packed:
            data = packed.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(
            f"{source.title} is a gzip file that is damaged or cut short; copy or download it again."
        ) from None
    if len(data) > max_bytes:
        most = f"{max_bytes >> 30} GB" if max_bytes >= 1 << 30 else f"{max_bytes >> 20} MB"
        raise InputError(f"{source.title} unpacks to more than {most}; split it into smaller files.")
    return data
