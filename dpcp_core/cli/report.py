"""A simulation's result as text for a terminal: what it means, a small table, the doctor, the receipt."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dpcp_core.cli.aside import printable
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.group_words import groups_words
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION, certificate_sentence, plain_words
from dpcp_core.presentation.wording.readouts import privacy_readout
from dpcp_core.presentation.wording.regions import is_of_classes, size_in_words, thing
from dpcp_core.presentation.wording.thresholds import step_in_words, threshold_noun

if TYPE_CHECKING:
    from dpcp_core.evaluation.doctor import Finding
    from dpcp_core.experiments.result import SimulationResult

WIDTH = 88
_SHOWS = 0.995


def report_text(result: SimulationResult) -> str:
    """Return the report: sentences, a small table, findings and the receipt, at most 88 characters wide."""
    paragraphs = [plain_words(result), privacy_readout(result).sentence, certificate_sentence(result)]
    if result.groups:
        paragraphs.append(groups_words(result))
    blocks = [
        _heading(result),
        "\n\n".join(textwrap.fill(for_terminal(text), WIDTH) for text in paragraphs),
        _table(result),
        _doctor(result.findings),
        result.receipt.to_text().rstrip(),
    ]
    return for_terminal("\n\n".join(blocks))


def for_terminal(text: str) -> str:
    r"""Replace typographic spaces and signs by what every terminal and every encoding has.

    >>> for_terminal('4\u202f000\xa0patients, \u22122\u202f%, \u03b5 = 1')
    '4,000 patients, -2 %, epsilon = 1'
    """
    text = re.sub(r"(?<=\d)\u202f(?=\d{3})", ",", text)
    text = re.sub(r"\u00a0×\u00a010([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: f"e{power[1].translate(_LOWERED)}", text)
    return printable(text.translate(_PLAIN))


_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_PLAIN = str.maketrans({
    "\u202f": " ", "\u00a0": " ", "\u2212": "-", "\u2013": "-", "\u00b1": "+/-", "\u201c": '"', "\u201d": '"',
    "\u2019": "'", "\u2026": "...", "\u03b5": "epsilon", "\u03b4": "delta", "\u03b1": "alpha",
})  # fmt: skip


def _heading(result: SimulationResult) -> str:
    settings = result.settings
    name = result.dataset_name or "table"
    budget = f" at epsilon = {settings.epsilon:g}, delta = {settings.delta:g}" if settings.recipe.is_private else ""
    repetitions = say.count(settings.repetitions, "repetition")
    return "\n".join(
        [
            f"{name}: {thing(result)}s for {shortened(result.target.title)}",
            f"{settings.method} with {settings.trainer}{budget}; {repetitions}, seed {settings.seed}",
            f"{SIMULATION}.",
        ]
    )


def _table(result: SimulationResult) -> str:
    low, high = result.coverage_interval
    covered = say.percent(result.coverage_mean)
    if high > low:
        covered += f" +/- {say.fixed(50 * (high - low), 1)}"
    sizes = (result.size_mean, float(result.reference_size.mean()))
    thresholds = (result.threshold_mean, float(result.reference_thresholds.mean()))
    rows = [
        ("", result.settings.method, "without privacy"),
        ("coverage", covered, say.percent(float(result.reference_coverage.mean()))),
        (
            "mean set size" if is_of_classes(result) else "mean width",
            *(size_in_words(result, size) for size in sizes),
        ),
        *_shares(result),
        (f"mean {threshold_noun(result)}", *(step_in_words(result, threshold, 3) for threshold in thresholds)),
    ]
    cells = [[for_terminal(cell) for cell in row] for row in rows]
    wide = max(18, *(len(cell) for row in cells for cell in row[1:]))
    lines = [f"  {row[0]:<16}  {row[1]:>{wide}}  {row[2]:>{wide}}".rstrip() for row in cells]
    used = (
        f"{say.whole(result.n_train)} rows trained the model, {say.whole(result.n_calibration)} were ranked, "
        f"{say.whole(result.n_test)} were held out; {result.seconds:.2g} s."
    )
    return "\n".join([*lines, "", f"  {used}", *_cut_at_bounds(result)])


def _cut_at_bounds(result: SimulationResult) -> list[str]:
    """Say why a mean width is below two half-widths, where it shows."""
    if threshold_noun(result) != "half-width" or result.size_mean > _SHOWS * 2 * result.threshold_mean:
        return []
    return ["  Intervals end at the public bounds, so they are narrower than two half-widths."]


def _shares(result: SimulationResult) -> list[tuple[str, str, str]]:
    """Return how many sets name one class, and how many none."""
    if result.sets is None:
        return []
    shares = (("of one class", result.sets.singleton_share), ("empty", result.sets.empty_share))
    return [(f"sets {name}", say.percent(float(share.mean())), "") for name, share in shares]


def _doctor(findings: tuple[Finding, ...]) -> str:
    if not findings:
        return "DOCTOR\n  Nothing to mend at these settings."
    lines = ["DOCTOR"]
    for number, finding in enumerate(findings, 1):
        words = " ".join(part for part in (finding.symptom, finding.cause, finding.remedy) if part)
        start = f"  {number}. "
        lines += textwrap.wrap(for_terminal(words), WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
        if options := as_options(finding.change):
            lines.append(f"     Try: {options}")
    return "\n".join(lines)


def as_options(change: Mapping[str, object]) -> str:
    """Return changed settings as one would type them.

    >>> as_options({"epsilon": 2.0, "training_share": 0.25, "confidence_level": 0.8})
    '--epsilon 2 --training-share 0.25 --alpha 0.2'
    >>> as_options({"by_group": True, "steps": None})
    '--by-group (without --steps)'
    """
    words = []
    for name, value in change.items():
        if name == "confidence_level":
            name, value = "alpha", round(1 - float(str(value)), 12)
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool) or value is None:
            words.append(option if value else f"(without {option})")
        else:
            words.append(f"{option} {value:g}" if isinstance(value, float) else f"{option} {value}")
    return " ".join(words)
