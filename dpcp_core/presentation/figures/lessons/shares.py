"""Width of intervals for every share of the budget that the model gets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dpcp_core.experiments.lessons.sharing import ShareCurve
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, legend_above, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.lessons import budget as words


def share_curve(curve: ShareCurve, share: float, *, dark: bool = False) -> Picture:
    """Draw width against share, with the share in use marked.

    Parameters
    ----------
    curve
        What was measured.
    share
        One of its shares.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per share.

    Privacy
    -------
    Measured on held-out rows: the curator's view, part of no release.
    """
    theme = theme_of(dark)
    shares, top = 100 * np.asarray(curve.shares), 1.08 * float(curve.means.max())
    traces = [
        _line(shares, curve.means, theme),
        _chosen(100 * share, curve.width_of(share), theme),
        _reference(curve, theme),
    ]
    layout = base_layout(
        theme,
        height=320,
        xaxis=axis(theme, words.AXIS_SHARE, range=[5, 95], ticksuffix=f"{say.NARROW}%", nticks=6, showgrid=False),
        yaxis=axis(theme, say.axis(words.AXIS_WIDTH, curve.unit), range=[0, top], nticks=6),
        legend=legend_above(theme),
    )
    table = pd.DataFrame(dict(zip(words.TABLE_COLUMNS, (shares, curve.means), strict=True)))
    return Picture(figure_of(traces, layout), words.title(curve), words.alt(curve, share), table)


def _line(x: Any, y: Any, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines+markers", "x": x, "y": y, "showlegend": False,
        "line": {"color": theme.result, "width": 2.5}, "marker": {"size": 7, "color": theme.result},
        "hovertemplate": f"%{{x:.0f}}{say.NARROW}%: %{{y:.3g}}<extra></extra>",
    }  # fmt: skip


def _chosen(x: float, y: float, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "x": [x], "y": [y], "name": words.LEGEND_CHOSEN,
        "marker": {
            "symbol": "diamond", "size": 15, "color": theme.miss, "line": {"width": 1.5, "color": theme.miss_edge}
        },
        "hoverinfo": "skip",
    }  # fmt: skip


def _reference(curve: ShareCurve, theme: Theme) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "x": [0, 100], "y": [curve.reference] * 2, "name": words.LEGEND_REFERENCE,
        "line": {"color": theme.reference, "width": 2.5, "dash": "dash"}, "hoverinfo": "skip",
    }  # fmt: skip
