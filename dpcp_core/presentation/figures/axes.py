"""Ranges of axes that stay still while sliders move: public where they can be, coarse where they cannot.

>>> window(17.3, 21.9, 0, 180)
(15.0, 25.0)
>>> typical_window((70, 250), (118, 152), 101, 196)
(80.0, 210.0)
"""

from __future__ import annotations

import math


def nice_step(size: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is at least ``size``.

    >>> nice_step(3.2), nice_step(0.07), nice_step(20)
    (5.0, 0.1, 20.0)
    """
    power = 10.0 ** math.floor(math.log10(size))
    for factor in (1, 2, 5, 10):
        if factor * power >= size * (1 - 1e-9):
            break
    return float(f"{factor * power:.1g}")


def outward(low: float, high: float, step: float) -> tuple[float, float]:
    """Round a range outward to whole steps.

    >>> outward(17.3, 21.9, 5)
    (15.0, 25.0)
    """
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return float(f"{first * step:.12g}"), float(f"{last * step:.12g}")


def window(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """Return a coarse window around what must be seen, inside what is possible.

    The window moves in steps of about half its width, so that it stays still while a slider moves a little.

    Parameters
    ----------
    low, high
        What must be seen; may be one point.
    least, most
        What is possible.
    """
    size = max(high - low, 0.4 * max(abs(high), abs(low)), 1e-3 * (most - least))
    if size <= 0:  # a single point at zero, and nothing else is possible
        return least, least + 1.0
    start, end = outward(low - 0.05 * size, high + 0.05 * size, nice_step(size / 2))
    return max(start, least), min(end, most) if end > most > low else end


def typical_window(
    bounds: tuple[float, float], typical: tuple[float, float] | None, low: float, high: float
) -> tuple[float, float]:
    """Return the range of a target's axis: its typical range, widened on both sides by its own width.

    Where data lie outside, it grows in steps of about half that width; never beyond the bounds. Without a
    typical range, it is the smallest run of tenths of the bounds that holds the data.

    Parameters
    ----------
    bounds, typical
        The target's public bounds and typical range, in target units.
    low, high
        Smallest and largest value to be drawn.
    """
    least, most = bounds
    if typical is None or typical == bounds:
        start, end = outward(low, high, nice_step((most - least) / 10))
    else:
        size = typical[1] - typical[0]
        start, end = outward(typical[0] - size, typical[1] + size, nice_step(size / 4))
        step = nice_step(size / 2)
        # A start below the bounds would count steps from a place that is not drawn.
        start, end = max(start, least), min(end, most)
        start -= step * max(0, math.ceil((start - low) / step))
        end += step * max(0, math.ceil((high - end) / step))
    return max(start, least), min(end, most)
