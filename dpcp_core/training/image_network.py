"""A small convolutional network for square images, grey or in colour, made for training with noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcp_core.errors import InputError
from dpcp_core.training.protocol import ProblemSize

if TYPE_CHECKING:
    import torch

_CHANNELS = (16, 32)
_COLOURS = 3
_GROUPS = 4
_HIDDEN = 32
# Below this the first convolution looks at every place, from here on at every second one.
_LARGE_SIDE = 16
_SMALLEST_SIDE = 4


def image_network(size: ProblemSize) -> torch.nn.Module:
    """Return an untrained network of two convolutions and two dense layers.

    Parameters
    ----------
    size : ProblemSize
        Its features are a constant and then the pixels of a square image, row by row; of an image in colour all red
        values first, then all green, then all blue ones.

    Returns
    -------
    torch module
        Rows (n, d) in, numbers or logits (n, outputs) out.

    Raises
    ------
    InputError
        Pixels that are no square.

    Notes
    -----
    Units saturate (tanh), which keeps gradients short; groups of channels are normalised within one image, never over
    a batch. Pixels are shifted so that the darkest is 0, as the border that convolutions add is.

    References
    ----------
    Papernot et al. (2021), "Tempered sigmoid activations for deep learning with differential privacy", table 1; Wu and
    He (2018), "Group normalization".

    Examples
    --------
    >>> network = image_network(ProblemSize(60_000, 785, 10))
    >>> sum(weight.numel() for weight in network.parameters())
    14730
    """
    from torch import nn

    channels, side = image_shape(size)
    stride = 2 if side >= _LARGE_SIDE else 1
    first, second = _CHANNELS
    left = -(-side // stride) // 2 // 2
    return nn.Sequential(
        _pixels(channels, side, size.n_features),
        nn.Conv2d(channels, first, kernel_size=5, stride=stride, padding=2),
        nn.GroupNorm(_GROUPS, first),
        nn.Tanh(),
        nn.MaxPool2d(2),
        nn.Conv2d(first, second, kernel_size=3, padding=1),
        nn.GroupNorm(_GROUPS, second),
        nn.Tanh(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(second * left * left, _HIDDEN),
        nn.Tanh(),
        nn.Linear(_HIDDEN, size.n_outputs),
    )


def image_side(size: ProblemSize) -> int:
    """Return the side of the square that the pixels make.

    Raises
    ------
    InputError
        Where they make none.

    Examples
    --------
    >>> image_side(ProblemSize(1000, 65, 10))
    8
    """
    return image_shape(size)[1]


def image_shape(size: ProblemSize) -> tuple[int, int]:
    """Return the number of channels, 1 or 3, and the side of the square that the pixels make.

    Raises
    ------
    InputError
        Where they make none.

    Examples
    --------
    >>> image_shape(ProblemSize(60_000, 785, 10)), image_shape(ProblemSize(60_000, 3073, 10))
    ((1, 28), (3, 32))
    """
    n_values = max(size.n_features - 1, 0)
    # Three squares of one size are never a square themselves, so no number can be read in two ways.
    for channels in (1, _COLOURS):
        side = math.isqrt(n_values // channels)
        if channels * side * side == n_values and side >= _SMALLEST_SIDE:
            return channels, side
    raise InputError(
        f"trainer 'cnn' reads square images, but the table has {size.n_features - 1} columns of numbers; it needs "
        f"{_SMALLEST_SIDE} x {_SMALLEST_SIDE} pixels or more, such as 8 x 8 = 64 or 28 x 28 = 784, or three times as "
        "many for colours."
    )


def _pixels(channels: int, side: int, n_features: int) -> torch.nn.Module:
    """Return a layer from encoded rows to images with values from 0 to about 2."""
    from torch import nn

    # An encoded pixel lies between minus the constant and the constant, which is about 1 / sqrt(n_features).
    scale = math.sqrt(n_features)

    class Pixels(nn.Module):
        """Square images."""

        def forward(self, rows: torch.Tensor) -> torch.Tensor:
            """Return images of shape (n, channels, side, side)."""
            return ((rows[:, 1:] + rows[:, :1]) * scale).reshape(-1, channels, side, side)

    return Pixels()
