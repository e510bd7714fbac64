from __future__ import annotations

import copy
import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.figures import Picture, mechanism, spread, strip
from dpcp_core.presentation.figures.theme import DARK, LIGHT, Theme, ink_on, luminance, mixed, wrapped
from dpcp_core.presentation.wording import numbers as say

ResultOf = Callable[[str], SimulationResult]
Draw = Callable[..., Picture]
FIGURES = (strip, mechanism, spread)


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


def axes(picture: Picture) -> dict[str, Any]:
    layout = picture.figure.to_plotly_json()["layout"]
    return {name: layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))}


def trace(picture: Picture, start: str) -> Any:
    return next(trace for trace in picture.figure.data if (trace.name or "").startswith(start))


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_cannot_be_zoomed_or_dragged_and_has_no_paper_of_its_own(
    draw: Draw, dark: bool, any_result: SimulationResult
) -> None:
    picture = draw(any_result, dark=dark)
    layout = picture.figure.layout
    assert layout.dragmode is False
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert layout.title.text is None
    assert all(axis["fixedrange"] and len(axis["range"]) == 2 for axis in axes(picture).values())


@pytest.mark.parametrize("draw", FIGURES)
def test_every_mark_is_inside_its_axes(draw: Draw, any_result: SimulationResult) -> None:
    picture = draw(any_result)
    layout = picture.figure.layout
    for drawn in picture.figure.data:
        if drawn.type in ("bar", "heatmap") or drawn.line.shape == "hvh":
            continue
        x_axis = layout[f"xaxis{(drawn.xaxis or 'x')[1:]}"]
        y_axis = layout[f"yaxis{(drawn.yaxis or 'y')[1:]}"]
        for values, (low, high) in ((drawn.x, x_axis.range), (drawn.y, y_axis.range)):
            assert np.all(np.asarray(values, dtype=float) >= low - 1e-9)
            assert np.all(np.asarray(values, dtype=float) <= high + 1e-9)


@pytest.mark.parametrize("draw", FIGURES)
def test_a_picture_is_light(draw: Draw, any_result: SimulationResult) -> None:
    picture = draw(any_result)
    text = picture.figure.to_json()
    assert len(text) < 100_000
    assert len(picture.figure.data) <= 8
    assert json.loads(text) == json.loads(picture.figure.to_json()), "sent otherwise than plotly reads it"
    assert "gl" not in {kind for drawn in json.loads(text)["data"] for kind in [drawn["type"][-2:]]}


@pytest.mark.parametrize("draw", FIGURES)
def test_a_sentence_with_numbers_and_a_table_say_the_same(draw: Draw, any_result: SimulationResult) -> None:
    picture = draw(any_result)
    assert picture.alt.endswith(".")
    assert picture.alt.startswith(picture.title)
    assert re.search(r"\d", picture.alt)
    assert not re.search(r"\bnan\b|\binf\b", picture.alt)
    assert 1 <= len(picture.table) <= 1001
    assert picture.table.columns.is_unique


def test_the_strip_marks_misses_by_colour_and_shape(result_of: ResultOf) -> None:
    picture = strip(result_of("default"))
    inside, outside = trace(picture, "true value inside"), trace(picture, "outside")
    assert inside.marker.symbol != outside.marker.symbol
    assert inside.marker.color != outside.marker.color
    covered = result_of("default").rows.covered
    assert inside.name == f"true value inside: {covered.sum()}"
    assert outside.name == f"outside: {(~covered).sum()}"
    assert len(outside.x) == (~covered).sum()


def test_the_strip_is_sorted_by_prediction_and_draws_each_interval(result_of: ResultOf) -> None:
    result = result_of("default")
    table = strip(result).table
    assert table["predicted"].is_monotonic_increasing
    (bars,) = [drawn for drawn in strip(result).figure.data if drawn.type == "bar"]
    np.testing.assert_allclose(np.asarray(bars.base, dtype=float) + bars.y, table["upper"], atol=1e-5)
    np.testing.assert_allclose(np.sort(table["truth"]), np.sort(result.rows.truth))


