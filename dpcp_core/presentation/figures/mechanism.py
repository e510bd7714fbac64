"""What the threshold mechanism could have released, exactly, and what it did release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core.presentation.figures.axes import window
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
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.regions import everything, is_of_classes, is_whole_range
from dpcp_core.presentation.wording.thresholds import (
    threshold_in_words,
    threshold_noun,
    threshold_title,
    threshold_unit,
)
from dpcp_core.presentation.wording.titles import mechanism_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult

SHOWN = 0.999
"""Share of the distribution that the picture must hold."""

CHANCES = (5.0, 10.0, 20.0, 50.0, 100.0)
"""Upper ends of the chance axis, in per cent: few, so that it stays still."""


@dataclass(frozen=True)
class _Mass:
    """Released thresholds (candidates with their widening) and the chance of each."""

    widths: NDArray[np.float64]
    chances: NDArray[np.float64]

    @property
    def borders(self) -> NDArray[np.float64]:
        """Where steps change: half-way between candidates, and as far beyond the outer ones."""
        if len(self.widths) == 1:
            return np.asarray([0.5 * self.widths[0], 1.5 * self.widths[0]])
        between = (self.widths[1:] + self.widths[:-1]) / 2
        ends = 2 * self.widths[[0, -1]] - between[[0, -1]]
        return np.concatenate([ends[:1], between, ends[1:]])

    def middle(self, share: float) -> tuple[int, int]:
        """Return first and last candidate of the draws that remain when both tails are cut off."""
        cumulated = np.cumsum(self.chances)
        tail = (1 - share) / 2
        first, last = np.searchsorted(cumulated, [tail, 1 - tail])
        return int(first), min(int(last), len(self.widths) - 1)


def mechanism(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw the chance of every threshold that could have been released, with the one that was.

    The chances are exact, computed from the mechanism's weights, not estimated from draws. Each step stands
    around one candidate, and its height is that candidate's chance.

    Parameters
    ----------
    result
        A finished simulation; its first repetition is shown.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has the candidates in the picture with their chance, then what was drawn and the
        threshold without privacy; in the unit of half-widths, or of scores where a threshold is no half-width.

    Privacy
    -------
    The chances are a function of private scores: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    mass = _mass(result)
    drawn = float(result.drawn) + result.widening
    if mass is not None:
        drawn = min(drawn, float(mass.widths[-1]))
    start, end = _window(result, mass, drawn)
    shown = None if mass is None else _cut(mass, start, end)
    top = 100.0 if shown is None else _top(shown)
    traces = [] if shown is None else [_steps(shown, theme, result)]
    traces += _lines(result, theme, drawn, top)
    layout = base_layout(
        theme,
        height=300,
        xaxis=axis(theme, plotly_text(threshold_title(result)), range=[start, end], showgrid=False, nticks=6),
        yaxis=axis(theme, "Chance", range=[0, 1.02 * top], nticks=5, ticksuffix=f"{say.NARROW}%"),
        legend=legend_above(theme),
        annotations=_statement(result, theme),
    )
    layout["xaxis"] |= {"showline": True, "linecolor": theme.muted, "linewidth": 1}
    layout["yaxis"]["visible"] = shown is not None
    picture = figure_of(traces, layout)
    return Picture(picture, mechanism_sentence(result), _alt(result, mass, drawn), _table(result, shown, drawn))


def _mass(result: SimulationResult) -> _Mass | None:
    if result.distribution is None:
        return None
    edges = np.asarray(result.distribution.edges, dtype=np.float64)
    # The last candidate rules nothing out already: a widening adds nothing to it.
    return _Mass(
        np.minimum(edges + result.widening, edges[-1]), np.asarray(result.distribution.probabilities, dtype=np.float64)
    )


def _window(result: SimulationResult, mass: _Mass | None, drawn: float) -> tuple[float, float]:
    seen = [drawn, float(result.reference_threshold)]
    if is_of_classes(result):  # such scores lie between 0 and 1, so that the axis need never move
        return 0.0, 1.01 * max(1.0, *seen)
    if mass is None:
        return window(min(seen), max(seen), 0.0, 2 * max(seen))
    first, last = mass.middle(SHOWN)
    seen += [float(mass.borders[first]), float(mass.borders[last + 1])]
    return window(max(min(seen), 0.0), max(seen), 0.0, float(mass.borders[-1]))


def _cut(mass: _Mass, start: float, end: float) -> _Mass:
    """Keep the candidates in the picture and one neighbour on each side."""
    first = max(int(np.searchsorted(mass.widths, start)) - 1, 0)
    last = int(np.searchsorted(mass.widths, end, side="right")) + 1
    return _Mass(mass.widths[first:last], mass.chances[first:last])


def _steps(mass: _Mass, theme: Theme, result: SimulationResult) -> dict[str, Any]:
    """Steps around the candidates, closed down to zero at both ends."""
    outer = 2 * mass.borders[[0, -1]] - mass.widths[[0, -1]]
    x = np.concatenate([outer[:1], mass.widths, outer[1:]])
    y = 100 * np.concatenate([[0.0], mass.chances, [0.0]])
    texts = [
        f"{plotly_text(threshold_in_words(result, w))}: chance {say.percent(p)}"
        for w, p in zip(mass.widths, mass.chances, strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"shape": "hvh", "color": theme.result, "width": 1.5},
        "fill": "tozeroy",
        "fillcolor": theme.band,
        "hovertext": ["", *texts, ""],
        "hoverinfo": ["skip", *["text"] * len(texts), "skip"],
        "showlegend": False,
    }


def _top(mass: _Mass) -> float:
    """Return the upper end of the chance axis, in per cent."""
    highest = 100 * float(mass.chances.max())
    return next(top for top in CHANCES if top >= 0.98 * highest - 1e-9)


def _what(result: SimulationResult) -> str:
    return "this method" if result.certificate.quantile_epsilon is None else "drawn"


def _lines(result: SimulationResult, theme: Theme, drawn: float, top: float) -> list[dict[str, Any]]:
    """Mark both thresholds; their names and numbers stand in the legend, where they cannot collide."""
    marks = (
        (_what(result), drawn, theme.miss, "solid"),
        ("without privacy", float(result.reference_threshold), theme.reference, "dash"),
    )
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [at, at],
            "y": [0, 1.02 * top],
            "line": {"color": colour, "width": 2.5, "dash": dash},
            "name": f"{name}: {plotly_text(threshold_in_words(result, at))}",
            "hoverinfo": "name",
            "hoverlabel": {"namelength": -1},
            "showlegend": True,
        }
        for name, at, colour, dash in marks
    ]


def _statement(result: SimulationResult, theme: Theme) -> list[dict[str, Any]]:
    if not is_whole_range(result):
        return []
    smaller = "smaller" if is_of_classes(result) else "narrower"
    return [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 0.5,
            "y": 0.55,
            "text": f"Nothing {smaller} than<br>{everything(result)}<br>can be promised.",
            "align": "center",
            "bgcolor": theme.paper,
            "borderpad": 6,
            "font": {"size": 15, "color": theme.ink},
            "showarrow": False,
        }
    ]


def _alt(result: SimulationResult, mass: _Mass | None, drawn: float) -> str:
    def words(value: float) -> str:
        return threshold_in_words(result, value)

    reference = f"without privacy it would be {words(result.reference_threshold)}"
    if mass is None:
        return f"{mechanism_sentence(result)}. It is {words(drawn)}; {reference}."
    likely = float(mass.widths[int(np.argmax(mass.chances))])
    what = "" if threshold_noun(result) == "half-width" else f" {threshold_noun(result)}"
    return (
        f"{mechanism_sentence(result)}. The most likely{what} is {words(likely)}, with a chance "
        f"of {say.percent(float(mass.chances.max()))}{_tails(mass, threshold_unit(result))}. {words(drawn)} "
        f"was drawn; {reference}."
    )


def _tails(mass: _Mass, unit: str) -> str:
    first, last = mass.middle(0.95)
    if first == last:
        return ""
    low, high = say.number(float(mass.widths[first]), 3), say.quantity(float(mass.widths[last]), unit, 3)
    return f"; 95{say.NARROW}% of draws lie between {low} and {high}"


def _table(result: SimulationResult, shown: _Mass | None, drawn: float) -> pd.DataFrame:
    rows: list[tuple[str, float, float]] = []
    if shown is not None:
        rows += [("candidate", w, p) for w, p in zip(shown.widths, shown.chances, strict=True) if p >= 5e-5]
    chance = np.nan if shown is None else float(shown.chances[int(np.argmin(np.abs(shown.widths - drawn)))])
    rows += [(_what(result), drawn, chance), ("without privacy", float(result.reference_threshold), np.nan)]
    name = threshold_noun(result).replace("-", "_")
    return pd.DataFrame(rows, columns=["what", name, "chance"])
