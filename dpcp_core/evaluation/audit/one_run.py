"""What one training run proves about epsilon: many rows made up to be found, each in or out by a coin.

How surprising are so many right guesses?  ``one_run_p_value(n_correct, n_guesses, epsilon, delta, n_canaries)``.
What must epsilon at least be?  ``one_run_lower_bound(n_correct, n_guesses, delta, n_canaries)``.
And from scores of the rows?  ``one_run_audit(scores, included, delta)``, which does the guessing as well.

>>> round(one_run_lower_bound(n_correct=75, n_guesses=100, delta=1e-4, n_canaries=1000), 3)
0.673
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, expit

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans, Floats
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE

GUESSED_SHARES = (0.05, 0.2, 0.5)
"""Shares of the canaries that are guessed about, settled before any run; their number is paid for."""

_LARGEST_EPSILON = 1000.0


@dataclass(frozen=True)
class OneRunBound:
    """What the guesses of an attacker prove.

    Attributes
    ----------
    epsilon : float
        Lower bound, 0 or more.
    delta : float
    confidence : float
        With which the bound holds.
    n_canaries, n_guesses, n_correct : int
        Rows that were in or out by a coin; guesses that were made about them; those that were right.
    """

    epsilon: float
    delta: float
    confidence: float
    n_canaries: int
    n_guesses: int
    n_correct: int


def one_run_p_value(n_correct: int, n_guesses: int, epsilon: float, delta: float, n_canaries: int) -> float:
    r"""Return the largest chance that an (epsilon, delta)-private mechanism leaves to so many right guesses.

    Parameters
    ----------
    n_correct : int
        Right guesses, 0 to ``n_guesses``.
    n_guesses : int
        Guesses made, up to ``n_canaries``; the number must have been settled beforehand.
    epsilon : float
        0 or more.
    delta : float
        0 up to but not including 1.
    n_canaries : int
        Rows that were in or out by a fair coin each.

    Returns
    -------
    float
        In [0, 1].

    Notes
    -----
    **Guarantee.** With ``f(k)`` the chance of at least ``k`` hits in ``n_guesses`` throws of a coin that lands well
    with chance ``exp(epsilon) / (1 + exp(epsilon))``, at least ``v`` right guesses have at most the chance

    .. math:: f(v) + 2 m \delta \max_{i \ge 1} \frac{f(v - i) - f(v)}{i},

    whatever the mechanism does with the other rows and however the guesses depend on each other. It is used where
    ``v`` is above the number of hits to be expected; below, where mechanisms exceed it by a little (the tests find
    them by linear programming), the answer is 1, which proves nothing.

    References
    ----------
    Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run (2023), theorem 5.2 and corollary 5.4.

    Examples
    --------
    >>> round(one_run_p_value(n_correct=75, n_guesses=100, epsilon=0.7, delta=1e-4, n_canaries=100), 3)
    0.05
    """
    rows = check.whole(n_canaries=n_canaries)
    guesses = check.whole(at_most=rows, n_guesses=n_guesses)
    correct = check.whole(at_least=0, at_most=guesses, n_correct=n_correct)
    coin = expit(check.non_negative(epsilon=epsilon))
    wanted = check.share(zero=True, delta=delta)
    if correct <= guesses * coin:
        return 1.0
    # The chance of at least k hits is a regularised incomplete beta function of k and n - k + 1; of at least 0 it is 1.
    fewer = np.arange(1, correct)
    enough, more = (betainc(k, guesses - k + 1, coin) for k in (correct, correct - fewer))
    gain = max((1 - enough) / correct, np.max((more - enough) / fewer, initial=0.0))
    return float(min(1.0, enough + 2 * rows * wanted * gain))


def one_run_lower_bound(
    n_correct: int, n_guesses: int, delta: float, n_canaries: int, confidence: float = CONFIDENCE
) -> float:
    """Return a number that epsilon is not below, from right guesses about the rows of one run.

    Parameters
    ----------
    n_correct, n_guesses, delta, n_canaries
        See :func:`one_run_p_value`.
    confidence : float
        Of the bound, strictly between 0 and 1.

    Returns
    -------
    float
        0 or more; 0 where the guesses prove nothing.

    Notes
    -----
    **Guarantee.** A mechanism of smaller epsilon at this delta guesses so well with a chance below ``1 - confidence``.

    Examples
    --------
    >>> one_run_lower_bound(50, 100, 1e-5, 100)
    0.0
    """
    error = 1 - check.share(confidence=confidence)

    def is_refuted(epsilon: float) -> bool:
        return one_run_p_value(n_correct, n_guesses, epsilon, delta, n_canaries) < error

    if not is_refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while is_refuted(high) and high < _LARGEST_EPSILON:
        low, high = high, 2 * high
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if is_refuted(middle) else (low, middle)
    return low


def one_run_audit(
    scores: Floats,
    included: Booleans,
    delta: float,
    confidence: float = CONFIDENCE,
    guessed_shares: Sequence[float] = GUESSED_SHARES,
) -> OneRunBound:
    """Return the best bound that scores of canaries prove.

    For each share, half of the guesses say "in" of the rows that score highest and half say "out" of those that score
    lowest; the attacker abstains on the rest.

    Parameters
    ----------
    scores : float array of shape (m,)
        Higher where an attacker thinks that the row was in; may depend on everything but ``included``.
    included : bool array of shape (m,)
        Drawn by a fair coin each.
    delta : float
    confidence : float
        Of the bound, whichever share it comes from.
    guessed_shares : sequence of float
        In (0, 1], settled before the run.

    Raises
    ------
    InputError
        Fewer than two rows, or arrays of different lengths.

    Notes
    -----
    **Guarantee.** That of :func:`one_run_lower_bound`, with the error divided by the number of shares.

    Examples
    --------
    >>> was_in = np.arange(200) % 2 == 0
    >>> found = one_run_audit(was_in + 0.0, was_in, delta=1e-6)
    >>> found.n_correct == found.n_guesses, found.epsilon > 3
    (True, True)
    """
    if scores.shape != included.shape or scores.ndim != 1 or len(scores) < 2:
        raise InputError(f"scores has shape {scores.shape}; give one number for each of two or more canaries.")
    each = 1 - (1 - check.share(confidence=confidence)) / max(1, len(guessed_shares))
    order, m = np.argsort(scores, kind="stable"), len(scores)
    best = OneRunBound(0.0, delta, confidence, m, 0, 0)
    for share in guessed_shares:
        half = min(max(1, round(check.between((0.0, 1.0), guessed_share=share) * m / 2)), m // 2)
        correct = int(included[order[m - half :]].sum() + (~included[order[:half]]).sum())
        bound = one_run_lower_bound(correct, 2 * half, delta, m, each)
        if bound >= best.epsilon:
            best = OneRunBound(bound, delta, confidence, m, 2 * half, correct)
    return best
