"""Attributes by a graphical model: private histograms and pairs, fitted together by the library ``mbi``."""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core._arrays import Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.pairs import Released, TreeAttributes, TreePlan, plan_tree, release, tree_parts
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.parts import Part

_ROUNDS = 1000


@dataclass(frozen=True)
class Graph:
    """The counts of ``tree``, fitted by maximum likelihood to one distribution (private-pgm).

    Notes
    -----
    **Privacy.** That of :class:`dpcp_core.synthesis.attributes.tree.Tree`: the library sees only noisy counts. Rows are
    drawn here, from an explicit generator.

    References
    ----------
    McKenna, Sheldon and Miklau (2019), "Graphical-model based estimation and inference for differential privacy".
    """

    name: str = "graph"
    title: str = "graphical model"
    sentence: str = "Noisy counts of columns and their most dependent pairs, fitted to one distribution by private-pgm."
    leak: str = ""
    is_free: bool = False

    def plan(self, task: AttributeTask, spending: SharedBudget) -> TreePlan:
        """Return cells and noise.

        Raises
        ------
        InputError
            The library is not there.
        """
        _library()
        return plan_tree(task, spending, self.name)

    def parts(self, plan: TreePlan) -> tuple[Part, ...]:
        """Return the lines of histograms and pairs."""
        return tree_parts(plan)

    def fit(self, frame: pd.DataFrame, plan: TreePlan, rng: np.random.Generator) -> TreeAttributes:
        """Count with noise, and fit one distribution to all counts."""
        singles, joints = _fitted(release(frame, plan, rng), plan)
        return TreeAttributes(plan.single.domain, plan.single.blocks, singles, joints)


def _library() -> Any:
    try:
        return importlib.import_module("mbi")
    except ImportError:
        raise InputError(
            'attributes = "graph" needs the library mbi: pip install "dpcp-core[rivals]", or take attributes="tree".'
        ) from None


def _fitted(released: Released, plan: TreePlan) -> tuple[tuple[Floats, ...], dict[tuple[int, int], Floats]]:
    """Return the counts of one distribution that is likeliest to give the noisy ones."""
    mbi, total = _library(), float(plan.single.n_rows)
    names = [str(place) for place in range(len(released.singles))]
    domain = mbi.Domain(names, [len(counts) for counts in released.singles])
    with warnings.catch_warnings():
        # About the precision of its floats, which noise is far above.
        warnings.simplefilter("ignore")
        measured = [
            mbi.LinearMeasurement(counts, (name,), stddev=noise)
            for counts, name, noise in zip(released.singles, names, plan.single.counts.noise, strict=True)
        ]
        measured += [
            mbi.LinearMeasurement(counts.ravel(), (names[one], names[other]), stddev=plan.pairs.count_noise)
            for (one, other), counts in released.joints.items()
        ]
        model = mbi.estimation.mirror_descent(domain, measured, known_total=total, iters=_ROUNDS)
        singles = tuple(_values(model, (name,), (size,)) for name, size in zip(names, domain.shape, strict=True))
        joints = {pair: _values(model, tuple(names[p] for p in pair), released.joints[pair].shape)
                  for pair in released.joints}  # fmt: skip
    return singles, joints


def _values(model: Any, names: tuple[str, ...], shape: tuple[int, ...]) -> Floats:
    values = np.asarray(model.project(names).datavector(), dtype=np.float64).reshape(shape)
    result: Floats = np.maximum(np.nan_to_num(values), 0.0)
    return result
