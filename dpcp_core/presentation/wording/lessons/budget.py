"""Lesson: one budget, two uses."""

from __future__ import annotations

from dpcp_core.experiments.lessons.sharing import ShareCurve
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question

LESSON = Lesson(
    name="budget",
    short="Budget",
    title="One budget, two uses",
    story=(
        "ε is a budget. One part of it pays for learning the model, the rest for finding how wide intervals must be. "
        "Both read the same patients, so what one spends is gone for the other. A clinic has a small budget, ε = 0.1, "
        "and wants narrow intervals."
    ),
    guess=Question(
        "Which share of the budget should the model get?",
        (
            Option(
                "Nearly all: a good model makes narrow intervals.",
                "Then too little is left to find the width. It "
                "must be chosen with much noise, and to keep its promise it is chosen far too wide.",
            ),
            Option(
                "Nearly none: the width is what we want.",
                "Then the model learns little, and poor predictions need wider intervals.",
            ),
            Option(
                "Something in between.",
                "Yes: the best share lies between the ends. Giving the model too much costs far more here than giving "
                "it too little.",
            ),
        ),
        right=2,
    ),
    move="Move the share and look for the narrowest intervals. Watch what happens at both ends.",
    check=Question(
        "Every month the clinic publishes new intervals from the same patients, each time at ε = 1. What limits what "
        "somebody can learn about one patient after twelve months?",
        (
            Option(
                "ε = 1, because every month keeps to it.",
                "No. Each month tells a little, and somebody who keeps all twelve knows it all: budgets add up.",
            ),
            Option(
                "ε = 12, because budgets add up.",
                "Yes. Twelve times ε = 1 on the same patients is ε = 12 at most. "
                "Plan the whole year, and give each month its part.",
            ),
            Option("Nothing, once something is published.", "No. Budgets add up, but the sum is still a limit."),
        ),
        right=1,
    ),
    idea="All that is computed from the same patients shares one budget: within one result, and from one to the next.",
    minutes=6,
)

SHARE_LABEL = "Share of ε for the model"
WAIT = "Fitting models for nine shares"
AXIS_SHARE, AXIS_WIDTH = "Share of ε for the model", "Mean width of intervals"
LEGEND_CHOSEN, LEGEND_REFERENCE = "your share", "without privacy"
TABLE_COLUMNS = ("Share for the model, %", "Mean width")


def title(curve: ShareCurve) -> str:
    """Return the sentence above the picture."""
    return f"How wide intervals are, by the share of ε = {curve.epsilon:g} that the model gets"


def seen(curve: ShareCurve, share: float) -> str:
    """Say how wide intervals are at a share, at the best one, and without privacy."""
    here = say.quantity(curve.width_of(share), curve.unit)
    narrowest = say.quantity(curve.width_of(curve.best), curve.unit)
    free = say.quantity(curve.reference, curve.unit)
    if share == curve.best:
        return (
            f"With {say.level(share)} for the model, intervals are {here} wide: the narrowest here. Without "
            f"privacy they would be {free} wide."
        )
    return (
        f"With {say.level(share)} for the model, intervals are {here} wide. The narrowest, {narrowest}, come with "
        f"{say.level(curve.best)}. Without privacy they would be {free} wide."
    )


def alt(curve: ShareCurve, share: float) -> str:
    """Return what the picture shows, for people who cannot see it."""
    first, last = curve.shares[0], curve.shares[-1]
    ends = " and ".join(f"{say.quantity(curve.width_of(at), curve.unit)} at {say.level(at)}" for at in (first, last))
    return f"A curve with its lowest point in between: {ends}. {seen(curve, share)}"
