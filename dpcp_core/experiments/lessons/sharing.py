"""One budget, two uses: how wide intervals get for every share of epsilon that pays for the model.

>>> from dpcp_core.data.samples import load_sample
>>> curve = widths_by_share(load_sample("diabetes"), ConformalSettings(epsilon=0.5), (0.1, 0.3, 0.9))
>>> curve.best, curve.width_of(0.9) > curve.width_of(0.3)
(0.3, True)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core._arrays import Floats
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import train, train_reference


@dataclass(frozen=True, eq=False)
class ShareCurve:
    """Width of intervals for each share of the budget.

    Attributes
    ----------
    shares : tuple of float
        Of epsilon, for the model; rising.
    widths : (S, R) array
        Mean width in target units, per share and repetition.
    reference : float
        Mean width without privacy.
    epsilon : float
    unit : str
    """

    shares: tuple[float, ...]
    widths: Floats
    reference: float
    epsilon: float
    unit: str

    @property
    def means(self) -> Floats:
        """(S,) mean width of each share."""
        means: Floats = self.widths.mean(axis=1)
        return means

    @property
    def best(self) -> float:
        """The share with the narrowest intervals."""
        return self.shares[int(np.argmin(self.means))]

    def width_of(self, share: float) -> float:
        """Return the mean width of a share.

        Raises
        ------
        InputError
            If it was not measured.
        """
        if share not in self.shares:
            raise InputError(f"The share {share:g} was not measured; choose one of {self.shares}.")
        return float(self.means[self.shares.index(share)])


def widths_by_share(data: Dataset, settings: ConformalSettings, shares: tuple[float, ...]) -> ShareCurve:
    """Measure how wide intervals are for each share of epsilon that goes to the model.

    Parameters
    ----------
    data : Dataset
        Its target is a number.
    settings : ConformalSettings
        All but the share.
    shares : tuple of float
        Each in (0, 1); measured in rising order.

    Raises
    ------
    InputError
        Table and settings do not go together, or the target is a class.

    Notes
    -----
    **Privacy.** None: measured on held-out rows of a simulation.
    """
    table = prepare(data, settings.target)
    if table.task != "regression":
        raise InputError(f"The target {table.target.name!r} is a class; choose one that is a number.")
    chosen = settings.resolved(table.task, table.goal.n_classes)
    reference = train_reference(table, chosen.training_key().without_privacy())
    rising = tuple(sorted(shares))
    results = []
    for share in rising:
        one = chosen.replace(training_share=share)
        results.append(calibrate(train(table, one.training_key(), reference), one))
    return ShareCurve(
        rising,
        np.stack([result.width for result in results]),
        float(np.mean([result.reference_size.mean() for result in results])),
        chosen.epsilon,
        table.target.unit,
    )
