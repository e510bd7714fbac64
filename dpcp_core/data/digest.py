"""A digest of every cell of a table: two tables with equal digests are equal.

Hashing goes column by column over exact bytes: pandas' own row hashes have 64 bits, and no change may hide.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api import types

from dpcp_core.data.cells import is_text


def frame_digest(frame: pd.DataFrame) -> str:
    """Return SHA-256 over names, kinds of cells and every cell, in order, as 64 hexadecimal digits.

    Empty, the text ``""`` and the text ``"nan"`` differ; so do the number 1 and the text ``"1"``.
    The index does not count.

    >>> one, other = pd.DataFrame({"a": ["x", None]}), pd.DataFrame({"a": ["x", ""]})
    >>> frame_digest(one) == frame_digest(other), frame_digest(one) == frame_digest(one.copy())
    (False, True)
    """
    whole = hashlib.sha256(f"{len(frame)} {frame.shape[1]}".encode())
    for i, name in enumerate(frame.columns):
        whole.update(hashlib.sha256(str(name).encode(errors="surrogatepass")).digest())
        whole.update(_column_digest(frame.iloc[:, i]))
    return whole.hexdigest()


def row_hashes(frame: pd.DataFrame) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each row, shape (n,), whatever the order of rows and columns.

    Two rows with equal cells have equal hashes, and hardly any others do. It is no release: see
    :func:`dpcp_core.privacy.ledger.near.sketch`.

    >>> frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    >>> bool((row_hashes(frame) == row_hashes(frame[["b", "a"]])).all())
    True
    """
    ordered = frame[sorted(frame.columns, key=str)]
    alike = pd.DataFrame({i: _alike(ordered.iloc[:, i]) for i in range(ordered.shape[1])}, index=ordered.index)
    return pd.util.hash_pandas_object(alike, index=False).to_numpy().astype(np.uint64)


def _alike(cells: pd.Series) -> pd.Series:
    """Return numbers as floats: one emptied cell turns a column of whole numbers into one, and no row is another."""
    if not types.is_numeric_dtype(cells) or types.is_complex_dtype(cells):
        return cells
    return pd.Series(cells.to_numpy(dtype=np.float64, na_value=np.nan), index=cells.index)


def _column_digest(cells: pd.Series) -> bytes:
    if isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype(object).infer_objects()
    if is_text(cells):
        return _text_digest(cells)
    kind, values = _plain(cells)
    part = hashlib.sha256(kind.encode())
    part.update(np.packbits(cells.isna().to_numpy()).tobytes())
    part.update(np.ascontiguousarray(values).data)
    return part.digest()


def _plain(cells: pd.Series) -> tuple[str, np.ndarray]:
    if types.is_bool_dtype(cells):
        return "boolean", cells.to_numpy(dtype=np.uint8, na_value=0)
    if types.is_unsigned_integer_dtype(cells):
        return "unsigned", cells.to_numpy(dtype="<u8", na_value=0)
    if types.is_integer_dtype(cells):
        return "integer", cells.to_numpy(dtype="<i8", na_value=0)
    if types.is_float_dtype(cells):
        values = cells.to_numpy(dtype="<f8", na_value=np.nan)
        return "number", np.where(np.isnan(values), np.nan, values)
    if types.is_datetime64_any_dtype(cells) or types.is_timedelta64_dtype(cells):
        return str(cells.dtype), cells.astype("int64").to_numpy()
    return str(cells.dtype), np.frombuffer("\0".join(map(repr, cells)).encode(), dtype=np.uint8)


def _text_digest(cells: pd.Series) -> bytes:
    mixed = types.is_object_dtype(cells)
    codes, values = pd.factorize(cells.map(_tagged, na_action="ignore") if mixed else cells)
    texts = [(value if mixed else _tagged(value)).encode(errors="surrogatepass") for value in values.tolist()]
    part = hashlib.sha256(b"text")
    part.update(codes.astype("<i8").data)
    part.update(np.array([len(text) for text in texts], dtype="<i8").data)
    part.update(b"".join(texts))
    return part.digest()


def _tagged(cell: object) -> str:
    # An object column may mix 1, 1.0, True and "1"; pandas would hold the first three for equal.
    return f"text {cell}" if isinstance(cell, str) else f"{type(cell).__name__} {cell!r}"
