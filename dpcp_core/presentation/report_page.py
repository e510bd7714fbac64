"""The page of a report: one HTML file without any outside request."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from dpcp_core.presentation.figures import (
    PLOTLY_CONFIG,
    Picture,
    example_rows,
    groups,
    mechanism,
    sets,
    spread,
    strip,
    training,
)
from dpcp_core.presentation.figures.theme import LIGHT
from dpcp_core.presentation.snippets import python_snippet
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.group_words import groups_words, measured
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION, SIMULATION_MEANING, certificate_sentence, plain_words
from dpcp_core.presentation.wording.readouts import Readout, privacy_readout, readouts
from dpcp_core.presentation.wording.regions import thing
from dpcp_core.presentation.wording.terms import option_title

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.result import SimulationResult

_KEEP = "This page shows true values of real rows: keep it as safe as the table itself."
_EXAMPLES = 5

_STYLE = f"""
body {{ font: 16px/1.5 "Source Sans 3", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif;
  color: {LIGHT.ink}; background: {LIGHT.paper}; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin-bottom: .3rem; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .3rem; }}
.badge {{ color: {LIGHT.miss_text}; font-weight: 600; }}
.readouts {{ display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }}
.readout {{ flex: 1 1 15rem; border: 1px solid {LIGHT.grid}; border-radius: .5rem; padding: .8rem 1rem; }}
.readout b {{ display: block; font-size: 1.6rem; font-weight: 600; }}
.muted, summary {{ color: {LIGHT.muted}; }}
table {{ border-collapse: collapse; font-size: .9rem; }}
th, td {{ text-align: right; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid {LIGHT.grid}; }}
th:first-child, td:first-child {{ text-align: left; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; background: {LIGHT.grid}66; padding: 1rem; }}
@media print {{ details {{ display: none; }} .plotly-graph-div, .readout {{ break-inside: avoid; }} }}
"""


def page(result: SimulationResult, data: Dataset | None = None) -> str:
    """Return the report of a result.

    Parameters
    ----------
    result
        A finished simulation.
    data
        Its table; with it, the page ends with the code that repeats the run.
    """
    title = f"{shortened(result.target.title)}: {thing(result)}s at ε = {say.short(result.settings.epsilon, 3)}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(_KEEP)}</p>',
        f'<div class="readouts">{"".join(map(_readout, readouts(result)))}</div>',
        _paragraph(" ".join([privacy_readout(result).sentence, *result.receipt.leaks])),
        _section("In plain words", _paragraph(plain_words(result))),
        *_pictures(result),
        _section("A few held-out rows", _table(example_rows(result, _EXAMPLES))),
        _section("What is promised about coverage", _paragraph(certificate_sentence(result))),
        *_groups(result),
        _section("What the doctor says", _doctor(result)),
        _section("Privacy receipt", f"<pre>{escape(result.receipt.to_text())}</pre>"),
        _section("Settings", _settings(result)),
    ]
    if data is not None:
        code = python_snippet(result.settings, data)
        parts.append(_section("Python that repeats this run", f"<pre>{escape(code)}</pre>"))
    parts.append(_section("What a simulation is", _paragraph(SIMULATION_MEANING)))
    return _document(title, "\n".join(parts))


def _document(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(title)}</title><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _readout(readout: Readout) -> str:
    return (
        f'<div class="readout">{escape(readout.label)}<b>{escape(readout.value)}</b>'
        f'<span class="muted">{escape(readout.comparison)}</span></div>'
    )


def _section(title: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{body}"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _pictures(result: SimulationResult) -> list[str]:
    # The plotly library goes in once, with the first picture.
    pictures = [strip(result), mechanism(result), spread(result)]
    if result.sets is not None:
        pictures.append(sets(result))
    if measured(result):
        pictures.append(groups(result))
    if result.trace is not None:
        pictures.append(training(result))
    return [_picture(picture, with_library=i == 0) for i, picture in enumerate(pictures)]


def _picture(picture: Picture, *, with_library: bool) -> str:
    drawn = picture.figure.to_html(
        full_html=False, include_plotlyjs=with_library, include_mathjax=False, config=PLOTLY_CONFIG
    )
    body = (
        f'<div role="img" aria-label="{escape(picture.alt, quote=True)}">{drawn}</div>'
        f"<details><summary>The same as a table</summary><p>{escape(picture.alt)}</p>{_table(picture.table)}</details>"
    )
    return _section(picture.title, body)


def _table(table: pd.DataFrame) -> str:
    return table.to_html(index=False, border=0, escape=True, na_rep="", float_format=lambda value: f"{value:.4g}")


def _groups(result: SimulationResult) -> list[str]:
    words = groups_words(result)
    return [_section("Groups", _paragraph(words))] if words else []


def _doctor(result: SimulationResult) -> str:
    if not result.findings:
        return _paragraph("Nothing to mend.")
    sentences = (f"{f.symptom} {f.cause} {f.remedy}" for f in result.findings)
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _settings(result: SimulationResult) -> str:
    lines = [
        f"<tr><td>{escape(CONTROLS[name].label)}</td><td>{escape(option_title(name, value))}</td></tr>"
        for name, value in result.settings.to_dict().items()
        if value not in (None, "")
    ]
    return f"<table>{''.join(lines)}</table>"
