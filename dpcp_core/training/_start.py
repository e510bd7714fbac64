"""Public weights that a network starts from, checked before they are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcp_core.errors import InputError
from dpcp_core.training.protocol import Weights


def checked_start(start: Weights, shapes: Sequence[tuple[int, ...]]) -> Weights:
    """Return the weights as arrays.

    Parameters
    ----------
    start : Weights
    shapes : sequence of tuple of int
        Those of the network's own weights.

    Raises
    ------
    InputError
        Weights of other shapes, or not finite.

    Examples
    --------
    >>> checked_start(([1.0, 2.0],), [(2,)])
    (array([1., 2.]),)
    """
    given = tuple(np.asarray(part) for part in start)
    if [part.shape for part in given] != list(shapes):
        raise InputError(
            f"start holds weights of shapes {[part.shape for part in given]}, but this network has {list(shapes)}; "
            "train the public weights with the same columns, classes and hidden layers."
        )
    if not all(np.isfinite(part).all() for part in given):
        raise InputError("start holds weights that are not finite; train the public weights again.")
    return given
