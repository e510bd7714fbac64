"""What a map of the budget measures: along which setting, how finely, and about how long that takes."""

from __future__ import annotations

import os
from dataclasses import dataclass

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.plan import SweepPlan
from pages.ui import compute, controls, trainers
from pages.ui.choices import BIN_COUNTS

SOON_S = 10.0
"""The finest map that is expected within this time is the one that is offered first."""

# Seconds of one cell's threshold.
_CELL_S = 0.02


@dataclass(frozen=True)
class Detail:
    """How finely a map looks.

    Attributes
    ----------
    name : str
    epsilons, shares : tuple of float
    repetitions : int
    """

    name: str
    epsilons: tuple[float, ...]
    shares: tuple[float, ...]
    repetitions: int


_FEW_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
DETAILS = (
    Detail("Coarse", (0.25, 1.0, 4.0), _FEW_SHARES, 10),
    Detail("Medium", (0.1, 0.25, 0.5, 1.0, 2.0, 5.0), _FEW_SHARES, 20),
    Detail("Fine", (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0), tuple(share / 10 for share in range(1, 10)), 20),
)


@dataclass(frozen=True)
class MapAsked:
    """What a map was asked for.

    Attributes
    ----------
    digest : str
        Of the table.
    settings : ConformalSettings
        Those in use.
    field : str
        Setting beside epsilon.
    detail : Detail
    """

    digest: str
    settings: ConformalSettings
    field: str
    detail: Detail

    @property
    def plan(self) -> SweepPlan:
        """The cells: the detail's values, and those in use."""
        epsilons = sorted({*self.detail.epsilons, self.settings.epsilon})
        return SweepPlan.of(
            self.settings,
            repetitions=self.detail.repetitions,
            epsilons=epsilons,
            **{self.field: sorted({*self._values, *([self.chosen] if self.chosen else [])})},
        )

    @property
    def chosen(self) -> float:
        """Value of the setting that is in use; 0 where a rule is."""
        value = getattr(self.settings, self.field)
        return 0 if isinstance(value, str) else value

    @property
    def _values(self) -> tuple[float, ...]:
        return BIN_COUNTS if self.field == "bins" else self.detail.shares

    def is_about(self, other: MapAsked) -> bool:
        """Whether both measure the same, but for which values are in use and how finely."""
        return self.digest == other.digest and self._others == other._others

    @property
    def _others(self) -> ConformalSettings:
        """What all cells share, with the axes put to a fixed value."""
        return self.settings.replace(epsilon=1.0, repetitions=1, **{self.field: self._values[0]})


def fields_offered() -> tuple[str, ...]:
    """Return the settings along which there is something to choose; the share of rows where that of epsilon is idle."""
    idle = controls.idle()
    share = "row_share" if "training_share" in idle and "row_share" not in idle else "training_share"
    return tuple(field for field in (share, "bins") if field not in idle)


def why_not(field: str) -> str:
    """Return why a setting changes nothing; "" if it does."""
    return controls.idle().get(field, "")


def expected_seconds(data: Dataset, asked: MapAsked) -> float:
    """Return about how long a map takes, from public numbers alone."""
    task = compute.training_task(data, asked.settings.replace(repetitions=asked.detail.repetitions))
    plan = asked.plan
    n_trainings = len(plan.axes["epsilon"]) if asked.field == "bins" else plan.n_cells
    one = trainers.expected_seconds(data.schema, data.n_rows, task)
    return (n_trainings * one + plan.n_cells * _CELL_S * asked.detail.repetitions / 20) / (os.cpu_count() or 1)


def finest_soon(data: Dataset, settings: ConformalSettings, field: str) -> Detail:
    """Return the finest detail that is expected soon, or the coarsest."""
    soon = [
        detail for detail in DETAILS if expected_seconds(data, MapAsked(data.digest, settings, field, detail)) <= SOON_S
    ]
    return soon[-1] if soon else DETAILS[0]
