"""Pictures as tables: a column for each pixel, and one for the class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce.published.cifar import read_cifar
from dpcp_core.experiments.reproduce.published.delimited import read_delimited
from dpcp_core.experiments.reproduce.published.idx import read_idx

CLASS = "class"
BRIGHTEST = 255
_N_CLASSES = 10
_DIGIT, _SIDE, _MNIST = "digit", 28, "MNIST"


def picture_schema(frame: pd.DataFrame, one_row_is: str) -> Schema:
    """Return the public description of pictures: what a pixel may be is known without looking at any."""
    pixel = {"kind": "integer", "bounds": [0, BRIGHTEST], "typical": [0, BRIGHTEST]}
    classes = {"kind": "category", "categories": [str(code) for code in range(_N_CLASSES)], "role": "target"}
    described = {str(name): classes if name == CLASS else pixel for name in frame.columns}
    return Schema.from_dict({"one_row_is": one_row_is, "columns": described})


def table_of(pictures: npt.NDArray[np.uint8], classes: npt.NDArray[np.integer]) -> pd.DataFrame:
    """Return pictures of shape (n, pixels) and their classes as a table."""
    frame = pd.DataFrame(pictures, columns=[f"pixel_{place}" for place in range(pictures.shape[1])])
    frame[CLASS] = [str(code) for code in classes]
    return frame


def mnist_from_idx(paths: Sequence[Path]) -> pd.DataFrame:
    """Read pictures and classes from idx files, in turn: pictures, their classes, more pictures, their classes."""
    parts = [_pair(pictures, classes) for pictures, classes in zip(paths[::2], paths[1::2], strict=True)]
    return pd.concat(parts, ignore_index=True)


def _pair(pictures_at: Path, classes_at: Path) -> pd.DataFrame:
    pictures = read_idx(pictures_at, n_axes=3, title=_MNIST)
    classes = read_idx(classes_at, n_axes=1, title=_MNIST)
    if len(pictures) != len(classes):
        raise InputError(
            f"{pictures_at} has {len(pictures):,} pictures but {classes_at} has {len(classes):,} classes; download "
            f"{_MNIST} again."
        )
    if classes.max(initial=0) >= _N_CLASSES:
        raise InputError(f"{classes_at} holds a class above {_N_CLASSES - 1}; download {_MNIST} again.")
    return table_of(pictures.reshape(len(pictures), -1), classes)


def mnist_from_csv(paths: Sequence[Path]) -> pd.DataFrame:
    """Read pictures from CSV files with a column ``digit`` and columns ``pixel_0_0`` to ``pixel_27_27``."""
    pixels = [f"pixel_{row}_{column}" for row in range(_SIDE) for column in range(_SIDE)]
    frames = [read_delimited(path, [_DIGIT, *pixels], _MNIST) for path in paths]
    frame = pd.concat(frames, ignore_index=True)
    try:
        return table_of(frame[pixels].to_numpy(dtype=np.uint8), frame[_DIGIT].to_numpy(dtype=np.int64))
    except (ValueError, OverflowError):
        raise InputError(f"{paths[0]} holds something else than whole numbers; download {_MNIST} again.") from None


def cifar_from_batches(paths: Sequence[Path]) -> pd.DataFrame:
    """Read colour pictures from the published batches."""
    (path,) = paths
    return table_of(*read_cifar(path))
