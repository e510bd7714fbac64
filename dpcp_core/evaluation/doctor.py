"""The doctor: what is wrong with a run, in the run's own numbers, and what would mend it.

>>> from dpcp_core.evaluation.doctor import Symptoms, examine
>>> sick = Symptoms(alpha=0.1, epsilon=0.1, quantile_epsilon=0.05, n_calibration=300, bins=100, level=0.1)
>>> finding = examine(sick)[0]
>>> finding.code, dict(finding.change)
('nothing_certified', {'epsilon': 0.75})

A check is one function from :class:`Symptoms` to a :class:`Finding` or ``None``, and one line in ``CHECKS``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dpcp_core.evaluation.symptoms import Finding, Symptoms, count_at, paper_correction, rows_needed

__all__ = ["EPSILON_STEPS", "Finding", "Symptoms", "examine"]

EPSILON_STEPS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""The privacy budgets that a person is offered; a change of epsilon is always one of these."""

CLIPPED_SHARE = 0.01
"""From this share of rows on, values outside the public bounds are worth a word."""

STABILITY_NAMES = {"dp": "single ε", "profile": "privacy profile"}
"""What the factors that take a part of the level are called."""

NEVER = 1e-4
"""A threshold at the top of the grid with at most this chance does not turn up in a hundred repetitions."""


def examine(symptoms: Symptoms) -> tuple[Finding, ...]:
    """Return what ails a run, the most serious first.

    Parameters
    ----------
    symptoms
        Choices and measurements of the run.

    Returns
    -------
    tuple of Finding
        Empty if there is nothing to mend.

    Privacy
    -------
    Looks at measurements of real rows (clipped values, coverage): for the curator's eyes, never in a release.

    Examples
    --------
    >>> examine(Symptoms(alpha=.1, epsilon=1, quantile_epsilon=.5, n_calibration=4000, bins=100, level=.1))
    ()
    """
    found = (check(symptoms) for check in CHECKS)
    return tuple(finding for finding in found if finding is not None)


def _first_step(s: Symptoms, good: Callable[[float], bool]) -> float | None:
    return next((step for step in EPSILON_STEPS if step > s.epsilon and good(step)), None)


def _whole_level(s: Symptoms) -> dict[str, object]:
    """Return the change that makes the threshold aim at alpha itself."""
    if s.method != "dpcp":
        return {"method": "dpcp", "stability": "best"}
    return {"stability": "split" if s.stability_asked == "best" else "best"}


def _count(number: float) -> str:
    return f"{number:,.0f}".replace(",", "\u202f")


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else "100 %"


def _nothing_certified(s: Symptoms) -> Finding | None:
    if not s.nothing_certified:
        return None
    rows = rows_needed(s)
    needs = f"at least {_count(rows)} ranked rows" if rows else "more ranked rows than can be counted"
    change: dict[str, object] = {}
    remedy = f"Bring {needs}, or aim at a lower coverage."
    if s.level_is_reduced and count_at(s, level=s.alpha) > 0:
        change = _whole_level(s)
        remedy = f"Use a stability factor that aims at {_percent(s.alpha)} itself, or bring {needs}."
    elif step := _first_step(s, lambda epsilon: count_at(s, epsilon=epsilon) > 0):
        change = {"epsilon": step}
        remedy = f"Raise ε to {step:g}, or bring {needs}."
    return Finding(
        "nothing_certified",
        "Nothing narrower than the whole range can be promised, so every interval is as wide as the range.",
        f"{_count(s.n_calibration)} ranked rows, ε = {s.quantile_epsilon:.3g} for the threshold and "
        f"{_count(s.bins or 1)} bins are too little to find the largest {_percent(s.level or 0)} of scores.",
        remedy,
        change,
    )


def _level_too_small(s: Symptoms) -> Finding | None:
    if not s.level_too_small:
        return None
    change: dict[str, object] = {}
    remedy = "Bring more rows, or aim at a lower coverage."
    if s.level_is_reduced and s.alpha > paper_correction(s):
        change = _whole_level(s)
        remedy = "Use DPCP with a stability factor that leaves the allowed miss rate whole."
    elif not s.level_is_reduced and (step := _first_step(s, lambda e: s.alpha > paper_correction(s, e))):
        change = {"epsilon": step}
        remedy = f"Raise ε to {step:g}, or bring more rows."
    return Finding(
        "level_too_small",
        "The threshold has nothing left to aim at, so every interval is as wide as the range.",
        f"The paper's correction 2/(n ε) = {paper_correction(s):.2g} uses up the whole miss rate "
        f"{s.level or 0:.2g} that the threshold may aim at.",
        remedy,
        change,
    )


