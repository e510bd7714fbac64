"""Everything that a reproduction of synthetic tables is written down as: names within a folder, and their text."""

from __future__ import annotations

import io
from collections.abc import Iterator

from dpcp_core.experiments.reproduce_synthesis.run import SynthesisReproduction
from dpcp_core.presentation.findings.sheet import Sheet, sheet_html, sheet_markdown
from dpcp_core.presentation.findings.synthesis_figures import synthesis_figures
from dpcp_core.presentation.findings.synthesis_tables import synthesis_frame, synthesis_markdown


def synthesis_files(done: SynthesisReproduction, sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield the name of each file, relative to a folder, and its text; each is made when it is asked for."""
    yield "findings.md", sheet_markdown(sheet)
    yield "findings.html", sheet_html(sheet)
    buffer = io.StringIO()
    synthesis_frame(done.runs).to_csv(buffer, index=False, lineterminator="\n")
    yield "tables/cells.csv", buffer.getvalue()
    for run in done.runs:
        yield f"tables/{run.name}.md", synthesis_markdown(run, done.effort.models)
        yield f"figures/{run.name}.html", synthesis_figures(run)
