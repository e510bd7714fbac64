"""A page of findings: claims with figures and verdicts, as HTML and as Markdown, whatever they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, TypeVar

from dpcp_core.experiments.reproduce.verdict import Verdict, judge
from dpcp_core.presentation.findings.claims import Claim
from dpcp_core.presentation.findings.tables import markdown_table
from dpcp_core.presentation.findings.words import HOW_DECIDED, MARKS, figure_words, status_words
from dpcp_core.presentation.html_parts import document, paragraph, section
from dpcp_core.presentation.wording.compare import KEEP
from dpcp_core.presentation.wording.plain import SIMULATION, SIMULATION_MEANING

_HEAD = ("Claim", "Place", "Our figure", "Verdict")
_HEAD_OWN = ("Claim", "Our figure", "Verdict")

Found = TypeVar("Found")


@dataclass(frozen=True)
class Finding:
    """A claim and what the numbers say of it."""

    claim: Claim[Any]
    verdict: Verdict

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in its line of the table."""
        verdict = f"{MARKS[self.verdict.status]} {status_words(self.verdict)}"
        place = (self.claim.source,) if self.claim.source else ()
        return (self.claim.sentence, *place, figure_words(self.claim, self.verdict), verdict)


@dataclass(frozen=True)
class Sheet:
    """What a page of findings says.

    Attributes
    ----------
    title : str
    texts, own : tuple of Finding
        What the source texts claim, and what we claim.
    sources : str
        How places in the texts are named.
    tables : tuple of (name, title)
        What was run, each with a page of figures and one of numbers.
    lines : tuple of str
        What was run and what was not.
    """

    title: str
    texts: tuple[Finding, ...]
    own: tuple[Finding, ...]
    sources: str
    tables: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def weigh(evidence: Found, claims: Sequence[Claim[Found]]) -> tuple[Finding, ...]:
    """Return each claim with its verdict."""
    return tuple(Finding(claim, judge(claim.check(evidence))) for claim in claims)


def tally(found: Sequence[Finding]) -> str:
    """Return how many claims ended how, in one sentence.

    >>> from dpcp_core.presentation.findings.claims import OF_THE_TEXTS
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


def sheet_markdown(sheet: Sheet) -> str:
    """Return the page as Markdown."""
    parts = [
        f"# {sheet.title}",
        tally(sheet.texts),
        f"{SIMULATION}. {KEEP}",
        markdown_table(_HEAD, [entry.cells for entry in sheet.texts]),
        sheet.sources,
        "## What we claim",
        markdown_table(_HEAD_OWN, [entry.cells for entry in sheet.own]),
        "## How it is decided",
        HOW_DECIDED,
        "## What was run",
        *(f"- {line}" for line in sheet.lines),
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def sheet_html(sheet: Sheet) -> str:
    """Return the page as one HTML file without any outside request; it names the pages with the figures."""
    parts = [
        f"<h1>{escape(sheet.title)}</h1>",
        paragraph(tally(sheet.texts)),
        f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(KEEP)}</p>',
        section("What the texts claim", _html_table(_HEAD, sheet.texts) + paragraph(sheet.sources)),
        section("What we claim", _html_table(_HEAD_OWN, sheet.own)),
        section("Figures and tables", _links(sheet.tables)),
        section("How it is decided", paragraph(HOW_DECIDED)),
        section("What was run", f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in sheet.lines)}</ul>"),
        section("What a simulation is", paragraph(SIMULATION_MEANING)),
    ]
    return document(sheet.title, _LEFT + "\n".join(parts))


# Sentences read better from the left than figures do; on a phone a claim's cells stand below each other.
_LEFT = (
    "<style>.findings th, .findings td { text-align: left; vertical-align: top; padding-bottom: .5rem; } "
    "li { overflow-wrap: anywhere; } "
    "@media (max-width: 40rem) { .findings thead { display: none; } "
    ".findings tr, .findings td { display: block; border-bottom: none; padding: .1rem 0; } "
    ".findings tr { border-bottom: 1px solid; padding: .5rem 0; } }</style>"
)


def _html_table(head: Sequence[str], found: Sequence[Finding]) -> str:
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in entry.cells)}</tr>" for entry in found)
    return f'<table class="findings"><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>'


def _links(tables: Sequence[tuple[str, str]]) -> str:
    lines = (
        f'<li>{escape(title)}: <a href="figures/{name}.html">figures</a>, <a href="tables/{name}.md">table</a></li>'
        for name, title in tables
    )
    return f'<ul>{"".join(lines)}<li><a href="tables/cells.csv">All cells</a></li></ul>'
