"""What is asked of a class about each scenario, and what to notice.

>>> SCENARIO_WORDS["few_bins"].title
'Too few candidates'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class ScenarioWords:
    """The words of one scenario.

    Attributes
    ----------
    title : str
    question : str
        For the class, before anybody looks.
    notice : str
        What is true of the result, for the teacher.
    """

    title: str
    question: str
    notice: str


INTRODUCTION = (
    "Ten settings for a class, each with one thing to see. Ask the question first, let people guess, then open the "
    "page. Each link opens a new tab with its own settings, and can be shared."
)
OPEN = "Open scenario {number} on {page}"
NOTICE = "What to notice"

SCENARIO_WORDS: Mapping[str, ScenarioWords] = MappingProxyType(
    {
        "many_rows": ScenarioWords(
            "Many patients",
            "Four thousand patients, ε = 0.5: by how much does privacy widen the intervals?",
            "By less than a fifth. In a large table one person is small, so little noise is needed to hide anybody.",
        ),
        "few_rows": ScenarioWords(
            "Few patients",
            "The same ε = 0.5, but only 442 patients. Is the cost the same?",
            "It is more than twice as high. The noise that hides one person is large beside a small table.",
        ),
        "nothing_to_promise": ScenarioWords(
            "Too little budget",
            "442 patients and ε = 0.1. What will the app say about a new patient?",
            "Every interval is the whole range: it holds every true value and says nothing. The app says so, and gives "
            "no narrow interval that it could not stand by.",
        ),
        "few_misses": ScenarioWords(
            "Hardly any misses",
            "Instead of 10 misses in 100 we allow only 1. How much wider must intervals get?",
            "More than twice as wide: the last few misses are the expensive ones.",
        ),
        "few_bins": ScenarioWords(
            "Too few candidates",
            "The mechanism chooses the width from a public list. What if the list has only ten entries?",
            "Steps are coarse, so a wider entry must be taken: intervals are over a tenth wider than with a hundred, "
            "and hold more true values than was asked for.",
        ),
        "all_on_the_model": ScenarioWords(
            "All on the model",
            "ε = 0.25, and 90 % of it pays for the model. Do better predictions make narrower intervals?",
            "No. Too little is left to find the width, and intervals are over a half wider than with an even split.",
        ),
        "same_answer_for_all": ScenarioWords(
            "The same answer for all",
            "Who comes back to hospital? We ask for the right answer for 80 in 100. Will those who come back be found?",
            "No. Most patients do not come back, so “no” for everybody is right for more than 80 in 100. Of those who "
            "do come back, fewer than one in ten are held: coverage is a mean over all.",
        ),
        "which_method": ScenarioWords(
            "The narrowest is not private",
            "Which method gives the narrowest intervals at ε = 0.25, and would you publish it?",
            "The narrowest ones use no privacy, or an exact threshold. All that are private are wider here. Read what "
            "a method promises before its width.",
        ),
        "how_many_rows": ScenarioWords(
            "How many patients would do?",
            "At ε = 0.1 nothing can be promised for 442 patients. What would help: more ε, more patients, or either?",
            "Either. Under “What is possible?” the page says from how many patients, and from which ε on, something "
            "can be certified. No row was touched for that.",
        ),
        "nobody_comes_back": ScenarioWords(
            "A synthetic table without the rare",
            "About one patient in seven comes back to hospital. How many do in the synthetic table?",
            "Hardly any. Each made-up patient gets the most likely answer, and that is nearly always “no”. Let labels "
            "be drawn by chance, and the rare answer comes back.",
        ),
    }
)
