"""An audit as text for a terminal: what came out, a table, and what an audit can show."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from dpcp_core.cli.report import for_terminal
from dpcp_core.experiments.audit.report import AuditReport, Verdict
from dpcp_core.presentation.wording import audit as words

WIDTH = 100


def audit_text(report: AuditReport) -> str:
    """Return the report; lines of text are at most 100 characters wide."""
    shipped = [found for found in report.verdicts if not found.worst.fault]
    planted = [found for found in report.verdicts if found.worst.fault]
    blocks = [_wrapped(words.summary(report)), _wrapped(words.TABLE_NOTE)]
    blocks += [_table(words.CLAIMS_TITLE, shipped), _table(words.FAULTS_TITLE, planted), _attacks(report)]
    blocks += [_wrapped(words.LIMITS), _wrapped(words.MEASURED)]
    return for_terminal("\n\n".join(block for block in blocks if block))


def _table(title: str, found: Sequence[Verdict]) -> str:
    if not found:
        return ""
    cells = [[for_terminal(cell) for cell in row] for row in words.audit_rows(found)]
    wide = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip() for row in cells]
    return "\n".join([title.upper(), *(f"  {line}" for line in lines)])


def _attacks(report: AuditReport) -> str:
    """Return how each was attacked; the largest epsilon stands for the others."""
    said = {(found.worst.fault, found.worst.claim): found.worst for found in report.verdicts}
    lines = [_wrapped(f"{worst.title}: {worst.attack}", "  ") for worst in said.values()]
    return "\n".join([words.ATTACKS_TITLE.upper(), *lines]) if lines else ""


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(for_terminal(text), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}{indent}")
