"""Any table written in any dialect comes back as it was; any bytes give a dataset or an InputError."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pandas as pd
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcp_core import Dataset, InputError, read_csv

WORDS = [
    "north",
    "south-west",
    "São Paulo",
    "größer",
    "a, b",
    "x;y",
    'say "no"',
    "two\nlines",
    "it's",
    "50+",
    "A1",
    "Ä",
]
NAMES = ["age", "sex", "Größe", "x 1", "b;c", 'in "cm"', "d,e"]


@st.composite
def columns(draw, rows: int) -> pd.Series:
    kind = draw(st.sampled_from(["integer", "number", "text"]))
    cells = {
        "integer": st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 999),
        "number": st.floats(-1e12, 1e12, allow_subnormal=False).map(lambda value: value + 0.0),
        "text": st.sampled_from(WORDS),
    }[kind]
    values = draw(st.lists(cells, min_size=rows, max_size=rows))
    missing = draw(st.lists(st.booleans(), min_size=rows, max_size=rows)) if draw(st.booleans()) else [False] * rows
    if kind == "integer" and any(missing):
        values = [value % 2**53 for value in values]
    if kind == "number":
        values[draw(st.integers(0, rows - 1))] = 0.5  # so that the column shows its decimal mark
        missing = [hidden and value != 0.5 for hidden, value in zip(missing, values, strict=True)]
    return pd.Series(values, dtype=object).mask(pd.Series(missing))


@st.composite
def frames(draw) -> pd.DataFrame:
    rows = draw(st.integers(2, 8))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    frame = pd.DataFrame({name: draw(columns(rows)) for name in names})
    # A table needs a column of numbers to tell its header from its rows, and a value in every row and column.
    frame["id"] = range(100, 100 + rows)
    assume(frame.notna().any(axis="index").all())
    return frame


@st.composite
def dialects(draw) -> dict:
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    line_end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    # Only where everything is quoted does pandas quote a line feed between carriage returns.
    quoting = [csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_MINIMAL][: 2 if line_end == "\r" else 3]
    return {
        "sep": separator,
        "decimal": draw(st.sampled_from(".," if separator != "," else ".")),
        "lineterminator": line_end,
        "quoting": draw(st.sampled_from(quoting)),
        "na_rep": draw(st.sampled_from(["", "?", "N/A"])),
    }


ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])


def written(frame: pd.DataFrame, dialect: dict) -> str:
    # pandas writes a decimal comma only into columns of floats.
    decimal = dialect["decimal"]
    shown = frame.map(
        lambda cell: repr(cell).replace(".", decimal) if isinstance(cell, float) and cell == cell else cell
    )
    return shown.to_csv(index=False, **{**dialect, "decimal": "."})


@settings(max_examples=50, deadline=None)
@given(frames(), dialects(), ENCODINGS, st.booleans())
def test_a_table_in_any_dialect_comes_back(frame, dialect, encoding, packed):
    contents = written(frame, dialect).encode(encoding)
    data = read_csv(gzip.compress(contents) if packed else contents)
    assert data.frame.shape == frame.shape
    assert list(data.frame.columns) == list(frame.columns)
    for name in frame:
        expected, read = frame[name], data.frame[name]
        assert read.isna().tolist() == expected.isna().tolist()
        same = [_plain(one) == _plain(other) for one, other in zip(read.dropna(), expected.dropna(), strict=True)]
        assert all(same)


def _plain(cell: object) -> object:
    # Old Macintosh line ends take those inside cells with them.
    return cell.replace("\r", "\n") if isinstance(cell, str) else cell


PIECES = [
    b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b'"', b'""', b"'", b"a", b"1", b"0", b".", b"-", b"%", b"$", b" ",
    b"\xa0", b"\xc3\xa9", b"\xe9", b"\x00", b"\\", b"NA", b"?", b"None", b"1,234", b"1.234", b"007", b"1e5", b"inf",
    b"Total", b"Source: x", b"\xff\xfe", b"\xef\xbb\xbf", b"sep=;", b"\x1a", b"2010", b"\x85", b"\xe2\x80\xa8",
    b"9" * 20, b"{", b"[", b"<", b"a,b\n1,2\n", b"x;y\n1,5;2\n",
]  # fmt: skip


def outcome(contents: bytes) -> Dataset | str:
    """Return what was read, or why not."""
    try:
        return read_csv(contents)
    except InputError as refusal:
        return str(refusal)


def _is_sentence(text: str) -> bool:
    return text.endswith(".") and "\n" not in text and len(text) < 600


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_any_bytes_give_a_dataset_or_a_sentence(contents):
    data = outcome(contents)
    if isinstance(data, str):
        assert _is_sentence(data)
    else:
        assert data.n_rows > 0
        assert data.frame.shape[1] > 1
        assert all(map(_is_sentence, data.report.notes))


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_damaged_table_gives_a_dataset_or_a_sentence(data):
    good = bytearray(
        b"id;name;dose\n" + "".join(f"{i};Zoë {i};{i},5\n" for i in range(30)).encode() + b"\nSource: ward\n"
    )
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(good) - 1))
        good[place : place + data.draw(st.integers(0, 8))] = data.draw(st.sampled_from(PIECES) | st.binary(max_size=3))
    read = outcome(bytes(good))
    assert isinstance(read, Dataset) or _is_sentence(read)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 10**7), min_size=2, max_size=30), st.sampled_from([",", ".", "'", "\u00a0"]))
def test_thousands_marks_never_change_a_number_in_silence(numbers, mark):
    cells = [f"{number:,}".replace(",", mark) for number in numbers]
    data = outcome(("a;b\n" + "".join(f"{cell};x\n" for cell in cells)).encode())
    if isinstance(data, str):
        assert "may be a decimal or a thousands mark" in data
    else:
        np.testing.assert_array_equal(data.frame["a"], numbers)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.decimals(-(10**6), 10**6, places=3), min_size=2, max_size=30), st.sampled_from(".,"))
def test_decimals_are_never_taken_for_thousands(numbers, mark):
    cells = [str(number).replace(".", mark) for number in numbers]
    data = outcome(("a;b\n" + "".join(f"{cell};x\n" for cell in cells)).encode())
    if isinstance(data, str):
        assert "may be a decimal or a thousands mark" in data
    else:
        np.testing.assert_array_equal(data.frame["a"], [float(number) for number in numbers])


WAYS = {
    "plain": str,
    "English": lambda number: f"{number:,}",
    "German": lambda number: f"{number:,}".translate(str.maketrans(",.", ".,")),
    "Swiss": lambda number: f"{number:,}".replace(",", "’"),
    "French": lambda number: f"{number:,}".translate(str.maketrans(",.", "\u202f,")),
    "euro": lambda number: f"{number:,} €".translate(str.maketrans(",.", ".,")),
    "percent": lambda number: f"{number} %",
    "true minus": lambda number: str(number).replace("-", "\u2212"),
    "behind": lambda number: f"{-number}-" if number < 0 else str(number),
    "brackets": lambda number: f"({-number})" if number < 0 else str(number),
}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.decimals(-(10**7), 10**7, places=2), min_size=2, max_size=12),
    st.sampled_from([*WAYS]),
    st.sampled_from(";\t|"),
)
def test_numbers_in_any_way_come_back_or_stay_text_or_are_refused(numbers, way, separator):
    frame = pd.DataFrame({"a": [WAYS[way](number + 0) for number in numbers], "b": "x"})
    data = outcome(frame.to_csv(index=False, sep=separator).encode())
    if isinstance(data, str):
        assert _is_sentence(data)
    elif pd.api.types.is_numeric_dtype(data.frame["a"]):
        np.testing.assert_allclose(data.frame["a"], [float(number) for number in numbers], rtol=1e-15)
    else:
        assert data.frame["a"].tolist() == frame["a"].tolist()