def _threshold_at_top(s: Symptoms) -> Finding | None:
    if s.top_share <= 0 or s.nothing_certified or s.level_too_small:
        return None
    symptom = f"In {_percent(s.top_share)} of the repetitions every interval is the whole range."
    change: dict[str, object] = {}
    if s.loss == "paper":
        change = {"loss": "bracket"} if s.method == "dpcp" else {"method": "dpcp"}
        cause = "The paper's loss falls slowly above its aim: too wide thresholds are drawn nearly as often."
        remedy = "Use the bracket loss, which falls by one with every row."
    elif _top_chance(s, s.epsilon) > NEVER:
        cause = f"At ε = {s.epsilon:g} the noise reaches to the last of the {_count(s.bins or 1)} candidates."
        remedy = "Bring more rows, or aim at a lower coverage."
        if step := _first_step(s, lambda epsilon: _top_chance(s, epsilon) <= NEVER):
            change = {"epsilon": step}
            remedy = f"Raise ε to {step:g}, bring more rows, or aim at a lower coverage."
    else:
        cause = f"More than {_percent(s.level or 0)} of the scores lie in the last bin."
        remedy = f"Widen the public bounds of {s.target_title}, or use a model that predicts better."
    return Finding("threshold_at_top", symptom, cause, remedy, change)


def _top_chance(s: Symptoms, epsilon: float) -> float:
    """Bound the chance that the bracket loss draws the last edge though a lower one fits."""
    quantile_epsilon = (s.quantile_epsilon or 0.0) * epsilon / s.epsilon
    return math.exp(-quantile_epsilon * max(count_at(s, epsilon=epsilon), 0.0) / 2)


def _coverage_below(s: Symptoms) -> Finding | None:
    if s.certified or s.coverage_interval is None or s.coverage_interval[1] >= 1 - s.alpha:
        return None
    low, high = s.coverage_interval
    certified = {"method": "dpcp", "guarantee": "certified"}
    return Finding(
        "coverage_below_target",
        f"Coverage is {100 * low:.1f} to {100 * high:.1f} %, below the {_percent(1 - s.alpha)} asked for.",
        "This method promises nothing about rows that its model has not seen.",
        "Use a method whose coverage is certified.",
        {} if (s.method, s.guarantee) == ("dpcp", "certified") else certified,
    )


def _stability_eats_level(s: Symptoms) -> Finding | None:
    if not s.level_is_reduced or (s.level or 0.0) >= s.alpha / 2:
        return None
    return Finding(
        "stability_eats_level",
        "Intervals are wider than the coverage asked for needs.",
        f"The model has seen the ranked rows. To make up for that, the “{STABILITY_NAMES[s.stability]}” factor aims "
        f"at a miss rate of {_percent(s.level or 0)}, not {_percent(s.alpha)}; more training budget makes it worse.",
        "Use a stability factor that leaves the allowed miss rate whole.",
        _whole_level(s),
    )


def _scores_clipped(s: Symptoms) -> Finding | None:
    if s.scores_clipped_share <= 0:
        return None
    return Finding(
        "scores_clipped",
        f"{_percent(s.scores_clipped_share)} of the scores lie at their upper bound.",
        "Some true values lie further from their prediction than the bound allows, and count as nearer.",
        f"Widen the public bounds of {s.target_title}.",
    )


def _few_bins(s: Symptoms) -> Finding | None:
    if not s.is_private or s.bins is None or s.bins >= s.wanted_bins:
        return None
    return Finding(
        "few_bins",
        "The threshold moves in coarse steps and errs to the wide side.",
        f"{_count(s.bins)} bins are fewer than 10/α = {_count(s.wanted_bins)}.",
        f"Use at least {_count(s.wanted_bins)} bins.",
        {"bins": s.wanted_bins},
    )


def _rows_clipped(s: Symptoms) -> Finding | None:
    counts = {**s.columns_clipped, s.target_title: s.target_clipped}
    many = [name for name, count in counts.items() if count > CLIPPED_SHARE * max(s.n_rows, 1)]
    if not many:
        return None
    worst = sorted(many, key=counts.__getitem__, reverse=True)[:3]
    named = ", ".join(f"{name} ({_count(counts[name])})" for name in worst)
    return Finding(
        "rows_clipped",
        f"Many of the {_count(s.n_rows)} rows have values outside their public bounds: {named}.",
        "Such a value is moved to the bound before anything is learned, and promises are about moved values.",
        "Widen these bounds from public knowledge, not from the rows.",
    )


CHECKS: tuple[Callable[[Symptoms], Finding | None], ...] = (
    _nothing_certified,
    _level_too_small,
    _threshold_at_top,
    _coverage_below,
    _stability_eats_level,
    _scores_clipped,
    _few_bins,
    _rows_clipped,
)
