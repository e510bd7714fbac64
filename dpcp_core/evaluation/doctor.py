"""The doctor: what is wrong with a run, in the run's own numbers, and what would mend it.

>>> from dpcp_core.evaluation.doctor import Symptoms, examine
>>> sick = Symptoms(alpha=0.1, epsilon=0.1, quantile_epsilon=0.05, n_calibration=300, bins=100, level=0.1)
>>> finding = examine(sick)[0]
>>> finding.code, dict(finding.change)
('nothing_certified', {'epsilon': 2.0})

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
"""What the factors that take a part of the level are called; another goes by its own name."""

REACH = 0.05
"""Above this chance of a threshold beyond every score, the noise reaches too far."""

RARE = 0.001
"""At most this chance of such a threshold is left after a change of epsilon."""


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
    **Privacy.** None: looks at measurements of real rows (clipped values, coverage), for the curator's eyes, never in
    a release.

    Examples
    --------
    >>> examine(Symptoms(alpha=.1, epsilon=1, quantile_epsilon=.5, n_calibration=4000, bins=100, level=.1))
    ()
    """
    found = (check(symptoms) for check in CHECKS)
    return tuple(finding for finding in found if finding is not None)


def _whole_level(s: Symptoms) -> dict[str, object]:
    """Return the change that makes the threshold aim at alpha itself."""
    if s.method != "dpcp":
        return {"method": "dpcp", "stability": "best"}
    return {"stability": "split" if s.stability_asked == "best" else "best"}


def _mended(s: Symptoms, good: Callable[[float, float], bool]) -> dict[str, object]:
    """Return the least change of stability and epsilon that makes ``good(epsilon, level)``; empty if none does."""
    reduced = s.level_is_reduced
    change = _whole_level(s) if reduced else {}
    level = s.alpha if reduced else s.level or 0.0
    if reduced and good(s.epsilon, level):
        return change
    step = next((step for step in EPSILON_STEPS if step > s.epsilon and good(step, level)), None)
    return {} if step is None else {**change, "epsilon": step}


def _remedy(s: Symptoms, change: dict[str, object], otherwise: str) -> str:
    """Say what a change does, and what would do instead of it."""
    parts = []
    if "stability" in change:
        parts.append(f"use a stability factor that aims at {_percent(s.alpha)} itself")
    if "epsilon" in change:
        parts.append(f"raise ε to {change['epsilon']:g}")
    sentence = f"{' and '.join(parts)}, or {otherwise}." if parts else f"{otherwise}."
    return sentence[0].upper() + sentence[1:]


def _count(number: float) -> str:
    return f"{number:,.0f}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}\u202f%"


def _nothing_certified(s: Symptoms) -> Finding | None:
    if not s.nothing_certified:
        return None
    rows = rows_needed(s)
    may_miss = (s.n_calibration + 1) * (s.level or 0.0)
    needs = f"bring at least {_count(rows)} ranked rows" if rows else "bring far more rows"
    change = _mended(s, lambda epsilon, level: _reach(s, epsilon, level) <= REACH)
    return Finding(
        "nothing_certified",
        "Nothing narrower than the whole range can be promised, so every interval is as wide as the range.",
        f"Of {_count(s.n_calibration)} ranked rows {may_miss:.3g} may miss, but at ε = {s.quantile_epsilon:.3g} the "
        f"noise of choosing among {_count(s.bins or 1)} bins weighs as much as {may_miss - count_at(s):.3g}.",
        _remedy(s, change, f"{needs}, or aim at a lower coverage"),
        change,
    )


def _level_too_small(s: Symptoms) -> Finding | None:
    if not s.level_too_small:
        return None
    change = _mended(s, lambda epsilon, level: level > paper_correction(s, epsilon))
    return Finding(
        "level_too_small",
        "The threshold has nothing left to aim at, so every interval is as wide as the range.",
        f"The paper's correction 2/(n ε) = {paper_correction(s):.2g} uses up the whole miss rate "
        f"{s.level or 0:.2g} that the threshold may aim at.",
        _remedy(s, change, "bring more rows, or aim at a lower coverage"),
        change,
    )


def _threshold_at_top(s: Symptoms) -> Finding | None:
    if s.nothing_certified or s.level_too_small or not s.is_private:
        return None
    far = _reach(s, s.epsilon, s.level or 0.0) > REACH
    if s.top_share <= 0 and not far:
        return None
    change: dict[str, object] = {}
    if far and s.loss == "paper":
        change = {"loss": "bracket"} if s.method == "dpcp" else {"method": "dpcp"}
        cause = "The paper's loss falls slowly above its aim: far too wide thresholds are drawn nearly as often."
        remedy = "Use the bracket loss, which falls by one with every row."
    elif far:
        change = _mended(s, lambda epsilon, level: _reach(s, epsilon, level) <= RARE)
        cause = f"At ε = {s.epsilon:g} the noise reaches up to the widest of the {_count(s.bins or 1)} candidates."
        remedy = _remedy(s, change, "bring more rows, or aim at a lower coverage")
    else:
        cause = f"More than {_percent(s.level or 0)} of the scores lie in the last bin."
        remedy = f"Widen the public bounds of {s.target_title}, or use a model that predicts better."
    symptom = "Now and then intervals are nearly the whole range."
    if s.top_share > 0:
        symptom = f"In {_percent(s.top_share)} of the repetitions every interval is the whole range."
    return Finding("threshold_at_top", symptom, cause, remedy, change)


def _reach(s: Symptoms, epsilon: float, level: float) -> float:
    """Bound the chance that the mechanism draws a threshold beyond every score, from public numbers.

    There are at most M such candidates. Against the candidate that brackets the target, the log-weight of each
    is lower by ``epsilon_2 c / 2`` with the bracket loss, and by that times ``a / (1 - a)``, ``a = c / n``,
    with the paper's.
    """
    quantile_epsilon = (s.quantile_epsilon or 0.0) * epsilon / s.epsilon
    target = max(count_at(s, epsilon=epsilon, level=level), 0.0)
    fall = quantile_epsilon * target / 2
    if s.loss == "paper":
        share = min(target / s.n_calibration, 0.5)
        fall *= share / (1 - share)
    return (s.bins or 1) * math.exp(-fall)


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
    factor = STABILITY_NAMES.get(s.stability, s.stability)
    return Finding(
        "stability_eats_level",
        "Intervals are wider than the coverage asked for needs.",
        f"The model has seen the ranked rows. To make up for that, the “{factor}” factor aims "
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
        f"Only {_count(s.bins)} bins: fewer than 10/α = {_count(s.wanted_bins)}.",
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
