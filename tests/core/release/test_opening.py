"""Whatever somebody sends: a whole bundle is opened, anything else is refused with one sentence, and nothing is run."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.release import open_bundle
from dpcp_core.release.archive import SUMS, array_bytes, packed
from dpcp_core.release.opening import MOST_BYTES
from tests.core.release.released import intervals

Files = dict[str, bytes]


class Runs:
    """What a pickle could do."""

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return Path.touch, (Path("/tmp/dpcp-was-run"),)  # type: ignore[return-value]


def files_of(bundle: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != SUMS}


def changed(name: str, content: bytes) -> bytes:
    """Return a bundle with one file changed, and checksums that fit."""
    return packed({**files_of(intervals().bundle), name: content})


def model(**changes: object) -> bytes:
    said = json.loads(files_of(intervals().bundle)["model.json"])
    return changed("model.json", json.dumps({**said, **changes}).encode())


def object_array() -> bytes:
    held = io.BytesIO()
    np.save(held, np.array([Runs()], dtype=object), allow_pickle=True)
    return held.getvalue()


def without(name: str) -> bytes:
    return packed({key: value for key, value in files_of(intervals().bundle).items() if key != name})


def tampered() -> bytes:
    whole = files_of(intervals().bundle)
    sums = zipfile.ZipFile(io.BytesIO(intervals().bundle)).read(SUMS)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in {**whole, "receipt.txt": b"epsilon = 0.001", SUMS: sums}.items():
            archive.writestr(name, content)
    return held.getvalue()


def twice() -> bytes:
    held = io.BytesIO(intervals().bundle)
    with zipfile.ZipFile(held, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("model.json", b"{}")
    return held.getvalue()


def declaring(size: int) -> bytes:
    """Return a bundle whose directory says that one file is this long."""
    held = bytearray(intervals().bundle)
    at = held.find(b"PK\x01\x02")
    held[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(held)


def bomb() -> bytes:
    return packed({**files_of(intervals().bundle), "README.md": b"0" * 65 * 1024**2})


MATRIX = "weights/model-0-matrix.npy"
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "no zip": (lambda: b"not a zip", "not a whole bundle"),
    "empty": (lambda: b"", "not a whole bundle"),
    "cut off": (lambda: intervals().bundle[: len(intervals().bundle) // 2], "not a whole bundle"),
    "tampered with": (tampered, "was changed"),
    "a path out of the folder": (lambda: changed("../../evil.py", b"x"), "holds '../../evil.py'"),
    "an absolute path": (lambda: changed("/etc/passwd", b"x"), "holds '/etc/passwd'"),
    "another script": (lambda: changed("weights/model.py", b"x"), "which no bundle does"),
    "a file twice": (twice, "twice"),
    "declares 4 GB": (lambda: declaring(2**32 - 2), "would unpack to more"),
    "declares a little more": (lambda: declaring(1_000_000), "not a whole bundle|not as long"),
    "unpacks to 65 MB": (bomb, "would unpack to more"),
    "a pickle": (lambda: changed(MATRIX, pickle.dumps(Runs())), "no array of numbers"),
    "an array of objects": (lambda: changed(MATRIX, object_array()), "no array of numbers"),
    "an array in an archive": (lambda: changed(MATRIX, intervals().bundle), "no array of"),
    "not finite": (lambda: changed(MATRIX, array_bytes(np.full((2, 1), np.nan))), "finite numbers"),
    "another shape": (lambda: changed(MATRIX, array_bytes(np.zeros((2, 1)))), "do not fit its columns"),
    "no matrix at all": (lambda: changed(MATRIX, array_bytes(np.zeros(3))), "do not fit its columns"),
    "a header that asks for much": (
        lambda: changed(MATRIX, array_bytes(np.zeros((2, 1))).replace(b"(2, 1)", b"(9999999999999, 1)")),
        "no array of numbers",
    ),
    "no threshold": (lambda: model(threshold=None), "no threshold"),
    "a threshold that is no number": (lambda: model(threshold="1e9"), "no threshold"),
    "another size": (lambda: model(size=5.0), "do not fit each other"),
    "another score": (lambda: model(score="evil"), "do not fit each other"),
    "a score of classes": (lambda: model(score="aps"), "do not fit each other"),
    "columns of another table": (lambda: model(columns=[]), "do not fit each other"),
    "a later format": (lambda: model(format="dpcp-intervals-9"), "of format 'dpcp-intervals-9'"),
    "no object": (lambda: changed("model.json", b"[1]"), "cannot be read"),
    "deep": (lambda: changed("model.json", b"[" * 200_000), "cannot be read"),
    "no text": (lambda: changed("schema.toml", b"\xff\xfe\x00"), "no text"),
    "no schema": (lambda: changed("schema.toml", b"= ="), "."),
    "no receipt": (lambda: changed("receipt.json", b"{}"), "not a privacy receipt"),
    "no weights": (lambda: without(MATRIX), "do not fit its columns"),
    "no card": (lambda: without("README.md"), "lacks README.md"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_whole_bundle_is_refused_with_one_sentence(name: str) -> None:
    make, said = BAD[name]
    with pytest.raises(InputError, match=said) as caught:
        open_bundle(make())
    assert "\n" not in str(caught.value).strip()
    assert len(str(caught.value)) < 400
    assert not Path("/tmp/dpcp-was-run").exists()


def test_a_path_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_bundle(tmp_path / "nothing.zip")
    with pytest.raises(InputError, match="cannot be read"):
        open_bundle(tmp_path)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.zip").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match=r"^The bundle is larger than \d+ MB, which no bundle is\.$"):
        open_bundle(tmp_path / "large.zip")


@given(st.integers(min_value=0), st.binary(min_size=1, max_size=8))
def test_bytes_changed_anywhere_are_refused_or_harmless(place: int, written: bytes) -> None:
    held = bytearray(intervals().bundle)
    start = place % len(held)
    held[start : start + len(written)] = written
    try:
        opened = open_bundle(bytes(held))
    except InputError:
        return
    # Only what no reader looks at may be changed unnoticed, such as a date.
    assert opened.model == open_bundle(intervals().bundle).model
