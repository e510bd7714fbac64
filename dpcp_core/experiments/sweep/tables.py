"""The table of a sweep as its cells read it: encoded once, or once for every seed where bounds are bought."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.experiments.prepare import Prepared, prepare
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.plan import SweepPlan


@dataclass
class Tables:
    """Encoded tables, made when they are first asked for.

    Attributes
    ----------
    data : Dataset
    public : Dataset or None
        What training starts from.
    """

    data: Dataset
    public: Dataset | None = None
    _made: dict[tuple[float, int], Prepared] = field(default_factory=dict)

    def of(self, settings: ConformalSettings) -> Prepared:
        """Return the table as these settings read it.

        Raises
        ------
        InputError
            A target or a column that does not do, or too few rows.
        """
        # Without bounds to buy, a seed changes nothing in the table.
        key = (settings.bounds_epsilon, settings.seed if settings.bounds_epsilon else 0)
        if key not in self._made:
            epsilon, seed = key
            made = prepare(self.data, settings.target, self.public, bounds_epsilon=epsilon, seed=seed)
            has_bounds = made.bought is not None and not made.bought.entries
            self._made[key] = replace(made, bought=None) if has_bounds else made
        return self._made[key]

    def any_of(self, plan: SweepPlan) -> Prepared:
        """Return the table as the first cell reads it that can.

        Raises
        ------
        InputError
            What the first cell complains of, where none can.
        """
        problems = []
        # Bounds that some cells buy may be missing in others.
        for settings in {(cell.bounds_epsilon, cell.seed): cell for cell in reversed(plan.cells)}.values():
            try:
                return self.of(settings)
            except InputError as problem:
                problems.append(problem)
        raise problems[-1]

    def resolved(self, settings: ConformalSettings) -> ConformalSettings:
        """Return settings as they are run: with what suits the target, and bounds bought only where some are missing.

        Raises
        ------
        InputError
            A score that does not suit the target.
        """
        table = self.of(settings)
        if settings.bounds_epsilon and table.bought is None:
            settings = settings.replace(bounds_epsilon=0.0)
        return settings.resolved(table.task, table.goal.n_classes)
