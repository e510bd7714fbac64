"""Opening a bundle that somebody sent: every name, size, shape and checksum is checked before anything is used."""

from __future__ import annotations

import io
import json
import re
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.data.spreadsheet import formulas_in
from dpcp_core.errors import InputError
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.release.archive import SUMS, checksums
from dpcp_core.release.bundle import Bundle, Floats
from dpcp_core.release.model_file import FORMAT, described, require_storable

MOST_BYTES = 64 * 1024**2
"""Of a bundle, and of all that is in it."""
Read = TypeVar("Read")
_MOST_FILES = 64
_MOST_TEXT = {"model.json": 32 * 1024**2}
_MOST_OTHER_TEXT = 4 * 1024**2
# Opened by zlib alone: other methods are rare, and unpack a thousand times more from a byte.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MANY_PARTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""")
_NEEDED = frozenset(
    {"model.json", "schema.toml", "receipt.json", "receipt.txt", "certificate.json", "predict.py", "README.md", SUMS}
)
_ARRAY = re.compile(r"weights/(model|spread)-\d{1,2}-(matrix|constants)\.npy")
_SENT_ANEW = "ask whoever sent it to send it again"
_SHOWN = 200
_NO_ARRAY = (
    ValueError, TypeError, EOFError, OSError, MemoryError,
    SyntaxError, tokenize.TokenError, OverflowError, RecursionError,
)  # fmt: skip


def open_bundle(source: str | Path | bytes) -> Bundle:
    """Open a released bundle.

    Parameters
    ----------
    source : path, or the bytes of the file

    Returns
    -------
    Bundle

    Raises
    ------
    InputError
        Anything but a whole bundle: one sentence. Nothing in it is ever run, unpacked to disk or unpickled.
    """
    files = _members(source)
    if files[SUMS] != checksums({name: content for name, content in files.items() if name != SUMS}):
        raise InputError(f"The bundle's checksums do not fit its files: it was changed; {_SENT_ANEW}.")
    model, certificate = _object(files, "model.json"), _object(files, "certificate.json")
    schema = _understood(files, "schema.toml", _schema)
    receipt = _understood(files, "receipt.json", PrivacyReceipt.from_json)
    arrays = {Path(name).stem: _array(name, files[name]) for name in files if name.startswith("weights/")}
    _check_model(model, arrays, schema)
    return Bundle(model, arrays, schema, receipt, certificate)


def _members(source: str | Path | bytes) -> dict[str, bytes]:
    try:
        held = source if isinstance(source, bytes) else _read(Path(source))
        with zipfile.ZipFile(io.BytesIO(held)) as archive:
            entries = archive.infolist()
            _check_entries(entries)
            # No more is read than was declared, and no more than fits.
            return {entry.filename: _content(archive, entry) for entry in entries}
    except InputError:
        raise
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, RuntimeError, ValueError):
        raise InputError(f"This is not a whole bundle: {_SENT_ANEW}.") from None
    except OSError as problem:
        raise InputError(f"The bundle cannot be read: {problem.strerror or 'it is damaged'}; {_SENT_ANEW}.") from None


def _read(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"The bundle is larger than {MOST_BYTES // 1024**2} MB, which no bundle is.")
    return path.read_bytes()


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in entries]
    if len(names) > _MOST_FILES or len({*names}) < len(names):
        raise InputError(f"The bundle holds too many files, or one of them twice; {_SENT_ANEW}.")
    if "synthetic.csv" in names:
        raise InputError(
            "This is the bundle of a synthetic table, which predicts nothing: unpack it, and use its synthetic.csv."
        )
    strange = [name for name in names if name not in _NEEDED and not _ARRAY.fullmatch(name)]
    if strange:
        raise InputError(f"The bundle holds {strange[0][:60]!r}, which no bundle does; {_SENT_ANEW}.")
    absent = sorted(_NEEDED - {*names})
    if absent:
        raise InputError(f"The bundle lacks {absent[0]}; {_SENT_ANEW}.")
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise InputError(f"The bundle would unpack to more than {MOST_BYTES // 1024**2} MB, which no bundle does.")
    for entry in entries:
        is_text = not _ARRAY.fullmatch(entry.filename)
        if is_text and entry.file_size > _MOST_TEXT.get(entry.filename, _MOST_OTHER_TEXT):
            raise InputError(f"{entry.filename} in the bundle is longer than any bundle's; {_SENT_ANEW}.")
        if entry.compress_type not in _METHODS:
            raise InputError(f"{entry.filename} in the bundle is packed in a way that no bundle is; {_SENT_ANEW}.")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as member:
        content = member.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise InputError(f"{entry.filename} in the bundle is not as long as it says; {_SENT_ANEW}.")
    return content


def _text(files: Mapping[str, bytes], name: str) -> str:
    try:
        return files[name].decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name} in the bundle is no text; {_SENT_ANEW}.") from None


