"""A bundle as one file: the same content always gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.release.plan import Files

SUMS = "SHA256SUMS"
_WHEN = (1980, 1, 1, 0, 0, 0)


def packed(files: Files) -> bytes:
    """Return a ZIP of files in the order of their names, with their checksums in ``SHA256SUMS``.

    >>> packed({"a.txt": b"x"}) == packed({"a.txt": b"x"})
    True
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted({**files, SUMS: checksums(files)}.items()):
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, content, compresslevel=9)
    return held.getvalue()


def checksums(files: Files) -> bytes:
    """Return the checksums as ``sha256sum`` writes them."""
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    return "".join(lines).encode()


def array_bytes(values: npt.NDArray[Any]) -> bytes:
    """Return an array in numpy's own format, which holds numbers and cannot hold anything that runs."""
    held = io.BytesIO()
    np.lib.format.write_array(held, values, version=(1, 0), allow_pickle=False)
    return held.getvalue()
