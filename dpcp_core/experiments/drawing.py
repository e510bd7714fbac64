"""Thresholds of a simulation: one for all rows, or one for each public group."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpcp_core.conformal.groups import GroupThresholds, draw_by_group
from dpcp_core.conformal.regions import Region
from dpcp_core.conformal.thresholds import CalibrationPlan, Thresholds, draw_thresholds
from dpcp_core.data.target import Floats
from dpcp_core.errors import InputError
from dpcp_core.experiments.result import GroupResult
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.streams import Stream
from dpcp_core.experiments.trained import TrainedRuns
from dpcp_core.privacy.randomness import simulation_generator


@dataclass(frozen=True, eq=False)
class Drawn:
    """Thresholds of all repetitions.

    Attributes
    ----------
    shown : Thresholds
        Those that are told: of all rows, or of the largest group.
    of_rows : array of shape (R,) or (n_test, R)
        Released threshold of each held-out row.
    groups : GroupThresholds or None
    """

    shown: Thresholds
    of_rows: Floats
    groups: GroupThresholds | None = None


def draw(runs: TrainedRuns, settings: ConformalSettings) -> Drawn:
    """Draw the thresholds of every repetition.

    Raises
    ------
    InputError
        A threshold for each group is wanted, but the schema has no group column.
    """
    prepared = runs.prepared
    plan = CalibrationPlan(
        settings,
        prepared.goal,
        runs.plan.profile,
        runs.plan.movement,
        prepared.from_file,
        prepared.bought.spent if prepared.bought else 0.0,
    )
    rng = simulation_generator(settings.seed, Stream.DRAWS)
    if not settings.by_group:
        drawn = draw_thresholds(runs.scores, plan, rng)
        return Drawn(drawn, drawn.widened)
    groups = prepared.groups
    if groups is None or runs.grouped is None or runs.test_groups is None:
        raise InputError('by_group needs to know the groups; give one column the role "group" in the schema.')
    by_group = draw_by_group(runs.grouped.scores, runs.grouped.groups, groups.column.categories, plan, rng)
    shown = replace(by_group.first[by_group.largest], raw=by_group.raw[:, by_group.largest])
    return Drawn(shown, by_group.of_rows(runs.test_groups), by_group)


def measure_groups(runs: TrainedRuns, region: Region, drawn: GroupThresholds | None) -> tuple[GroupResult, ...]:
    """Return coverage and size within each public group; nothing where the schema has none."""
    groups = runs.prepared.groups
    if groups is None or runs.grouped is None or runs.test_groups is None:
        return ()
    covered, sizes = region.covers(runs.test_truth), region.size
    results = []
    for code, name in enumerate(groups.column.categories):
        tested = runs.test_groups == code
        counts = tested.sum(axis=0)
        results.append(
            GroupResult(
                name=name,
                n_calibration=float((runs.grouped.groups == code).sum(axis=0).mean()),
                n_test=float(counts.mean()),
                coverage=_share(covered * tested, counts),
                size=_share(sizes * tested, counts),
                certificate=None if drawn is None else drawn.first[code].certificate,
                column=groups.column.title,
            )
        )
    return tuple(results)


def _share(values: Floats, counts: Floats) -> Floats:
    totals = values.sum(axis=0).astype(np.float64)
    shares: Floats = np.divide(totals, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return shares
