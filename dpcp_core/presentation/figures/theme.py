"""Colours of the figures, for light and for dark paper, and the layout that all of them share."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go

FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'
TRANSPARENT = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Theme:
    """Colours with a meaning; each is told apart from its paper at 3:1 or better, each text at 4.5:1.

    Results, misses and the reference stay apart for people who cannot tell red from green, or blue from yellow.

    Attributes
    ----------
    paper, ink, muted, grid
        Background, text, text of axes, grid lines.
    result, band
        What is: dots and steps; the softer surface of intervals.
    miss, miss_edge, miss_band, miss_text
        Misses and what was drawn: surface, outline, the softer surface of a missing interval, text.
    reference
        What would be without privacy.
    """

    paper: str
    ink: str
    muted: str
    grid: str
    result: str
    band: str
    miss: str
    miss_edge: str
    miss_band: str
    miss_text: str
    reference: str


LIGHT = Theme(
    paper="#FCFCFA",
    ink="#1D2A30",
    muted="#51626A",
    grid="#E3E8E8",
    result="#1F6F8B",
    band="#A9CBD6",
    miss="#E07A1F",
    miss_edge="#B4570B",
    miss_band="#F3CBA5",
    miss_text="#B4570B",
    reference="#7C4DB3",
)
DARK = Theme(
    paper="#12181B",
    ink="#E6ECEC",
    muted="#A3B3B8",
    grid="#2B363B",
    result="#8CD0E6",
    band="#2F5E6F",
    miss="#F0954A",
    miss_edge="#F0954A",
    miss_band="#7A4A22",
    miss_text="#F0954A",
    reference="#BD93F0",
)


def theme_of(dark: bool) -> Theme:
    """Return the colours for dark or light paper."""
    return DARK if dark else LIGHT


def mixed(low: str, high: str, share: float) -> str:
    """Return the colour between two, as a surface shows it that runs from one to the other.

    >>> mixed("#000000", "#FF8000", 0.5)
    '#804000'
    """
    ends = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (low, high))
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in zip(*ends, strict=True))


def luminance(colour: str) -> float:
    """Return how bright a colour is, 0 to 1, as contrast is reckoned (WCAG 2).

    >>> luminance("#000000"), round(luminance("#FFFFFF"), 9)
    (0.0, 1.0)
    """
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(surface: str) -> str:
    """Return black or white, whichever stands out more: always at 4.5:1 or better.

    >>> ink_on("#A9CBD6"), ink_on("#1F6F8B")
    ('#000000', '#FFFFFF')
    """
    bright = luminance(surface)
    return "#FFFFFF" if 1.05 / (bright + 0.05) > (bright + 0.05) / 0.05 else "#000000"


def base_layout(theme: Theme, *, height: int, **more: Any) -> dict[str, Any]:
    """Return what all figures share: no paper of their own, nothing to drag, no title inside."""
    return {
        "template": "none",
        "height": height,
        "paper_bgcolor": TRANSPARENT,
        "plot_bgcolor": TRANSPARENT,
        "font": {"family": FONT, "size": 14, "color": theme.ink},
        "margin": {"l": 8, "r": 12, "t": 40, "b": 8, "pad": 0},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {"font": {"family": FONT, "size": 13}},
        "modebar": {"bgcolor": TRANSPARENT, "color": theme.muted, "activecolor": theme.ink},
        "bargap": 0,
        **more,
    }


def hit_marker(theme: Theme) -> dict[str, Any]:
    """Return the dot of a true value or class that is held."""
    return {"symbol": "circle", "size": 6, "color": theme.result, "line": {"width": 0, "color": TRANSPARENT}}


def miss_marker(theme: Theme) -> dict[str, Any]:
    """Return the cross of one that is not."""
    return {"symbol": "x", "size": 9, "color": theme.miss, "line": {"width": 1, "color": theme.miss_edge}}


def target_line(confidence_level: float, theme: Theme, top: float = 1.0) -> dict[str, Any]:
    """Return the dotted line at the target on an axis of coverage in per cent, up to a share of the panel's height."""
    at = 100 * confidence_level
    return {
        "type": "line", "xref": "x", "yref": "y domain", "x0": at, "x1": at, "y0": 0, "y1": top,
        "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
    }  # fmt: skip


def plotly_text(text: str) -> str:
    """Return text so that plotly shows it as it is, whatever tags a column's label holds.

    >>> plotly_text("age <b>")
    'age &lt;b&gt;'
    """
    return escape(text, quote=False)


def wrapped(title: str, width: int = 30, most_lines: int = 3) -> str:
    """Break a long title, so that it fits beside a picture of a few hundred pixels.

    >>> wrapped("Diabetes progression after one year, points")
    'Diabetes progression after one<br>year, points'
    """
    lines = textwrap.wrap(title, width, max_lines=most_lines, placeholder=" …")
    return "<br>".join(map(plotly_text, lines or [""]))


def axis(theme: Theme, title: str, **more: Any) -> dict[str, Any]:
    """Return an axis that cannot be zoomed and makes room for its own labels."""
    return {
        "title": {"text": title, "font": {"size": 14, "color": theme.muted}, "standoff": 8},
        "tickfont": {"size": 13, "color": theme.muted},
        "gridcolor": theme.grid,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "ticks": "",
        "showline": False,
        **more,
    }


def legend_above(theme: Theme) -> dict[str, Any]:
    """Return a legend in one row above the picture, where it cannot meet marks or axis labels."""
    return {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.0,
        "yanchor": "bottom",
        "font": {"size": 14, "color": theme.ink},
        "itemclick": False,
        "itemdoubleclick": False,
        "bgcolor": TRANSPARENT,
    }


def figure_of(traces: list[dict[str, Any]], layout: dict[str, Any]) -> go.Figure:
    """Return a plotly figure; plotly is imported at the first figure, not before."""
    from dpcp_core.presentation.figures.lazy import LazyFigure

    return LazyFigure(traces, layout)
