r"""Arrays of bytes in the idx format, in which MNIST is published; packed or not.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder, "two")
...     _ = path.write_bytes(b"\0\0\x08\x01" + (2).to_bytes(4, "big") + bytes([5, 7]))
...     read_idx(path, n_axes=1, title="MNIST").tolist()
[5, 7]
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce.published.delimited import is_packed, unreadable

_BYTES = 8
"""The code of unsigned bytes."""


def read_idx(path: Path, *, n_axes: int, title: str) -> npt.NDArray[np.uint8]:
    """Read an array of bytes with so many axes.

    Raises
    ------
    InputError
        The file cannot be read, or holds something else.
    """
    try:
        content = gzip.decompress(path.read_bytes()) if is_packed(path) else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, title, error) from None
    start = 4 * (1 + n_axes)
    if content[:4] != bytes([0, 0, _BYTES, n_axes]) or len(content) < start:
        raise _not_idx(path, title)
    shape = tuple(int.from_bytes(content[place : place + 4], "big") for place in range(4, start, 4))
    values = np.frombuffer(content, dtype=np.uint8, offset=start)
    if values.size != np.prod(shape, dtype=object):
        raise _not_idx(path, title)
    return values.reshape(shape)


def _not_idx(path: Path, title: str) -> InputError:
    return InputError(f"{path} is not a whole idx file of the expected kind; download {title} again.")