def test_the_strip_tells_misses_above_from_misses_below(result_of: ResultOf) -> None:
    result = result_of("few")
    rows = result.rows
    above, below = int((rows.truth > rows.upper).sum()), int((rows.truth < rows.lower).sum())
    assert f"({above} above, {below} below)" in strip(result).alt


def test_the_strip_keeps_its_axis_while_epsilon_moves(result_of: ResultOf) -> None:
    ranges = {tuple(strip(result_of(case)).figure.layout.yaxis.range) for case in ("default", "weak", "coarse")}
    assert len(ranges) == 1


def test_the_mechanism_draws_exact_chances(result_of: ResultOf) -> None:
    result = result_of("fine")
    assert result.distribution is not None
    table = mechanism(result).table
    shown = table[table["what"] == "candidate"]
    assert shown["chance"].sum() == pytest.approx(1, abs=0.01)
    for _, row in shown.iterrows():
        at = np.argmin(np.abs(result.distribution.edges + result.widening - row["half_width"]))
        assert row["chance"] == pytest.approx(result.distribution.probabilities[at], abs=1e-12)


def test_the_mechanism_shows_nearly_all_of_its_mass(any_result: SimulationResult) -> None:
    if any_result.distribution is None:
        return
    low, high = mechanism(any_result).figure.layout.xaxis.range
    released = np.minimum(any_result.distribution.edges + any_result.widening, any_result.distribution.edges[-1])
    inside = (released >= low) & (released <= high)
    assert any_result.distribution.probabilities[inside].sum() >= 0.999 - 1e-9


def test_the_mechanism_marks_what_was_released_with_its_widening(result_of: ResultOf) -> None:
    result = result_of("default")
    drawn, without = trace(mechanism(result), "drawn"), trace(mechanism(result), "without privacy")
    assert list(drawn.x) == pytest.approx([result.thresholds[0]] * 2)
    assert list(without.x) == pytest.approx([result.reference_threshold] * 2)
    assert (drawn.line.dash, without.line.dash) == ("solid", "dash")
    assert plain(drawn.name) == f"drawn: ± {result.thresholds[0]:.1f} mmHg"


def test_the_mechanism_says_when_nothing_can_be_promised(result_of: ResultOf) -> None:
    picture = mechanism(result_of("nothing"))
    assert "Nothing narrower" in picture.figure.layout.annotations[0].text
    assert "whole range" in picture.title
    assert "± 400 points" in plain(picture.alt)
    assert not mechanism(result_of("default")).figure.layout.annotations


def test_a_threshold_without_chance_has_no_chance_axis(result_of: ResultOf) -> None:
    picture = mechanism(result_of("naive"))
    assert picture.figure.layout.yaxis.visible is False
    assert picture.title.startswith("This method draws nothing at random")
    assert list(picture.table["what"]) == ["this method", "without privacy"]


def test_the_spread_has_one_dot_for_each_repetition_and_a_target(result_of: ResultOf) -> None:
    result = result_of("default")
    picture = spread(result)
    assert sorted(picture.figure.data[0].x) == pytest.approx(sorted(100 * result.coverage))
    assert picture.figure.layout.shapes[0].x0 == pytest.approx(90)
    assert plain(picture.figure.layout.annotations[0].text) == "target 90 %"
    assert len(picture.table) == len(result.coverage)


def test_the_spread_shows_the_uncertainty_of_its_means(result_of: ResultOf) -> None:
    result = result_of("default")
    mean = spread(result).figure.data[1]
    low, high = result.coverage_interval
    assert mean.x[0] - mean.error_x.arrayminus[0] == pytest.approx(100 * low)
    assert mean.x[0] + mean.error_x.array[0] == pytest.approx(100 * high)


def test_a_single_repetition_needs_no_spread(result_of: ResultOf) -> None:
    picture = spread(result_of("once"))
    assert picture.title.startswith("One repetition")
    assert picture.alt == f"{picture.title}."


def test_the_same_result_gives_the_same_picture(result_of: ResultOf) -> None:
    for draw in FIGURES:
        assert draw(result_of("default")).figure.to_json() == draw(result_of("default")).figure.to_json()


