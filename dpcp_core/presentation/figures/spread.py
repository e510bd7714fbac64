"""How coverage and width vary when split and noise are drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.presentation.figures.axes import outward, window
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.plain import spread_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult

PRIVATE, REFERENCE = 1.0, 0.0
"""Heights of the two lanes."""


@dataclass(frozen=True)
class _Panel:
    """One of the two panels: coverage above, width below."""

    number: str
    values: NDArray[np.float64]
    reference: NDArray[np.float64]
    interval: tuple[float, float] | None
    reference_interval: tuple[float, float] | None


def spread(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw coverage and mean width of every repetition, beside the same without privacy.

    One dot is one repetition; the diamond is their mean, its bar the 95 % interval of the mean.

    Parameters
    ----------
    result
        A finished simulation.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per repetition.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    coverage, width = _panels(result)
    traces = [trace for panel in (coverage, width) for trace in _traces(panel, theme, result)]
    width_title = plotly_text(say.axis("Mean interval width", result.target.unit))
    lanes = {
        "range": [-0.6, 1.6],
        "tickvals": [PRIVATE, REFERENCE],
        "ticktext": ["this method", "without<br>privacy"],
        "showgrid": False,
    }
    layout = base_layout(
        theme,
        height=380,
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 28, "b": 8, "pad": 4},
        xaxis=axis(theme, "Coverage", range=list(_coverage_range(result)), ticksuffix=f"{say.NARROW}%", nticks=6),
        yaxis=axis(theme, "", domain=[0.62, 1.0], **lanes),
        xaxis2=axis(theme, width_title, range=list(_width_range(result)), nticks=6, anchor="y2"),
        yaxis2=axis(theme, "", domain=[0.0, 0.38], anchor="x2", **lanes),
        shapes=[_target_line(result, theme)],
        annotations=[_target_label(result, theme)],
    )  # fmt: skip
    return Picture(figure_of(traces, layout), spread_sentence(result), _alt(result), _table(result))


def _panels(result: SimulationResult) -> tuple[_Panel, _Panel]:
    several = len(result.size) > 1
    coverage = _Panel(
        "",
        100 * result.coverage,
        100 * result.reference_coverage,
        _in_percent(mean_interval(result.coverage, n_test=result.n_test)),
        _in_percent(mean_interval(result.reference_coverage, n_test=result.n_test)),
    )
    width = _Panel(
        "2",
        result.size,
        result.reference_size,
        mean_interval(result.size) if several else None,
        mean_interval(result.reference_size) if several else None,
    )
    return coverage, width


def _in_percent(interval: tuple[float, float]) -> tuple[float, float]:
    return 100 * interval[0], 100 * interval[1]


def _traces(panel: _Panel, theme: Theme, result: SimulationResult) -> list[dict[str, Any]]:
    def text(value: float) -> str:
        if panel.number:
            return f"width {say.quantity(value, plotly_text(result.target.unit), 3)}"
        return f"coverage {say.percent(value / 100)}"

    lanes = (
        (panel.values, panel.interval, PRIVATE, theme.result, "circle"),
        (panel.reference, panel.reference_interval, REFERENCE, theme.reference, "circle-open"),
    )
    traces = []
    for values, interval, lane, colour, symbol in lanes:
        traces.append(_dots(panel, values, lane, colour, symbol, [text(float(v)) for v in values]))
        traces.append(_mean(panel, values, interval, lane, theme, text))
    return traces


def _dots(
    panel: _Panel, values: NDArray[np.float64], lane: float, colour: str, symbol: str, texts: list[str]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": lane + _jitter(len(values)),
        "xaxis": f"x{panel.number}",
        "yaxis": f"y{panel.number}",
        "marker": {"color": colour, "size": 7, "symbol": symbol, "opacity": 0.75, "line": {"color": colour}},
        "hovertext": texts,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _jitter(n: int) -> NDArray[np.float64]:
    """Heights between -0.3 and 0.3 that spread dots evenly, the same every time (golden-ratio sequence, from 0)."""
    return np.asarray(0.6 * ((np.arange(n) * 0.6180339887498949 + 0.5) % 1.0) - 0.3, dtype=np.float64)


def _mean(
    panel: _Panel,
    values: NDArray[np.float64],
    interval: tuple[float, float] | None,
    lane: float,
    theme: Theme,
    text: Callable[[float], str],
) -> dict[str, Any]:
    mean = float(np.mean(values))
    low, high = interval or (mean, mean)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mean],
        "y": [lane],
        "xaxis": f"x{panel.number}",
        "yaxis": f"y{panel.number}",
        "marker": {
            "symbol": "diamond", "size": 11, "color": theme.ink, "line": {"width": 2, "color": theme.paper},
        },
        "error_x": {
            "type": "data", "symmetric": False, "array": [high - mean], "arrayminus": [mean - low],
            "color": theme.ink, "thickness": 2.5, "width": 0,
        },
        "hovertext": [f"mean {text(mean)}"],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _coverage_range(result: SimulationResult) -> tuple[float, float]:
    """Return five points around the target, in per cent; more in steps of five if repetitions lie further out."""
    target = result.settings.confidence_level
    seen = np.concatenate([result.coverage, result.reference_coverage, [target - 0.05, min(target + 0.05, 1)]])
    low, high = outward(100 * float(seen.min()), 100 * float(seen.max()), 5)
    return max(low, 0.0) - 0.2, min(high, 100.0) + 0.4


def _width_range(result: SimulationResult) -> tuple[float, float]:
    seen = np.concatenate([result.size, result.reference_size])
    bounds = result.target.bounds
    most = 1.02 * (bounds[1] - bounds[0]) if bounds else 2 * float(seen.max())
    return window(float(seen.min()), float(seen.max()), 0.0, most)


def _target_line(result: SimulationResult, theme: Theme) -> dict[str, Any]:
    at = 100 * result.settings.confidence_level
    return {
        "type": "line", "xref": "x", "yref": "y domain", "x0": at, "x1": at, "y0": 0, "y1": 1.04,
        "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
    }  # fmt: skip


def _target_label(result: SimulationResult, theme: Theme) -> dict[str, Any]:
    return {
        "xref": "x", "yref": "paper", "x": 100 * result.settings.confidence_level, "y": 1.02, "yanchor": "bottom",
        "xanchor": "center", "showarrow": False, "font": {"size": 14, "color": theme.ink},
        "text": f"target {say.level(result.settings.confidence_level)}",
    }  # fmt: skip


def _alt(result: SimulationResult) -> str:
    unit = result.target.unit
    n = len(result.coverage)
    if n == 1:
        return f"{spread_sentence(result)}."
    return (
        f"{spread_sentence(result)}. Coverage runs from {say.percent(result.coverage.min())} to "
        f"{say.percent(result.coverage.max())}, mean width from {say.quantity(result.size.min(), '', 3)} to "
        f"{say.quantity(result.size.max(), unit, 3)}."
    )


def _table(result: SimulationResult) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "repetition": np.arange(1, len(result.coverage) + 1),
            "coverage": result.coverage,
            "width": result.size,
            "coverage_without_privacy": result.reference_coverage,
            "width_without_privacy": result.reference_size,
        }
    )
