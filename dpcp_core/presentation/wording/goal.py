"""Which epsilon a goal needs, in words: one sentence, how sure it is, or why there is none and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.budget import size_noun
from dpcp_core.presentation.wording.nouns import plural
from dpcp_core.presentation.wording.regions import size_words

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column
    from dpcp_core.experiments.goal.answer import GoalAnswer
    from dpcp_core.experiments.goal.wish import Goal
    from dpcp_core.training.protocol import Task


def goal_headline(answer: GoalAnswer) -> str:
    """Return the answer in one short sentence, without a full stop."""
    if answer.status == "stopped":
        return "Stopped before there was an answer"
    if answer.epsilon is None:
        return f"Not reachable: {_wanted(answer)}"
    model = f", with {say.level(answer.training_share)} of it for the model," if _shares_differ(answer) else ""
    return f"ε = {say.short(answer.epsilon, 3)}{model} is enough for {_wanted(answer)}"


def goal_detail(answer: GoalAnswer, noun: str) -> str:
    """Say what was measured at the answer and how sure it is; or why there is none, and how many rows would do.

    Parameters
    ----------
    answer : GoalAnswer
    noun : str
        What one row stands for.
    """
    if answer.status == "stopped":
        return "What was looked at so far is shown below; search again for an answer."
    return _reached(answer) if answer.epsilon is not None else _not_reached(answer, noun)


def goal_alt(answer: GoalAnswer, noun: str) -> str:
    """Say what the picture of the search shows."""
    looks = [look for look in answer.looks if look.training_share == answer.training_share and not look.problem]
    seen = ""
    if looks:
        sizes = [look.size_mean for look in looks]
        seen = (
            f" Of {len(looks)} values of ε looked at, from {say.short(looks[0].epsilon, 3)} to "
            f"{say.short(looks[-1].epsilon, 3)}, the mean {size_noun(answer.task)} runs from "
            f"{_size(answer, min(sizes))} to {_size(answer, max(sizes))}."
        )
    return f"{goal_headline(answer)}. {goal_detail(answer, noun)}{seen}"


def _reached(answer: GoalAnswer) -> str:
    assert answer.epsilon is not None
    best = answer.best
    measured = ""
    if best is not None:
        low, high = best.size_interval
        measured = (
            f"There {_things(answer)} {_are(answer, best.size_mean)} on average "
            f"({say.number(low, 3)} to {say.number(high, 3)}) and hold the truth in {say.percent(best.coverage_mean)} "
            "of held-out rows. "
        )
    between = ""
    if _leaves_open(answer):
        between = (
            f"On average the goal is met from somewhere between ε = {say.short(answer.low or 0, 3)} and "
            f"{say.short(answer.high or 0, 3)} on; the answer keeps a margin, so that other simulations meet it, too. "
        )
    until = ""
    if answer.until is not None:
        until = f"Above ε = {say.short(answer.until, 3)} the goal is missed again. "
    return f"{measured}{between}{until}".strip()


def _not_reached(answer: GoalAnswer, noun: str) -> str:
    return f"{_why(answer, noun)} {_what_would_do(answer, noun)}".strip()


def _why(answer: GoalAnswer, noun: str) -> str:
    people, most = say.count(answer.n, noun), say.short(answer.largest_epsilon, 3)
    things, nearest = _things(answer), _nearest(answer)
    larger = "larger" if answer.task == "classification" else "wider"
    match answer.why:
        case "without_privacy":
            return (
                f"Even without privacy {things} {_are(answer, answer.reference_size)} on average. No budget and hardly "
                f"more {plural(noun)} can help; a better model, less coverage or a wider goal can."
            )
        case "certificate":
            return f"With {people} coverage cannot be certified by anything that tells something, up to ε = {most}."
        case "coverage":
            return (
                f"Nothing small enough surely held the truth in {say.level(answer.goal.coverage)} of held-out rows. "
                f"{_promise(answer)}"
            ).strip()
        case "turns":
            return f"With {people}, more budget makes {things} wider again before the goal is met{nearest}."
        case "narrowly":
            return f"With {people} it is met on average, but not by most simulations, up to ε = {most}{nearest}."
        case _:
            return f"With {people} and ε up to {most}, {things} stay {larger} than that{nearest}."


def _nearest(answer: GoalAnswer) -> str:
    near = answer.best
    return "" if near is None else f"; at best they {_are(answer, near.size_mean)}, at ε = {say.short(near.epsilon, 3)}"


def _promise(answer: GoalAnswer) -> str:
    proved = answer.feasibility is not None and answer.feasibility.proved
    return "" if proved else "This method promises no coverage; one that does needs no luck."


def _what_would_do(answer: GoalAnswer, noun: str) -> str:
    parts = []
    if answer.needed_epsilon is not None:
        parts.append(f"ε of about {say.short(answer.needed_epsilon)}")
    if answer.rows is not None:
        rows = answer.rows
        span = f" ({say.whole(rows.low)} to {say.whole(rows.high)})" if rows.low < rows.high else ""
        parts.append(f"about {say.count(rows.about, noun)}{span} at ε = {say.short(answer.largest_epsilon, 3)}")
    return f"What would do: {', or '.join(parts)}." if parts else ""


def _wanted(answer: GoalAnswer) -> str:
    return wanted(answer.goal, answer.target, answer.task)


def wanted(goal: Goal, target: Column, task: Task) -> str:
    """Return a goal as a phrase.

    >>> from dpcp_core.data.column import Column
    >>> from dpcp_core.experiments.goal.wish import Goal
    >>> phrase = wanted(Goal(coverage=0.9, width=40), Column("sbp", "number", unit="mmHg"), "regression")
    >>> phrase.replace(say.NARROW, " ").replace(say.FIXED, " ")
    'intervals of at most 40 mmHg with 90 % coverage'
    """
    size = size_words(target, task, goal.most)
    if task == "regression":
        size = say.with_unit(say.short(goal.most, 3), target.unit)
    things = "sets" if task == "classification" else "intervals"
    return f"{things} of at most {size} with {say.level(goal.coverage)} coverage"


def size_label(target: Column, task: Task) -> str:
    """Return the label of the input for the size that is wanted.

    >>> from dpcp_core.data.column import Column
    >>> size_label(Column("sbp", "number", unit="mmHg"), "regression")
    'Mean width wanted, mmHg'
    """
    return "Mean classes in a set" if task == "classification" else say.axis("Mean width wanted", target.unit)


def first_goal(target: Column, task: Task, without: float | None) -> float:
    """Return a size to begin with: a quarter above the one without privacy, as far as that is known.

    >>> from dpcp_core.data.column import Column
    >>> sbp = Column("sbp", "number", bounds=(70, 250), typical=(100, 160))
    >>> first_goal(sbp, "regression", 30.6), first_goal(sbp, "regression", None)
    (38.0, 60.0)
    >>> first_goal(Column("kind", "category", categories=("a", "b")), "classification", 1.9)
    1.8
    """
    if task == "classification":
        most = len(target.categories)
        size = (1 + most) / 2 if without is None else 1.25 * without
        return float(f"{min(max(size, 1.1), 0.9 * most):.2g}")
    if without is None or without <= 0:
        low, high = target.typical or target.bounds or (0.0, 1.0)
        return float(f"{high - low:.2g}")
    return float(f"{1.25 * without:.2g}")


def _things(answer: GoalAnswer) -> str:
    return "sets" if answer.task == "classification" else "intervals"


def _are(answer: GoalAnswer, size: float) -> str:
    words = _size(answer, size)
    return f"hold {words}" if answer.task == "classification" else f"are {words} wide"


def _size(answer: GoalAnswer, size: float) -> str:
    return size_words(answer.target, answer.task, size)


def _shares_differ(answer: GoalAnswer) -> bool:
    return len({look.training_share for look in answer.looks}) > 1


def take_epsilon_label(answer: GoalAnswer) -> str:
    """Return what the button is called that takes the answer over."""
    share = f" with {say.level(answer.training_share)} for the model" if _shares_differ(answer) else ""
    return f"Use ε = {say.short(answer.epsilon or 0.0, 3)}{share}"


def search_key(answer: GoalAnswer, *, cut: bool = False) -> str:
    """Say what the marks of the picture mean; ``cut`` where a size lies above it."""
    diamond = " Diamond: the answer." if answer.epsilon is not None else ""
    triangle = " Triangle: beyond the upper edge." if cut else ""
    shaded = " Shaded: from where on the goal may be met on average." if _leaves_open(answer) else ""
    return f"Every ε looked at, with 95{say.NARROW}% uncertainty.{diamond}{shaded}{triangle}"


def _leaves_open(answer: GoalAnswer) -> bool:
    return answer.low is not None and answer.high is not None and answer.low < answer.high
