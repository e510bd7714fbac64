"""The private quantile mechanisms that can be chosen from, behind one door.

Which are there? ``QUANTILES``, by name. What does one cost? ``QUANTILES[name].describe(task)``.
What does it draw? ``QUANTILES[name].draw(scores, task, rng)``.
To add one, write a class like ``ExponentialQuantile`` in a file of its own and put it into ``QUANTILES``.

>>> from dpcp_core.privacy.grid import Grid
>>> from dpcp_core.privacy.randomness import simulation_generator
>>> scores = np.sort(simulation_generator(0).random((2000, 3)), axis=0)
>>> task = QuantileTask(Grid.uniform(largest=1.0, bins=100), n=2000, epsilon=1.0, miss_rate=0.1, delta=1e-5)
>>> for name, mechanism in QUANTILES.items():
...     print(name, mechanism.draw(scores, task, simulation_generator(1)).thresholds.round(2).tolist())
exponential [0.91, 0.9, 0.9]
binary_search [0.91, 0.9, 0.9]
histogram [0.91, 0.9, 0.91]
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpcp_core._words import number_text
from dpcp_core.privacy.binary_search import BinarySearchQuantile
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.noisy_histogram import HistogramQuantile
from dpcp_core.privacy.quantile import quantile_distribution_from_counts
from dpcp_core.privacy.quantile_task import (
    NOTHING_READ,
    QuantileDraw,
    QuantileMechanism,
    QuantileNote,
    QuantileTask,
    columns,
)
from dpcp_core.privacy.targets import target_count

__all__ = [
    "QUANTILES",
    "ExponentialQuantile",
    "QuantileDraw",
    "QuantileMechanism",
    "QuantileNote",
    "QuantileTask",
]


class ExponentialQuantile:
    """The exponential mechanism over the grid, with the loss and the guarantee of the task.

    Notes
    -----
    **Privacy**: the task's ``epsilon``; all log-ratios lie in an interval of that length.

    **Guarantee**: see ``certified_target`` and ``prediction_sets_target``.
    """

    name: ClassVar[str] = "exponential"
    title: ClassVar[str] = "exponential mechanism"
    sentence: ClassVar[str] = "Draws one of the candidates at random, the likelier the better it fits the wanted rank."
    guarantees: ClassVar[tuple[str, ...]] = GUARANTEES

    def draw(self, scores: ArrayLike, task: QuantileTask, rng: np.random.Generator) -> QuantileDraw:
        """Draw one threshold per column of ``scores``; ``quantile_distribution`` says how likely each is."""
        values = columns(scores, task)
        spread = quantile_distribution_from_counts(
            task.grid.counts_above(values),
            task.grid.counts_below(values) if LOSSES[task.loss].reads_below else None,
            task.n,
            task.grid,
            epsilon=task.epsilon,
            miss_rate=task.miss_rate,
            loss=task.loss,
            guarantee=task.guarantee,
        )
        thresholds = np.asarray(spread.sample(rng))
        return QuantileDraw(thresholds, spread, spread.target, task.grid.bins, spread.certified, spread.note)

    def describe(self, task: QuantileTask) -> QuantileNote:
        """Return its line on a receipt."""
        return QuantileNote(
            f"Private quantile (exponential mechanism, {task.loss} loss)",
            self._sensitivity(task),
            f"{task.grid.bins} candidate thresholds on a public {task.grid.kind} grid",
            task.epsilon,
            0.0,
            None,
            task.epsilon,
        )

    def _sensitivity(self, task: QuantileTask) -> str:
        target = target_count(task.guarantee, task.n, task.miss_rate, task.epsilon, task.grid.bins, task.loss)
        if target <= 0:
            return NOTHING_READ
        loss = LOSSES[task.loss].aiming_at(target, n=task.n, guarantee=task.guarantee)
        return f"{number_text(loss.sensitivity, 4)} (in the utility of a candidate)"


QUANTILES: Mapping[str, QuantileMechanism] = MappingProxyType(
    {mechanism.name: mechanism for mechanism in (ExponentialQuantile(), BinarySearchQuantile(), HistogramQuantile())}
)
