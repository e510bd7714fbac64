"""Whatever a file is, reading gives a dataset or one plain sentence with the fix; it never shows a cell."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from dpcp_core import InputError, Schema, read_csv


def zipped(name: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "a,b\n1,2\n")
    return packed.getvalue()


BAD = {
    "0 bytes": (b"", "is empty (0 bytes)"),
    "blanks": (b" \n\n \t\r\n", "holds only blanks"),
    "a byte-order mark alone": (b"\xef\xbb\xbf\n", "holds only blanks"),
    "only a header": (b"a,b,c\n", "column names but no rows"),
    "one column": (b"a\n1\n2\n", "only one column"),
    "one column with values": (b"a,\n1,\n2,\n", "only one column"),
    "blanks between columns": (b"a b c\n1 2 3\n", "only one column"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(50), "a PNG picture"),
    "JPEG": (b"\xff\xd8\xff\xe0" + bytes(50), "a JPEG picture"),
    "PDF": (b"%PDF-1.7\n1 0 obj", "a PDF document"),
    "XLSX": (zipped("xl/workbook.xml"), "an Excel workbook"),
    "DOCX": (zipped("word/document.xml"), "a Word document"),
    "ZIP": (zipped("table.csv"), "a ZIP archive"),
    "XLS": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(50), "an old Excel workbook"),
    "Parquet": (b"PAR1\x15\x04" + bytes(50), "a Parquet file"),
    "HTML": (b"<!DOCTYPE html>\n<html><body><table>", "a web page (HTML)"),
    "HTML table": (b"\n <table border='1'><tr><td>1,2</td></tr>", "a web page (HTML)"),
    "XML": (b'<?xml version="1.0"?>\n<rows><row/></rows>', "an XML document"),
    "JSON": (b'[{"a": 1, "b": 2}]', "is JSON"),
    "JSON lines": (b'{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n', "is JSON"),
    "garbage": (bytes(range(256)) * 20, "binary data"),
    "a broken gzip file": (gzip.compress(b"a,b\n" * 999)[:40], "damaged or cut short"),
    "gzip in gzip": (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "a gzip archive inside another"),
    "half of UTF-16": ("a,b\n1,2\n".encode("utf-16")[:-1], "damaged or cut short"),
    "a row too short": (b"a,b,c\n1,2,3\n4,5\n6,7,8\n", "Line 3 has 2 cells but the table has 3 columns; fill"),
    "a row too long": (b"a,b,c\n1,2,3\n4,5,6,7\n6,7,8\n", "Line 3 has 4 cells but the table has 3 columns; put"),
    "two rows too short": (b"a,b,c\n1,2,3\n4,5\n6,7\n6,7,8\n", "(1 more line like it)"),
    "a row too short below a long cell": (b'a,b,c\n1,"two\nlines",3\n4,5\n6,7,8\n', "Line 4 has 2 cells"),
    "a download cut short": (b"a,b,c\n1,2,3\n4,5,6\n7,8", "Line 4 has 2 cells"),
    "an open quote": (b'a,b\n1,x\n2,"y\n3,z\n4,w\n', "opens in line 3 and is never closed"),
    "an open quote in the header": (b'a,"b\n1,2\n3,4\n', "opens in line 1 and is never closed"),
    "an open quote before much text": (b'a,b\n1,"x\n' + b"2,y\n" * 60_000, "opens in line 2 and is never closed"),
    "too few names": (b"a,b\n1,2,3,4\n5,6,7,8\n", "Line 1 names 2 columns but the rows below it have 4"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_sentence_with_the_fix(kind):
    contents, words = BAD[kind]
    with pytest.raises(InputError) as refusal:
        read_csv(contents)
    sentence = str(refusal.value)
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert ";" in sentence


def test_a_picture_is_named_by_its_file(tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    with pytest.raises(
        InputError, match=r"^`results\.csv` is a PNG picture, not a table; save the table itself as CSV\.$"
    ):
        read_csv(path)


@pytest.mark.parametrize("path", ["no/such/file.csv", "x" * 5000, "~nobody/file.csv"])
def test_a_path_that_leads_nowhere(path):
    with pytest.raises(InputError, match="check the path") as refusal:
        read_csv(path)
    assert len(str(refusal.value)) < 400


def test_a_folder(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        read_csv(tmp_path)


def test_text_for_a_path_is_not_shown():
    with pytest.raises(InputError, match="not the path of a file") as refusal:
        read_csv("name,age\nAnn,42\n")
    assert "Ann" not in str(refusal.value)


@pytest.mark.parametrize("source", [None, 5, ["a,b"]])
def test_things_that_are_no_file(source):
    with pytest.raises(InputError, match="not from"):
        read_csv(source)


def test_a_closed_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with path.open("rb") as file:
        pass
    with pytest.raises(InputError, match="open it again"):
        read_csv(file)


@pytest.mark.parametrize(("options", "words"), [({"max_rows": 0}, "max_rows"), ({"decimal": ";"}, "decimal")])
def test_wrong_options_are_named(options, words):
    with pytest.raises(InputError, match=words):
        read_csv(b"a,b\n1,2\n", **options)


SECRET = "Ann Smith"


@pytest.mark.parametrize(
    "contents",
    [
        f"name,age\n{SECRET},40\n{SECRET}\n",
        f"name,age\n{SECRET},40\n{SECRET},5,6\n",
        f'name,age\n{SECRET},40\n"{SECRET},50\n',
        f"name,age\n{SECRET},1.234\nBob,{SECRET}\n",
        f"name;dose\n{SECRET};1,234\n{SECRET};2,345\n",
        f"name,age\n{SECRET},40\nBob,50\n\n{SECRET} was here\n",
        f"name,age\n{SECRET},40\n  {SECRET} ,007\n",
    ],
)
def test_neither_errors_nor_notes_show_what_a_cell_holds(contents):
    schema = Schema.from_toml('[age]\nkind = "number"')
    for known in (None, schema):
        try:
            told = " ".join(read_csv(contents.encode(), schema=known).report.notes)
        except InputError as refusal:
            told = str(refusal)
        assert told
        assert "Ann" not in told
        assert "Smith" not in told


def test_a_packed_file_that_unpacks_to_more_than_is_allowed_is_refused():
    packed = gzip.compress(b"age,weight\n" + b"40,70\n" * 400_000)
    with pytest.raises(InputError, match="unpacks to more than 1 MB; split it"):
        read_csv(packed, max_bytes=1 << 20)
    assert read_csv(packed, max_bytes=1 << 24, max_rows=3).n_rows == 3
