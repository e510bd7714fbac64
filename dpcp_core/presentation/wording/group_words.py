"""Public groups in words: coverage within each, its uncertainty, and the group that falls furthest below."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, shortened
from dpcp_core.presentation.wording.plain import noun_of
from dpcp_core.presentation.wording.regions import size_in_words

if TYPE_CHECKING:
    from dpcp_core.experiments.result import GroupResult, SimulationResult

LONGEST_NAME = 30
MOST_SENTENCES = 5


def group_name(group: GroupResult) -> str:
    """Return a group's name, cut where it is long."""
    return shortened(group.name, LONGEST_NAME)


def _full_name(group: GroupResult) -> str:
    """Return a group's name with its column, as "yes" alone says nothing."""
    return f"{shortened(group.column)}: {group_name(group)}" if group.column else group_name(group)


def group_interval(group: GroupResult) -> tuple[float, float] | None:
    """Return the 95 % interval of a group's mean coverage; None where none of its rows was held out.

    With one repetition Wilson's interval, else Student's over the repetitions that held rows of the group out.
    """
    seen = group.coverage[~np.isnan(group.coverage)]
    if not len(seen):
        return None
    return mean_interval(seen, n_test=max(1, round(group.n_test)))


def measured(result: SimulationResult) -> tuple[GroupResult, ...]:
    """Return the groups of which rows were held out."""
    return tuple(group for group in result.groups if not math.isnan(group.coverage_mean))


def worst_group(result: SimulationResult) -> GroupResult | None:
    """Return the group with the lowest mean coverage, if it is below the target."""
    groups = measured(result)
    if not groups:
        return None
    worst = min(groups, key=lambda group: group.coverage_mean)
    return worst if worst.coverage_mean < result.settings.confidence_level else None


def groups_sentence(result: SimulationResult) -> str:
    """Say whether coverage reached its target within every group, or which falls furthest below."""
    target, worst = say.level(result.settings.confidence_level), worst_group(result)
    if not measured(result):
        return "No group has rows that were held out"
    if worst is None:
        return f"Coverage reached {target} on average in every group"
    interval = group_interval(worst)
    unsure = ", which may be chance" if interval and interval[1] >= result.settings.confidence_level else ""
    return (
        f"Coverage falls furthest below {target} in the group “{_full_name(worst)}”: "
        f"{say.percent(worst.coverage_mean)}{unsure}"
    )


def group_sentence(result: SimulationResult, group: GroupResult) -> str:
    """Say coverage within one group, on how many rows it rests, and how large its intervals or sets are."""
    interval = group_interval(group)
    if interval is None:
        return f"None of the {plural(noun_of(result))} of the group “{_full_name(group)}” was held out."
    low, high = interval
    half = say.fixed(100 * max(high - group.coverage_mean, group.coverage_mean - low), 1)
    unsure = f" ±{say.FIXED}{half}" if float(half) else ""
    rows = say.count(round(group.n_test), f"held-out {noun_of(result)}")
    each = " in each repetition" if len(group.coverage) > 1 else ""
    return (
        f"Group “{_full_name(group)}”: coverage {say.percent(group.coverage_mean)}{unsure} "
        f"on {rows}{each}, {_size(result, group)}."
    )


def _size(result: SimulationResult, group: GroupResult) -> str:
    size = size_in_words(result, group.size_mean)
    return f"sets of {size} on average" if result.sets is not None else f"intervals {size} wide on average"


def groups_words(result: SimulationResult) -> str:
    """Say coverage within every group, and whether each has a threshold of its own; "" without groups."""
    if not result.groups:
        return ""
    own = (
        "Each group has a threshold of its own."
        if result.settings.by_group
        else "One threshold serves all groups, so coverage is promised over all of them together, not within each."
    )
    sentences = [group_sentence(result, group) for group in _told(result)]
    return " ".join([f"{groups_sentence(result)}.", own, *sentences])


def _told(result: SimulationResult) -> tuple[GroupResult, ...]:
    """Return the groups that get a sentence: all of a few, those with the lowest coverage of many."""
    if len(result.groups) <= MOST_SENTENCES:
        return result.groups
    return tuple(sorted(measured(result), key=lambda group: group.coverage_mean)[:MOST_SENTENCES])
