r"""Which pairs of histograms belong together, and their joint counts, both with Gaussian noise.

The score of a pair is how far its joint counts are from those of independence: an L1 distance to numbers that were
released already, which one row moves by at most 1. All ``p`` scores together move by at most ``sqrt(p)`` in Euclidean
norm, so Gaussian noise of ``sqrt(p) / mu`` on each makes them mu-GDP. The tree that is then built sees only those.

>>> plan = PairsPlan.of(n_blocks=5, mu=0.1)
>>> round(plan.mu, 9), plan.n_scores, plan.most_pairs
(0.1, 10, 4)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Counts, Floats
from dpcp_core._words import number_text
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import require_generator

Pair = tuple[int, int]

# Of mu squared: scores only have to rank, joint counts are what is drawn from.
_SCORES_SHARE = 0.2


@dataclass(frozen=True)
class PairsPlan:
    """The public side of choosing and counting pairs.

    Attributes
    ----------
    n_scores : int
        Pairs that are scored.
    most_pairs : int
        Pairs that are counted, at most.
    score_noise, count_noise : float
        Standard deviation of the noise on each score, and on each joint count of a pair, in rows.

    Notes
    -----
    **Privacy.** ``mu``-GDP: scores with ``sqrt(n_scores) / score_noise``, counts with
    ``sqrt(most_pairs) / count_noise``; a row lies in one joint cell of each pair. Choosing pairs by released scores is
    adaptive composition.

    References
    ----------
    McKenna, Miklau and Sheldon (2021), "Winning the NIST contest", for the scores (there chosen by the exponential
    mechanism); Dong, Roth and Su (2022), Gaussian Differential Privacy, corollary 3.3.
    """

    n_scores: int
    most_pairs: int
    score_noise: float
    count_noise: float

    @classmethod
    def of(cls, n_blocks: int, mu: float) -> PairsPlan:
        """Divide ``mu`` between the scores of all pairs and the joint counts of a tree.

        Parameters
        ----------
        n_blocks : int
            Histograms, 2 or more.
        mu : float
            Above 0, finite.
        """
        check.whole(at_least=2, n_blocks=n_blocks)
        scores, edges = n_blocks * (n_blocks - 1) // 2, n_blocks - 1
        return cls(
            scores,
            edges,
            math.sqrt(scores / _SCORES_SHARE) / check.positive(mu=mu),
            math.sqrt(edges / (1 - _SCORES_SHARE)) / mu,
        )

    @property
    def mu(self) -> float:
        """GDP parameter of scores and counts together."""
        return math.hypot(math.sqrt(self.n_scores) / self.score_noise, math.sqrt(self.most_pairs) / self.count_noise)

    @property
    def profile(self) -> GaussianProfile:
        """Their privacy."""
        return GaussianProfile(self.mu)

    @property
    def detail(self) -> str:
        """The noise, for a receipt.

        >>> PairsPlan.of(5, 0.1).detail.partition(";")[0]
        'noise with standard deviation 70.711 on each of 10 scores and 22.361 on each count of at most 4 pairs'
        """
        return (
            f"noise with standard deviation {number_text(self.score_noise, 5)} on each of {self.n_scores:,} scores and "
            f"{number_text(self.count_noise, 5)} on each count of at most {self.most_pairs:,} pairs; "
            f"together mu = {number_text(self.mu, 4)}"
        )


def noisy_score(joint: Counts, expected: Floats, plan: PairsPlan, rng: np.random.Generator) -> float:
    """Return how far joint counts are from expected ones, with noise.

    Parameters
    ----------
    joint : array of shape (k, l)
    expected : array of shape (k, l)
        From released numbers alone.
    plan : PairsPlan
    rng : numpy Generator
    """
    require_generator(rng)
    return float(np.abs(joint - expected).sum()) + plan.score_noise * float(rng.standard_normal())


def noisy_joint(joint: Counts, plan: PairsPlan, rng: np.random.Generator) -> Floats:
    """Return joint counts with noise, as whole numbers."""
    require_generator(rng)
    noisy: Floats = np.rint(joint + plan.count_noise * rng.standard_normal(joint.shape))
    return noisy


def likely_gap(expected: Floats, noise: float) -> float:
    """Return how large a score is where the pair is independent, plus what noise on its counts would add to the error.

    A count that is ``m`` on average is off by ``sqrt(2 m / pi)`` by chance, and Gaussian noise by ``s sqrt(2 / pi)``.
    """
    return float(np.sqrt(2 / math.pi) * (np.sqrt(expected) + noise).sum())


def best_tree(gains: Mapping[Pair, float], n_blocks: int) -> tuple[Pair, ...]:
    """Return the pairs with the largest total gain that form no circle; those without a gain are left out.

    Parameters
    ----------
    gains : mapping of pair to float
        Released numbers.
    n_blocks : int

    Notes
    -----
    Kruskal's algorithm; blocks that nothing connects are independent of the rest.

    Examples
    --------
    >>> best_tree({(0, 1): 5.0, (1, 2): 4.0, (0, 2): 3.0, (2, 3): -1.0}, 4)
    ((0, 1), (1, 2))
    """
    home = list(range(n_blocks))
    chosen: list[Pair] = []
    for pair, gain in sorted(gains.items(), key=lambda item: -item[1]):
        one, other = home[pair[0]], home[pair[1]]
        if gain > 0 and one != other:
            chosen.append(pair)
            home = [one if place == other else place for place in home]
    return tuple(chosen)
