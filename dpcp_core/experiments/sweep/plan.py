"""What a sweep runs: settings, and the values that are tried in place of some of them.

>>> plan = SweepPlan.of(ConformalSettings(), epsilons=[0.5, 1], methods=["dpcp", "pscp"], bins=[50])
>>> len(plan.cells), plan.cells[0].method, plan.cells[0].epsilon
(4, 'dpcp', 0.5)
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcp_core.conformal.methods import METHODS
from dpcp_core.errors import InputError
from dpcp_core.experiments.presets import COMPARED
from dpcp_core.experiments.settings import ConformalSettings

ALL = "all"
"""In place of methods: those of the comparison."""

MOST_CELLS = 100_000
_FIELDS = tuple(field.name for field in dataclasses.fields(ConformalSettings))


@dataclass(frozen=True)
class SweepPlan:
    """Settings and axes; every combination of the axes' values is a cell.

    Attributes
    ----------
    settings : ConformalSettings
        What all cells share.
    axes : mapping of setting to its values
        In the order in which cells run: the first axis changes slowest.
    """

    settings: ConformalSettings = field(default_factory=ConformalSettings)
    axes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, values in self.axes.items():
            if name not in _FIELDS:
                raise InputError(f"There is no setting {name!r}; the settings are: {', '.join(sorted(_FIELDS))}.")
            if name == "target":
                raise InputError("A sweep is of one target; name it in the settings, and run a sweep for each.")
            if not values:
                raise InputError(f"No value of {name} is given; name at least one.")
        n_cells = self.n_cells
        if n_cells > MOST_CELLS:
            raise InputError(f"These are {n_cells:,} cells; choose fewer values, at most {MOST_CELLS:,} cells in all.")
        # Values are checked as settings are made.
        _ = self.cells

    @classmethod
    def of(
        cls,
        settings: ConformalSettings | None = None,
        *,
        methods: str | Iterable[str] | None = None,
        epsilons: Iterable[float] | None = None,
        repetitions: int | None = None,
        **axes: Iterable[Any],
    ) -> SweepPlan:
        """Make a plan from values by setting.

        Parameters
        ----------
        settings : ConformalSettings, optional
        methods : iterable of str, optional
            Names, or ``all`` for those of the comparison.
        epsilons : iterable of float, optional
        repetitions : int, optional
            In place of the settings' own.
        **axes
            Values of any other setting by its name.

        Raises
        ------
        InputError
            No such setting, no value, or a value outside its range.
        """
        chosen = settings or ConformalSettings()
        if repetitions is not None:
            chosen = chosen.replace(repetitions=repetitions)
        named: dict[str, Iterable[Any]] = {}
        if methods is not None:
            named["method"] = _methods(methods)
        named |= axes
        if epsilons is not None:
            named["epsilon"] = epsilons
        return cls(chosen, {name: _distinct(name, values) for name, values in named.items()})

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        n = 1
        for values in self.axes.values():
            n *= len(values)
        return n

    @property
    def cells(self) -> tuple[ConformalSettings, ...]:
        """Settings of every cell."""
        names = tuple(self.axes)
        return tuple(
            self.settings.replace(**dict(zip(names, values, strict=True)))
            for values in itertools.product(*self.axes.values())
        )


def _methods(methods: str | Iterable[str]) -> tuple[str, ...]:
    if methods == ALL:
        return COMPARED
    names = (methods,) if isinstance(methods, str) else tuple(methods)
    for name in names:
        if name not in METHODS:
            raise InputError(f"There is no method {name!r}; choose {ALL}, or some of: {', '.join(METHODS)}.")
    return names


def _distinct(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    if isinstance(values, str):
        raise InputError(f"{name} is {values!r} but must be a list of values.")
    try:
        return tuple(dict.fromkeys(values))
    except TypeError:
        raise InputError(f"{name} must be a list of plain values.") from None
