"""Everything that a reproduction is written down as: names within a folder, and what the files hold."""

from __future__ import annotations

import io
from collections.abc import Iterator

from dpcp_core.experiments.reproduce.run import Reproduction
from dpcp_core.presentation.findings.figures import figures_html
from dpcp_core.presentation.findings.page import findings_html, findings_markdown
from dpcp_core.presentation.findings.tables import cells_frame, markdown_tables


def files_of(done: Reproduction) -> Iterator[tuple[str, str]]:
    """Yield the name of each file, relative to a folder, and its text; each is made when it is asked for."""
    yield "findings.md", findings_markdown(done)
    yield "findings.html", findings_html(done)
    buffer = io.StringIO()
    cells_frame(done.runs).to_csv(buffer, index=False, lineterminator="\n")
    yield "tables/cells.csv", buffer.getvalue()
    for run in done.runs:
        yield f"tables/{run.name}.md", markdown_tables(run)
        yield f"figures/{run.name}.html", figures_html(run)
