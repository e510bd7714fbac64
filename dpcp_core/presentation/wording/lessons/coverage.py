"""Lesson: coverage, count the misses."""

from __future__ import annotations

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons.lesson import Lesson, Option, Question
from dpcp_core.presentation.wording.regions import mean_size

LESSON = Lesson(
    name="coverage",
    short="Misses",
    title="Coverage: count the misses",
    story=(
        "A model predicts the blood pressure of new patients and gives an interval for each. You decide how many of "
        "the true values must lie inside: the coverage. To see whether it holds, we take 100 patients whose true "
        "value was hidden from the model."
    ),
    guess=Question(
        "You ask for a coverage of 90 %. How many of the 100 true values lie outside their interval?",
        (
            Option("None", "90 % is not 100 %: misses belong to it, and the number says how many to expect."),
            Option(
                "Exactly 10",
                "Ten is what to expect, on average or fewer. Among any 100 patients chance makes it "
                "a few more or fewer.",
            ),
            Option(
                "About 10, or somewhat fewer; chance decides",
                "Yes. At least 90 in 100 are inside on average; each 100 patients differ a little.",
            ),
        ),
        right=2,
    ),
    move=(
        "Move the coverage. Count the crosses: each is a patient whose true value lies outside the interval. Watch "
        "what fewer misses cost in width."
    ),
    check=Question(
        "At 90 % coverage, the interval of one patient is 120 to 155 mmHg. What may you say?",
        (
            Option(
                "The chance is 90 % that this patient's value lies inside.",
                "Not quite. The 90 % is a mean over "
                "all patients. For some it is lower: here, for those who are pregnant. Nobody can say it for one.",
            ),
            Option(
                "For about 9 in 10 patients the value lies inside; we cannot say for which.",
                "Yes. Coverage speaks of many patients, and names none of those who are missed.",
            ),
            Option("The value cannot lie outside.", "No. It can, and about one value in ten does."),
        ),
        right=1,
    ),
    idea="Coverage is a promise about many patients. Fewer misses cost width, and nobody knows who will be missed.",
    minutes=6,
)


def seen(result: SimulationResult) -> str:
    """Say how many of the patients in the picture are missed, how that varies, and what it costs."""
    rows = result.rows.covered
    missed, shown = int((~rows).sum()), len(rows)
    few, many = (say.fixed(100 * (1 - share), 0) for share in (result.coverage.max(), result.coverage.min()))
    asked = say.level(1 - result.settings.confidence_level)
    return (
        f"You allow {asked} of misses. Of these {say.count(shown, 'patient')}, {say.whole(missed)} "
        f"{'is' if missed == 1 else 'are'} missed. In {say.count(result.settings.repetitions, 'repetition')} with "
        f"{say.count(result.n_test, 'patient')} each, between {few} and {many} in 100 were. An interval is "
        f"{mean_size(result)} wide on average."
    )
