"""Is a synthetic table still useful? The answer in words, with what is chance taken into account."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, row_noun
from dpcp_core.presentation.wording.synthesis_measures import MEASURES, SHARES_OF_ROWS, score_words
from dpcp_core.presentation.wording.synthesis_page import with_article
from dpcp_core.synthesis.attributes import ATTRIBUTES

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import SynthesisResult

Verdict = Literal["yes", "partly", "no", "open"]

_LOWER_IS_BETTER = frozenset({"rmse"})
_NEARLY, _MOSTLY, _HALF = 0.9, 0.75, 0.5
_GAP = 0.03
"""A class's share that is off by more than this is worth a sentence."""

_OPENINGS: Mapping[str, str] = {"yes": "Yes", "partly": "Partly", "no": "No", "open": "Cannot be told here"}


@dataclass(frozen=True)
class SynthesisAnswer:
    """The answer in words.

    Attributes
    ----------
    verdict : "yes", "partly", "no" or "open"
        ``open`` where even real rows teach no more than a guess.
    headline : str
        One sentence, without a full stop.
    detail : str
        What it is compared to, and how much of it is chance.
    """

    verdict: Verdict
    headline: str
    detail: str


def default_measure(result: SynthesisResult) -> str:
    """Return the measure to begin with: accuracy, or AUC where a guess is right as often as what learns from real rows.

    "" where there is nothing to predict.
    """
    if not result.measures or not result.models:
        return ""
    first = result.measures[0]
    if first != "accuracy":
        return first
    return first if _gains(result, first)[1] > margin(result, first) else "auc"


def synthesis_answer(result: SynthesisResult, measure: str) -> SynthesisAnswer:
    """Say whether the table is useful.

    Parameters
    ----------
    result : SynthesisResult
    measure : str
        One of ``result.measures``; "" where nothing is predicted, or no model was trained yet.
    """
    if not measure:
        return SynthesisAnswer("open", "Nothing is predicted, so that only the columns can be compared", "")
    verdict, model = _verdict(result, measure), result.models[0]
    made, real = (result.score(model, measure, of).mean for of in ("synthetic", "real"))
    learner = with_article(result.model_title(model))
    told = (
        f"{learner} that learns from the synthetic table {_reaches(result, measure, made)}; from the real rows, "
        f"{_value_phrase(result, measure, real)}"
    )
    return SynthesisAnswer(verdict, f"{_OPENINGS[verdict]}: {told}", _detail(result, measure, verdict))


def margin(result: SynthesisResult, measure: str) -> float:
    """Return about how far chance moves a score either way (95 %): few held-out rows make it large."""
    model = result.models[0]
    n_test = result.runs[0].n_test
    real = result.score(model, measure, "real").mean
    if measure == "rmse":
        one = 1.96 * real / math.sqrt(2 * n_test)
    elif measure == "r2":
        one = 1.96 * (1 - real) * math.sqrt(2 / n_test)
    else:
        counted = n_test if measure == "accuracy" else max(n_test * _rarest(result), 1.0)
        inside = min(max(real, 0.05), 0.95)
        one = 1.96 * math.sqrt(inside * (1 - inside) / counted)
    return one / math.sqrt(len(result.runs))


def label_sentence(result: SynthesisResult) -> str:
    """Say how often the class that is most off occurs, in the table and in the real rows; "" for numbers."""
    rates = result.label_rates
    if rates is None:
        return ""
    gaps = [abs(made - real) for made, real in zip(rates.synthetic, rates.real, strict=True)]
    # Of two classes, both are off by as much; the second is the one that F1 is about.
    worst = 1 if len(gaps) == 2 else max(range(len(gaps)), key=gaps.__getitem__)
    target = result.target.title if result.target else "the target"
    return (
        f"{target} is “{rates.classes[worst]}” in {say.percent(rates.synthetic[worst])} of the synthetic rows and in "
        f"{say.percent(rates.real[worst])} of the real ones."
    )


def label_hint(result: SynthesisResult) -> str:
    """Say what would bring the classes' shares closer; "" where they are close, or nothing is known to help."""
    rates, settings = result.label_rates, result.settings
    if rates is None or rates.gap <= _GAP:
        return ""
    rarest = min(range(len(rates.real)), key=lambda place: (rates.real[place] <= 0, rates.real[place]))
    if rates.synthetic[rarest] >= rates.real[rarest]:
        return ""
    if settings.labels == "argmax":
        return "The likeliest class leaves out the rare one: labels drawn by chance come closer."
    if settings.labels == "sample":
        return "A noisy count of the classes puts their shares right."
    return "Columns drawn independently seldom combine into a rare class." if settings.attributes == "marginals" else ""


