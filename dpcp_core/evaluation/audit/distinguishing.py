"""Two samples of what was released, with a row and without it: what must epsilon at least be?

A number that an attacker watches, larger where the row is there?  ``epsilon_from_scores(seen, unseen)``.
One of a few outputs?  ``epsilon_from_outcomes(seen, unseen)``.

>>> from dpcp_core.privacy.randomness import simulation_generator
>>> rng = simulation_generator(0)
>>> noise = rng.laplace(size=(2, 40_000))  # on a count: epsilon 1
>>> bound = epsilon_from_scores(noise[0] + 1, noise[1])
>>> 0.9 < bound.value <= 1.0
True
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcp_core import _validate
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE, epsilon_lower_bound, gaussian_lower_bound

_THRESHOLDS = 64
_STRICTER = 10
_OUTERMOST = 2e-4
"""Share of the draws beyond the outermost threshold that is tried."""


@dataclass(frozen=True)
class EpsilonBound:
    """What two samples prove about epsilon.

    Attributes
    ----------
    value : float
        The mechanism's epsilon at ``delta`` is not below this.
    delta, confidence : float
    n_draws : int
        Draws of either kind that the bound rests on; as many again chose the threshold.
    threshold : float
        The attacker says "the row is there" where his number lies above it.
    """

    value: float
    delta: float
    confidence: float
    n_draws: int
    threshold: float


def epsilon_from_scores(
    seen: ArrayLike,
    unseen: ArrayLike,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    is_gaussian: bool = False,
) -> EpsilonBound:
    """Return a lower bound of epsilon from a number that an attacker computes from each release.

    Parameters
    ----------
    seen, unseen : arrays of shape (n,)
        From independent releases with and without the row; the larger, the more it speaks for the row. Equally long,
        two at least. How they are computed must have been settled without them.
    delta : float
        At which epsilon is bounded.
    confidence : float
        Of the bound.
    is_gaussian : bool
        Whether the claim is a Gaussian trade-off curve, see ``gaussian_lower_bound``; needs a delta above 0.

    Returns
    -------
    EpsilonBound

    Raises
    ------
    InputError
        Samples of different lengths, or a number out of its range.

    Notes
    -----
    **Guarantee**: holds with ``confidence``. The first half of each sample chooses the threshold, the second half, by
    which nothing was chosen, is counted.
    """
    there, absent = (np.asarray(sample, dtype=np.float64) for sample in (seen, unseen))
    if there.ndim != 1 or there.shape != absent.shape or len(there) < 2:
        raise InputError("seen and unseen must be two equally long lists of two numbers at least.")
    bound = gaussian_lower_bound if is_gaussian else epsilon_lower_bound
    half = len(there) // 2

    def proved(threshold: float, part: slice, sure: float) -> tuple[float, int]:
        hits, alarms = (int((sample[part] > threshold).sum()) for sample in (there, absent))
        n = len(there[part])
        return bound(n, alarms, n, hits, delta, sure), hits - alarms

    # More sure than is asked for, or else a rare event that came up by luck is chosen; where nothing is proved, what
    # tells the two apart most often.
    strict = 1 - (1 - confidence) / _STRICTER
    tried = _thresholds(np.concatenate([there[:half], absent[:half]]))
    threshold = float(max(tried, key=lambda value: proved(value, slice(half), strict)))
    value, _ = proved(threshold, slice(half, None), confidence)
    return EpsilonBound(value, delta, confidence, len(there) - half, threshold)


def _thresholds(scores: Floats) -> Floats:
    """Return the thresholds that are tried, more of them far out than in the middle."""
    tails = np.geomspace(_OUTERMOST, 0.5, _THRESHOLDS // 2)
    tried: Floats = np.unique(np.quantile(scores, np.concatenate([tails, 1 - tails])))
    return tried


def epsilon_from_outcomes(
    seen: ArrayLike,
    unseen: ArrayLike,
    *,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
    is_gaussian: bool = False,
) -> EpsilonBound:
    """Return a lower bound of epsilon from which of a few outputs each release was.

    Parameters
    ----------
    seen, unseen : int arrays of shape (n,)
        Numbers of outputs, 0 or more, of independent releases with and without the row; four at least.
    delta, confidence, is_gaussian
        As in ``epsilon_from_scores``.

    Returns
    -------
    EpsilonBound
        Its threshold is a quotient of two frequencies.

    Notes
    -----
    **Guarantee**: holds with ``confidence``. A third of each sample says how much every output speaks for the row; the
    rest goes to ``epsilon_from_scores``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bound = epsilon_from_outcomes(rng.random(30_000) < 0.75, rng.random(30_000) < 0.25)
    >>> 1.0 < bound.value < 1.0987  # ln 3
    True
    """
    there, absent = (np.asarray(sample).astype(np.int64) for sample in (seen, unseen))
    if there.ndim != 1 or there.shape != absent.shape or len(there) < 4:
        raise InputError("seen and unseen must be two equally long lists of four outputs at least.")
    third, size = len(there) // 3, 1 + _validate.whole(at_least=0, output=max(there.max(), absent.max()))
    weight = _frequencies(there[:third], size) / _frequencies(absent[:third], size)
    scores = weight[there[third:]], weight[absent[third:]]
    return epsilon_from_scores(*scores, delta=delta, confidence=confidence, is_gaussian=is_gaussian)


def _frequencies(sample: NDArray[np.int64], size: int) -> Floats:
    """Return how often each output came, and once more, so that none has the frequency 0."""
    return np.bincount(sample, minlength=size).astype(np.float64) + 1
