"""How coverage and size vary when split and noise are drawn anew."""

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
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, target_line, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.regions import is_of_classes, largest_size, size_in_words, size_title
from dpcp_core.presentation.wording.titles import spread_sentence

if TYPE_CHECKING:
    from dpcp_core.experiments.result import SimulationResult


@dataclass(frozen=True)
class _Lane:
    """One row of dots in both panels: what was measured under one name.

    Attributes
    ----------
    name
        What stands beside it.
    coverage, size
        Of each repetition; coverage in per cent.
    n_test
        Rows held out in each repetition.
    is_reference
        Beside what the picture is about: drawn with open circles.
    """

    name: str
    coverage: NDArray[np.float64]
    size: NDArray[np.float64]
    n_test: int
    is_reference: bool = False


def spread(result: SimulationResult, *, dark: bool = False, clip_only: SimulationResult | None = None) -> Picture:
    """Draw coverage and mean size of every repetition, beside the same without privacy.

    One dot is one repetition; the diamond is their mean, its bar the 95 % interval of the mean.

    Parameters
    ----------
    result
        A finished simulation.
    dark
        Colours for dark paper.
    clip_only
        The same settings with the method ``clip_only``: a lane between the two, for what clipping alone costs.

    Returns
    -------
    Picture
        The table has one line per repetition.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme, lanes = theme_of(dark), _lanes(result, clip_only)
    traces = [
        trace
        for is_size in (False, True)
        for height, lane in reversed(list(enumerate(lanes)))
        for trace in _traces(lane, height, is_size, theme, result)
    ]
    beside = {
        "range": [-0.6, len(lanes) - 0.4],
        "tickvals": list(range(len(lanes))),
        "ticktext": [lane.name for lane in lanes],
        "showgrid": False,
    }
    layout = base_layout(
        theme,
        height=300 + 40 * len(lanes),
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 28, "b": 8, "pad": 4},
        xaxis=axis(
            theme, "Coverage", range=list(_coverage_range(result, lanes)), ticksuffix=f"{say.NARROW}%", nticks=6
        ),
        yaxis=axis(theme, "", domain=[0.62, 1.0], **beside),
        xaxis2=axis(
            theme, plotly_text(size_title(result)), range=list(_size_range(result, lanes)), nticks=6, anchor="y2"
        ),
        yaxis2=axis(theme, "", domain=[0.0, 0.38], anchor="x2", **beside),
        shapes=[target_line(result.settings.confidence_level, theme, top=1.04)],
        annotations=[_target_label(result, theme)],
    )
    return Picture(
        figure_of(traces, layout), spread_sentence(result), _alt(result, clip_only), _table(result, clip_only)
    )


def _lanes(result: SimulationResult, clip_only: SimulationResult | None) -> list[_Lane]:
    """Return the lanes from the bottom up."""
    reference = _Lane(
        "without<br>privacy", 100 * result.reference_coverage, result.reference_size, result.n_test, is_reference=True
    )
    clipped = [] if clip_only is None else [_lane("clipping<br>only", clip_only)]
    return [reference, *clipped, _lane("this method", result)]


def _lane(name: str, result: SimulationResult) -> _Lane:
    return _Lane(name, 100 * result.coverage, result.size, result.n_test, name != "this method")


def _interval(lane: _Lane, *, is_size: bool) -> tuple[float, float] | None:
    """Return the 95 % interval of a lane's mean; a single mean size has none."""
    if is_size:
        return mean_interval(lane.size) if len(lane.size) > 1 else None
    low, high = mean_interval(lane.coverage / 100, n_test=lane.n_test)
    return 100 * low, 100 * high


def _traces(lane: _Lane, height: int, is_size: bool, theme: Theme, result: SimulationResult) -> list[dict[str, Any]]:
    def text(value: float) -> str:
        if is_size:
            word = "set size" if is_of_classes(result) else "width"
            return f"{word} {plotly_text(size_in_words(result, value))}"
        return f"coverage {say.percent(value / 100)}"

    values = lane.size if is_size else lane.coverage
    colour, symbol = (theme.reference, "circle-open") if lane.is_reference else (theme.result, "circle")
    number = "2" if is_size else ""
    texts = [text(float(value)) for value in values]
    return [
        _dots(number, values, height, colour, symbol, texts),
        _mean(number, values, _interval(lane, is_size=is_size), height, theme, text),
    ]


