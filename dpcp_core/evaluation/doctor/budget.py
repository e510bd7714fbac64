"""What can ail the budget: a level that it eats up, parts of it that nobody uses, rows split in vain."""

from __future__ import annotations

import math

from dpcp_core._words import digits_up, number_text, percent_text
from dpcp_core.evaluation.doctor.remedies import whole_level
from dpcp_core.evaluation.symptoms import Finding, Symptoms
from dpcp_core.privacy.private_bounds import rows_needed

STABILITY_NAMES = {"dp": "single ε", "profile": "privacy profile"}
"""What the factors that take a part of the level are called; another goes by its own name."""

UNUSED = 0.1
"""From this share of the budget on, what is left unused is worth a word."""

SPLIT_HURTS = 0.05
"""From this relative widening on, splitting rows is worth a word."""

BOUNDS_TAKE = 0.25
"""From this share of the level on, what bought bounds take of it is worth a word."""

# Half of a column's part buys its bounds, the other half its typical range.
_PARTS_PER_COLUMN = 2


def coverage_below(s: Symptoms) -> Finding | None:
    """Find that a method without a promise covers too little."""
    if s.certified or s.coverage_interval is None or s.coverage_interval[1] >= 1 - s.alpha:
        return None
    low, high = s.coverage_interval
    certified = {"method": "dpcp", "guarantee": "certified"}
    return Finding(
        "coverage_below_target",
        f"Coverage is {100 * low:.1f} to {100 * high:.1f} %, below the {percent_text(1 - s.alpha)} asked for.",
        "This method promises nothing about rows that its model has not seen.",
        "Use a method whose coverage is certified.",
        {} if (s.method, s.guarantee) == ("dpcp", "certified") else certified,
    )


def stability_eats_level(s: Symptoms) -> Finding | None:
    """Find that ranking rows that trained takes more than half of the level."""
    if not s.level_is_reduced or (s.level or 0.0) >= s.whole_level / 2:
        return None
    factor = STABILITY_NAMES.get(s.stability, s.stability)
    return Finding(
        "stability_eats_level",
        _wider(s),
        f"The model has seen the ranked rows. To make up for that, the “{factor}” factor aims at a miss rate of "
        f"{percent_text(s.level or 0)}, not {percent_text(s.whole_level)}; more training budget makes it worse.",
        "Use a stability factor that leaves the allowed miss rate whole.",
        whole_level(s),
    )


def _wider(s: Symptoms) -> str:
    return f"{s.said.capitalize()} are {'wider' if s.classes is None else 'larger'} than the coverage asked for needs."


def bounds_eat_level(s: Symptoms) -> Finding | None:
    """Find that bought bounds take a large part of the level."""
    if not s.bounds_bought or s.whole_level > (1 - BOUNDS_TAKE) * s.alpha:
        return None
    least = digits_up(s.bounds_bought * _PARTS_PER_COLUMN * rows_needed(1.0) / max(s.n_rows, 1), 2)
    change: dict[str, object] = {"bounds_epsilon": least} if least < s.bounds_epsilon else {}
    cheaper = f"Buy them for ε = {number_text(least)}, for which there are rows enough, or give" if change else "Give"
    return Finding(
        "bounds_eat_level",
        _wider(s),
        f"Bounds were bought from the rows for ε = {number_text(s.bounds_epsilon)}; to make up for that, a miss rate "
        f"of {percent_text(s.whole_level)} is aimed at, not {percent_text(s.alpha)}.",
        f"{cheaper} public bounds in the schema, which cost nothing.",
        change,
    )


def split_hurts(s: Symptoms) -> Finding | None:
    """Find that splitting rows costs more than ranking rows that trained would."""
    if s.split_cost is None or s.whole_cost is None or s.split_cost - s.whole_cost < SPLIT_HURTS:
        return None
    better = {"stability": "best"} if s.method == "dpcp" else {"method": "dpcp", "stability": "best"}
    return Finding(
        "split_hurts",
        "Splitting the rows widens what is said more than the noise of using them twice would.",
        f"About {percent_text(s.split_cost, 2)} more width is to be expected where one part of the rows trains and the "
        f"other is ranked, {percent_text(s.whole_cost, 2)} where all rows do both.",
        "Train on all rows and rank all of them, and pay for that with a stability factor.",
        better,
    )


def budget_unused(s: Symptoms) -> Finding | None:
    """Find that training adds more noise than it has to."""
    if s.epsilon_used is None or s.epsilon_used > (1 - UNUSED) * s.epsilon_allotted:
        return None
    return Finding(
        "budget_unused",
        "A part of the privacy budget is left unused.",
        f"With the noise multiplier that was set, what is paid for costs ε = {number_text(s.epsilon_used)} of the "
        f"ε = {number_text(s.epsilon_allotted)} that it may cost.",
        "Leave the noise multiplier to be worked out from the budget.",
        {"noise_multiplier": None},
    )


def costs_added(s: Symptoms) -> Finding | None:
    """Find that costs are added up although less would do."""
    if not s.is_private or not s.may_compose:
        return None
    because = {
        "parallel": "no row is in both parts, so each may spend all of it",
        "tight": "their exact joint cost is below the sum",
    }
    return Finding(
        "costs_added",
        "A part of the privacy budget is left unused.",
        f"The costs of training and threshold are added up to ε = {number_text(s.epsilon)}, but "
        f"{because[s.may_compose]}.",
        f"Compose the two costs the “{s.may_compose}” way.",
        {"composition": s.may_compose},
    )


def bounds_unused(s: Symptoms) -> Finding | None:
    """Find that a part of the budget was set aside for bounds that are public anyway."""
    if not s.bounds_epsilon or s.bounds_bought:
        return None
    return Finding(
        "bounds_unused",
        "A part of the privacy budget is left unused.",
        f"ε = {number_text(s.bounds_epsilon)} is set aside to buy bounds, but every column has public ones.",
        "Set nothing aside for bounds.",
        {"bounds_epsilon": 0.0},
    )


def delta_too_large(s: Symptoms) -> Finding | None:
    """Find that delta would let whole rows out."""
    if not s.n_rows or s.delta <= 1 / s.n_rows:
        return None
    better = 10.0 ** math.floor(math.log10(0.1 / s.n_rows))
    return Finding(
        "delta_too_large",
        "The privacy that is promised is weak: what publishes one row in full could pass for private.",
        f"A δ of {number_text(s.delta)} is more than 1 in {number_text(s.n_rows)} rows.",
        f"Take δ = {number_text(better)}.",
        {"delta": better},
    )
