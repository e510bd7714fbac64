"""What a synthetic table is worth, in words: for the page and the command line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import plural, row_noun, shortened
from dpcp_core.presentation.wording.synthesis_measures import MEASURES, score_text

if TYPE_CHECKING:
    from dpcp_core.evaluation.fidelity import LabelRates
    from dpcp_core.experiments.synthesis.measured import Measured
    from dpcp_core.experiments.synthesis.result import SynthesisResult
    from dpcp_core.experiments.synthesis.steps import SynthesisProgress

SIMULATED_TABLE = (
    "This table is a simulation and not a private release: it is drawn from a seed, and whoever knows the seed can "
    "take the noise off again. Keep it as safe as the table it was made from."
)
"""Beside every synthetic table that is made from a seed."""

NO_LABELS = (
    "No target is named, so all columns are drawn and none is labelled by a model; name the column to predict with "
    "--target, if there is one."
)
"""On the command line, where neither the schema nor a person names a target."""

_LARGE_GAP = 0.02
"""Label rates that differ by more than this mislead whoever counts labels."""

_SURE, _LEAST = 1.96, 0.02
"""Standard errors of a 95 % interval; the share that is as good as none when one is worked out."""


@dataclass(frozen=True)
class ScoreRow:
    """One line of the table of scores.

    Attributes
    ----------
    model : str
        Downstream model; "" for lines about none.
    source : str
        What it was trained on.
    texts : tuple of str
        A number for each measure.
    """

    model: str
    source: str
    texts: tuple[str, ...]


def score_rows(result: SynthesisResult) -> tuple[ScoreRow, ...]:
    """Return the table of scores: each model on each table, then the private model itself, and a guess."""
    rows = [row for model in result.models for row in _rows_of(result, model)]
    beside = {"private model itself": result.task_model, _guess(result): result.majority}
    rows += [ScoreRow("", name, _texts(result, [found(m) for m in result.measures])) for name, found in beside.items()]
    return tuple(rows) if result.measures else ()


def _rows_of(result: SynthesisResult, model: str) -> Iterator[ScoreRow]:
    title = result.model_title(model)
    yield ScoreRow(title, "synthetic rows", _texts(result, [result.score(model, m) for m in result.measures]))
    yield ScoreRow(title, "real rows", _texts(result, [result.score(model, m, "real") for m in result.measures]))
    for rival in result.rivals:
        if rival.scores:
            yield ScoreRow(
                title, f"rows of {rival.title}", _texts(result, [rival.score(model, m) for m in result.measures])
            )


def _guess(result: SynthesisResult) -> str:
    is_number = result.target is not None and result.target.is_numeric
    return "guess: the mean" if is_number else "guess: most frequent class"


def _texts(result: SynthesisResult, found: list[Measured]) -> tuple[str, ...]:
    return tuple(score_text(result, m, each) for m, each in zip(result.measures, found, strict=True))


def utility_sentence(result: SynthesisResult) -> str:
    """Say what the first model learns from the synthetic table, beside what it learns from real rows and a guess."""
    if not result.models:
        return _NOTHING_TO_PREDICT if not result.measures else ""
    model, measure = result.models[0], result.measures[0]
    synthetic, real = (result.score(model, measure, of).mean for of in ("synthetic", "real"))
    guess, title = result.majority(measure).mean, result.model_title(model)
    people = plural(row_noun(result.one_row_is))
    if measure == "rmse":
        unit = result.target.unit if result.target is not None else ""
        errors = [say.quantity(value, unit, 3) for value in (synthetic, real, guess)]
        return (
            f"A {title} that learnt from the synthetic table is typically off by {errors[0]} for {people} that were "
            f"held out; one that learnt from the real rows, by {errors[1]}; always guessing the mean, by {errors[2]}."
        )
    return (
        f"A {title} that learnt from the synthetic table is right about {say.percent(synthetic)} of the {people} that "
        f"were held out; one that learnt from the real rows, about {say.percent(real)}; always guessing the most "
        f"frequent class, about {say.percent(guess)}."
    )


_NOTHING_TO_PREDICT = "The table has no target, so nothing was trained on it; it was compared with the real rows only."


def control_sentence(result: SynthesisResult) -> str:
    """Say what the private model reaches itself, which is what its labels can teach."""
    if not result.measures:
        return ""
    measure = result.measures[0]
    reached = score_text(result, measure, result.task_model(measure))
    return (
        f"The private model that labelled the rows reaches {reached} itself ({MEASURES[measure]}): models that "
        "learn from its labels cannot be expected to do much better."
    )


def uncertainty_sentence(result: SynthesisResult) -> str:
    """Say how far chance moves a score: by repetitions where there are several, else by the rows held out."""
    if not result.models:
        return ""
    if len(result.runs) > 1:
        return "Behind ±: the standard deviation over repetitions, each with its own split and noise."
    measure, n_test = result.measures[0], result.runs[0].n_test
    held_out = f"With {say.count(n_test, 'held-out row')}, chance moves"
    if measure == "rmse":
        return f"{held_out} each typical error by about {say.percent(_SURE / math.sqrt(2 * n_test), 0)} either way."
    real = min(max(result.score(result.models[0], measure, "real").mean, _LEAST), 1 - _LEAST)
    points = say.fixed(100 * _SURE * math.sqrt(real * (1 - real) / n_test), 1)
    return f"{held_out} each accuracy by about {points} points either way; smaller differences say nothing."


def label_sentence(rates: LabelRates | None) -> str:
    """Say how far the shares of the classes are off, and which class is furthest off; "" for numbers.

    >>> from dpcp_core.evaluation.fidelity import LabelRates
    >>> print(label_sentence(LabelRates(("no", "yes"), (0.9, 0.1), (0.75, 0.25))).replace(chr(0x202f), " "))
    Counts of labels mislead: 25.0 % of the real rows are yes, but 10.0 % of the synthetic ones.
    """
    if rates is None or any(math.isnan(share) for share in (*rates.synthetic, *rates.real)):
        return ""
    gaps = [abs(made - real) for made, real in zip(rates.synthetic, rates.real, strict=True)]
    # Of two classes, both are off by as much: the second is the one that people look for.
    worst = max(range(len(gaps)), key=lambda place: (round(gaps[place], 9), place))
    name, made, real = rates.classes[worst], rates.synthetic[worst], rates.real[worst]
    words = f"{say.percent(real)} of the real rows are {shortened(name)}, but {say.percent(made)} of the synthetic ones"
    if rates.gap > _LARGE_GAP:
        return f"Counts of labels mislead: {words}."
    return f"Classes are about as frequent as they are: {words.replace(', but', ', and')}."


def fidelity_sentence(result: SynthesisResult) -> str:
    """Say how alike columns and pairs of columns are."""
    columns, pairs = (result.fidelity(name).mean for name in ("column_shapes", "column_pairs"))
    return (
        f"Column by column, the table agrees with the real rows to {say.percent(columns)}; two columns at a time, to "
        f"{say.percent(pairs)} (100{say.NARROW}% for equal shares in every cell)."
    )


def rules_sentence(result: SynthesisResult) -> str:
    """Say how many rows the rules dropped; "" where there are none."""
    report = result.report
    if not report.dropped_by:
        return ""
    each = "; ".join(f"{say.count(n, 'row')} broke {rule}" for rule, n in report.dropped_by)
    return (
        f"Of {say.count(report.n_drawn, 'drawn row')}, {_were(report.n_dropped)} dropped by rules: {each}. "
        "Rules change what the table looks like."
    )


def rival_sentences(result: SynthesisResult) -> tuple[str, ...]:
    """Say which rivals gave nothing, and why."""
    return tuple(rival.problem for rival in result.rivals if rival.problem)


def split_sentence(result: SynthesisResult) -> str:
    """Say which rows were used for what."""
    run = result.runs[0]
    equal = ""
    if result.n_duplicates:
        verb = "equals" if result.n_duplicates == 1 else "equal"
        equal = f" {say.count(result.n_duplicates, 'row')} {verb} an earlier one; equal rows were kept on one side."
    return (
        f"Made from {say.count(run.n_train, 'row')}, measured on {say.whole(run.n_test)} that were held out; "
        f"{_were(run.n_validation)} set aside and not used.{equal}"
    )


def _were(n: int) -> str:
    """Return how many rows something was done with: "1 was", "20 were"."""
    return f"{say.whole(n)} {'was' if n == 1 else 'were'}"


def partial_sentence(result: SynthesisResult) -> str:
    """Say that somebody stopped the run; "" if nobody did."""
    if result.is_complete:
        return ""
    return f"Stopped early: {say.whole(len(result.runs))} of {say.count(result.repetitions, 'repetition')} begun."


def progress_words(progress: SynthesisProgress | None) -> str:
    """Say how far a run is.

    >>> from dpcp_core.experiments.synthesis.steps import SynthesisProgress
    >>> progress_words(SynthesisProgress(1, 5, "fidelity", 2.0, None))
    'step 2 of 5: comparing with the real rows'
    """
    if progress is None:
        return "begins"
    if not progress.part:
        return "done"
    doing = _DOING.get(progress.part) or f"making a table with {progress.part}"
    return f"step {say.whole(progress.done + 1)} of {say.whole(progress.total)}: {doing}"


_DOING = {
    "table": "making the synthetic table",
    "fidelity": "comparing with the real rows",
    "logistic": "training a linear model",
    "mlp": "training a neural network",
    "svm": "training a linear SVM",
    "ft_transformer": "training a transformer, which takes minutes",
}
