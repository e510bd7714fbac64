"""An audit at a glance: what attacks proved, as a share of what is claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import (
    Theme,
    axis,
    base_layout,
    figure_of,
    legend_above,
    plotly_text,
    theme_of,
)
from dpcp_core.presentation.wording.attack_audit import (
    BEYOND,
    COLUMNS,
    SHARE_AXIS,
    THE_CLAIM,
    audit_alt,
    line_title,
    point_words,
    series_name,
    table_line,
)
from dpcp_core.presentation.wording.audit import summary
from dpcp_core.presentation.wording.nouns import shortened

if TYPE_CHECKING:
    from dpcp_core.experiments.audit.report import AuditReport, Verdict

LARGEST = 2.0
"""Share of the claim from which on a mark stands at the edge."""

_ROW, _FRAME = 21, 96
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "star")


def audit_picture(report: AuditReport, *, dark: bool = False) -> Picture:
    """Draw a mark per attack: its proven epsilon over the claimed one. Right of the line, a claim is broken.

    Parameters
    ----------
    report
        With one finding at least; planted faults stand below the claims.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has a line per attack, in words.
    """
    theme = theme_of(dark)
    titles = sorted(dict.fromkeys(map(_line_of, report.verdicts)), key=lambda title: title[0])
    places = {title: place for place, title in enumerate(titles)}
    epsilons = sorted({found.worst.epsilon for found in report.verdicts})
    traces = [_marks(report, epsilon, _SYMBOLS[n % len(_SYMBOLS)], places, theme) for n, epsilon in enumerate(epsilons)]
    layout = base_layout(
        theme,
        height=_FRAME + _ROW * max(len(titles), 3),
        margin={"l": 8, "r": 16, "t": 40, "b": 8, "pad": 4},
        legend={**legend_above(theme), "traceorder": "normal"},
        xaxis=axis(theme, SHARE_AXIS, range=[-0.04, LARGEST * 1.04], tickvals=[0, 0.5, 1, 1.5, LARGEST],
                   ticktext=["0", "0.5", THE_CLAIM, "1.5", BEYOND]),
        yaxis=axis(
            theme,
            "",
            range=[len(titles) - 0.5, -0.5],
            tickvals=list(range(len(titles))),
            ticktext=[plotly_text(shortened(title, 30)) for _, title in titles],
        ),
        shapes=[_claim_line(theme)],
    )  # fmt: skip
    return Picture(figure_of(traces, layout), summary(report), audit_alt(report), _table(report))


def _marks(
    report: AuditReport, epsilon: float, symbol: str, places: dict[tuple[bool, str], int], theme: Theme
) -> dict[str, Any]:
    found = [each for each in report.verdicts if each.worst.epsilon == epsilon]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": series_name(epsilon),
        "x": [min(each.worst.bound / epsilon, LARGEST) for each in found],
        "y": [places[_line_of(each)] for each in found],
        "marker": {
            "symbol": symbol,
            "size": 9,
            "color": [theme.miss if each.is_broken else theme.result for each in found],
            "line": {"width": 1, "color": theme.paper},
        },
        "cliponaxis": False,
        "hovertext": [plotly_text(point_words(each)) for each in found],
        "hoverinfo": "text",
    }


def _line_of(found: Verdict) -> tuple[bool, str]:
    """Return whether it is a planted fault, and its title: what shares a line."""
    return bool(found.worst.fault), line_title(found.worst)


def _claim_line(theme: Theme) -> dict[str, Any]:
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": 1, "x1": 1, "y0": 0, "y1": 1,
        "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
    }  # fmt: skip


def _table(report: AuditReport) -> pd.DataFrame:
    return pd.DataFrame([table_line(found) for found in report.verdicts], columns=list(COLUMNS))
