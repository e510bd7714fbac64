"""What the threshold mechanism could have released: its exact output distribution, and what it did release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core.presentation.figures.axes import window
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import is_whole_range, mechanism_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult

SHOWN = 0.999
"""Share of the distribution that the picture must hold."""

CHANCES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the chance axis: few, so that it stays still."""


@dataclass(frozen=True)
class _Mass:
    """Released half-widths (candidates with their widening) and the chance of each."""

    widths: NDArray[np.float64]
    chances: NDArray[np.float64]

    def middle(self, share: float) -> tuple[float, float]:
        """Return the shortest tails-cut range of half-widths that holds at least ``share``."""
        cumulated = np.cumsum(self.chances)
        tail = (1 - share) / 2
        first = int(np.searchsorted(cumulated, tail, side="right"))
        last = int(np.searchsorted(cumulated, 1 - tail, side="left"))
        top = len(self.widths) - 1
        return float(self.widths[min(first, top)]), float(self.widths[min(last, top)])


def mechanism(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw the chance of every half-width that could have been released, with the one that was.

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
        half-width without privacy.

    Privacy
    -------
    The chances are a function of private scores: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    mass = _mass(result)
    drawn = float(result.drawn) + result.widening
    start, end = _window(result, mass, drawn)
    shown = None if mass is None else _cut(mass, start, end)
    traces = [] if shown is None else [_steps(shown, theme, result)]
    top = 1.0 if shown is None else next(top for top in CHANCES if top >= 0.98 * shown.chances.max() - 1e-9)
    layout = base_layout(
        theme,
        height=300,
        showlegend=False,
        margin={"l": 8, "r": 12, "t": 56, "b": 8, "pad": 0},
        xaxis=axis(theme, _x_title(result), range=[start, end], showgrid=False, nticks=6, **_ink_line(theme)),
        yaxis=axis(
            theme, "Chance", range=[0, 1.02 * top], nticks=5, tickformat=".0%", visible=shown is not None
        ),
        shapes=[
            _line(drawn, theme.miss, "solid", 1.17),
            _line(result.reference_threshold, theme.reference, "dash", 1.06),
        ],
        annotations=_labels(result, theme, drawn, (start, end)),
    )
    picture = figure_of(traces or [_nothing(start)], layout)
    return Picture(
        picture, mechanism_sentence(result), _alt(result, mass, drawn), _table(result, shown, drawn)
    )


def _mass(result: SimulationResult) -> _Mass | None:
    if result.distribution is None:
        return None
    edges = np.asarray(result.distribution.edges, dtype=np.float64)
    return _Mass(edges + result.widening, np.asarray(result.distribution.probabilities, dtype=np.float64))


def _window(result: SimulationResult, mass: _Mass | None, drawn: float) -> tuple[float, float]:
    seen = [drawn, float(result.reference_threshold)]
    most = 1.25 * max(seen)
    if mass is not None:
        seen += mass.middle(SHOWN)
        # Half a bin of air, so that the last candidate's step stands whole.
        most = 1.04 * float(mass.widths[-1])
    return window(min(seen), max(seen), 0.0, most)


def _cut(mass: _Mass, start: float, end: float) -> _Mass:
    """Keep the candidates in the picture and one neighbour on each side."""
    first = max(int(np.searchsorted(mass.widths, start)) - 1, 0)
    last = int(np.searchsorted(mass.widths, end, side="right")) + 1
    return _Mass(mass.widths[first:last], mass.chances[first:last])


def _steps(mass: _Mass, theme: Theme, result: SimulationResult) -> dict[str, Any]:
    """Steps that change half-way between candidates; closed down to zero at both ends."""
    gaps = np.diff(mass.widths, prepend=0.0 if len(mass.widths) == 1 else 2 * mass.widths[0] - mass.widths[1])
    x = np.concatenate([[mass.widths[0] - gaps[0]], mass.widths, [mass.widths[-1] + gaps[-1]]])
    y = np.concatenate([[0.0], mass.chances, [0.0]])
    unit = result.target.unit
    texts = [
        f"± {say.quantity(w, unit, 3)}: chance {say.percent(p)}"
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
        "name": "chance",
    }


def _nothing(at: float) -> dict[str, Any]:
    """A trace that shows nothing: plotly draws no axes without one."""
    return {
        "type": "scatter",
        "x": [at],
        "y": [0],
        "mode": "markers",
        "marker": {"opacity": 0},
        "hoverinfo": "skip",
    }


def _line(at: float, colour: str, dash: str, top: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": top,
        "line": {"color": colour, "width": 2, "dash": dash},
    }


def _ink_line(theme: Theme) -> dict[str, Any]:
    return {"showline": True, "linecolor": theme.muted, "linewidth": 1}


def _labels(
    result: SimulationResult, theme: Theme, drawn: float, ends: tuple[float, float]
) -> list[dict[str, Any]]:
    """Name both lines, each on a row of its own above the picture, so that they cannot collide."""
    unit = result.target.unit
    what = "drawn" if result.distribution is not None else "this method"
    labels = [
        _label(drawn, f"<b>{what}: ± {say.quantity(drawn, unit, 3)}</b>", theme.miss_text, 1.17, ends),
        _label(
            result.reference_threshold,
            f"without privacy: ± {say.quantity(result.reference_threshold, unit, 3)}",
            theme.reference,
            1.06,
            ends,
        ),
    ]
    statement = _statement(result)
    if statement:
        labels.append(
            {
                "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.55, "showarrow": False, "text": statement,
                "align": "center", "font": {"size": 15, "color": theme.ink},
            }
        )  # fmt: skip
    return labels


def _label(at: float, text: str, colour: str, row: float, ends: tuple[float, float]) -> dict[str, Any]:
    right_half = at > (ends[0] + ends[1]) / 2
    return {
        "xref": "x",
        "yref": "paper",
        "x": at,
        "y": row,
        "text": text,
        "showarrow": False,
        "xanchor": "right" if right_half else "left",
        "yanchor": "middle",
        "xshift": -6 if right_half else 6,
        "font": {"size": 14, "color": colour},
    }


def _statement(result: SimulationResult) -> str:
    if result.distribution is None:
        return "Nothing is drawn at random:<br>this threshold is computed<br>from the rows themselves."
    return "Nothing narrower than<br>the whole range can be promised." if is_whole_range(result) else ""


def _x_title(result: SimulationResult) -> str:
    return say.axis("Half-width of an interval", result.target.unit)


def _alt(result: SimulationResult, mass: _Mass | None, drawn: float) -> str:
    unit = result.target.unit
    reference = f"without privacy it would be ± {say.quantity(result.reference_threshold, unit, 3)}"
    if mass is None:
        return f"{mechanism_sentence(result)} It is ± {say.quantity(drawn, unit, 3)}; {reference}."
    low, high = mass.middle(0.95)
    likely = float(mass.widths[int(np.argmax(mass.chances))])
    return (
        f"{mechanism_sentence(result)} The most likely is ± {say.quantity(likely, unit, 3)}, with a chance of "
        f"{say.percent(float(mass.chances.max()))}; ± {say.quantity(drawn, unit, 3)} was drawn, {reference}. "
        f"95{say.NARROW}% of draws lie between {say.number(low, 3)} and {say.quantity(high, unit, 3)}."
    )


def _table(result: SimulationResult, shown: _Mass | None, drawn: float) -> pd.DataFrame:
    rows: list[tuple[str, float, float]] = []
    if shown is not None:
        rows += [("candidate", w, p) for w, p in zip(shown.widths, shown.chances, strict=True) if p >= 5e-5]
    chance = np.nan if shown is None else float(shown.chances[int(np.argmin(np.abs(shown.widths - drawn)))])
    rows += [("drawn", drawn, chance), ("without privacy", float(result.reference_threshold), np.nan)]
    return pd.DataFrame(rows, columns=["what", "half_width", "chance"])
