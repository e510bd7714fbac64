"""How size, or coverage, depends on epsilon and on how the budget is split: a number in each cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.experiments.splits import says_nothing
from dpcp_core.presentation.figures import tiles
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, mixed, plotly_text, theme_of
from dpcp_core.presentation.figures.tiles import Place
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.budget import Measure, axis_of, bare_value, cell_words, map_alt, map_title

if TYPE_CHECKING:
    from dpcp_core.experiments.splits import Choice, SplitMap
    from dpcp_core.experiments.sweep.cell import CellResult

_POINTS = 5.0
"""Points of coverage off the target at which colours are at their deepest."""


def heat(found: SplitMap, *, measure: Measure = "size", chosen: float, epsilon: float, dark: bool = False) -> Picture:
    """Draw mean size, or coverage, over epsilon and the values of one setting, as far as they are measured.

    Cells that rule nothing out are hatched. At each epsilon a thick frame marks the smallest mean size, a thin one the
    run of values around it that are as good; see :func:`dpcp_core.experiments.splits.covers`.

    Parameters
    ----------
    found
        Cells of a sweep.
    measure
        ``"size"`` or ``"coverage"``.
    chosen, epsilon
        Value of the setting, and epsilon, that are in use.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per measured cell.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme, cells = theme_of(dark), _cells(found)
    layout = base_layout(
        theme,
        height=70 + 31 * len(found.values),
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 8, "b": 8, "pad": 0},
        xaxis=axis(theme, "Privacy budget ε", **_ticks([f"{e:g}" for e in found.epsilons], found.epsilons, epsilon)),
        yaxis=axis(theme, axis_of(found.field), **_ticks(_names(found), found.values, chosen)),
        shapes=_frames(found, theme) if measure == "size" else [],
    )
    title = map_title(found, measure, chosen, epsilon)
    figure = figure_of(_traces(found, cells, measure, theme), layout)
    return Picture(figure, title, map_alt(found, measure, chosen, epsilon), heat_table(found))


def _cells(found: SplitMap) -> dict[Place, CellResult]:
    """Return the measured cells by column and row."""
    return {
        (column, row): found.cells[value, epsilon]
        for column, epsilon in enumerate(found.epsilons)
        for row, value in enumerate(found.values)
        if (value, epsilon) in found.cells
    }


def _names(found: SplitMap) -> list[str]:
    return [bare_value(found.field, value) for value in found.values]


def _ticks(names: list[str], values: tuple[float, ...], in_use: float) -> dict[str, Any]:
    return tiles.ticks(names, [place for place, value in enumerate(values) if value == in_use])


def _traces(found: SplitMap, cells: dict[Place, CellResult], measure: Measure, theme: Theme) -> list[dict[str, Any]]:
    words = {place: plotly_text(cell_words(found, cell)) for place, cell in cells.items()}
    told = {place: cell for place, cell in cells.items() if not cell.failed and not says_nothing(cell)}
    depth = _off_target(told) if measure == "coverage" else _smallness(told)
    colours = (theme.miss, theme.grid, tiles.deepest(theme))
    surfaces = {place: mixed(theme.grid, colours[2 if share > 0 else 0], abs(share)) for place, share in depth.items()}
    bold = _best_places(found) if measure == "size" else frozenset()
    texts = {place: f"<b>{text}</b>" if place in bold else text for place, text in _numbers(told, measure).items()}
    failed = [place for place, cell in cells.items() if cell.failed]
    return [
        tiles.surface(depth, words, (len(found.epsilons), len(found.values)), colours),
        tiles.numbers(texts, surfaces),
        *tiles.hatching([place for place, cell in cells.items() if says_nothing(cell)], words, theme),
        *([_crosses(failed, words, theme)] if failed else []),
    ]


def _smallness(told: dict[Place, CellResult]) -> dict[Place, float]:
    """Return 1 for the smallest mean size and 0 for the largest.

    A root spreads small differences near the smallest, which matter most, over more of the colours.
    """
    sizes = {place: cell.size_mean for place, cell in told.items()}
    least, most = min(sizes.values(), default=0.0), max(sizes.values(), default=1.0)
    return {place: 1 - math.sqrt((size - least) / ((most - least) or 1.0)) for place, size in sizes.items()}


def _off_target(told: dict[Place, CellResult]) -> dict[Place, float]:
    """Return -1 for coverage far below the target, 0 at it and 1 far above."""
    off = {place: cell.coverage_mean - cell.settings.confidence_level for place, cell in told.items()}
    return {place: max(-1.0, min(1.0, 100 * share / _POINTS)) for place, share in off.items()}


def _numbers(told: dict[Place, CellResult], measure: Measure) -> dict[Place, str]:
    if measure == "coverage":
        return {place: _coverage(cell) for place, cell in told.items()}
    # One number of decimals for all, so that they can be read against each other.
    n_decimals = max((say.decimals(cell.size_mean, 3) for cell in told.values()), default=0)
    return {place: say.fixed(cell.size_mean, n_decimals) for place, cell in told.items()}


def _coverage(cell: CellResult) -> str:
    below = cell.coverage_interval[1] < cell.settings.confidence_level
    return f"{'↓' if below else ''}{say.fixed(100 * cell.coverage_mean, 1)}"


def _best_places(found: SplitMap) -> frozenset[Place]:
    return frozenset(
        (found.epsilons.index(choice.epsilon), found.values.index(choice.best))
        for choice in found.choices
        if choice.best is not None
    )


def _crosses(places: list[Place], words: dict[Place, str], theme: Theme) -> dict[str, Any]:
    marker = {"symbol": "x-thin", "size": 10, "line": {"color": theme.muted, "width": 2}}
    return {**tiles.hidden(places, words), "marker": marker}


def _frames(found: SplitMap, theme: Theme) -> list[dict[str, Any]]:
    return [
        frame
        for column, epsilon in enumerate(found.epsilons)
        if (choice := found.choice(epsilon)) is not None
        for frame in _framed(column, choice, found, theme)
    ]


def _framed(column: int, choice: Choice, found: SplitMap, theme: Theme) -> list[dict[str, Any]]:
    """Return a thin frame around the run that is as good, and a thick one around the best."""
    if choice.best is None or choice.as_good is None:
        return []
    low, high = (found.values.index(value) for value in choice.as_good)
    best = found.values.index(choice.best)
    thin = [] if low == high else [tiles.frame(column, low, high, theme, 2)]
    return [*thin, tiles.frame(column, best, best, theme, 4)]


def heat_table(found: SplitMap) -> pd.DataFrame:
    """Return one line per measured cell: what was set, what was measured, whether it is the best or as good."""
    choices = {choice.epsilon: choice for choice in found.choices}
    return pd.DataFrame([_line(found, cell, choices.get(cell.settings.epsilon)) for cell in _cells(found).values()])


def _line(found: SplitMap, cell: CellResult, choice: Choice | None) -> dict[str, Any]:
    value = getattr(cell.settings, found.field)
    size = "set_size" if found.task == "classification" else "width"
    run = choice.as_good if choice else None
    (narrow, wide), (low, high) = cell.size_interval, cell.coverage_interval
    return {
        "epsilon": cell.settings.epsilon,
        found.field: value,
        size: cell.size_mean,
        f"{size}_low": narrow,
        f"{size}_high": wide,
        "coverage": cell.coverage_mean,
        "coverage_low": low,
        "coverage_high": high,
        "best": bool(choice and choice.best == value),
        "as_good": bool(run and run[0] <= value <= run[1]),
        "certified": cell.certified,
        "rules_nothing_out": says_nothing(cell),
        "problem": cell.problem,
    }
