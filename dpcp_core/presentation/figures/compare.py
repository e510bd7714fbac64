"""Coverage and size of several methods over epsilon, each with the uncertainty of its mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.presentation.comparison_tables import cells_table
from dpcp_core.presentation.figures.axes import outward
from dpcp_core.presentation.figures.methods import line_and_mark, style_of, tinted
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, theme_of
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.crossings import is_of_sets, size_words
from dpcp_core.presentation.wording.terms import option_title

HEIGHT = 425
_ENTRY = 150
_CLOSEST_TICKS = 0.07
# From these factors between smallest and largest on, equal steps would press the smallest together.
_LOG_FROM, _LOG_FROM_SETS = 2, 6
_NICE = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)

Triple = tuple[float, float, float]


def coverage_over_epsilon(comparison: Comparison, *, dark: bool = False) -> Picture:
    """Draw mean coverage over epsilon, a line for each method, the target as a dotted line.

    Parameters
    ----------
    comparison
        As far as it is finished.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per cell.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    target = 100 * comparison.result.plan.settings.confidence_level
    traces = _traces(comparison, theme, _coverage, lambda cell: f"coverage {say.percent(cell.coverage_mean)}")
    seen = [100 * cell.coverage_interval[0] for name in comparison.methods for cell in comparison.line(name)]
    low, high = outward(min([*seen, target - 2]), min(max([*seen, target + 2]), 100), 2)
    y = axis(theme, "Mean coverage", range=[low - 0.2, min(high, 100) + 0.4], ticksuffix=f"{say.NARROW}%", nticks=7)
    line = {
        "type": "line", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": target, "y1": target,
        "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    label = {
        "xref": "x domain", "yref": "y", "x": 1, "y": target, "xanchor": "right", "yanchor": "top", "showarrow": False,
        "font": {"size": 13, "color": theme.ink}, "text": f"target {say.level(target / 100)}",
    }  # fmt: skip
    layout = _layout(comparison, theme, y, shapes=[line], annotations=[label])
    return Picture(
        figure_of(traces, layout),
        words.coverage_title(comparison),
        words.coverage_alt(comparison),
        cells_table(comparison),
    )


def size_over_epsilon(comparison: Comparison, *, dark: bool = False, close: bool = False) -> Picture:
    """Draw mean width, or classes in a set, over epsilon.

    Parameters
    ----------
    comparison, dark
        See :func:`coverage_over_epsilon`.
    close
        Show only the neighbourhood of the methods in front; others leave the picture at its top.
    """
    theme = theme_of(dark)
    traces = _traces(comparison, theme, _size, lambda cell: size_words(comparison, cell.size_mean))
    layout = _layout(comparison, theme, size_scale(comparison, theme, _seen(comparison, close)))
    return Picture(
        figure_of(traces, layout),
        words.size_title(comparison),
        words.size_alt(comparison),
        cells_table(comparison),
    )


def size_scale(comparison: Comparison, theme: Theme, seen: Sequence[float], letter: str = "y") -> dict[str, Any]:
    """Return an axis of sizes for values to be seen: equal steps, or equal factors where they differ many times."""
    title = plotly_text(words.size_axis(comparison))
    low, high = min(seen, default=1.0), max(seen, default=2.0)
    if low <= 0 or high / low < (_LOG_FROM_SETS if is_of_sets(comparison) else _LOG_FROM):
        room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
        return axis(theme, title, range=[max(low - room, 0.0) if low >= 0 else low - room, high + room], nticks=7)
    ticks = _nice_between(low, high)
    room = 0.04 * math.log10(high / low)
    across = {} if letter == "x" else {"ticklabelposition": "outside"}
    return axis(
        theme, f"{title} (log scale)", type="log", range=[math.log10(low) - room, math.log10(high) + room],
        tickvals=ticks, ticktext=[say.short(tick, 3) for tick in ticks], **across,
    )  # fmt: skip