def test_rows_without_a_unit_or_typical_range_are_drawn_too(result_of: ResultOf) -> None:
    result = result_of("default")
    bare = dataclasses.replace(result, target=dataclasses.replace(result.target, unit="", typical=None))
    for draw in FIGURES:
        assert "mmHg" not in draw(bare).figure.to_json()


@pytest.mark.parametrize("draw", FIGURES)
def test_tags_in_a_label_are_shown_and_not_obeyed(draw: Draw, result_of: ResultOf) -> None:
    result = result_of("default")
    hostile = dataclasses.replace(result.target, label='<a href="http://x.y">age</a>', unit="<i>mm</i>")
    picture = draw(dataclasses.replace(result, target=hostile))
    drawn = json.dumps(json.loads(picture.figure.to_json()))
    assert "<a" not in drawn
    assert "<i>" not in drawn
    assert "&lt;i&gt;mm" in drawn


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_and_marks_stand_out_from_their_paper(theme: Theme) -> None:
    for text in (theme.ink, theme.muted, theme.miss_text):
        assert contrast(text, theme.paper) >= 4.5
    for mark in (theme.result, theme.miss_edge, theme.reference):
        assert contrast(mark, theme.paper) >= 3
    # A dot stands on its interval, so it must be told apart from that too.
    assert contrast(theme.result, theme.band) >= 3


# What is left of red, green and blue light where one kind of cone is missing: Machado and others, 2009.
BLIND = {
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def seen(colour: str, missing: str) -> np.ndarray:
    """Return a colour in the space in which equal distances look alike (CIELAB), as somebody without a cone sees it."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    tristimulus = XYZ @ np.clip(np.array(BLIND[missing]) @ light, 0, 1) / XYZ.sum(axis=1)
    x, y, z = np.where(tristimulus > 0.008856, np.cbrt(tristimulus), 7.787 * tristimulus + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("missing", list(BLIND))
def test_colours_with_a_meaning_stay_apart_for_the_colour_blind(theme: Theme, missing: str) -> None:
    places = [seen(colour, missing) for colour in (theme.result, theme.miss, theme.reference)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(places, 2)) > 20


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_intervals_do_not_vanish_in_the_paper(theme: Theme) -> None:
    assert contrast(theme.band, theme.paper) >= 1.5
    assert contrast(theme.miss_band, theme.paper) >= 1.4


def test_words_and_figures_are_imported_without_plotly() -> None:
    code = "import sys, dpcp_core.presentation.figures, dpcp_core.presentation.wording; print('plotly' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_very_long_name_takes_a_few_short_lines_beside_an_axis() -> None:
    lines = wrapped("x" * 300).split("<br>")
    assert len(lines) <= 3
    assert max(map(len, lines)) <= 30


def test_a_threshold_of_zero_can_be_drawn(result_of: ResultOf) -> None:
    result = result_of("oracle")
    nothing = np.zeros_like(result.thresholds)
    flat = dataclasses.replace(result, raw_thresholds=nothing, thresholds=nothing, reference_thresholds=nothing)
    assert mechanism(flat).alt.endswith(".")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_numbers_stand_out_from_every_cell(theme: Theme) -> None:
    surfaces = [mixed(theme.grid, theme.result, share) for share in np.linspace(0, 1, 101)]
    assert (surfaces[0], surfaces[-1]) == (theme.grid, theme.result)
    assert min(contrast(ink_on(surface), surface) for surface in surfaces) >= 4.5


def test_a_figure_that_somebody_changes_is_sent_as_changed(result_of: ResultOf) -> None:
    figure = strip(result_of("default")).figure
    n_traces = len(json.loads(figure.to_json())["data"])
    figure.update_layout(height=77)
    figure.add_scatter(x=[1], y=[2])
    for sent in (json.loads(figure.to_json()), json.loads(copy.deepcopy(figure).to_json())):
        assert sent["layout"]["height"] == 77
        assert len(sent["data"]) == n_traces + 1
    with pytest.raises(AttributeError, match="nonsense"):
        _ = strip(result_of("default")).figure.nonsense
