"""What was made to harm whoever opens or uses a bundle ends in one sentence, and soon."""

from __future__ import annotations

import io
import json
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from dpcp_core.cli.release import _write as write_bundle
from dpcp_core.cli.table_files import write_table
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.errors import InputError
from dpcp_core.release import open_bundle, plan_intervals, plan_table
from dpcp_core.release.archive import SUMS
from dpcp_core.synthesis.settings import SynthesisSettings
from tests.core.release.released import intervals, small
from tests.core.release.test_opening import MATRIX, changed, files_of, model


def packed_as(method: int) -> bytes:
    """Return a whole bundle that is compressed in another way."""
    with zipfile.ZipFile(io.BytesIO(intervals().bundle)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert SUMS in files
    return held.getvalue()


def array_with(header: str) -> bytes:
    """Return a bundle whose matrix has this header."""
    text = header.encode() + b"\n"
    return changed(MATRIX, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + b"\0" * 64)


def shaped(shape: str) -> bytes:
    return array_with(f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}")


def threshold(digits: str) -> bytes:
    said = files_of(intervals().bundle)["model.json"].decode()
    return changed("model.json", said.replace('"threshold": ', f'"threshold": {digits}, "was": ').encode())


def schema_with(text: str) -> bytes:
    return changed("schema.toml", files_of(intervals().bundle)["schema.toml"] + text.encode())


def categories(n: int) -> str:
    return f'\n[more]\nkind = "category"\ncategories = {json.dumps([str(i) for i in range(n)])}\n'


LONG_KEY = "a." * 50_000 + "b"
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "packed by LZMA": (lambda: packed_as(zipfile.ZIP_LZMA), "packed in a way"),
    "packed by BZIP2": (lambda: packed_as(zipfile.ZIP_BZIP2), "packed in a way"),
    "a shape beyond any computer": (lambda: shaped("(1" + "0" * 30 + ",)"), "no array of numbers"),
    "a header that never ends": (lambda: array_with("{" * 1000), "no array of numbers"),
    "a header that goes deep": (lambda: shaped("(" * 4000 + ")" * 4000), "no array of numbers"),
    "a threshold too long for a float": (lambda: threshold("1" + "0" * 400), "no threshold"),
    "a threshold too long for a whole number": (lambda: threshold("1" + "0" * 5000), "model.json .* cannot be read"),
    "a threshold beyond floats": (lambda: threshold("1e400"), "no threshold"),
    "a threshold of NaN": (lambda: threshold("NaN"), "no threshold"),
    "a threshold that is true": (lambda: model(threshold=True), "no threshold"),
    "a format of a million letters": (lambda: model(format="x" * 10**6), "of format"),
    "a certificate with a long number": (
        lambda: changed("certificate.json", b'{"a": 1' + b"0" * 5000 + b"}"), "certificate.json .* cannot be read",
    ),
    "a deep receipt": (lambda: changed("receipt.json", b"[" * 100_000), "receipt.json .* cannot be read"),
    "a receipt with a long number": (
        lambda: changed("receipt.json", b'{"a": 1' + b"0" * 5000 + b"}"), "receipt.json .* cannot be read",
    ),
    "a deep schema": (lambda: changed("schema.toml", b"a =\\\n" + b"[" * 100_000), "schema.toml .* cannot be read"),
    "a schema of long values": (lambda: schema_with("\nx = [" + "\n[" * 50_000), "schema.toml .* cannot be read"),
    "a key of many parts": (lambda: schema_with(f"\n{LONG_KEY} = 1\n"), "not written as a schema"),
    "a table of many parts": (lambda: schema_with(f"\n[{LONG_KEY}]\n"), "not written as a schema"),
    "many quoted parts": (lambda: schema_with('\n[' + '"a" . ' * 5000 + 'b]\n'), "not written as a schema"),
    "more categories than fit": (lambda: schema_with(categories(20_000)), "more categories than a bundle"),
    "a column's name of a million letters": (lambda: schema_with(f"\n[{'n' * 10**6}]\n"), "schema.toml .* be read"),
    "a category that a spreadsheet would run": (
        lambda: schema_with('\n[more]\nkind = "category"\ncategories = ["=HYPERLINK(1)", "b"]\n'), "as a formula",
    ),
    "a card of 5 MB": (lambda: changed("README.md", b"x" * 5 * 1024**2), "longer than any"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bundle_is_one_short_sentence_at_once(name: str) -> None:
    make, said = HOSTILE[name]
    made, start = make(), time.process_time()
    with pytest.raises(InputError, match=said) as caught:
        open_bundle(made)
    assert time.process_time() - start < 3
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_bundle_that_could_not_be_opened_is_refused_before_it_is_paid_for() -> None:
    data = small("blood_pressure")
    many = replace(data.schema.column("sex"), categories=("female", "male", *(str(i) for i in range(1100))))
    wide = data.with_schema(data.schema.with_column(many))
    with pytest.raises(InputError, match="'sex' has more categories than a bundle can hold"):
        plan_intervals(wide, ConformalChoices(), wide.schema.to_toml())


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "@LOG10 (A1)", "\ufeff\t=1", "\uff1d1"])
def test_what_a_spreadsheet_would_run_is_not_released(text: str) -> None:
    data = small("blood_pressure")
    ill = data.with_schema(data.schema.with_column(replace(data.schema.column("sex"), categories=("female", text))))
    for plan, chosen in ((plan_intervals, ConformalChoices()), (plan_table, SynthesisSettings(task_model="ridge"))):
        with pytest.raises(InputError, match="a spreadsheet would run it as a formula"):
            plan(ill, chosen, ill.schema.to_toml())  # type: ignore[operator]


def test_a_table_for_people_holds_no_formula_and_numbers_stay_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"=x": ["-5 (low)", "+ve", "=1+1", None], "n": [-1.5, 2.0, -3.0, 0.0]})
    write_table(frame, tmp_path / "out.csv")
    written = (tmp_path / "out.csv").read_text()
    assert written.splitlines() == ["'=x,n", "-5 (low),-1.5", "+ve,2.0", "'=1+1,-3.0", ",0.0"]


def test_a_synthetic_table_reminds_of_who_is_protected() -> None:
    data = small("blood_pressure")
    nameless = data.with_schema(replace(data.schema, one_row_is=""))
    settings = SynthesisSettings(epsilon=1.0, task_model="ridge")
    assert "what one row stands for" in " ".join(plan_table(nameless, settings, nameless.schema.to_toml()).reminders)


def test_a_file_that_came_in_the_meantime_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    theirs = tmp_path / "bundle.zip"
    theirs.write_bytes(b"theirs")
    write_bundle(theirs, b"ours")
    (ours,) = tmp_path.glob("dpcp-*.zip")
    assert (theirs.read_bytes(), ours.read_bytes()) == (b"theirs", b"ours")
    assert str(ours) in capsys.readouterr().err


@pytest.fixture
def full_disk() -> Iterator[None]:
    """Let no file grow beyond 100 bytes."""
    resource = pytest.importorskip("resource")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_name_that_the_disk_refuses_does_not_lose_what_is_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_bundle(tmp_path / f"{'long' * 100}.zip", b"ours")
    (ours,) = tmp_path.iterdir()
    assert ours.read_bytes() == b"ours"
    assert f"the bundle, which is paid for, is in {ours}." in capsys.readouterr().err


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_one_sentence_and_leaves_no_half_of_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"bundle\.zip cannot be written, and the bundle is lost; its budget stays"):
        write_bundle(tmp_path / "bundle.zip", b"x" * 1000)
    assert list(tmp_path.iterdir()) == []
