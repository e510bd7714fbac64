"""Changes of settings that would mend a run, worked out from public numbers, and the words for them.

>>> from dpcp_core.evaluation.symptoms import Symptoms, count_at
>>> sick = Symptoms(alpha=0.1, epsilon=1.0, quantile_epsilon=0.05, n_calibration=300, bins=100, level=0.1,
...                 loss="bracket")
>>> mended(sick, lambda better: count_at(better) > 0)
{'loss': 'one_sided', 'epsilon': 4.0}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpcp_core._words import number_text, percent_text
from dpcp_core.evaluation.symptoms import Symptoms

EPSILON_STEPS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""The privacy budgets that a person is offered; a change of epsilon is always one of these."""

EVEN_SHARE = 0.5
"""Share of epsilon for training that is offered to somebody who chose a lopsided one."""


def whole_level(s: Symptoms) -> dict[str, object]:
    """Return the change that makes the threshold aim at the whole level."""
    if s.method != "dpcp":
        return {"method": "dpcp", "stability": "best"}
    return {"stability": "split" if s.stability_asked == "best" else "best"}


def mended(s: Symptoms, good: Callable[[Symptoms], bool]) -> dict[str, object]:
    """Return the least change of the threshold's settings that makes a run good; empty if none does.

    What costs no privacy is tried before epsilon: a stability factor that leaves the level whole, a loss with half the
    noise, an even division of the budget.
    """
    return next((change for change in _changes(s) if good(changed(s, change))), {})


def _changes(s: Symptoms) -> Iterator[dict[str, object]]:
    loss, share = _half_the_noise(s), _even_division(s)
    whole: dict[str, object] = whole_level(s) if s.level_is_reduced else {}
    cheap = [change for change in (loss, share, {**loss, **share}) if change]
    yield from cheap
    if whole:
        yield from ({**whole, **change} for change in ({}, *cheap))
    free = {**whole, **loss, **share}
    yield from ({**free, "epsilon": step} for step in EPSILON_STEPS if step > s.epsilon)


def _half_the_noise(s: Symptoms) -> dict[str, object]:
    return {"loss": "one_sided"} if (s.method, s.loss, s.guarantee) == ("dpcp", "bracket", "certified") else {}


def _even_division(s: Symptoms) -> dict[str, object]:
    shares = s.composition != "parallel"
    return {"training_share": EVEN_SHARE} if shares and s.training_share > EVEN_SHARE else {}


def changed(s: Symptoms, change: dict[str, object]) -> Symptoms:
    """Return the symptoms as public numbers say they would be after a change."""
    epsilon = float(str(change.get("epsilon", s.epsilon)))
    share = float(str(change.get("training_share", s.training_share)))
    growth = (epsilon - s.bounds_epsilon) / (s.epsilon - s.bounds_epsilon) * (1 - share) / (1 - s.training_share)
    splits = change.get("stability") == "split" and not s.splits_rows
    if splits:
        # Halves share no row, so the ranked one may spend all of epsilon.
        growth, share = growth / (1 - share), 0.0
    return replace(
        s,
        epsilon=epsilon,
        training_share=share,
        quantile_epsilon=(s.quantile_epsilon or 0.0) * growth,
        n_calibration=max(1, round(s.n_calibration * (1 - s.row_share))) if splits else s.n_calibration,
        loss=str(change.get("loss", s.loss)),
        level=s.whole_level if "stability" in change else s.level,
    )


def more_budget(s: Symptoms, times: float, more: str) -> tuple[str, dict[str, object]]:
    """Return the advice to take the next budget on offer that is so many times as large, or more rows; and the change.

    >>> run = Symptoms(alpha=0.1, epsilon=4.0, quantile_epsilon=2.0, n_calibration=300, bins=100, level=0.1)
    >>> more_budget(run, 2.0, "more rows"), more_budget(run, 3.0, "more rows")
    (('Raise ε to 8, or bring more rows.', {'epsilon': 8.0}), ('Bring more rows.', {}))
    """
    step = next((step for step in EPSILON_STEPS if step >= times * s.epsilon), None)
    if step is None:
        return f"Bring {more}.", {}
    return f"Raise ε to {number_text(step)}, or bring {more}.", {"epsilon": step}


def remedy(s: Symptoms, change: dict[str, object], otherwise: str) -> str:
    """Say what a change does, and what would do instead of it."""
    parts = []
    if "stability" in change:
        parts.append(f"use a stability factor that aims at {percent_text(s.whole_level)} itself")
    if "loss" in change:
        parts.append("take the one-sided loss (half of the noise)")
    if "training_share" in change:
        parts.append(f"give training no more than {percent_text(EVEN_SHARE)} of ε")
    if "epsilon" in change:
        parts.append(f"raise ε to {number_text(float(str(change['epsilon'])))}")
    sentence = f"{' and '.join(parts)}, or {otherwise}." if parts else f"{otherwise}."
    return sentence[0].upper() + sentence[1:]
