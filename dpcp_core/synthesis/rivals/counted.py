"""Rivals that need no library: one that reads nothing, and two that count with noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Codes, Floats
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts, projected
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.synthesis.rivals.protocol import CodedRows


@dataclass(frozen=True)
class Uniform:
    """Every cell of a column is equally likely.

    Notes
    -----
    **Privacy.** Reads no row, and costs nothing.
    """

    name: str = "uniform"
    title: str = "uniform"
    sentence: str = "Draws every column evenly from what the schema allows, the target too; reads no row."
    needs: tuple[str, ...] = ()
    is_private: bool = True
    is_repeatable: bool = True

    def draw(
        self,
        rows: CodedRows,
        budget: PrivacyBudget,  # noqa: ARG002 - the protocol's
        n: int,
        rng: np.random.Generator,
    ) -> Codes:
        """Return random cells."""
        return np.column_stack([rng.integers(size, size=n) for size in rows.sizes])


@dataclass(frozen=True)
class Independent:
    """Noisy histograms of all columns, the target among them, each drawn on its own.

    Notes
    -----
    **Privacy.** One :class:`dpcp_core.privacy.noisy_marginals.CountsPlan` with the whole budget.
    """

    name: str = "independent"
    title: str = "independent marginals"
    sentence: str = "Counts every column with noise and draws each on its own, so that nothing predicts the target."
    needs: tuple[str, ...] = ()
    is_private: bool = True
    is_repeatable: bool = True

    def draw(self, rows: CodedRows, budget: PrivacyBudget, n: int, rng: np.random.Generator) -> Codes:
        """Count with noise, and draw."""
        counts = tuple(np.bincount(rows.codes[:, k], minlength=size) for k, size in enumerate(rows.sizes))
        released = _released(counts, rows.names, len(rows.codes), budget, rng)
        return np.column_stack([rng.choice(len(each), size=n, p=each / each.sum()) for each in released])


@dataclass(frozen=True)
class NaiveBayes:
    """A private Bayes network of public shape: every column hangs on the target and on nothing else.

    Notes
    -----
    **Privacy.** Joint counts of the target with each other column: one
    :class:`dpcp_core.privacy.noisy_marginals.CountsPlan` with the whole budget. The shape of the network is public, so
    that nothing is spent on choosing it.

    References
    ----------
    Zhang et al. (2017), "PrivBayes: private data release via Bayesian networks", whose first step, a private choice of
    the network, is left out.
    """

    name: str = "naive_bayes"
    title: str = "Bayes network"
    sentence: str = "Counts each column together with the target, with noise; columns are drawn given the target."
    needs: tuple[str, ...] = ()
    is_private: bool = True
    is_repeatable: bool = True

    def draw(self, rows: CodedRows, budget: PrivacyBudget, n: int, rng: np.random.Generator) -> Codes:
        """Count pairs with noise, draw the target, then each column given it."""
        root, others = rows.target, [k for k in range(len(rows.sizes)) if k != rows.target]
        if not others:
            return Independent().draw(rows, budget, n, rng)
        n_roots = rows.sizes[root]
        counts = tuple(
            np.bincount(rows.codes[:, root] * rows.sizes[k] + rows.codes[:, k], minlength=n_roots * rows.sizes[k])
            for k in others
        )
        names = tuple(f"{rows.names[root]} and {rows.names[k]}" for k in others)
        released = _released(counts, names, len(rows.codes), budget, rng)
        joints = [each.reshape(n_roots, -1) for each in released]
        return _drawn_given_root(joints, root, others, n, rng)


def _released(
    counts: tuple[Codes, ...], names: tuple[str, ...], n_rows: int, budget: PrivacyBudget, rng: np.random.Generator
) -> list[Floats]:
    """Return noisy counts that are 0 or more and add up to the public number of rows."""
    mu = TrainingBudget(budget.epsilon, budget.delta).mu
    plan = CountsPlan.of(names, tuple(len(each) for each in counts), mu)
    return [projected(each, float(n_rows)) for each in noisy_counts(counts, plan, rng)]


def _drawn_given_root(joints: list[Floats], root: int, others: list[int], n: int, rng: np.random.Generator) -> Codes:
    of_root = np.mean([joint.sum(axis=1) for joint in joints], axis=0)
    codes = np.empty((n, len(others) + 1), dtype=np.int64)
    codes[:, root] = rng.choice(len(of_root), size=n, p=of_root / of_root.sum())
    for k, joint in zip(others, joints, strict=True):
        for value in np.unique(codes[:, root]):
            given = joint[value] if joint[value].sum() > 0 else joint.sum(axis=0)
            here = codes[:, root] == value
            codes[here, k] = rng.choice(len(given), size=int(here.sum()), p=given / given.sum())
    return codes
