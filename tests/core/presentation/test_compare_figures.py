"""Pictures of a comparison: every method told apart, every band its interval, and the same in words and numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.conformal.methods import METHODS
from dpcp_core.experiments.comparison import Comparison
from dpcp_core.experiments.presets import COMPARED
from dpcp_core.presentation.comparison_tables import cells_table, standings_table
from dpcp_core.presentation.figures.boxes import coverage_boxes, size_boxes
from dpcp_core.presentation.figures.compare import coverage_over_epsilon, size_over_epsilon
from dpcp_core.presentation.figures.methods import STYLES, style_of
from dpcp_core.presentation.figures.picture import picture_config
from dpcp_core.presentation.figures.theme import DARK, LIGHT, luminance
from dpcp_core.presentation.wording import compare as words
from dpcp_core.presentation.wording.terms import option_title
from tests.core.experiments.sweeps import comparison_of

EPSILONS = (0.1, 0.5, 1.0, 4.0, 10.0)
LINES = {
    "oracle": [(0.901, 29.0)] * 5,
    "naive": [(0.86, 28.0)] * 5,
    "pscp": [(0.99, 140.0), (0.98, 110.0), (0.95, 60.0), (0.92, 32.0), (0.92, 31.0)],
    "dpcp": [(1.0, 160.0), (0.93, 40.0), (0.92, 34.0), (0.92, 33.0), "too little ε"],
}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return Comparison(comparison_of(LINES, EPSILONS))


def lines_of(picture):
    return {trace.name: trace for trace in picture.figure.data if trace.name}


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_method_of_the_comparison_has_a_style_of_its_own():
    assert set(STYLES) == set(METHODS)
    assert len({(style.light, style.symbol, style.dash) for style in STYLES.values()}) == len(STYLES)
    # Told apart without colour as well.
    assert len({(style.symbol, style.dash) for style in STYLES.values()}) == len(STYLES)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("method", METHODS)
def test_every_line_stands_out_from_its_paper(method, theme):
    assert contrast(style_of(method).colour(theme), theme.paper) >= 3


def test_what_is_private_is_solid_and_what_is_not_is_broken_or_violet():
    for name, style in STYLES.items():
        recipe_is_private = METHODS[name].private_training and METHODS[name].private_quantile
        assert (style.dash == "solid" and style.symbol != "") == recipe_is_private


def test_a_line_holds_the_means_and_its_band_the_interval(comparison):
    picture = size_over_epsilon(comparison)
    line = lines_of(picture)[option_title("method", "pscp")]
    cells = comparison.line("pscp")
    assert list(line.x) == [cell.settings.epsilon for cell in cells]
    assert list(line.y) == pytest.approx([cell.size_mean for cell in cells])
    band = next(trace for trace in picture.figure.data if trace.fill == "toself" and trace.legendgroup == "pscp")
    assert list(band.y[:5]) == pytest.approx([cell.size_interval[1] for cell in cells])
    assert list(band.y[5:]) == pytest.approx([cell.size_interval[0] for cell in reversed(cells)])


def test_a_failed_cell_leaves_a_gap_at_its_end(comparison):
    line = lines_of(coverage_over_epsilon(comparison))[option_title("method", "dpcp")]
    assert list(line.x) == [0.1, 0.5, 1.0, 4.0]


def test_the_target_is_a_line_in_the_picture_of_coverage(comparison):
    figure = coverage_over_epsilon(comparison).figure
    assert (figure.layout.shapes[0].y0, figure.layout.shapes[0].y1) == (90.0, 90.0)
    low, high = figure.layout.yaxis.range
    assert low < 86 < 100 <= high


def test_epsilon_and_very_different_widths_are_on_log_scales_that_say_so(comparison):
    layout = size_over_epsilon(comparison).figure.layout
    assert layout.xaxis.type == layout.yaxis.type == "log"
    assert "log scale" in layout.xaxis.title.text
    assert "log scale" in layout.yaxis.title.text
    assert layout.yaxis.range[0] < math.log10(28) < math.log10(160) < layout.yaxis.range[1]


def test_a_close_up_shows_those_in_front_and_lets_the_others_leave(comparison):
    layout = size_over_epsilon(comparison, close=True).figure.layout
    wide = size_over_epsilon(comparison).figure.layout
    assert layout.yaxis.range[1] < wide.yaxis.range[1]


def test_boxes_hold_every_repetition_and_a_failed_method_has_none(comparison):
    picture = size_boxes(comparison, 10.0)
    names = [trace.name for trace in picture.figure.data]
    assert option_title("method", "dpcp") not in names
    assert len(picture.figure.data) == 3
    assert all(len(trace.x) == 20 for trace in picture.figure.data)
    assert list(picture.table["median"]) == pytest.approx(
        [float(np.median(comparison.cell(name, 10.0).size)) for name in ("pscp", "naive", "oracle")]
    )


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_has_a_sentence_with_numbers_and_a_table(comparison, dark):
    pictures = [
        coverage_over_epsilon(comparison, dark=dark),
        size_over_epsilon(comparison, dark=dark),
        coverage_boxes(comparison, 1.0, dark=dark),
        size_boxes(comparison, 1.0, dark=dark),
    ]
    for picture in pictures:
        assert picture.alt.endswith(".")
        assert any(letter.isdigit() for letter in picture.alt)
        assert len(picture.table) >= 4
        # A file to take along has paper of its own.
        assert picture.figure.layout.paper_bgcolor == (DARK if dark else LIGHT).paper


def test_pictures_can_be_drawn_while_most_cells_are_missing():
    lines = {name: [(0.92, 40.0), None] for name in COMPARED[:3]} | {"dpcp": [None, None]}
    comparison = Comparison(comparison_of(lines, (0.5, 1.0)))
    for picture in (coverage_over_epsilon(comparison), size_over_epsilon(comparison), size_boxes(comparison, 0.5)):
        assert option_title("method", "dpcp") not in picture.alt
    assert len(size_boxes(comparison, 1.0).figure.data) == 0


def test_one_epsilon_and_one_repetition_can_be_drawn():
    comparison = Comparison(comparison_of({"dpcp": [(0.92, 40.0)]}, (1.0,), repetitions=1))
    for picture in (coverage_over_epsilon(comparison), size_over_epsilon(comparison), coverage_boxes(comparison, 1.0)):
        assert "ε = 1" in picture.alt


def test_sets_are_counted_in_classes():
    comparison = Comparison(comparison_of({"dpcp": [(0.92, 1.3)], "pscp": [(0.95, 2.2)]}, (1.0,), classes=True))
    assert size_over_epsilon(comparison).figure.layout.yaxis.title.text.startswith("Mean classes in a set")
    assert "1.3\u00a0classes" in size_over_epsilon(comparison).alt
    assert "set size" in cells_table(comparison).columns


def test_the_table_says_of_every_cell_whether_it_is_private_and_reaches_its_target(comparison):
    table = cells_table(comparison).set_index(["method", "epsilon"])
    assert len(table) == 19
    assert not table.loc[("naive", 1.0), "reaches target"]
    assert not table.loc[("naive", 1.0), "private"]
    assert table.loc[(option_title("method", "dpcp"), 1.0), "reaches target"]


def test_the_table_of_leaders_names_one_for_each_epsilon(comparison):
    table = standings_table(comparison)
    assert list(table["ε"]) == list(EPSILONS)
    assert list(table["narrowest intervals"])[:3] == [option_title("method", n) for n in ("pscp", "dpcp", "dpcp")]
    assert set(table["miss their target"]) == {"naive"}


def test_failures_are_counted_and_their_reason_is_given(comparison):
    assert words.failure_sentences(comparison.result) == (
        "1\u00a0cell of 20 could not be computed (“DPCP, certified” at ε = 10): too little ε",
    )


def test_a_stopped_comparison_says_how_much_of_it_there_is():
    result = comparison_of({"dpcp": [(0.92, 40.0), None], "pscp": [None, None]}, (0.5, 1.0))
    assert words.partial_words(result) == "Stopped: partial, 1 of 4 cells"
    assert words.partial_words(comparison_of({"dpcp": [(0.9, 1.0)]}, (1.0,))) == ""


def test_the_camera_saves_a_sharp_png_under_a_name():
    config = picture_config("ward-methods-size")
    assert config["modeBarButtons"] == [["toImage"]]
    assert config["toImageButtonOptions"] == {"format": "png", "filename": "ward-methods-size", "scale": 3}


def test_a_mean_below_the_target_is_not_said_to_reach_it():
    short = [(0.899, 29.0)] * 5
    private = {"dpcp": [(0.92, 33.0)] * 5}
    title = words.coverage_title(Comparison(comparison_of({"oracle": short, **private}, EPSILONS, noise=0.0)))
    assert "every method reaches" not in title
