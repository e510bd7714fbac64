"""A page of figures for each table: coverage and size over epsilon, and how repetitions spread, for each model."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.reproduce.evidence import TableRun
from dpcp_core.presentation.figures.boxes import coverage_boxes, size_boxes
from dpcp_core.presentation.figures.compare import coverage_over_epsilon, size_over_epsilon
from dpcp_core.presentation.figures.picture import Picture, picture_config
from dpcp_core.presentation.html_parts import document, paragraph, picture_section
from dpcp_core.presentation.wording.compare import KEEP, counted
from dpcp_core.presentation.wording.plain import SIMULATION
from dpcp_core.presentation.wording.terms import option_title

_SPREAD_AT = 1.0
"""The epsilon at which repetitions are drawn one by one; the next larger one where it was not run."""


def figures_html(run: TableRun) -> str:
    """Return the figures of one table as one page that opens anywhere."""
    title = f"{run.title}: coverage and size over epsilon"
    parts = [f"<h1>{escape(title)}</h1>", f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(KEEP)}</p>']
    for trainer in run.trainers:
        comparison = Comparison(run.sweep_of(trainer))
        repetitions = comparison.result.plan.settings.repetitions
        counts = counted(len(comparison.methods), len(comparison.epsilons), repetitions)
        parts += [f"<h1>{escape(option_title('trainer', trainer))}</h1>", paragraph(f"{counts}.")]
        for name, picture in _pictures(comparison):
            config = picture_config(f"{run.name}-{trainer}-{name}")
            # The plotly library goes in once, with the first picture.
            is_first = trainer == run.trainers[0] and name == "coverage"
            parts.append(picture_section(picture, with_library=is_first, config=config))
    return document(title, "\n".join(parts))


def _pictures(comparison: Comparison) -> Iterator[tuple[str, Picture]]:
    epsilon = min((value for value in comparison.epsilons if value >= _SPREAD_AT), default=comparison.epsilons[-1])
    yield "coverage", coverage_over_epsilon(comparison)
    yield "size", size_over_epsilon(comparison)
    yield "coverage-boxes", coverage_boxes(comparison, epsilon)
    yield "size-boxes", size_boxes(comparison, epsilon)