def leak_sentence(result: SynthesisResult) -> str:
    """Say what the way to make columns gives away; "" where it is private.

    The published way, ``shuffle``, is the only one that gives anything away.
    """
    maker = ATTRIBUTES[result.settings.attributes]
    if not maker.leak:
        return ""
    noun = row_noun(result.one_row_is)
    return (
        f"{maker.leak} Somebody who knows all {plural(noun)} but one subtracts what they know, and is left with "
        "everything about that one. The receipt says ε = infinity, whatever the slider says."
    )


def fidelity_sentence(result: SynthesisResult) -> str:
    """Say how alike both tables are, column by column and pair by pair."""
    alone, pairs = (result.fidelity(name).mean for name in ("one_way_error", "two_way_error"))
    return (
        f"To match the real rows, {say.percent(alone)} of the values of a column would have to change on average; for "
        f"two columns to match together, {say.percent(pairs)} of the rows."
    )


def _gains(result: SynthesisResult, measure: str) -> tuple[float, float]:
    """Return how far the model that learnt from synthetic rows, and the one from real rows, are better than a guess."""
    sign, model = -1.0 if measure in _LOWER_IS_BETTER else 1.0, result.models[0]
    guess = result.majority(measure).mean
    made, real = (result.score(model, measure, of).mean for of in ("synthetic", "real"))
    return sign * (made - guess), sign * (real - guess)


def _verdict(result: SynthesisResult, measure: str) -> Verdict:
    made, real = _gains(result, measure)
    chance = margin(result, measure)
    if not real > chance:
        return "open"
    kept = made / real
    if kept >= _NEARLY or (kept >= _MOSTLY and real - made <= chance):
        return "yes"
    return "partly" if kept >= _HALF and made > chance else "no"


def _reaches(result: SynthesisResult, measure: str, value: float) -> str:
    words, people = score_words(result, measure, value), plural(row_noun(result.one_row_is))
    match measure:
        case "accuracy":
            return f"is right for {words} of held-out {people}"
        case "rmse":
            return f"is typically off by {words} for held-out {people}"
        case "balanced_accuracy":
            return f"reaches a balanced accuracy of {words} on held-out {people}"
        case "r2":
            return f"reaches R² = {words} on held-out {people}"
        case _:
            return f"reaches {MEASURES[measure]} = {words} on held-out {people}"


def _value_phrase(result: SynthesisResult, measure: str, value: float) -> str:
    words = score_words(result, measure, value)
    return {"accuracy": f"for {words}", "rmse": f"by {words}"}.get(measure, words)


def _detail(result: SynthesisResult, measure: str, verdict: Verdict) -> str:
    guess, own = result.majority(measure).mean, result.task_model(measure).mean
    said = [
        f"Guessing without a look at anybody: {score_words(result, measure, guess)}.",
        f"The private model that labelled the rows: {score_words(result, measure, own)}.",
        *_rival_words(result, measure),
        _chance_words(result, measure),
    ]
    if verdict == "open":
        said.insert(0, "Even the real rows teach hardly more than a guess, by this measure and with so few rows.")
    return " ".join(said)


def _rival_words(result: SynthesisResult, measure: str) -> list[str]:
    """Name the rival that does best, where it does better than this table."""
    sign, model = -1.0 if measure in _LOWER_IS_BETTER else 1.0, result.models[0]
    scored = [(sign * rival.score(model, measure).mean, rival) for rival in result.rivals if rival.scores]
    if not scored:
        return []
    value, best = max(scored, key=lambda pair: pair[0])
    ahead = value - sign * result.score(model, measure).mean > 0
    return [f"The rival “{best.title}”{' does better' if ahead else ''}: {score_words(result, measure, sign * value)}."]


def _chance_words(result: SynthesisResult, measure: str) -> str:
    within, runs = margin(result, measure), len(result.runs)
    people = say.count(result.runs[0].n_test, row_noun(result.one_row_is))
    tables = f", mean of {say.count(runs, 'table')}" if runs > 1 else ""
    apart = (
        f"{say.number(100 * within, 2)} percentage points"
        if measure in SHARES_OF_ROWS
        else score_words(result, measure, within, 2)
    )
    return f"Measured on {people} held out{tables}: differences of about {apart} can be chance."


def _rarest(result: SynthesisResult) -> float:
    """Return the share of the rarer class, or of the rarest that occurs."""
    rates = result.label_rates
    shares = [share for share in rates.real if share > 0] if rates is not None else []
    return min(shares, default=1.0)
