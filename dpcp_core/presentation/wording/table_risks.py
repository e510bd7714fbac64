"""Could somebody be found in a synthetic table? What attacks found, and what that does not prove.

>>> attack_title("linkability", "patient", "")
'Two halves of one patient are matched'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpcp_core.evaluation.audit.inference import TOLERANCE
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.meaning import attack_limits, in_100
from dpcp_core.presentation.wording.nouns import plural, row_noun, shortened
from dpcp_core.presentation.wording.progress import duration
from dpcp_core.synthesis.attributes import ATTRIBUTES

if TYPE_CHECKING:
    from dpcp_core.evaluation.audit.estimates import PrivacyRisk
    from dpcp_core.evaluation.audit.table_risk import RiskName, TableRisk
    from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks
    from dpcp_core.experiments.synthesis import SynthesisResult

HEADING = "Could somebody be found in it?"
ATTACK = "Try three attacks"
PICTURE = "How often each attack succeeds"
AXIS = "Successes in 100 attacks"
BLIND = "blind guesses"
IN_PYTHON = "These attacks in Python"
STOPPED = "The attacks were stopped before there was an answer."

PART = "Singling out looks at as many {} in it as not in it, and so finds a part of what there is."
PROVES_NOTHING = "An attack that finds nobody proves nothing: another one may."
SHUFFLED = (
    "These attacks do not use that each column is published as it is. Whoever knows all {} but one takes them away, "
    "and reads off the one that is left. Nothing limits an attack here."
)
LEAKS = "The receipt names what is not private, so ε limits no attack here."
NO_CHANCE = "Chance in the attacks does not explain the difference."
BOTH_ALIKE = (
    "The difference can be chance. As far as this shows, what the table teaches is about everybody, not about its rows."
)
TOO_WEAK = "They are too weak to say anything about this table."

_LONGEST_SECRET = 24
_SHORT = {"singling_out": "singling out", "linkability": "matching halves", "inference": "guessing the target"}

Verdict = Literal["yes", "no", "open"]


@dataclass(frozen=True)
class RisksAnswer:
    """The answer in words.

    Attributes
    ----------
    verdict : "yes", "no" or "open"
        Found by some attack; not found by one that can find something; or no attack can.
    headline : str
        One sentence, without a full stop.
    detail : str
        What it means.
    """

    verdict: Verdict
    headline: str
    detail: str


def offer(one_row_is: str, seconds: float) -> str:
    """Say what is tried, and how long it takes.

    >>> offer("one patient", 3)
    'On patients that the table was made from, and on patients that it was not made from: about 3 seconds.'
    """
    people = plural(row_noun(one_row_is))
    return (
        f"On {people} that the table was made from, and on {people} that it was not made from: about "
        f"{duration(seconds)}."
    )


def attack_title(name: RiskName, noun: str, secret: str) -> str:
    """Return what succeeds when an attack does, short enough for a phone.

    >>> attack_title("inference", "patient", "Length of stay")
    'Length of stay is guessed'
    """
    if name == "singling_out":
        return f"A description fits one {noun} alone"
    if name == "linkability":
        return f"Two halves of one {noun} are matched"
    return f"{shortened(secret, _LONGEST_SECRET)} is guessed"


def titles(risks: SyntheticRisks, result: SynthesisResult) -> dict[str, str]:
    """Return the title of each attack that was tried."""
    noun, secret = row_noun(result.one_row_is), result.schema.column(risks.secret).title if risks.secret else ""
    return {each.name: attack_title(each.name, noun, secret) for each in risks.risks}


def whose(one_row_is: str) -> tuple[str, str, str]:
    """Return what the three bars of an attack are called.

    >>> whose("one patient")
    ('patients in it', 'patients not in it', 'blind guesses')
    """
    people = plural(row_noun(one_row_is))
    return f"{people} in it", f"{people} not in it", BLIND


def risks_answer(risks: SyntheticRisks, result: SynthesisResult) -> RisksAnswer:
    """Say whether somebody in the table was found because of having been in it."""
    found = [each for each in risks.risks if each.is_found]
    able = [each for each in risks.risks if each.is_informative]
    if found:
        worst = max(found, key=lambda each: each.risk.value)
        low, high = (say.percent(end, 0) for end in (worst.risk.low, worst.risk.high))
        detail = f"{NO_CHANCE} Of what was left to find, having been in the table gives away {low} to {high}."
        return RisksAnswer("yes", f"Yes: {_told(worst, risks, result)}", detail)
    if not able:
        return RisksAnswer("open", "Cannot be told here: no attack clearly beats a blind guess", TOO_WEAK)
    best = max(able, key=lambda each: each.attack.value - each.baseline.value)
    detail = BOTH_ALIKE
    weak = [_SHORT[each.name] for each in risks.risks if not each.is_informative]
    if weak:
        detail += f" These do no better than blind guesses and tell nothing: {' and '.join(weak)}."
    return RisksAnswer("no", f"Not by these attacks: {_told(best, risks, result)}", detail)


def risks_alt(risks: SyntheticRisks, result: SynthesisResult) -> str:
    """Return what the picture shows, with all its numbers."""
    names, bars = titles(risks, result), whose(result.one_row_is)
    said = [
        f"{names[each.name]}: "
        + ", ".join(f"{_interval(share)} for {bar}" for share, bar in zip(shares(each), bars, strict=True))
        for each in risks.risks
    ]
    return f"{risks_answer(risks, result).headline}. Successes in 100. {'. '.join(said)}."


def shares(risk: TableRisk) -> tuple[PrivacyRisk, PrivacyRisk, PrivacyRisk]:
    """Return how often an attack succeeds: on rows of the table, on others, by a blind guess."""
    return risk.attack, risk.control, risk.baseline


def caption(risks: SyntheticRisks, result: SynthesisResult) -> str:
    """Say what limits other attacks, and what was measured."""
    noun = row_noun(result.one_row_is)
    inside, outside = say.count(risks.n_original, noun), say.whole(risks.n_control)
    level = say.level(risks.risks[0].attack.confidence)
    is_number = bool(risks.secret) and result.schema.column(risks.secret).is_numeric
    right = f" A number is guessed right within {say.level(TOLERANCE)} of itself." if is_number else ""
    people = plural(noun)
    return (
        f"{PROVES_NOTHING} {_limit(result, noun)}{right} Measured on {inside} in the table and {outside} not in it: "
        f"the curator's view. {PART.format(people)} Bars have {level} intervals, for other attacks on the same "
        f"{people}."
    )


def _limit(result: SynthesisResult, noun: str) -> str:
    if ATTRIBUTES[result.settings.attributes].leak:
        return SHUFFLED.format(plural(noun))
    total = result.receipt.total
    if not total.is_finite:
        return LEAKS
    right = in_100(attack_limits(total).chance_right(), "times")
    return (
        f"What limits them all is ε = {say.short(total.epsilon)}: whoever guesses if a certain {noun} was in the table "
        f"is right at most {right}, and a coin 50 times."
    )


def _told(risk: TableRisk, risks: SyntheticRisks, result: SynthesisResult) -> str:
    """Return one attack as half a sentence, with both its numbers."""
    noun = row_noun(result.one_row_is)
    people = plural(noun)
    inside, outside = say.number(100 * risk.attack.value), say.number(100 * risk.control.value)
    times = f"{inside} times in 100 for {people} in it and {outside} times for {people} not in it"
    if risk.name == "inference":
        secret = say.mid_sentence(shortened(result.schema.column(risks.secret).title))
        return f"whoever knows the synthetic table guesses {secret} right {times}"
    if risk.name == "linkability":
        return f"the synthetic table matches two halves of one {noun} {times}"
    return (
        f"a description taken from the synthetic table fits one {noun} alone {inside} times in 100 among {people} in "
        f"it, and {outside} times among as many not in it"
    )


def _interval(share: PrivacyRisk) -> str:
    value, low, high = (say.number(100 * each) for each in (share.value, share.low, share.high))
    return f"{value} ({low} to {high})"
