"""What can ail the private threshold: nothing to aim at, noise that reaches too far, coarse candidates."""

from __future__ import annotations

import math

from dpcp_core._words import number_text, percent_text
from dpcp_core.evaluation.doctor.remedies import changed, mended, remedy
from dpcp_core.evaluation.symptoms import Finding, Symptoms, count_at, noise_cost, paper_correction, rows_needed

REACH = 0.05
"""Above this chance of a threshold beyond every score, the noise reaches too far."""

RARE = 0.001
"""At most this chance of such a threshold is left after a change of settings."""

SAVES = 0.025
"""From this relative narrowing on, another loss is worth a word."""

_OTHERWISE = "bring more rows, or aim at a lower coverage"


def nothing_certified(s: Symptoms) -> Finding | None:
    """Find that the noise weighs as much as all rows that may miss."""
    if not s.nothing_certified:
        return None
    rows = rows_needed(s)
    may_miss = (s.n_calibration + 1) * (s.level or 0.0)
    needs = f"bring at least {number_text(rows)} ranked rows" if rows else "bring far more rows"
    change = mended(s, lambda better: reach(better) <= REACH)
    return Finding(
        "nothing_certified",
        f"Nothing {s.smaller} can be promised, so {s.everything}.",
        f"Of {number_text(s.n_calibration)} ranked rows {number_text(may_miss)} may miss, but at "
        f"ε = {number_text(s.quantile_epsilon or 0)} the noise of choosing among {number_text(s.bins or 1)} bins "
        f"weighs as much as {number_text(may_miss - count_at(s))}.",
        remedy(s, change, f"{needs}, or aim at a lower coverage"),
        change,
    )


def level_too_small(s: Symptoms) -> Finding | None:
    """Find that the paper's correction leaves no level."""
    if not s.level_too_small:
        return None
    change = mended(s, lambda better: (better.level or 0.0) > paper_correction(better))
    return Finding(
        "level_too_small",
        f"The threshold has nothing left to aim at, so {s.everything}.",
        f"The paper's correction 2/(n ε) = {number_text(paper_correction(s))} uses up the whole miss rate "
        f"{number_text(s.level or 0)} that the threshold may aim at.",
        remedy(s, change, _OTHERWISE),
        change,
    )


def threshold_at_top(s: Symptoms) -> Finding | None:
    """Find that thresholds are, or may well be, the largest there is."""
    if s.nothing_certified or s.level_too_small or not s.is_private:
        return None
    far = reach(s) > REACH
    if s.top_share <= 0 and not far:
        return None
    cause, words, change = _why_at_top(s, far)
    symptom = f"Now and then {s.everything}, or nearly."
    if s.top_share > 0:
        symptom = f"In {percent_text(s.top_share)} of the repetitions {s.everything}."
    return Finding("threshold_at_top", symptom, cause, words, change)


def _why_at_top(s: Symptoms, far: bool) -> tuple[str, str, dict[str, object]]:
    if far and s.loss == "paper":
        return (
            "The paper's loss falls slowly above its aim: far too wide thresholds are drawn nearly as often.",
            "Use the one-sided loss, which falls by one with every row.",
            {"loss": "one_sided"} if s.method == "dpcp" else {"method": "dpcp"},
        )
    if far:
        change = mended(s, lambda better: reach(better) <= RARE)
        among = f"the widest of the {number_text(s.bins or 1)} candidates"
        cause = f"At ε = {number_text(s.quantile_epsilon or 0)} the noise of the threshold reaches up to {among}."
        return cause, remedy(s, change, _OTHERWISE), change
    wider = f"Widen the public bounds of {s.target_title}" if s.classes is None else "Aim at a lower coverage"
    cause = f"More than {percent_text(s.level or 0)} of the scores lie in the last bin."
    return cause, f"{wider}, or use a model that predicts better.", {}


def reach(s: Symptoms) -> float:
    """Bound the chance that the mechanism draws a threshold beyond every score, from public numbers.

    There are at most M such candidates. Against the candidate that brackets the target, the log-weight of each
    is lower by ``epsilon_2 c / 2`` with the bracket loss (``epsilon_2 c`` with the one-sided), and by that times
    ``a / (1 - a)``, ``a = c / n``, with the paper's.
    """
    target = max(count_at(s), 0.0)
    fall = (s.quantile_epsilon or 0.0) * target / s.range_factor
    if s.loss == "paper":
        share = min(target / s.n_calibration, 0.5)
        fall *= share / (1 - share)
    return (s.bins or 1) * math.exp(-fall)


def noise_costs_much(s: Symptoms) -> Finding | None:
    """Find that a loss with half of the noise would narrow what is said."""
    if not s.is_private or (s.method, s.loss, s.guarantee) != ("dpcp", "bracket", "certified") or reach(s) > REACH:
        return None
    change: dict[str, object] = {"loss": "one_sided"}
    cost, then = noise_cost(s), noise_cost(changed(s, change))
    if math.isinf(cost) or cost - then < SAVES:
        return None
    return Finding(
        "noise_costs_much",
        f"Making up for the noise of the threshold widens what is said by about {percent_text(cost, 2)}.",
        f"Of the {number_text((s.n_calibration + 1) * (s.level or 0))} ranked rows that may miss, "
        f"{number_text((s.n_calibration + 1) * (s.level or 0) - count_at(s))} are kept back for the noise of choosing "
        f"among {number_text(s.bins or 1)} bins.",
        f"Take the one-sided loss, which keeps back half as many: about {percent_text(then, 2)} is left.",
        change,
    )


def few_bins(s: Symptoms) -> Finding | None:
    """Find that candidates are too coarse for the level."""
    if not s.is_private or s.bins is None or s.bins >= s.wanted_bins:
        return None
    return Finding(
        "few_bins",
        "The threshold moves in coarse steps and errs upward.",
        f"Only {number_text(s.bins)} bins: fewer than 10/α = {number_text(s.wanted_bins)}.",
        f"Use at least {number_text(s.wanted_bins)} bins.",
        {"bins": s.wanted_bins},
    )


def scores_clipped(s: Symptoms) -> Finding | None:
    """Find that scores lie at their bound; those of classes may, as probabilities reach 0 and 1."""
    if s.scores_clipped_share <= 0 or s.classes is not None:
        return None
    return Finding(
        "scores_clipped",
        f"{percent_text(s.scores_clipped_share)} of the scores lie at their upper bound.",
        "Some true values lie further from their prediction than the bound allows, and count as nearer.",
        f"Widen the public bounds of {s.target_title}.",
    )
