"""What sets of classes look like: how large they are, and which classes they confuse.

>>> members = np.array([[[True, False]], [[True, True]], [[False, False]]])
>>> summary = summarise_sets(members, np.array([[0], [1], [1]]))
>>> summary.singleton_share.round(2).tolist(), summary.empty_share.round(2).tolist()
([0.33], [0.33])
>>> summary.holds.tolist()
[[1.0, 0.0], [0.5, 0.5]]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core.data.target import Floats


@dataclass(frozen=True, eq=False)
class SetSummary:
    """Sets of K classes for n rows in R repetitions, counted.

    Attributes
    ----------
    singleton_share, empty_share : arrays of shape (R,)
        Share of sets that hold one class, and none.
    size_counts : int array of shape (K + 1,)
        How many sets hold 0, 1, ... K classes, all repetitions together.
    holds : array of shape (K, K)
        Of the rows whose true class is the row's number, the share whose set holds the column's class; NaN for a
        class that no row has.
    class_counts : int array of shape (K,)
        Rows of each true class, all repetitions together.
    """

    singleton_share: Floats
    empty_share: Floats
    size_counts: npt.NDArray[np.int64]
    holds: Floats
    class_counts: npt.NDArray[np.int64]

    @property
    def class_coverage(self) -> Floats:
        """Share of rows of each class whose set holds it, shape (K,)."""
        return np.diagonal(self.holds)


def summarise_sets(members: npt.NDArray[np.bool_], truth: npt.NDArray[np.int64]) -> SetSummary:
    """Count sets.

    Parameters
    ----------
    members : bool array of shape (n, R, K)
    truth : int array of shape (n, R)
        Codes of the true classes.
    """
    n_classes = members.shape[-1]
    sizes = members.sum(axis=-1)
    flat_truth, flat_members = truth.reshape(-1), members.reshape(-1, n_classes)
    counts = np.bincount(flat_truth, minlength=n_classes)
    held = np.zeros((n_classes, n_classes))
    for code in range(n_classes):
        held[code] = flat_members[flat_truth == code].sum(axis=0)
    shares = np.divide(held, counts[:, None], out=np.full_like(held, np.nan), where=counts[:, None] > 0)
    return SetSummary(
        singleton_share=(sizes == 1).mean(axis=0),
        empty_share=(sizes == 0).mean(axis=0),
        size_counts=np.bincount(sizes.reshape(-1), minlength=n_classes + 1),
        holds=shares,
        class_counts=counts,
    )
