"""Hits against false alarms of attacks on trained models, under the line that no attack gets above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, legend_above, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.membership import (
    ATTACK_NAMES,
    FALSE_ALARMS,
    HITS,
    membership_alt,
    membership_headline,
)

if TYPE_CHECKING:
    from dpcp_core._arrays import Floats
    from dpcp_core.evaluation.audit.membership import MembershipCurve
    from dpcp_core.experiments.membership import MembershipResult

ATTACKS = ("worst_row", "likelihood", "loss", "without_privacy")
_SMALLEST = 1e-3
_TICKS = (0.001, 0.01, 0.1, 1.0)


def membership_picture(result: MembershipResult, *, dark: bool = False) -> Picture:
    """Draw the curves of all attacks below the limit, on logarithmic axes: rare false alarms are what counts.

    Parameters
    ----------
    result
        Of :func:`dpcp_core.experiments.membership.membership_attack`.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per attack and one for the limit.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    layout = base_layout(
        theme,
        height=390,
        legend=legend_above(theme),
        margin={"l": 8, "r": 16, "t": 12, "b": 8, "pad": 0},
        xaxis=axis(theme, FALSE_ALARMS, **_shares()),
        yaxis=axis(theme, HITS, **_shares()),
    )
    title = membership_headline(result)
    return Picture(figure_of(_traces(result, theme), layout), title, membership_alt(result), _table(result))


def _shares() -> dict[str, Any]:
    return {
        "range": [float(np.log10(_SMALLEST)) - 0.02, 0.06],
        "tickvals": [float(np.log10(tick)) for tick in _TICKS],
        "ticktext": [f"{say.short(100 * tick)}{say.NARROW}%" for tick in _TICKS],
    }


def _traces(result: MembershipResult, theme: Theme) -> list[dict[str, Any]]:
    ends = np.array([_SMALLEST, 1.0])
    lines = {
        "guessing": _line("guessing", ends, ends, {"color": theme.muted, "width": 1.5, "dash": "dot"}),
        "bound": _line("bound", result.bound_fpr, result.bound_tpr, {"color": theme.ink, "width": 2.5}),
    }
    styles = {
        "worst_row": {"color": theme.miss_edge, "width": 2, "dash": "dash"},
        "likelihood": {"color": theme.result, "width": 2.5},
        "loss": {"color": theme.result, "width": 1.5, "dash": "dashdot"},
        "without_privacy": {"color": theme.reference, "width": 2, "dash": "longdash"},
    }
    for name in ATTACKS:
        curve: MembershipCurve = getattr(result, name)
        lines[name] = _line(name, curve.fpr, curve.tpr, styles[name])
    return [lines[name] for name in ATTACK_NAMES]


def _line(name: str, fpr: Floats, tpr: Floats, line: dict[str, Any]) -> dict[str, Any]:
    shown = (fpr >= _SMALLEST) & (tpr >= _SMALLEST)
    x, y = fpr[shown], tpr[shown]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": ATTACK_NAMES[name],
        "x": np.log10(x),
        "y": np.log10(y),
        "line": line,
        "hovertext": [
            f"{say.percent(float(a))} false alarms, {say.percent(float(b))} hits" for a, b in zip(x, y, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra>%{fullData.name}</extra>",
    }


def _table(result: MembershipResult) -> pd.DataFrame:
    lines: list[dict[str, Any]] = [
        {
            "attack": ATTACK_NAMES["bound"],
            "advantage": result.largest_advantage,
            "hits_at_1_percent_false_alarms": result.largest_tpr_at_1_percent,
        }
    ]
    for name in ATTACKS:
        curve: MembershipCurve = getattr(result, name)
        rare = curve.tpr_at_1_percent
        lines.append(
            {
                "attack": ATTACK_NAMES[name],
                "advantage": curve.advantage.value,
                "advantage_low": curve.advantage.low,
                "advantage_high": curve.advantage.high,
                "hits_at_1_percent_false_alarms": rare.value,
                "hits_low": rare.low,
                "hits_high": rare.high,
                "area_under_curve": curve.auc.value,
            }
        )
    return pd.DataFrame(lines)
