"""Attributes along a tree of pairs: the strongest dependences survive, without another library."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.privacy.noisy_marginals import projected
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.pairs import TreeAttributes, TreePlan, plan_tree, release, tree_parts
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.parts import Part

_ROUNDS = 20


@dataclass(frozen=True)
class Tree:
    """Noisy histograms, and noisy joint counts of the pairs that depend most on each other.

    Notes
    -----
    **Privacy.** mu-GDP, see :mod:`dpcp_core.privacy.noisy_pairs`; fitting and drawing see only noisy counts.

    References
    ----------
    Chow and Liu (1968), "Approximating discrete probability distributions with dependence trees"; McKenna, Miklau and
    Sheldon (2021), "Winning the NIST contest", for the private form.
    """

    name: str = "tree"
    title: str = "tree of pairs"
    sentence: str = "Counts columns and their most dependent pairs with noise; each column is drawn given a neighbour."
    leak: str = ""
    is_free: bool = False

    def plan(self, task: AttributeTask, spending: SharedBudget) -> TreePlan:
        """Return cells and noise."""
        return plan_tree(task, spending, self.name)

    def parts(self, plan: TreePlan) -> tuple[Part, ...]:
        """Return the lines of histograms and pairs."""
        return tree_parts(plan)

    def fit(self, frame: pd.DataFrame, plan: TreePlan, rng: np.random.Generator) -> TreeAttributes:
        """Count with noise, and bring joint counts into line with those of single blocks."""
        released = release(frame, plan, rng)
        joints = {
            pair: raked(counts, released.singles[pair[0]], released.singles[pair[1]])
            for pair, counts in released.joints.items()
        }
        return TreeAttributes(plan.single.domain, plan.single.blocks, released.singles, joints)


def raked(noisy: Floats, rows: Floats, columns: Floats) -> Floats:
    """Return possible joint counts near noisy ones, whose sums are near those given.

    Parameters
    ----------
    noisy : array of shape (k, l)
    rows : array of shape (k,)
    columns : array of shape (l,)

    Notes
    -----
    **Privacy.** Sees released numbers only. Iterative proportional fitting, from the nearest counts that are 0 or more.

    Examples
    --------
    >>> raked(np.array([[5.0, 1.0], [-1.0, 3.0]]), np.array([6.0, 4.0]), np.array([5.0, 5.0])).round(1).tolist()
    [[5.0, 1.0], [0.0, 4.0]]
    """
    joint = projected(noisy.ravel(), float(rows.sum())).reshape(noisy.shape)
    for _ in range(_ROUNDS):
        for axis, wanted in ((1, rows), (0, columns)):
            sums = joint.sum(axis=axis)
            factors = np.divide(wanted, sums, out=np.zeros_like(sums), where=sums > 0)
            joint *= np.expand_dims(factors, axis)
    return joint
