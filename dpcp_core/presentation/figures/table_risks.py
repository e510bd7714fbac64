"""How often attacks with a synthetic table succeed: on its rows, on people who were not in it, and by a blind guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.table_risks import AXIS, PICTURE, risks_alt, shares, titles, whose

if TYPE_CHECKING:
    from dpcp_core.evaluation.audit.estimates import PrivacyRisk
    from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks
    from dpcp_core.experiments.synthesis import SynthesisResult

_ROW, _FRAME = 20, 62
"""Pixels of a bar or of a heading; of what is around them."""

_RISK = "risk"


@dataclass(frozen=True)
class _Bar:
    """One bar: its line, what it is called, its colour, and how long it is."""

    place: int
    attack: str
    name: str
    colour: str
    share: PrivacyRisk


def risks_picture(risks: SyntheticRisks, result: SynthesisResult, *, dark: bool = False) -> Picture:
    """Draw three bars for each attack, each with its interval.

    Parameters
    ----------
    risks
        Of :func:`dpcp_core.experiments.audit.table_risks.table_risks`.
    result
        Whose table was attacked.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per bar, and one per risk: how much of the room above people who were not in the table
        comes from having been in it.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    bars = _bars(risks, result, theme)
    layout = base_layout(
        theme,
        height=_FRAME + _ROW * (bars[-1].place + 1),
        showlegend=False,
        margin={"l": 8, "r": 56, "t": 8, "b": 8, "pad": 4},
        xaxis=axis(theme, AXIS, range=[0, 100], nticks=6),
        yaxis=axis(
            theme,
            "",
            showgrid=False,
            range=[bars[-1].place + 0.6, -0.6],
            tickvals=[bar.place for bar in bars],
            ticktext=[plotly_text(bar.name) for bar in bars],
        ),
        annotations=[*_headings(bars, theme), *_numbers(bars, theme)],
    )
    layout["bargap"] = 0.18
    return Picture(figure_of([_trace(bars, theme)], layout), PICTURE, risks_alt(risks, result), _table(risks, bars))


def _bars(risks: SyntheticRisks, result: SynthesisResult, theme: Theme) -> list[_Bar]:
    attacks, names = titles(risks, result), whose(result.one_row_is)
    colours = (theme.result, theme.reference, theme.muted)
    bars: list[_Bar] = []
    for number, risk in enumerate(risks.risks):
        # The line before the three is that of the heading.
        first = number * (1 + len(names)) + 1
        for place, (name, colour, share) in enumerate(zip(names, colours, shares(risk), strict=True), first):
            bars.append(_Bar(place, attacks[risk.name], name, colour, share))
    return bars


def _trace(bars: list[_Bar], theme: Theme) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "y": [bar.place for bar in bars],
        "x": [100 * bar.share.value for bar in bars],
        "marker": {"color": [bar.colour for bar in bars], "line": {"width": 0}},
        "error_x": {
            "type": "data", "symmetric": False,
            "array": [100 * (bar.share.high - bar.share.value) for bar in bars],
            "arrayminus": [100 * (bar.share.value - bar.share.low) for bar in bars],
            "color": theme.ink, "thickness": 1.2, "width": 3,
        },
        "hoverinfo": "skip",
    }  # fmt: skip


def _headings(bars: list[_Bar], theme: Theme) -> list[dict[str, Any]]:
    firsts = {bar.attack: bar.place - 1 for bar in reversed(bars)}
    return [
        {
            "xref": "paper", "yref": "y", "x": 0, "y": place, "xanchor": "left", "yanchor": "middle",
            "text": f"<b>{plotly_text(attack)}</b>", "showarrow": False,
            "font": {"size": 13, "color": theme.ink}, "bgcolor": theme.paper,
        }
        for attack, place in firsts.items()
    ]  # fmt: skip


def _numbers(bars: list[_Bar], theme: Theme) -> list[dict[str, Any]]:
    """Write all numbers in a column of their own, where they meet neither bars nor lines."""
    return [
        {
            "xref": "paper", "yref": "y", "x": 1.02, "y": bar.place, "xanchor": "left", "yanchor": "middle",
            "text": say.number(100 * bar.share.value), "showarrow": False, "font": {"size": 13, "color": theme.ink},
        }
        for bar in bars
    ]  # fmt: skip


def _table(risks: SyntheticRisks, bars: list[_Bar]) -> pd.DataFrame:
    attacks = list(dict.fromkeys(bar.attack for bar in bars))
    lines = [_line(bar.attack, bar.name, bar.share) for bar in bars]
    lines += [_line(attack, _RISK, each.risk) for attack, each in zip(attacks, risks.risks, strict=True)]
    return pd.DataFrame(lines)


def _line(attack: str, of: str, share: PrivacyRisk) -> dict[str, Any]:
    return {"attack": attack, "of": of, "share": share.value, "low": share.low, "high": share.high}
