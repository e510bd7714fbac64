"""One A4 page about one person: self-contained HTML that a browser prints, without any outside request."""

from __future__ import annotations

import math
import re
from html import escape
from typing import TYPE_CHECKING

from dpcp_core import __version__
from dpcp_core.presentation.figures.theme import FONT, LIGHT
from dpcp_core.presentation.patient_svg import class_svg, dots_svg, hundred_svg
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording import patient, patient_context
from dpcp_core.presentation.wording import patient_page as words
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION, certificate_sentence, noun_of
from dpcp_core.presentation.wording.readouts import Readout
from dpcp_core.presentation.wording.regions import thing
from dpcp_core.presentation.wording.terms import option_title

if TYPE_CHECKING:
    from dpcp_core.experiments.person import Person, PersonAnswer, PersonModel

MOST_VALUES = 12
"""Values of the person that are printed; more would not leave room for the answer."""

_LONGEST, _LONGEST_VALUE = 30, 26
_LETTERS, _SMALLEST = 2700, 0.66
_TAG = re.compile(r"<[^>]*>")

_STYLE = f"""
@page {{ size: A4; margin: 10mm 14mm; }}
* {{ box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
body {{ font: 8.8pt/1.32 {FONT}; color: {LIGHT.ink}; max-width: 182mm; margin: 0 auto; overflow-wrap: anywhere; }}
h1 {{ font-size: 15pt; line-height: 1.15; margin: 0 0 1mm; }}
h2 {{ font-size: 10.5pt; margin: 2.4mm 0 .8mm; }}
p {{ margin: 0 0 1.2mm; }}
svg {{ display: block; width: 100%; }}
.badge {{ color: {LIGHT.miss_text}; font-weight: 600; }}
.small {{ font-size: 7.8pt; color: {LIGHT.muted}; }}
.cards {{ display: flex; gap: 4mm; margin: 2mm 0; }}
.card {{ flex: 1; border: 1px solid {LIGHT.grid}; border-radius: 2mm; padding: 1.4mm 3mm; }}
.card b {{ display: block; font-size: 12.5pt; line-height: 1.2; }}
.who {{ columns: 3; column-gap: 6mm; }}
.who div {{ break-inside: avoid; border-bottom: 1px solid {LIGHT.grid}; }}
.odds {{ display: flex; gap: 7mm; align-items: center; }}
.odds svg {{ flex: 0 0 66mm; }}
ul {{ margin: 0; padding-left: 4.5mm; columns: 2; column-gap: 9mm; }}
li {{ break-inside: avoid; }}
@media screen {{ body {{ margin: 8mm auto; padding: 0 4mm; max-width: 190mm; }} }}
"""


def sheet(model: PersonModel, given: PersonAnswer, threshold: float = 0.0, difference: float = 0.0) -> str:
    """Return the page about one person.

    Parameters
    ----------
    model, given
        Who answers, and what.
    threshold, difference
        In target units; 0 for a difference leaves its sentence out.

    Notes
    -----
    **Privacy.** Holds one person's values, and what is measured on real rows: for whoever looks after that person.
    """
    noun = noun_of(model.result)
    parts = [
        f"<h1>{escape(words.SHEET_TITLE)}: {escape(shortened(model.result.target.title))}</h1>",
        f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(words.SHEET_KEEP)}</p>',
        _section(f"This {noun}", _who(model, given.person)),
        f'<div class="cards">{"".join(map(_card, patient.cards(model, given, threshold)))}</div>',
        *_picture(model, given, threshold),
        _section(words.PLAIN_TITLE, _plain(model, given, difference)),
        _section(words.PRIVACY_TITLE, _privacy(model)),
        _section(words.UNKNOWN_TITLE, _unknown(model)),
        f'<p class="small">{escape(certificate_sentence(model.result))} {escape(_settings(model))}</p>',
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(words.SHEET_TITLE)}</title><style>{_STYLE}</style>'
    )
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n'
        f'<body style="zoom: {_zoom(body):.2f}">\n{body}\n</body></html>\n'
    )