def _understood(files: Mapping[str, bytes], name: str, read: Callable[[str], Read]) -> Read:
    """Return what a reader of text makes of a file that somebody may have written to harm it."""
    text = _text(files, name)
    try:
        return read(text)
    except InputError as problem:
        said = str(problem)
        said = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…; {_SENT_ANEW}."
        raise InputError(f"{name} in the bundle cannot be read: {said}") from None
    except (ValueError, RecursionError, OverflowError):
        raise InputError(f"{name} in the bundle cannot be read; {_SENT_ANEW}.") from None


def _schema(text: str) -> Schema:
    # Keys of many parts, a.a.a.a and so on, take hours to read; no schema has one.
    if _MANY_PARTS.search(text) or "\n" not in text:
        raise InputError("it is not written as a schema is.")
    schema = Schema.from_toml(text)
    if formulas := formulas_in(schema):
        raise InputError(f"it names {formulas[0][:60]!r}, which a spreadsheet would run as a formula.")
    return schema


def _object(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    found = _understood(files, name, json.loads)
    if not isinstance(found, dict):
        raise InputError(f"{name} in the bundle cannot be read; {_SENT_ANEW}.")
    return found


def _array(name: str, content: bytes) -> Floats:
    try:
        values = np.load(io.BytesIO(content), allow_pickle=False)
    except _NO_ARRAY:
        raise InputError(f"{name} in the bundle is no array of numbers; {_SENT_ANEW}.") from None
    if not isinstance(values, np.ndarray) or values.dtype != np.float64 or not np.isfinite(values).all():
        raise InputError(f"{name} in the bundle is no array of finite numbers; {_SENT_ANEW}.")
    return values


def _check_model(model: Mapping[str, Any], arrays: Mapping[str, Floats], schema: Schema) -> None:
    """Check that the parts fit each other, so that predicting can no longer fail on anything but new rows."""
    if model.get("format") != FORMAT:
        found = str(model.get("format"))[:_SHOWN]
        raise InputError(f"The bundle is of format {found!r}, and this version reads {FORMAT!r}.")
    said = _described(model, schema)
    if said is None or any(model.get(name) != value for name, value in said.items()):
        raise InputError(f"model.json and schema.toml in the bundle do not fit each other; {_SENT_ANEW}.")
    _check_thresholds(model, schema)
    width = encode(_no_rows(schema), schema).features.shape[1]
    outputs = len(said["classes"]) if "classes" in said else 1
    networks = {"model": outputs} | ({"spread": 1} if SCORES[model["score"]].needs_spread else {})
    places = [(name, layer) for name in networks for layer in range(_layers(arrays, name))]
    expected = {f"{name}-{layer}-{part}" for name, layer in places for part in _PARTS}
    fits = expected == {*arrays} and all(_chain(arrays, name, width, n) for name, n in networks.items())
    if not fits:
        raise InputError(f"The weights in the bundle do not fit its columns; {_SENT_ANEW}.")


def _described(model: Mapping[str, Any], schema: Schema) -> dict[str, Any] | None:
    """Return what model.json has to say under this schema; None if there is nothing that it could."""
    score, target, by_group = str(model.get("score")), schema.target, "group" in model
    if score not in SCORES or target is None or not all(c.is_complete for c in (*schema.features, target)):
        return None
    fits = SCORES[score].task == ("regression" if target.is_numeric else "classification")
    if not fits or SCORES[score].needs_coins or (by_group and schema.group is None):
        return None
    require_storable(schema)
    return described(schema, score, allow_empty=bool(model.get("allow_empty", False)), by_group=by_group)


def _check_thresholds(model: Mapping[str, Any], schema: Schema) -> None:
    found: list[Any] = [model.get("threshold")]
    if "group" in model:
        own, column = model.get("thresholds"), schema.group
        assert column is not None
        found = list(own.values()) if isinstance(own, dict) and {*own} == {*column.categories} else [None]
    # Compared, not converted: a whole number of JSON may be too long for a float.
    if not all(type(value) in (int, float) and abs(value) <= sys.float_info.max for value in found):
        raise InputError(f"The bundle has no threshold for every row; {_SENT_ANEW}.")


_PARTS = ("matrix", "constants")


def _no_rows(schema: Schema) -> pd.DataFrame:
    return pd.DataFrame({column.name: pd.Series([], dtype=object) for column in schema.columns})


def _layers(arrays: Mapping[str, Floats], name: str) -> int:
    return max(1, sum(key.startswith(f"{name}-") and key.endswith("-matrix") for key in arrays))


def _chain(arrays: Mapping[str, Floats], name: str, width: int, outputs: int) -> bool:
    for layer in range(_layers(arrays, name)):
        matrix, constants = arrays[f"{name}-{layer}-matrix"], arrays[f"{name}-{layer}-constants"]
        if matrix.ndim != 2 or matrix.shape[0] != width or constants.shape != matrix.shape[1:]:
            return False
        width = matrix.shape[1]
    return width == outputs
