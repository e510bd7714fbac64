"""CIFAR-10 in its published Python batches.

They are pickles, and a pickle may run any code when it is read. This reader can make arrays, bytes, text, numbers,
lists and dicts, and nothing else; whatever a file asks for beyond that is refused before it runs.
"""

from __future__ import annotations

import io
import pickle
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce.published.delimited import unreadable

FOLDER = "cifar-10-batches-py"
BATCHES = (*(f"data_batch_{number}" for number in range(1, 6)), "test_batch")
SIDE, CHANNELS, N_CLASSES = 32, 3, 10
_N_VALUES = CHANNELS * SIDE * SIDE
TITLE = "CIFAR-10"

# What rebuilds an array; numpy's own name for it moves from version to version.
_REBUILD = np.empty(0).__reduce__()[0]
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"): _REBUILD,
    ("numpy._core.multiarray", "_reconstruct"): _REBUILD,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
}

Batch = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


class _ArraysOnly(pickle.Unpickler):
    """A reader of pickles that knows no more than what a batch is made of."""

    def find_class(self, module: str, name: str) -> Any:
        """Return what rebuilds an array; refuse everything else."""
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a batch of pictures") from None


def read_cifar(path: Path) -> Batch:
    """Read all six batches, from their folder or from the archive in which they are published.

    Returns
    -------
    pictures : uint8 array of shape (n, 3072)
        The red, the green and the blue values of a picture after each other, row by row.
    classes : int array of shape (n,)
        From 0 to 9.

    Raises
    ------
    InputError
        A batch is missing, damaged, or asks for anything but arrays.
    """
    batches = [_batch(content, name) for name, content in _contents(path)]
    pictures, classes = zip(*batches, strict=True)
    return np.concatenate(pictures), np.concatenate(classes)


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        if path.is_dir():
            yield from ((f"{path / name}", (path / name).read_bytes()) for name in BATCHES)
            return
        # Read where they are: nothing of the archive is written to the disk.
        with tarfile.open(path) as archive:
            for name in BATCHES:
                file = archive.extractfile(f"{FOLDER}/{name}")
                yield f"{path} ({name})", b"" if file is None else file.read()
    except FileNotFoundError as error:
        raise InputError(f"{error.filename} is missing; download {TITLE} again.") from None
    except KeyError:
        raise InputError(f"{path} holds no {FOLDER}/{name}; download {TITLE} again.") from None
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise unreadable(path, TITLE, error) from None


def _batch(content: bytes, name: str) -> Batch:
    try:
        batch = _ArraysOnly(io.BytesIO(content), encoding="bytes").load()
        pictures, classes = batch[b"data"], np.asarray(batch[b"labels"])
    except Exception:  # A damaged pickle fails in any way it likes; none of them is worth telling apart.
        raise InputError(
            f"{name} is not a batch of {TITLE}: it is damaged, or asks for more than arrays; download it again."
        ) from None
    if not _is_batch(pictures, classes):
        raise InputError(f"{name} does not hold pictures of {SIDE} x {SIDE} and their classes; download {TITLE} again.")
    return pictures, classes.astype(np.int64)


def _is_batch(pictures: object, classes: npt.NDArray[Any]) -> bool:
    return (
        isinstance(pictures, np.ndarray)
        and pictures.dtype == np.uint8
        and pictures.shape == (len(classes), _N_VALUES)
        and classes.ndim == 1
        and classes.dtype.kind in "iu"
        and len(classes) > 0
        and 0 <= int(classes.min()) <= int(classes.max()) < N_CLASSES
    )
