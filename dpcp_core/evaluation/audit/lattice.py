"""The exact distribution of the edge that a noisy histogram finds, summed up over all noise; for small tables.

>>> crossing_probabilities(np.array([10, 0]), target=9.0, epsilon=1.0).round(4)
array([0.2689, 0.7311])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpcp_core._arrays import Counts, Floats


def crossing_probabilities(counts_above: ArrayLike, target: float, epsilon: float) -> Floats:
    """Return the chance of each edge to be the first with ``count + noise from the top <= target``.

    Parameters
    ----------
    counts_above : array of shape (M,) or (T, M)
        As ``Grid.counts_above`` gives them.
    target : float
        Count of scores above the threshold that is aimed at.
    epsilon : float
        Of the whole-number Laplace noise on each count.

    Returns
    -------
    array in the shape of ``counts_above``
        Off by about 1e-15; what is smaller than that is not known.

    Notes
    -----
    The summed noise moves on whole numbers from -L to L, with what lies beyond added to the ends; L is so large that
    less than 1e-16 does. Downwards from the top goes how likely each place is, upwards from the first edge how likely
    it is from there that no lower edge is enough.
    """
    counts: Counts = np.asarray(counts_above)
    bins = counts.shape[-1]
    reach = int(40 / epsilon + 4 * np.sqrt(2 * bins) / epsilon) + 1
    place = np.arange(-reach, reach + 1)
    step = _steps(place, epsilon)
    enough = counts[..., None] + place <= target
    # After the lowest edge, whatever the noise: no lower edge is enough.
    none_lower = [np.ones((*counts.shape[:-1], len(place)))]
    for edge in range(bins - 1):
        none_lower.append(~enough[..., edge, :] * (none_lower[edge] @ step.T if edge else none_lower[0]))
    chances = np.zeros(counts.shape)
    likely = np.broadcast_to((place == 0).astype(np.float64), none_lower[0].shape)
    chances[..., -1] = (likely * (none_lower[-1] @ step.T if bins > 1 else none_lower[0])).sum(axis=-1)
    for edge in range(bins - 2, -1, -1):
        likely = likely @ step
        below = none_lower[edge] @ step.T if edge else none_lower[0]
        chances[..., edge] = (likely * enough[..., edge, :] * below).sum(axis=-1)
    return chances


def _steps(place: Counts, epsilon: float) -> Floats:
    """Return the chances to move from each place to each other one by one noise."""
    ratio = np.exp(-epsilon)
    chances: Floats = (1 - ratio) / (1 + ratio) * ratio ** np.abs(place[:, None] - place)
    # What goes beyond an end stays there: a geometric tail is its first term over 1 - ratio.
    chances[:, [0, -1]] /= 1 - ratio
    return chances
