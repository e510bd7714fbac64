"""What the texts claim of DPCP, held against what was run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpcp_core import __version__
from dpcp_core.experiments.reproduce.evidence import Evidence
from dpcp_core.experiments.reproduce.published.registry import PublishedTable
from dpcp_core.experiments.reproduce.run import Reproduction
from dpcp_core.presentation.findings.claims import OF_THE_TEXTS, OUR_OWN, SOURCES, Claim
from dpcp_core.presentation.findings.sheet import Finding, Sheet, sheet_html, sheet_markdown, weigh
from dpcp_core.presentation.wording import numbers as say

TITLE = "What the texts claim of DPCP, and what we find"


def findings(done: Reproduction, claims: Sequence[Claim[Evidence]]) -> tuple[Finding, ...]:
    """Return each claim with its verdict."""
    return weigh(done.evidence, claims)


def findings_markdown(done: Reproduction) -> str:
    """Return the page as Markdown."""
    return sheet_markdown(_sheet(done))


def findings_html(done: Reproduction) -> str:
    """Return the page as one HTML file without any outside request."""
    return sheet_html(_sheet(done))


def _sheet(done: Reproduction) -> Sheet:
    return Sheet(
        TITLE,
        findings(done, OF_THE_TEXTS),
        findings(done, OUR_OWN),
        SOURCES,
        tuple((run.name, run.title) for run in done.runs),
        tuple(run_lines(done)),
    )


def run_lines(done: Reproduction) -> Iterator[str]:
    """Yield what was run and what was not, a line for each table."""
    for run in done.runs:
        repetitions = run.comparison()[0].settings.repetitions
        yield (
            f"{run.title}: {say.count(run.n_rows, 'row')}, {say.count(len(run.cells), 'cell')}, "
            f"{say.count(repetitions, 'repetition')}{_failed(len(run.failures))}; digest {run.digest[:12]}."
        )
    yield from (f"{table.title}: not asked for; --tables {table.name} runs it." for table in done.left_out)
    yield from (missing_line(table) for table in done.missing)
    n = say.whole(done.timing.n_ranked)
    yield f"Times: a simulated table with {n} ranked rows, {say.count(len(done.timing.training), 'run')} of each step."
    yield f"Seed {done.effort.seed}; dpcp-core {__version__}."


def missing_line(table: PublishedTable) -> str:
    """Say that a table is missing, which file is looked for, and where a user gets it.

    >>> from dpcp_core.experiments.reproduce.published.registry import BY_NAME
    >>> missing_line(BY_NAME["bike"])  # doctest: +ELLIPSIS
    'Bike Sharing is missing (bike_sharing_hour.csv, or hour.csv): download it from https://...'
    """
    return f"{table.title} is missing ({', or '.join(table.files)}): download it from {table.source}."


def _failed(n: int) -> str:
    return f", {n} of which cannot be computed" if n else ""
