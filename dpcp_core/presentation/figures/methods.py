"""How each method is drawn: told apart by colour, by mark and by kind of line, on light and on dark paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpcp_core.presentation.figures.theme import DARK, LIGHT, Theme


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn.

    Attributes
    ----------
    light, dark
        Colour of its line on either paper.
    symbol
        Its mark; "" for a line without marks.
    dash
        Kind of its line: solid for what is private, broken for what is not.
    """

    light: str
    dark: str
    symbol: str
    dash: str

    def colour(self, theme: Theme) -> str:
        """Return the colour on this paper."""
        return self.dark if theme == DARK else self.light


def _beside(symbol: str, dash: str) -> MethodStyle:
    """Return the style of a method whose model alone is private."""
    return MethodStyle(LIGHT.muted, DARK.muted, symbol, dash)


def _without_privacy(dash: str) -> MethodStyle:
    return MethodStyle(LIGHT.reference, DARK.reference, "", dash)


STYLES: Mapping[str, MethodStyle] = {
    "dpcp": MethodStyle("#1F6F8B", "#8CD0E6", "circle", "solid"),
    "dpcp_paper": MethodStyle("#C4560A", "#F0954A", "square", "solid"),
    "pscp": MethodStyle("#B0508B", "#E59ACB", "diamond", "solid"),
    "pcoqs": MethodStyle("#857200", "#D6C24E", "triangle-up", "solid"),
    "laplace_histogram": MethodStyle("#1D2A30", "#E6ECEC", "triangle-down", "solid"),
    "differential": _beside("x-thin-open", "dot"),
    "naive": _beside("cross-thin-open", "dash"),
    "clip_only": _without_privacy("dot"),
    "split": _without_privacy("dash"),
    "oracle": _without_privacy("solid"),
}
_OTHER = MethodStyle(LIGHT.miss_text, DARK.miss_text, "star", "longdash")


def style_of(method: str) -> MethodStyle:
    """Return how a method is drawn; a method that nobody has thought of yet is drawn too."""
    return STYLES.get(method, _OTHER)


def line_and_mark(method: str, theme: Theme) -> dict[str, Any]:
    """Return the parts of a trace that make it this method's."""
    style = style_of(method)
    colour = style.colour(theme)
    # An open mark is all edge.
    edge = {"color": colour, "width": 2 if style.symbol.endswith("open") else 0}
    return {
        "mode": "lines+markers" if style.symbol else "lines",
        "line": {"color": colour, "width": 2 if style.symbol else 1.5, "dash": style.dash},
        "marker": {"symbol": style.symbol or "circle", "size": 8, "color": colour, "line": edge},
    }


def tinted(colour: str, share: float) -> str:
    """Return a colour through which others can be seen.

    >>> tinted("#FF8000", 0.2)
    'rgba(255,128,0,0.2)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"
