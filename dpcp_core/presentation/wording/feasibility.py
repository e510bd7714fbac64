"""What can be certified at all, in words, from public numbers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural

if TYPE_CHECKING:
    from dpcp_core.conformal.feasibility import Feasibility

NO_DATA = "Worked out from public numbers alone: no row was touched, no ε was spent."
"""Where the picture comes from."""


READ_OFF = (
    "As it stands nothing is certified: bounds or categories were read off the rows. All that is said here takes them "
    "as public."
)
"""Said where the schema was completed from the file."""


def feasible_headline(found: Feasibility, noun: str, *, of_classes: bool, read_off: bool = False) -> str:
    """Say whether anything can be certified with the rows and the epsilon in use, without a full stop.

    Parameters
    ----------
    found : Feasibility
        With what was read off the rows taken as public.
    noun : str
        What one row stands for.
    of_classes : bool
        Whether a class is predicted.
    read_off : bool
        Whether anything was read off the rows.
    """
    here = f"With {say.count(found.n, noun)} and ε = {say.short(found.choices.epsilon, 3)}"
    smaller = _smaller(of_classes)
    if found.certified:
        can = "could be certified with public bounds" if read_off else "can be certified"
        return f"{here}, something {smaller} {can}"
    if not found.proved:
        return f"{here}, this method certifies nothing, whatever comes out"
    return f"{here}, nothing {smaller} can be certified"


def feasible_detail(found: Feasibility, noun: str, *, read_off: bool = False) -> str:
    """Say from which epsilon and how many rows on something can be certified, and what that costs in coverage."""
    if not found.proved:
        return "This method proves nothing about coverage; choose one that does."
    first = READ_OFF if read_off else ""
    parts = (first, _cost(found), _limits(found, noun), _obstacle(found), _per_group(found, noun))
    return " ".join(part for part in parts if part)


def feasible_alt(found: Feasibility, noun: str, *, of_classes: bool, read_off: bool = False) -> str:
    """Say what the picture shows, for people who cannot see it."""
    headline = feasible_headline(found, noun, of_classes=of_classes, read_off=read_off)
    return f"{headline}. {feasible_detail(found, noun, read_off=read_off)}"


def _smaller(of_classes: bool) -> str:
    return "smaller than every class" if of_classes else "narrower than the whole range"


def _cost(found: Feasibility) -> str:
    if not found.certified or found.target_count is None:
        return ""
    wanted, points = say.level(found.choices.confidence_level), say.number(100 * found.coverage_cost)
    return (
        f"To be sure of {wanted}, the threshold aims at {say.percent(found.aimed_coverage)} of the ranked rows: "
        f"{points} {'point' if points == '1' else 'points'} are the price of noise and proof."
    )


def _limits(found: Feasibility, noun: str) -> str:
    """Name the smallest epsilon for these rows and the fewest rows for this epsilon."""
    rows = "" if found.smallest_n is None else f"it takes {say.count(found.smallest_n, noun)} or more"
    if rows and not found.choices.recipe.private_training:
        return f"{rows[:1].upper()}{rows[1:]}, whatever ε is, as nothing here is private."
    parts = []
    if found.smallest_epsilon is not None:
        smallest = say.short(found.smallest_epsilon)
        more = "or more" if found.largest_epsilon is None else f"to {say.short(found.largest_epsilon)}, not more"
        parts.append(f"with these rows it takes ε = {smallest} {more}")
    if rows:
        parts.append(f"at this ε {rows}")
    if not parts:
        return "At this ε no number of rows is enough, and with these rows no ε is; change both."
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _per_group(found: Feasibility, noun: str) -> str:
    if not found.choices.by_group:
        return ""
    return f"Each group has a threshold of its own here: read these as the {plural(noun)} of one group."


def _obstacle(found: Feasibility) -> str:
    match found.obstacle:
        case "rows":
            return _too_few(found)
        case "level":
            return (
                "Making up for rows that trained lowers the miss rate so far that a smaller ε would do better; another "
                "way to pay for unseen rows helps."
            )
        case "widening":
            return "The public amount by which intervals are widened is as large as the scores themselves."
        case _:
            return ""


def _too_few(found: Feasibility) -> str:
    """Say what helps of more rows, a larger epsilon and fewer bins; "" where none of them does alone."""
    if found.target_count is None:
        return "There are too few rows to rank; more rows help."
    helps = ["more rows"] if found.smallest_n is not None else []
    if found.smallest_epsilon is not None:
        helps.append("a larger ε")
    if not helps:
        return ""
    return f"One row weighs too much for this budget: {', '.join(helps)}{',' if helps[1:] else ''} or fewer bins help."


def table_mark(n: int, noun: str) -> str:
    r"""Name the table in use at its place in the picture.

    >>> table_mark(3200, "patient")
    'your 3,200\xa0patients'
    """
    return f"your {say.count(n, noun)}"


def rows_axis(noun: str) -> str:
    """Return the title of the axis of rows.

    >>> rows_axis("patient")
    'Patients whose rows are used'
    """
    many = plural(noun)
    return f"{many[:1].upper()}{many[1:]} whose rows are used" if noun != "row" else "Rows that are used"


def held_out_words(n: int, n_rows: int, noun: str) -> str:
    """Say that a simulation uses fewer rows than the table has."""
    return (
        f"The ring is this table as simulations use it: {say.count(n, noun)} of {say.whole(n_rows)}; the others are "
        "held out to measure coverage. A release may use all."
    )


def plane_key() -> str:
    """Say what numbers, line and hatching of the picture mean."""
    return (
        "Numbers: the share of ranked rows, in per cent, that the threshold must aim to cover; the stronger the "
        "colour, the less is lost to noise and proof. Hatched: nothing can be certified."
    )
