"""The independent streams of chance in a simulation, one for each purpose.

A number given out once is never given to another purpose: the draws of all seeds would change.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> splits, noise = (simulation_generator(0, stream) for stream in (Stream.SPLITS, Stream.NOISE))
>>> bool(splits.random() == noise.random())
False
"""

from __future__ import annotations

from enum import IntEnum


class Stream(IntEnum):
    """What a stream is for; see :func:`dpcp_core.privacy.randomness.simulation_generator`."""

    SPLITS = 0
    NOISE = 1
    DRAWS = 2
    COINS = 3
    BOUNDS = 4
    ROWS = 5
    DOTS = 7
