"""What the subtraction attack read off a table, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.meaning import in_100
from dpcp_core.presentation.wording.nouns import plural

if TYPE_CHECKING:
    from dpcp_core.experiments.audit.subtraction import SubtractionResult

RIGHT, WRONG, WITHOUT = "right", "wrong", "without the table"
"""What bars and marks are called."""

CELLS_CURATOR = (
    "The cells are those of a real row: the curator's view, to show what an attack would find. "
    "Where numbers are counted in cells, the attacker can only name the cell."
)
"""What the pictures show."""


def cells_title(result: SubtractionResult) -> str:
    """Say how many cells the attacker got right."""
    n, name = len(result.columns), _maker(result)
    if result.is_whole_row:
        return f"{name}: {'both' if n == 2 else f'all {n}'} cells right, the whole row"
    return f"{name}: {result.n_right} of {n} cells right; about {say.short(blind_hits(result), 2)} without the table"


def blind_hits(result: SubtractionResult) -> float:
    """Return how many cells somebody gets right on average who names the commonest value of each column."""
    return math.fsum(guess.blind for guess in result.columns)


def cells_alt(result: SubtractionResult) -> str:
    """Return what the picture shows, in a sentence with numbers."""
    surest = max(result.columns, key=lambda guess: guess.chance)
    return (
        f"{cells_title(result)}. Surest is the guess of {surest.title}, {surest.guess}: {say.percent(surest.chance)} "
        f"sure, {say.percent(surest.blind)} without the table, and {RIGHT if surest.is_right else WRONG}."
    )


def game_sentence(result: SubtractionResult, noun: str) -> str:
    """Say how often the attacker tells which of many rows is the hidden one, and what the promise allows."""
    people = plural(noun)
    start = f"Which of {say.whole(result.n_candidates)} {people} is it?"
    blind = f"a guess without the table is right {say.percent(result.blind)} of the time"
    if not math.isfinite(result.epsilon) and result.hits == result.trials:
        return f"{start} The attacker reads it off; {blind}; nothing limits an attack on shuffled columns."
    success = result.success
    measured = f"{say.percent(success.value)} of {say.whole(result.trials)} rounds"
    between = f"{say.level(success.confidence)} interval {say.percent(success.low)} to {say.percent(success.high)}"
    return (
        f"{start} The attacker is right in {measured} ({between}); {blind}. This noise allows at most "
        f"{in_100(result.allowed_by_noise)}, whatever the attack."
    )


def _maker(result: SubtractionResult) -> str:
    title = f"{result.title[0].upper()}{result.title[1:]}"
    if not math.isfinite(result.epsilon):
        return f"{title} (not private)"
    return f"{title}, ε = {say.short(result.epsilon)}"
