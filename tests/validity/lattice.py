"""The exact distribution of the edge that a noisy histogram finds, worked out cell by cell; for small tables."""

from __future__ import annotations

import numpy as np


def crossing_probabilities(counts_above: np.ndarray, target: float, epsilon: float) -> np.ndarray:
    """Return the chance of each edge to be the first with ``count + noise from the top <= target``.

    The summed noise moves on whole numbers from -L to L, with what lies beyond added to the ends; L is so large that
    less than 1e-16 does. Downwards from the top goes how likely each place is, upwards from the first edge how likely
    it is from there that no lower edge is enough.
    """
    bins = len(counts_above)
    reach = int(40 / epsilon + 4 * np.sqrt(2 * bins) / epsilon) + 1
    place = np.arange(-reach, reach + 1)
    step = _steps(place, epsilon)
    enough = counts_above[:-1, None] + place <= target
    still_none = [np.ones(len(place))]
    for edge in range(bins - 1):
        still_none.append(~enough[edge] * (step @ still_none[edge] if edge else still_none[0]))
    chances = np.zeros(bins)
    likely = (place == 0).astype(float)
    chances[-1] = likely @ (step @ still_none[-1] if bins > 1 else still_none[0])
    for edge in range(bins - 2, -1, -1):
        likely = likely @ step
        below = step @ still_none[edge] if edge else still_none[0]
        chances[edge] = (likely * enough[edge]) @ below
    return chances


def _steps(place: np.ndarray, epsilon: float) -> np.ndarray:
    """Return the chances to move from each place to each other one by one noise."""
    ratio = np.exp(-epsilon)
    chances = (1 - ratio) / (1 + ratio) * ratio ** np.abs(place[:, None] - place)
    # What goes beyond an end stays there: a geometric tail is its first term over 1 - ratio.
    chances[:, [0, -1]] /= 1 - ratio
    return chances
