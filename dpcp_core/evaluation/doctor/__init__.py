"""The doctor: what is wrong with a run, in the run's own numbers, and what would mend it.

>>> from dpcp_core.evaluation.doctor import Symptoms, examine
>>> sick = Symptoms(alpha=0.1, epsilon=0.5, quantile_epsilon=0.25, n_calibration=300, bins=100, level=0.1,
...                 loss="bracket")
>>> finding = examine(sick)[0]
>>> finding.code, dict(finding.change)
('nothing_certified', {'loss': 'one_sided', 'epsilon': 1.0})

A check is one function from :class:`Symptoms` to a :class:`Finding` or ``None``, and one line in ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable

from dpcp_core.evaluation.doctor import budget, classes, rows, threshold, training
from dpcp_core.evaluation.doctor.budget import STABILITY_NAMES
from dpcp_core.evaluation.doctor.remedies import EPSILON_STEPS
from dpcp_core.evaluation.symptoms import ClassSigns, Finding, Symptoms, TrainingSigns

__all__ = [
    "CHECKS",
    "EPSILON_STEPS",
    "STABILITY_NAMES",
    "ClassSigns",
    "Finding",
    "Symptoms",
    "TrainingSigns",
    "examine",
]

CHECKS: tuple[Callable[[Symptoms], Finding | None], ...] = (
    threshold.nothing_certified,
    threshold.level_too_small,
    threshold.threshold_at_top,
    budget.coverage_below,
    training.clip_norm_far_off,
    training.not_learning,
    rows.small_groups,
    budget.stability_eats_level,
    budget.bounds_eat_level,
    classes.sets_of_everything,
    threshold.noise_costs_much,
    budget.split_hurts,
    budget.costs_added,
    budget.budget_unused,
    budget.bounds_unused,
    budget.delta_too_large,
    training.spread_at_floor,
    threshold.scores_clipped,
    threshold.few_bins,
    classes.rare_class,
    rows.rows_clipped,
    rows.constant_columns,
    classes.one_class,
)
"""All checks, what weighs most first."""


def examine(symptoms: Symptoms) -> tuple[Finding, ...]:
    """Return what ails a run, the most serious first.

    Parameters
    ----------
    symptoms : Symptoms
        Choices and measurements of the run.

    Returns
    -------
    tuple of Finding
        Empty if there is nothing to mend.

    Notes
    -----
    **Privacy.** None: looks at measurements of real rows (clipped values, coverage, gradients), for the curator's eyes,
    never in a release.

    Examples
    --------
    >>> examine(Symptoms(alpha=.1, epsilon=1, quantile_epsilon=.5, n_calibration=4000, bins=100, level=.1))
    ()
    """
    found = (check(symptoms) for check in CHECKS)
    return tuple(finding for finding in found if finding is not None)