def sheet_name(model: PersonModel) -> str:
    """Return the file name of a sheet; it tells nothing of the person."""
    return f"one-{''.join(letter for letter in noun_of(model.result) if letter.isascii() and letter.isalnum())}.html"


def _zoom(body: str) -> float:
    """Return how far a page with much text is made smaller, so that it stays one page.

    >>> _zoom("<p>short</p>"), round(_zoom("x" * 4800), 2), _zoom("x" * 8000)
    (1.0, 0.75, 0.66)
    """
    letters = len(_TAG.sub("", body))
    return min(1.0, max(_SMALLEST, math.sqrt(_LETTERS / max(letters, 1))))


def _section(title: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{body}"


def _paragraphs(sentences: list[str]) -> str:
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences if sentence)


def _card(readout: Readout) -> str:
    return (
        f'<div class="card">{escape(readout.label)}<b>{escape(readout.value)}</b>'
        f'<span class="small">{escape(readout.comparison)}</span></div>'
    )


def _who(model: PersonModel, person: Person) -> str:
    columns = [column for column in model.schema.features if column.name in person.values]
    lines = [
        (shortened(column.title, _LONGEST), _short(patient.value_words(person.values[column.name], column)))
        for column in columns[:MOST_VALUES]
    ]
    if model.schema.group is not None and person.group:
        lines.append((shortened(model.schema.group.title, _LONGEST), _short(person.group)))
    listed = "".join(f"<div>{escape(title)}: <b>{escape(value)}</b></div>" for title, value in lines)
    more = len(columns) - MOST_VALUES
    notes = [f"{say.count(more, 'more value')} not printed." if more > 0 else ""]
    notes.append(words.others_note(len(model.schema.features) - len(columns), public=not model.schema.from_file))
    rest = " ".join(note for note in notes if note)
    return f'<div class="who">{listed}</div><p class="small">{escape(rest)}</p>'


def _short(value: str) -> str:
    return shortened(value, _LONGEST_VALUE)


def _picture(model: PersonModel, given: PersonAnswer, threshold: float) -> list[str]:
    if given.classes is not None:
        return [class_svg(given.classes), f'<p class="small">{escape(patient.class_dots_sentence(model))}</p>']
    assert given.number is not None
    title = "" if given.number.dots is None else f"{patient.above_sentence(model, given.number, threshold)}."
    return [
        f"<p><b>{escape(title)}</b></p>",
        dots_svg(model, given.number, threshold),
        f'<p class="small">{escape(words.SHEET_MARKS)} {escape(patient.dots_sentence(model))}</p>',
    ]


def _plain(model: PersonModel, given: PersonAnswer, difference: float) -> str:
    sentences = [
        patient_context.nothing_sentence(model, given),
        patient_context.promise_sentences(model),
        patient_context.truth_sentence(model, given),
    ]
    if given.subgroup is not None:
        sentences.append(patient_context.subgroup_sentence(model, given.subgroup))
    if given.number is not None and difference > 0:
        sentences.append(patient_context.difference_sentence(model, given.number, difference))
    return _paragraphs(sentences)


def _privacy(model: PersonModel) -> str:
    drawn = hundred_svg(model.receipt.total.epsilon)
    return f'<div class="odds">{drawn}<div>{_paragraphs([patient_context.privacy_sentences(model)])}</div></div>'


def _unknown(model: PersonModel) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in patient_context.unknowns(model))
    return f"<ul>{lines}</ul>"


def _settings(model: PersonModel) -> str:
    chosen, dots = model.settings, ""
    if model.shape is not None:
        dots = f" and {say.short(model.dots_epsilon, 3)} for the dots"
    return (
        f"Made with ε = {say.short(chosen.epsilon)} for the {thing(model.result)}{dots}, "
        f"δ = {say.one_in(chosen.delta)}, "
        f"target coverage {say.level(chosen.confidence_level)}, {option_title('method', chosen.method)}, "
        f"{option_title('trainer', chosen.trainer)}, seed {chosen.seed}, DPCP Explorer {__version__}."
    )
