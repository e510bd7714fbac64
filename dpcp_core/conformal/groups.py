"""A threshold for each public group of rows (Mondrian): coverage that holds within every group.

A row is in one group, so every group's threshold may spend the whole budget of the quantile (parallel composition).
How many rows a group has counts as public, like the number of rows of the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Codes
from dpcp_core.conformal.certificate import certify
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds, draw_thresholds
from dpcp_core.data.target import Floats


@dataclass(frozen=True, eq=False)
class GroupThresholds:
    """Thresholds of G groups in R repetitions.

    Attributes
    ----------
    first : tuple of Thresholds
        Of each group in the first repetition, with its certificate and its distribution.
    raw, widened : arrays of shape (R, G)
    """

    first: tuple[Thresholds, ...]
    raw: Floats
    widened: Floats

    @property
    def largest(self) -> int:
        """Place of the group with the most ranked rows."""
        return int(np.argmax([thresholds.certificate.n for thresholds in self.first]))

    def of_rows(self, codes: Codes) -> Floats:
        """Return the released threshold of each row, shape (n, R), by its group's code of the same shape."""
        return np.take_along_axis(self.widened, codes.T, axis=1).T


def draw_by_group(
    scores: Floats, codes: Codes, names: tuple[str, ...], plan: CalibrationPlan, rng: np.random.Generator
) -> GroupThresholds:
    """Draw one threshold per group and column of scores.

    Parameters
    ----------
    scores : array of shape (n, R)
        In any order.
    codes : int array of shape (n, R)
        Group of each score, from 0.
    names : tuple of str
        Public names of all groups.
    plan : CalibrationPlan
    rng : numpy Generator
        Source of the draws.

    Returns
    -------
    GroupThresholds

    Notes
    -----
    **Privacy.** All groups together cost what one threshold costs: emptying a row changes the scores of one group.

    **Guarantee.** That of the certificates: for a new exchangeable row of the group, given the group's number of rows.
    For a group too small for its own threshold nothing is ruled out, and its certificate says so.

    References
    ----------
    Vovk, Lindsay, Nouretdinov and Gammerman (2003), "Mondrian confidence machine".
    """
    drawn = [
        [_of_group(scores[codes[:, column] == code, column], plan, rng) for code in range(len(names))]
        for column in range(scores.shape[1])
    ]
    raw = np.array([[float(group.raw[0]) for group in groups] for groups in drawn])
    widened = np.array([[float(group.widened[0]) for group in groups] for groups in drawn])
    return GroupThresholds(tuple(drawn[0]), raw, widened)


def _of_group(scores: Floats, plan: CalibrationPlan, rng: np.random.Generator) -> Thresholds:
    if not len(scores):
        return _without_rows(plan)
    return draw_thresholds(np.sort(scores)[:, None], plan, rng)


def _without_rows(plan: CalibrationPlan) -> Thresholds:
    """Return the largest threshold: the only one that holds for a group of which nothing is known."""
    certificate = certify(
        confidence_level=plan.choices.confidence_level,
        recipe=plan.choices.recipe,
        factor=plan.factor,
        n=0,
        quantile_epsilon=plan.choices.allocation.quantile_epsilon,
        bins=None,
        target_count=0.0,
        from_file=plan.from_file,
    )
    return Thresholds(np.array([plan.bound]), None, certificate)
