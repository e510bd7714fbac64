"""An audit as a page of Markdown, for the docs."""

from __future__ import annotations

from collections.abc import Sequence

from dpcp_core.experiments.audit.report import AuditReport, Verdict
from dpcp_core.presentation.wording import audit as words


def audit_markdown(report: AuditReport) -> str:
    """Return what came out of an audit as Markdown: a table of claims, one of planted mistakes, and the attacks."""
    shipped = [found for found in report.verdicts if not found.worst.fault]
    planted = [found for found in report.verdicts if found.worst.fault]
    lines = [f"# {words.PAGE_TITLE}", "", words.summary(report), "", words.TABLE_NOTE, ""]
    lines += [*_table(words.CLAIMS_TITLE, shipped), *_table(words.FAULTS_TITLE, planted)]
    lines += [f"## {words.ATTACKS_TITLE}", "", words.ATTACKS_NOTE, ""]
    # The largest epsilon stands for the others.
    said = {(found.worst.fault, found.worst.claim): found.worst for found in report.verdicts}
    lines += [f"- **{worst.title}**, {words.claim_words(worst)}. {worst.attack}" for worst in said.values()]
    return "\n".join([*lines, "", words.LIMITS, "", words.MEASURED, ""])


def _table(title: str, found: Sequence[Verdict]) -> list[str]:
    if not found:
        return []
    head, *rows = words.audit_rows(found)
    lines = [head, ("---",) * len(head), *rows]
    return [f"## {title}", "", *(f"| {' | '.join(row)} |" for row in lines), ""]
