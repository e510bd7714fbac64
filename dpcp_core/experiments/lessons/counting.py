"""A noisy count with and without one person: what an onlooker can make of it, exactly.

>>> hidden = hide_one(1068, epsilon=1.0)
>>> round(hidden.best_guess, 3), [round(after, 3) for after in hidden.beliefs(0.5)]
(0.731, [0.269, 0.731])
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.noisy_count import noisy_count
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.whole_noise import whole_laplace_log_probabilities

# What lies further out has a chance below 1 in 100,000, and the curve runs flat.
_REACH = 12.0


@dataclass(frozen=True, eq=False)
class HiddenPerson:
    """The published count, with one person among those counted and without.

    Attributes
    ----------
    count : int
        True count, the person among them.
    epsilon : float
    answers : (M,) array
        Published counts that are worth drawing, one after the other.
    with_person, without_person : (M,) arrays
        Log-probability of each.
    drawn : (k,) array
        Counts as they would be published, the person among those counted.
    """

    count: int
    epsilon: float
    answers: Floats
    with_person: Floats
    without_person: Floats
    drawn: Floats

    @property
    def usual_error(self) -> float:
        """Standard deviation of a published count, in persons."""
        q = math.exp(-self.epsilon)
        return math.sqrt(2 * q) / (1 - q)

    @property
    def best_guess(self) -> float:
        """Share of right guesses of an onlooker who thinks both equally likely and guesses as well as can be."""
        apart = np.abs(np.exp(self.with_person) - np.exp(self.without_person)).sum()
        return 0.5 + float(apart) / 4

    def beliefs(self, prior: float) -> tuple[float, float]:
        """Return the lowest and highest chance of "is among them" that a published count can lead to.

        Parameters
        ----------
        prior : float
            Chance that was believed before, strictly between 0 and 1.

        Notes
        -----
        **Privacy.** Exact for this mechanism, and equal to the bound that epsilon puts on every mechanism.
        """
        before = check.share(prior=prior)
        ratios = self.with_person - self.without_person
        low, high = (
            before / (before + (1 - before) * math.exp(-float(ratio))) for ratio in (ratios.min(), ratios.max())
        )
        return low, high


def hide_one(count: int, epsilon: float, *, n_drawn: int = 20, seed: int = 0) -> HiddenPerson:
    """Return what a noisy count says about one of those counted.

    Parameters
    ----------
    count : int
        True count, 1 or more, the person among them.
    epsilon : float
        Above 0 and finite.
    n_drawn : int
        Counts to draw.
    seed : int
        Of the drawn counts.

    Raises
    ------
    InputError
        A parameter is out of range.

    Notes
    -----
    **Privacy.** None: true counts are shown beside noisy ones, drawn from a seed. It shows what ``noisy_count`` does.
    """
    true = check.whole(count=count)
    spent = check.positive(epsilon=epsilon)
    reach = math.ceil(_REACH / spent)
    answers = np.arange(true - reach, true + reach + 1, dtype=np.float64)
    rng = simulation_generator(seed)
    return HiddenPerson(
        true,
        spent,
        answers,
        whole_laplace_log_probabilities(spent, answers - true),
        whole_laplace_log_probabilities(spent, answers - (true - 1)),
        np.asarray([noisy_count(true, spent, rng) for _ in range(check.whole(n_drawn=n_drawn))], dtype=np.float64),
    )


def count_of(values: np.ndarray, wanted: str) -> int:
    """Return how many values are the wanted one.

    Raises
    ------
    InputError
        If none is.
    """
    found = int(np.count_nonzero(np.asarray(values) == wanted))
    if not found:
        raise InputError(f"No value is {wanted!r}; choose one that occurs.")
    return found
