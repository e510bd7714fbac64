"""The page of a report: one HTML file without any outside request."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dpcp_core.presentation.figures import (
    example_rows,
    groups,
    mechanism,
    sets,
    spread,
    strip,
    training,
)
from dpcp_core.presentation.html_parts import document, paragraph, picture_section, section, table_of
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
        paragraph(" ".join([privacy_readout(result).sentence, *result.receipt.leaks])),
        section("In plain words", paragraph(plain_words(result))),
        *_pictures(result),
        section("A few held-out rows", table_of(example_rows(result, _EXAMPLES))),
        section("What is promised about coverage", paragraph(certificate_sentence(result))),
        *_groups(result),
        section("What the doctor says", _doctor(result)),
        section("Privacy receipt", f"<pre>{escape(result.receipt.to_text())}</pre>"),
        section("Settings", _settings(result)),
    ]
    if data is not None:
        code = python_snippet(result.settings, data)
        parts.append(section("Python that repeats this run", f"<pre>{escape(code)}</pre>"))
    parts.append(section("What a simulation is", paragraph(SIMULATION_MEANING)))
    return document(title, "\n".join(parts))


def _readout(readout: Readout) -> str:
    return (
        f'<div class="readout">{escape(readout.label)}<b>{escape(readout.value)}</b>'
        f'<span class="muted">{escape(readout.comparison)}</span></div>'
    )


def _pictures(result: SimulationResult) -> list[str]:
    # The plotly library goes in once, with the first picture.
    pictures = [strip(result), mechanism(result), spread(result)]
    if result.sets is not None:
        pictures.append(sets(result))
    if measured(result):
        pictures.append(groups(result))
    if result.trace is not None:
        pictures.append(training(result))
    return [picture_section(picture, with_library=i == 0) for i, picture in enumerate(pictures)]


def _groups(result: SimulationResult) -> list[str]:
    words = groups_words(result)
    return [section("Groups", paragraph(words))] if words else []


def _doctor(result: SimulationResult) -> str:
    if not result.findings:
        return paragraph("Nothing to mend at these settings.")
    sentences = (f"{f.symptom} {f.cause} {f.remedy}" for f in result.findings)
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _settings(result: SimulationResult) -> str:
    lines = [
        f"<tr><td>{escape(CONTROLS[name].label)}</td><td>{escape(option_title(name, value))}</td></tr>"
        for name, value in result.settings.to_dict().items()
        if value not in (None, "")
    ]
    return f"<table>{''.join(lines)}</table>"