def _nice_between(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = sorted({float(f"{nice * 10.0**power:.2g}") for power in powers for nice in _NICE})
    return [tick for tick in ticks if low * 0.97 <= tick <= high * 1.03]


def _seen(comparison: Comparison, close: bool) -> list[float]:
    """Return the sizes that the picture must show."""
    sizes = [cell.size_mean for name in comparison.methods for cell in comparison.line(name)]
    led = [
        cell.size_mean
        for standing in comparison.standings()
        for name in standing.front
        if (cell := comparison.cell(name, standing.epsilon)) is not None
    ]
    if not close or not led:
        return sizes
    return [size for size in sizes if size <= 1.1 * max(led)]


def _traces(
    comparison: Comparison, theme: Theme, value: Callable[[CellResult], Triple], text: Callable[[CellResult], str]
) -> list[dict[str, Any]]:
    bands = [_band(line, theme, value) for name in comparison.methods if (line := comparison.line(name))]
    lines = [_line(name, comparison.line(name), theme, value, text) for name in _by_rank(comparison)]
    return [*(band for band in bands if band), *lines]


def _by_rank(comparison: Comparison) -> list[str]:
    """Return methods as the legend lists them: private ones first, what would be without privacy last."""
    return list(reversed(comparison.methods))


def _coverage(cell: CellResult) -> Triple:
    low, high = cell.coverage_interval
    return 100 * cell.coverage_mean, 100 * low, 100 * high


def _size(cell: CellResult) -> Triple:
    return cell.size_mean, *cell.size_interval


def _band(line: tuple[CellResult, ...], theme: Theme, value: Callable[[CellResult], Triple]) -> dict[str, Any] | None:
    """Return the surface of the intervals of a method's means; none for what is only a line to compare with."""
    method = line[0].settings.method
    if not style_of(method).symbol or len(line) < 2:
        return None
    x = [cell.settings.epsilon for cell in line]
    low, high = [value(cell)[1] for cell in line], [value(cell)[2] for cell in line]
    return {
        "type": "scatter", "mode": "lines", "x": x + x[::-1], "y": high + low[::-1], "fill": "toself",
        "fillcolor": tinted(style_of(method).colour(theme), 0.16), "line": {"width": 0}, "hoverinfo": "skip",
        "showlegend": False, "legendgroup": method,
    }  # fmt: skip


def _line(
    method: str,
    line: tuple[CellResult, ...],
    theme: Theme,
    value: Callable[[CellResult], Triple],
    text: Callable[[CellResult], str],
) -> dict[str, Any]:
    title = option_title("method", method)
    return {
        "type": "scatter",
        **line_and_mark(method, theme),
        "x": [cell.settings.epsilon for cell in line],
        "y": [value(cell)[0] for cell in line],
        "name": title,
        "legendgroup": method,
        "hovertext": [f"{title}<br>ε = {say.short(cell.settings.epsilon)}: {plotly_text(text(cell))}" for cell in line],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _layout(comparison: Comparison, theme: Theme, y: dict[str, Any], **more: Any) -> dict[str, Any]:
    # Measured from the whole picture: below the axes alone there is no room for two columns.
    legend = {
        "orientation": "h", "xref": "container", "x": 0, "xanchor": "left", "yref": "container", "y": 0,
        "yanchor": "bottom", "entrywidth": _ENTRY, "entrywidthmode": "pixels",
        "font": {"size": 12, "color": theme.ink}, "bgcolor": "rgba(0,0,0,0)", "traceorder": "normal",
    }  # fmt: skip
    return base_layout(
        theme,
        height=HEIGHT,
        margin={"l": 8, "r": 12, "t": 30, "b": 8, "pad": 0},
        # A picture to take along must stand on its own paper, whatever slide it lands on.
        paper_bgcolor=theme.paper,
        legend=legend,
        showlegend=True,
        uirevision="compare",
        xaxis=_epsilon_axis(comparison, theme),
        yaxis=y,
        **more,
    )


def _epsilon_axis(comparison: Comparison, theme: Theme) -> dict[str, Any]:
    logs = [math.log10(epsilon) for epsilon in comparison.epsilons]
    room = 0.03 * (logs[-1] - logs[0]) or 0.1
    ticks = _spaced(comparison.epsilons)
    return axis(
        theme, "ε (log scale); stronger privacy to the left", type="log",
        range=[logs[0] - room, logs[-1] + room], tickvals=ticks, ticktext=[say.short(tick) for tick in ticks],
    )  # fmt: skip


def _spaced(epsilons: Sequence[float]) -> list[float]:
    """Return those of the values that have room for their labels; the last always has."""
    reach = math.log(epsilons[-1] / epsilons[0])
    kept = [epsilons[-1]]
    for epsilon in sorted(epsilons[:-1], key=lambda value: (-_roundness(value), value)):
        if all(abs(math.log(epsilon / other)) >= _CLOSEST_TICKS * reach for other in kept):
            kept.append(epsilon)
    return sorted(kept)


def _roundness(value: float) -> int:
    """Return how well a tick is known: 1, 10 first, then 2, 5, then others."""
    lead = f"{value:.2e}".partition("e")[0].rstrip("0").rstrip(".")
    return {"1": 3, "5": 2, "2": 2}.get(lead, 1 if len(lead) == 1 else 0)
