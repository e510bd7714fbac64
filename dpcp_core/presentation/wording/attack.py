"""What the page on attacks says: a story for each attack, what came of it, and what to do about it.

>>> STORIES["row"].name
'Take one row out'
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpcp_core._words import digits_up
from dpcp_core.conformal.scores import SCORES
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import Control
from dpcp_core.presentation.wording.meaning import in_100
from dpcp_core.presentation.wording.nouns import plural, row_noun
from dpcp_core.presentation.wording.odds import moved, times

if TYPE_CHECKING:
    from dpcp_core.experiments.row_out import RankedRows, RowOut, TwoWorlds


@dataclass(frozen=True)
class Story:
    """One attack, for somebody who has never heard of it.

    Attributes
    ----------
    name : str
        Heading.
    plot : str
        Who attacks what, in two sentences.
    remedy : str
        What to do about it.
    """

    name: str
    plot: str
    remedy: str


STORIES: Mapping[str, Story] = MappingProxyType(
    {
        "row": Story(
            "Take one row out",
            "An attacker knows every row but one, and sees the threshold that was released. Below is every threshold "
            "that could have come out, with its exact chance: with that row in the table, and without it.",
            "Take candidates from a public grid, as every private method here does, and never from the scores: one of "
            "them is always somebody's exact number.",
        ),
        "subtract": Story(
            "Subtract the known rows",
            "An attacker knows every row but one, and gets a table with shuffled columns: each value is somebody's, "
            "only the rows are mixed up. Taking away what is known leaves the cells of the unknown row. Noisy counts "
            "leave a guess.",
            "Shuffling hides nobody. Make columns from noisy histograms, and let the receipt say what they cost.",
        ),
        "member": Story(
            "Was this row in the training?",
            "An attacker has the trained model and a full row, and asks whether it was among those that trained. "
            "Models fit the rows that they saw a little better: that is what gives them away.",
            "Train with a smaller ε, or without privacy only on rows that are no secret. No attack, known or not, "
            "passes the line of the bound.",
        ),
        "audit": Story(
            "Audit everything",
            "Each claim of this app is attacked here, by the strongest attack that we know of: how much privacy it "
            "loses at least must stay below the ε that its receipt states.",
            "A broken claim is a fault of the app: do not release with it, and report it. A claim that holds is not "
            "proved by an attack: the proofs are in the guide to guarantees.",
        ),
    }
)
"""By section."""

CONTROLS: Mapping[str, Control] = MappingProxyType(
    {
        "which": Control(
            "Row to take out",
            "The row most at risk is the one whose own score is most likely to come out where scores are the "
            "candidates. The farthest is the one that the model misses by most.",
        ),
        "place": Control("Its rank", "1 is the row that the model misses by most."),
        "n": Control("Rows", "How many rows are ranked, spread evenly over all ranks of the table in use."),
        "hidden": Control("Hidden row", "The number of the row that the attacker does not know, from 1."),
        "effort": Control("Effort", "Quick takes a minute or so. Long repeats every attack more often: it finds more."),
        "kinds": Control("Claims", "What to attack: mechanisms, trainers, makers of synthetic tables."),
        "epsilons": Control("Claimed ε", "Each claim is attacked at each of these."),
        "faults": Control(
            "Plant faults, too",
            "Parts that were broken on purpose, such as with half of their noise. An audit that misses them "
            "would be worth nothing.",
        ),
    }
)
"""Label and help of each control that only this page has."""

WHICH: Mapping[str, str] = MappingProxyType({"risk": "most at risk", "farthest": "farthest", "rank": "by its rank"})
"""Ways to choose the row."""

REMEDY = "What to do about it."
"""Before the remedy."""

CURATOR = (
    "Computed from real rows: the curator's view, and in no release. The model is the same on both sides, and without "
    "privacy: what is shown here is the protection of the threshold alone, and ε is its price alone."
)
"""What the exact chances rest on."""

READ_OFF = (
    "Bounds or categories of this table were read off its rows, which is not private. The attacks below take them as "
    "public: what they call private, and every limit that they state, holds only once a person has given them."
)
"""What the limits rest on where nobody has given bounds."""

ALLOWED = "what ε allows"
"""What the thin lines over the bars are called beside the others."""

WHISKERS = "Thin lines: how far ε lets a bar with the row lie from the bar without it."
"""What the lines over the bars are."""

ONLY_WITH = "only with<br>the row"
"""Above the bar of a threshold that gives the row away."""

NOT_PRIVATE = "not private"


def noun_of(ranked: RankedRows) -> str:
    """Return what one row stands for, as a noun."""
    return row_noun(ranked.one_row_is)


def score_text(ranked: RankedRows, value: float) -> str:
    """Return a score as it stands in a sentence: a distance with its unit, or a bare number for classes."""
    if SCORES[ranked.score].task == "classification":
        return say.number(value, 3)
    return f"±{say.FIXED}{say.quantity(value, ranked.target.unit, 3)}"


def score_axis(ranked: RankedRows) -> str:
    """Return the title of an axis of thresholds."""
    if SCORES[ranked.score].task == "classification":
        return "Released threshold"
    return say.axis("Released half-width", ranked.target.unit)


def grid_title(out: RowOut) -> str:
    """Say how far the row moves the chances on a public grid, beside what epsilon allows."""
    if out.note:
        return "Public grid (private): the widest threshold comes out, with the row or without it"
    most = out.on_grid.largest_log_ratio
    if most < 1e-9:
        return f"Public grid (private): this {noun_of(out.ranked)} changes no chance at all"
    allowed = f"ε{say.FIXED}allows {times(out.epsilon)}"
    return f"Public grid (private): no chance changes by more than {ratio_text(most)}; {allowed}"


def scores_title(out: RowOut) -> str:
    """Say what gives the row away where scores are the candidates."""
    worlds, start = out.among_scores, f"Scores themselves ({NOT_PRIVATE})"
    if math.isfinite(worlds.largest_log_ratio):
        return f"{start}: this {noun_of(out.ranked)} shares its score with others, and is hidden among them"
    chance = chance_text(worlds.telltale)
    return (
        f"{start}: {score_text(out.ranked, out.score)} comes out with a chance of {chance}, and never without the row"
    )


def ratio_text(log_ratio: float) -> str:
    """Write by how much a chance changes at most, rounded up.

    >>> ratio_text(0.5), ratio_text(math.inf), ratio_text(0.01), ratio_text(1.0)
    ('1.65 times', 'any number of times', '1.011 times', '2.72 times')
    """
    if math.isinf(log_ratio):
        return "any number of times"
    factor = math.exp(min(log_ratio, 690.0))
    digits = 3 if factor >= 1.05 else 4
    return f"{say.number(digits_up(factor, digits), digits)} times"


def chance_text(share: float) -> str:
    r"""Write an exact chance: in per cent, or as one in so many where that would be nothing.

    >>> chance_text(0.2), chance_text(0.0004), chance_text(1e-30), chance_text(0.0)
    ('20.0\u202f%', '1 in 2,500', 'less than 1 in a million', '0\u202f%')
    """
    if 0 < share < 1e-6:
        return "less than 1 in a million"
    return say.percent(share) if share >= 0.005 or not share else say.one_in(share)


def guesses(worlds: TwoWorlds, noun: str) -> str:
    """Say how often the best guess is right that is made from the result alone.

    The chances are exact, so that no attacker does better on these rows.
    """
    return (
        f"Who knows all other rows, and guesses from the result whether this {noun} is there, is right at most "
        f"{in_100((1 + worlds.advantage) / 2, 'times')}; a coin is right 50 times."
    )


def telltale_sentence(worlds: TwoWorlds, noun: str) -> str:
    """Say how often a result comes out that leaves no doubt; "" if none does."""
    if not worlds.telltale:
        return ""
    return f"With a chance of {chance_text(worlds.telltale)} it is this {noun}'s own number, and leaves no doubt."


def allowed_sentence(epsilon: float, noun: str) -> str:
    """Say what epsilon allows of any row of any table.

    >>> allowed_sentence(1.0, "patient")
    'For any patient in any table, ε = 1 allows 73.2 in 100.'
    """
    return f"For any {noun} in any table, ε = {say.short(epsilon)} allows {moved(epsilon)}."


def row_alt(out: RowOut, worlds: TwoWorlds, title: str) -> str:
    """Return what a picture of two worlds shows, in a sentence with numbers."""
    top = int(worlds.with_row.argmax())
    likeliest = score_text(out.ranked, float(worlds.candidates[top]))
    shares = (chance_text(math.exp(world[top])) for world in (worlds.with_row, worlds.without_row))
    return f"{title}. The most likely threshold is {likeliest}: chance {' with the row, '.join(shares)} without it."


def row_line(out: RowOut) -> str:
    """Say which row is taken out, of how many."""
    noun = noun_of(out.ranked)
    return (
        f"Taken out: the {noun} of rank {say.whole(out.place)} of {say.whole(out.ranked.n)} {plural(noun)}, whose "
        f"score is {score_text(out.ranked, out.score)}."
    )
