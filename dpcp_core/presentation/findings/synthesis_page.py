"""What the text claims of DPDSyn, held against what was run."""

from __future__ import annotations

from collections.abc import Iterator

from dpcp_core import __version__
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.run import SynthesisReproduction
from dpcp_core.presentation.findings.page import missing_line
from dpcp_core.presentation.findings.sheet import Sheet, weigh
from dpcp_core.presentation.findings.synthesis_claims import OF_THE_TEXT, OUR_OWN, SOURCES
from dpcp_core.presentation.wording import numbers as say

TITLE = "What the text claims of DPDSyn, and what we find"

TIMES = (
    "Times are wall time from the rows to the table, while other cells may have been running beside it; compare them "
    "by orders of magnitude."
)


def synthesis_sheet(done: SynthesisReproduction) -> Sheet:
    """Return the page of findings."""
    evidence = done.evidence
    return Sheet(
        TITLE,
        weigh(evidence, OF_THE_TEXT),
        weigh(evidence, OUR_OWN),
        SOURCES,
        tuple((run.name, run.title) for run in done.runs),
        tuple(_lines(done)),
    )


def _lines(done: SynthesisReproduction) -> Iterator[str]:
    for run in done.runs:
        yield (
            f"{run.title}: {say.count(run.n_rows, 'row')}, {say.count(len(run.cells), 'cell')}, "
            f"{say.count(done.effort.repetitions, 'repetition')}; digest {run.digest[:12]}."
        )
        for problem, methods in _problems(done, run.name).items():
            yield f"{run.title}, {', '.join(METHODS[name].title for name in methods)}: {problem}"
    yield from (f"{table.title}: not asked for; --tables {table.name} runs it." for table in done.left_out)
    yield from (missing_line(table) for table in done.missing)
    if done.effort.rivals != "all":
        yield "MST and AIM were not run: they take minutes for each table; --rivals all runs them."
    yield "Tables are made from 80 % of the rows and measured on 10 %, equal rows on one side; the rest is not used."
    yield TIMES
    yield f"Seeds from {done.effort.seed} on; dpcp-core {__version__}."


def _problems(done: SynthesisReproduction, table: str) -> dict[str, tuple[str, ...]]:
    """Return what went wrong on a table, each sentence once, with the methods that it befell."""
    (run,) = (run for run in done.runs if run.name == table)
    found: dict[str, tuple[str, ...]] = {}
    for failure in run.failures:
        found[failure.problem] = tuple(dict.fromkeys((*found.get(failure.problem, ()), failure.cell.method)))
    return found
