"""The page of findings: every claim with our figure and a verdict, as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from dpcp_core import __version__
from dpcp_core.experiments.reproduce.published.registry import PublishedTable
from dpcp_core.experiments.reproduce.run import Reproduction
from dpcp_core.experiments.reproduce.verdict import Verdict, judge
from dpcp_core.presentation.findings.claims import OF_THE_TEXTS, OUR_OWN, SOURCES, Claim
from dpcp_core.presentation.findings.tables import markdown_table
from dpcp_core.presentation.findings.words import HOW_DECIDED, MARKS, figure_words, status_words
from dpcp_core.presentation.html_parts import document, paragraph, section
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.compare import KEEP
from dpcp_core.presentation.wording.plain import SIMULATION, SIMULATION_MEANING

TITLE = "What the texts claim of DPCP, and what we find"
_HEAD = ("Claim", "Place", "Our figure", "Verdict")
_HEAD_OWN = ("Claim", "Our figure", "Verdict")


@dataclass(frozen=True)
class Finding:
    """A claim and what the numbers say of it."""

    claim: Claim
    verdict: Verdict

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in its line of the table."""
        verdict = f"{MARKS[self.verdict.status]} {status_words(self.verdict)}"
        place = (self.claim.source,) if self.claim.source else ()
        return (self.claim.sentence, *place, figure_words(self.claim, self.verdict), verdict)


def findings(done: Reproduction, claims: Sequence[Claim]) -> tuple[Finding, ...]:
    """Return each claim with its verdict."""
    evidence = done.evidence
    return tuple(Finding(claim, judge(claim.check(evidence))) for claim in claims)


def tally(found: Sequence[Finding]) -> str:
    """Return how many claims ended how, in one sentence.

    >>> tally([Finding(OF_THE_TEXTS[0], Verdict("holds", ())), Finding(OF_THE_TEXTS[1], Verdict("not tried", ()))])
    'Of 2 claims of the texts, 1 holds, and 1 was not tried.'
    """
    said = {"holds": "hold", "only where": "hold in some places", "does not hold": "do not hold"}
    singular = {"holds": "holds", "only where": "holds in some places", "does not hold": "does not hold"}
    more = {"cannot be told": "cannot be told", "not tried": "were not tried"}
    one = {"cannot be told": "cannot be told", "not tried": "was not tried"}
    counts = {status: sum(entry.verdict.status == status for entry in found) for status in (said | more)}
    parts = [f"{n} {((singular | one) if n == 1 else (said | more))[status]}" for status, n in counts.items() if n]
    head, last = parts[:-1], parts[-1]
    return f"Of {len(found)} claims of the texts, {', '.join(head)}{', and ' if head else ''}{last}."


def findings_markdown(done: Reproduction) -> str:
    """Return the page as Markdown."""
    texts, own = findings(done, OF_THE_TEXTS), findings(done, OUR_OWN)
    parts = [
        f"# {TITLE}",
        tally(texts),
        f"{SIMULATION}. {KEEP}",
        markdown_table(_HEAD, [entry.cells for entry in texts]),
        SOURCES,
        "## What we claim",
        markdown_table(_HEAD_OWN, [entry.cells for entry in own]),
        "## How it is decided",
        HOW_DECIDED,
        "## What was run",
        *(f"- {line}" for line in run_lines(done)),
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def findings_html(done: Reproduction) -> str:
    """Return the page as one HTML file without any outside request; it names the pages with the figures."""
    texts, own = findings(done, OF_THE_TEXTS), findings(done, OUR_OWN)
    parts = [
        f"<h1>{escape(TITLE)}</h1>",
        paragraph(tally(texts)),
        f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(KEEP)}</p>',
        section("What the texts claim", _html_table(_HEAD, texts) + paragraph(SOURCES)),
        section("What we claim", _html_table(_HEAD_OWN, own)),
        section("Figures and tables", _links(done)),
        section("How it is decided", paragraph(HOW_DECIDED)),
        section("What was run", f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in run_lines(done))}</ul>"),
        section("What a simulation is", paragraph(SIMULATION_MEANING)),
    ]
    return document(TITLE, _LEFT + "\n".join(parts))


# Sentences read better from the left than figures do.
_LEFT = "<style>.findings th, .findings td { text-align: left; vertical-align: top; padding-bottom: .5rem; }</style>"


def _html_table(head: Sequence[str], found: Sequence[Finding]) -> str:
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in entry.cells)}</tr>" for entry in found)
    return f'<table class="findings"><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>'


def _links(done: Reproduction) -> str:
    lines = (
        f'<li>{escape(run.title)}: <a href="figures/{run.name}.html">figures</a>, '
        f'<a href="tables/{run.name}.md">table</a></li>'
        for run in done.runs
    )
    return f'<ul>{"".join(lines)}<li><a href="tables/cells.csv">All cells</a></li></ul>'


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