def _dots(
    number: str, values: NDArray[np.float64], height: float, colour: str, symbol: str, texts: list[str]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": height + _jitter(len(values)),
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
        "marker": {"color": colour, "size": 7, "symbol": symbol, "opacity": 0.75, "line": {"color": colour}},
        "hovertext": texts,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _jitter(n: int) -> NDArray[np.float64]:
    """Heights between -0.3 and 0.3 that spread dots evenly, the same every time (golden-ratio sequence, from 0)."""
    return np.asarray(0.6 * ((np.arange(n) * 0.6180339887498949 + 0.5) % 1.0) - 0.3, dtype=np.float64)


def _mean(
    number: str,
    values: NDArray[np.float64],
    interval: tuple[float, float] | None,
    height: float,
    theme: Theme,
    text: Callable[[float], str],
) -> dict[str, Any]:
    mean = float(np.mean(values))
    low, high = interval or (mean, mean)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [mean],
        "y": [height],
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
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


def _coverage_range(result: SimulationResult, lanes: list[_Lane]) -> tuple[float, float]:
    """Return five points around the target, in per cent; more in steps of five if repetitions lie further out."""
    target = 100 * result.settings.confidence_level
    seen = np.concatenate([*(lane.coverage for lane in lanes), [target - 5, min(target + 5, 100)]])
    low, high = outward(float(seen.min()), float(seen.max()), 5)
    return max(low, 0.0) - 0.2, min(high, 100.0) + 0.4


def _size_range(result: SimulationResult, lanes: list[_Lane]) -> tuple[float, float]:
    """Return one class to all of them, in steps of one; for a number a coarse window around what was seen."""
    seen = np.concatenate([lane.size for lane in lanes])
    largest = largest_size(result)
    if is_of_classes(result):
        low = min(1.0, float(np.floor(seen.min())))
        high = min(largest, max(low + 1, float(np.ceil(seen.max()))))
        return low - 0.02 * (high - low), high + 0.02 * (high - low)
    most = 1.02 * largest if np.isfinite(largest) else 2 * float(seen.max())
    return window(float(seen.min()), float(seen.max()), 0.0, most)


def _target_label(result: SimulationResult, theme: Theme) -> dict[str, Any]:
    return {
        "xref": "x", "yref": "paper", "x": 100 * result.settings.confidence_level, "y": 1.02, "yanchor": "bottom",
        "xanchor": "center", "showarrow": False, "font": {"size": 14, "color": theme.ink},
        "text": f"target {say.level(result.settings.confidence_level)}",
    }  # fmt: skip


def _alt(result: SimulationResult, clip_only: SimulationResult | None) -> str:
    clipped = ""
    if clip_only is not None:
        clipped = (
            f" With clipping only, no noise, coverage was {say.percent(clip_only.coverage_mean)} and the mean "
            f"{_size_word(result)} {size_in_words(result, clip_only.size_mean)}."
        )
    if len(result.coverage) == 1:
        return f"{spread_sentence(result)}.{clipped}"
    low, high = float(result.size.min()), float(result.size.max())
    return (
        f"{spread_sentence(result)}. Coverage runs from {say.percent(result.coverage.min())} to "
        f"{say.percent(result.coverage.max())}, mean {_size_word(result)} from {_bare(result, low)} to "
        f"{size_in_words(result, high)}.{clipped}"
    )


def _bare(result: SimulationResult, size: float) -> str:
    return say.short(size, 3) if is_of_classes(result) else say.number(size, 3)


def _size_word(result: SimulationResult) -> str:
    return "set size" if is_of_classes(result) else "width"


def _table(result: SimulationResult, clip_only: SimulationResult | None) -> pd.DataFrame:
    size = "set_size" if is_of_classes(result) else "width"
    columns = {
        "repetition": np.arange(1, len(result.coverage) + 1),
        "coverage": result.coverage,
        size: result.size,
        "coverage_without_privacy": result.reference_coverage,
        f"{size}_without_privacy": result.reference_size,
    }
    if clip_only is not None and len(clip_only.coverage) == len(result.coverage):
        columns |= {"coverage_clipping_only": clip_only.coverage, f"{size}_clipping_only": clip_only.size}
    return pd.DataFrame(columns)
