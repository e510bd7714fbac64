from __future__ import annotations

import re

import numpy as np
import pytest

from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.splits import SplitMap
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.engine import sweep
from dpcp_core.presentation.figures.heat import heat, heat_table
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import DARK, LIGHT, luminance
from tests.core.presentation.maps import bins, cell, shares

MIXED = {0.1: 44.0, 0.3: 40.1, 0.45: 40.0, 0.7: 40.1, 0.9: 60.0}


def with_cells(found: SplitMap, *cells: CellResult) -> SplitMap:
    placed = {(getattr(one.settings, found.field), one.settings.epsilon): one for one in cells}
    return SplitMap(found.plan, found.field, found.target, found.task, {**found.cells, **placed})


def texts(picture: Picture) -> list[str]:
    return list(picture.figure.data[1].text)


def frames(picture: Picture) -> list[tuple[float, float, float]]:
    return [(shape.y0, shape.y1, shape.line.width) for shape in picture.figure.layout.shapes]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("measure", ["size", "coverage"])
def test_a_map_cannot_be_dragged_and_says_itself_in_a_sentence(measure, dark):
    picture = heat(shares(MIXED), measure=measure, chosen=0.5, epsilon=1.0, dark=dark)
    assert picture.figure.layout.dragmode is False
    assert picture.alt.startswith(picture.title)
    assert re.search(r"\d", picture.alt)
    assert len(picture.table) == 5


def test_every_measured_cell_carries_its_number_and_the_best_is_bold():
    assert texts(heat(shares(MIXED), chosen=0.5, epsilon=1.0)) == ["44.0", "40.1", "<b>40.0</b>", "40.1", "60.0"]


def test_a_thick_frame_marks_the_best_and_a_thin_one_what_is_as_good():
    thin, thick = frames(heat(shares(MIXED), chosen=0.5, epsilon=1.0))
    assert (round(thin[0]), round(thin[1])) == (1, 3)
    assert (round(thick[0]), round(thick[1])) == (2, 2)
    assert thick[2] > thin[2]


def test_smaller_is_deeper_and_the_smallest_deepest():
    depth = [row[0] for row in heat(shares(MIXED), chosen=0.5, epsilon=1.0).figure.data[0].z]
    assert depth[2] == 1
    assert depth[4] == 0
    assert depth[0] < depth[1]


def test_cells_that_rule_nothing_out_are_hatched_and_carry_no_number():
    found = with_cells(shares(MIXED), cell(180.0, training_share=0.9, top_share=1.0))
    picture = heat(found, chosen=0.5, epsilon=1.0)
    (hatch,) = [trace for trace in picture.figure.data if trace.name == "hatched"]
    heights = [y for y in hatch.y if y is not None]
    assert min(heights) > 3.5
    assert max(heights) < 4.5
    assert len(texts(picture)) == 4
    assert picture.figure.data[0].z[4][0] is None
    assert any("rules nothing out" in str(text) for trace in picture.figure.data for text in (trace.hovertext or ()))


def test_coverage_surely_below_the_target_is_marked_by_colour_and_by_an_arrow():
    found = shares({0.1: 30.0, 0.5: 31.0}, certified=False, coverage=0.85)
    picture = heat(found, measure="coverage", chosen=0.5, epsilon=1.0)
    assert texts(picture) == ["↓85.0", "↓85.0"]
    assert picture.figure.data[0].z[0][0] == -1
    assert not picture.figure.layout.shapes


def test_a_cell_that_failed_says_why_and_is_not_left_blank():
    failed = CellResult(ConformalSettings(training_share=0.9, repetitions=5), problem="Too few rows <b>.")
    picture = heat(with_cells(shares(MIXED), failed), chosen=0.5, epsilon=1.0)
    crosses = picture.figure.data[-1]
    assert crosses.marker.symbol == "x-thin"
    assert crosses.hovertext[0].endswith("Too few rows &lt;b&gt;.")


def test_what_is_not_measured_yet_stays_empty():
    whole = shares(MIXED)
    some = SplitMap(whole.plan, whole.field, whole.target, whole.task, dict(list(whole.cells.items())[:1]))
    picture = heat(some, chosen=0.5, epsilon=1.0)
    assert texts(picture) == ["44.0"]
    assert not picture.figure.layout.shapes
    nothing = heat(SplitMap(whole.plan, whole.field, whole.target, whole.task, {}), chosen=0.5, epsilon=1.0)
    assert texts(nothing) == []
    assert len(nothing.table) == 0


def test_the_values_in_use_are_bold_at_the_axes():
    figure = heat(bins({10: 60.0, 100: 40.0}), chosen=100, epsilon=1.0).figure
    assert list(figure.layout.yaxis.ticktext) == ["10", "<b>100</b>"]
    assert list(figure.layout.xaxis.ticktext) == ["<b>1</b>"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_numbers_and_frames_stand_out_from_their_tiles(theme):
    picture = heat(shares(MIXED), chosen=0.5, epsilon=1.0, dark=theme is DARK)
    deepest = picture.figure.data[0].colorscale[2][1]
    inks = picture.figure.data[1].textfont.color
    assert contrast(inks[2], deepest) >= 4.5
    assert contrast(theme.ink, deepest) >= (3 if theme is DARK else 2.5)


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_a_real_sweep_fills_its_map_and_its_table():
    from dpcp_core.data.samples import load_sample

    result = sweep(load_sample("diabetes"), epsilons=[0.1, 4.0], training_share=[0.2, 0.5], repetitions=5)
    found = SplitMap.of(result, "training_share")
    table = heat_table(found)
    assert table["best"].sum() == 1
    assert table.loc[table["epsilon"] == 0.1, "rules_nothing_out"].all()
    np.testing.assert_allclose(
        table["width"], [found.cells[share, e].size_mean for e in (0.1, 4.0) for share in (0.2, 0.5)]
    )
    assert heat(found, chosen=0.5, epsilon=4.0).title.startswith("At ε = 4, ")
