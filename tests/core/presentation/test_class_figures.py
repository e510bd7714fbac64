"""Pictures of sets, groups and training: they show what the result holds, on axes that stay still."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.experiments.result import GroupResult, HeldOutSets, SimulationResult
from dpcp_core.presentation.figures import Picture, example_rows, groups, sets, spread, strip, training
from dpcp_core.presentation.figures.theme import DARK, LIGHT
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.group_words import group_interval
from dpcp_core.training.protocol import TrainingTrace
from tests.core.presentation.maps import plain

ResultOf = Callable[[str], SimulationResult]
Draw = Callable[..., Picture]


def axes(picture: Picture) -> dict[str, Any]:
    layout = picture.figure.to_plotly_json()["layout"]
    return {name: layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))}


def drawn(picture: Picture, kind: str) -> Any:
    return next(trace for trace in picture.figure.data if trace.type == kind)


CASES: list[tuple[Draw, str]] = [
    *((sets, case) for case in ("classes", "tumours", "both", "every_class", "many", "class_once")),
    *((groups, case) for case in ("default", "own_groups", "classes", "class_groups", "once")),
    *((training, case) for case in ("default", "relative", "classes", "many")),
]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("draw", "case"), CASES)
def test_a_picture_is_whole_light_and_cannot_be_dragged(draw: Draw, case: str, dark: bool, result_of: ResultOf) -> None:
    picture = draw(result_of(case), dark=dark)
    text = picture.figure.to_json()
    layout = picture.figure.layout
    assert json.loads(text) == json.loads(picture.figure.to_json()), "sent otherwise than plotly reads it"
    assert layout.dragmode is False
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert all(axis["fixedrange"] and len(axis["range"]) == 2 for axis in axes(picture).values())
    assert len(text) < 100_000
    assert (DARK if dark else LIGHT).ink in text
    assert picture.alt.startswith(picture.title)
    assert picture.alt.endswith(".")
    assert re.search(r"\d", picture.alt)
    assert not re.search(r"\bnan\b|\binf\b", picture.alt + picture.title)
    assert 1 <= len(picture.table) <= 1001
    assert text == draw(result_of(case), dark=dark).figure.to_json()


@pytest.mark.parametrize(("draw", "case"), [case for case in CASES if case[0] is not sets])
def test_every_mark_is_inside_its_axes(draw: Draw, case: str, result_of: ResultOf) -> None:
    picture = draw(result_of(case))
    for mark in picture.figure.data:
        for values, name in ((mark.x, f"xaxis{(mark.xaxis or 'x')[1:]}"), (mark.y, f"yaxis{(mark.yaxis or 'y')[1:]}")):
            low, high = picture.figure.layout[name].range
            assert np.all((np.asarray(values, dtype=float) >= low) & (np.asarray(values, dtype=float) <= high))


def test_the_strip_fills_the_cells_of_each_set_and_marks_the_true_class(any_sets: SimulationResult) -> None:
    picture, rows = strip(any_sets), any_sets.rows
    assert isinstance(rows, HeldOutSets)
    cells = np.asarray(drawn(picture, "heatmap").z, dtype=float)
    lanes = len(picture.figure.layout.yaxis.ticktext)
    assert lanes == min(10, len(any_sets.target.categories))
    if lanes == len(any_sets.target.categories):
        assert np.sum(~np.isnan(cells)) == rows.members.sum()
    inside, outside = (trace for trace in picture.figure.data if trace.type == "scatter")
    assert (len(inside.x), len(outside.x)) == (rows.covered.sum(), (~rows.covered).sum())
    assert inside.marker.symbol != outside.marker.symbol
    for mark, is_held in ((inside, True), (outside, False)):
        for x, y in zip(mark.x, mark.y, strict=True):
            assert np.isnan(cells[lanes - 1 - int(y), int(x) - 1]) != is_held
            column = cells[:, int(x) - 1]
            assert set(column[~np.isnan(column)]) <= {0.0 if is_held else 1.0}
    assert sorted(picture.table["inside"]) == sorted(rows.covered)


def test_two_classes_are_sorted_by_the_probability_of_the_first(result_of: ResultOf) -> None:
    result = result_of("classes")
    table = strip(result).table
    first, second = result.target.categories
    of_first = np.where(table["truth"] == first, table["probability_of_truth"], 1 - table["probability_of_truth"])
    assert set(table["truth"]) == {first, second}
    assert np.all(np.diff(of_first) <= 1e-9)


def test_of_many_classes_the_lanes_are_guesses(result_of: ResultOf) -> None:
    picture = strip(result_of("many"))
    assert picture.figure.layout.yaxis.ticktext[0] == "likeliest"
    assert picture.figure.layout.yaxis.ticktext[-1] == "later"
    cells = np.asarray(drawn(picture, "heatmap").z, dtype=float)
    # A set of likely enough classes holds the likeliest ones, so its cells have no gap.
    held = ~np.isnan(cells)
    assert np.all(np.diff(held.astype(int), axis=0) <= 0)


def test_an_empty_set_is_an_empty_column_and_is_counted(result_of: ResultOf) -> None:
    rows = HeldOutSets(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[True, False], [False, False]]), np.array([0, 1]))
    picture = strip(dataclasses.replace(result_of("tumours"), rows=rows))
    assert "1 name none" in picture.alt
    assert list(picture.table["set"]) == ["benign", "none"]


def test_sets_show_the_share_that_holds_each_class(any_sets: SimulationResult) -> None:
    summary = any_sets.sets
    assert summary is not None
    picture = sets(any_sets)
    np.testing.assert_allclose(np.asarray(drawn(picture, "heatmap").z, dtype=float), 100 * summary.holds)
    pairs = picture.table[picture.table["what"] == "true class"]
    np.testing.assert_allclose(pairs["share"].to_numpy(dtype=float), summary.holds.ravel())
    sizes = picture.table[picture.table["what"] == "set size"]
    assert sizes["share"].sum() == pytest.approx(1)
    np.testing.assert_allclose(np.asarray(drawn(picture, "bar").y, dtype=float), 100 * sizes["share"])


def test_sets_count_their_rows_and_name_the_lowest_coverage(result_of: ResultOf) -> None:
    result = result_of("classes")
    assert result.sets is not None
    picture = sets(result)
    per_repetition = result.sets.class_counts / len(result.coverage)
    for name, rows, label in zip(
        result.target.categories, per_repetition, picture.figure.layout.yaxis.ticktext, strict=True
    ):
        assert label == f"{name}<br>{say.whole(rows)} rows"
    heights = dict(zip(picture.figure.layout.yaxis.tickvals, picture.figure.layout.yaxis.ticktext, strict=True))
    for name, height in zip(result.target.categories, drawn(picture, "heatmap").y, strict=True):
        assert heights[int(height)].startswith(f"{name}<br>")
    lowest = int(np.argmin(result.sets.class_coverage))
    share = say.percent(float(result.sets.class_coverage[lowest]))
    assert f"Coverage is lowest for “{result.target.categories[lowest]}”: {share}" in picture.alt


def test_cells_of_few_classes_carry_their_share(result_of: ResultOf) -> None:
    summary = result_of("classes").sets
    assert summary is not None
    numbers = drawn(sets(result_of("classes")), "scatter")
    for x, y, text in zip(numbers.x, numbers.y, numbers.text, strict=True):
        assert text == say.percent(float(summary.holds[1 - int(y), int(x)]), 0)


def test_a_class_without_rows_leaves_its_cells_open(result_of: ResultOf) -> None:
    picture = sets(result_of("many"))
    assert np.all(np.isnan(np.asarray(drawn(picture, "heatmap").z, dtype=float)[-1]))
    assert not [trace for trace in picture.figure.data if trace.type == "scatter"]


def test_empty_sets_have_a_bar_only_where_they_may_be(result_of: ResultOf) -> None:
    assert list(sets(result_of("classes")).figure.layout.xaxis2.ticktext) == ["1", "2"]
    assert list(sets(result_of("tumours")).figure.layout.xaxis2.ticktext) == ["0", "1", "2"]
    assert sets(result_of("many")).figure.layout.xaxis2.ticktext[-1] == "10 or more"


def test_axes_of_sets_stay_still_while_sliders_move(result_of: ResultOf) -> None:
    for draw in (strip, sets):
        ranges = {
            tuple(tuple(axis["range"]) for axis in axes(draw(result_of(case))).values())
            for case in ("class_once", "cumulative", "every_class")
        }
        assert len(ranges) == 1


def test_sets_and_groups_and_training_need_something_to_draw(result_of: ResultOf) -> None:
    for draw, case in ((sets, "default"), (groups, "few"), (training, "oracle")):
        with pytest.raises(InputError, match=r"There (is|are) no"):
            draw(result_of(case))


def test_groups_are_drawn_with_their_interval_and_their_rows(result_of: ResultOf) -> None:
    result = result_of("default")
    picture = groups(result)
    marks = {
        int(y): (x, trace, i)
        for trace in picture.figure.data
        for i, (x, y) in enumerate(zip(trace.x, trace.y, strict=True))
    }
    for place, group in enumerate(result.groups[::-1]):
        x, trace, i = marks[place]
        low, high = group_interval(group) or (np.nan, np.nan)
        assert x == pytest.approx(100 * group.coverage_mean)
        assert x - trace.error_x.arrayminus[i] == pytest.approx(100 * low)
        assert x + trace.error_x.array[i] == pytest.approx(100 * high)
        assert f"{say.whole(group.n_test)} rows" in picture.figure.layout.yaxis.ticktext[place]
    assert picture.figure.layout.shapes[0].x0 == pytest.approx(90)
    assert list(picture.table["group"]) == [group.name for group in result.groups]


def test_only_groups_surely_below_the_target_are_marked(result_of: ResultOf) -> None:
    result = result_of("default")
    low, fine = ([0.70, 0.71, 0.72], [0.89, 0.91, 0.93])
    made = [GroupResult(n, 50, 50, np.array(c), np.full(3, 30.0), None) for n, c in (("low", low), ("fine", fine))]
    unmarked, marked = groups(dataclasses.replace(result, groups=tuple(made))).figure.data
    assert list(marked.x) == pytest.approx([71.0])
    assert list(unmarked.x) == pytest.approx([91.0])
    assert marked.marker.symbol != unmarked.marker.symbol


def test_of_very_many_groups_the_lowest_are_drawn_and_all_are_in_the_table(result_of: ResultOf) -> None:
    made = tuple(GroupResult(f"g{i}", 50, 50, np.full(3, 0.5 + i / 200), np.full(3, 1.0), None) for i in range(60))
    picture = groups(dataclasses.replace(result_of("default"), groups=made))
    assert sum(len(trace.x) for trace in picture.figure.data) == 25
    assert len(picture.table) == 60
    assert "g0" in picture.title


def test_own_certificates_are_in_the_table_only_where_groups_have_them(result_of: ResultOf) -> None:
    assert "own_certificate" in groups(result_of("own_groups")).table
    assert "own_certificate" not in groups(result_of("default")).table


def test_training_draws_what_was_recorded(result_of: ResultOf) -> None:
    trace = result_of("default").trace
    assert trace is not None
    loss, clipped, norm = training(result_of("default")).figure.data
    np.testing.assert_allclose(np.asarray(loss.y, dtype=float), trace.loss)
    np.testing.assert_allclose(np.asarray(clipped.y, dtype=float), 100 * trace.clipped_share)
    np.testing.assert_allclose(np.asarray(norm.y, dtype=float), trace.gradient_norm)
    picture = training(result_of("default"))
    assert "Not private: for simulations only." in picture.alt
    assert "not private: for simulations only" in picture.figure.layout.xaxis3.title.text


def test_a_single_step_can_be_drawn(result_of: ResultOf) -> None:
    one = TrainingTrace(np.array([1]), np.array([0.0]), np.array([0.0]), np.array([0.0]))
    picture = training(dataclasses.replace(result_of("default"), trace=one))
    assert picture.title.startswith("The model is found in one step")


def test_clipping_alone_gets_a_lane_between_the_two(result_of: ResultOf) -> None:
    clipped = result_of("clipped")
    picture = spread(result_of("default"), clip_only=clipped)
    assert list(picture.figure.layout.yaxis.ticktext) == ["without<br>privacy", "clipping<br>only", "this method"]
    middle = [trace for trace in picture.figure.data if np.allclose(np.round(trace.y), 1) and trace.yaxis == "y2"]
    assert sorted(middle[0].x) == pytest.approx(sorted(clipped.size))
    assert f"With clipping only, no noise, coverage was {say.percent(clipped.coverage_mean)}" in picture.alt
    np.testing.assert_array_equal(picture.table["width_clipping_only"], clipped.size)
    assert len(spread(result_of("default")).figure.layout.yaxis.ticktext) == 2


def test_examples_are_rows_in_words_with_a_miss_among_them(result_of: ResultOf) -> None:
    result = result_of("classes")
    assert isinstance(result.rows, HeldOutSets)
    table = example_rows(result)
    assert list(table.columns) == ["Set", "True class", "Held"]
    assert len(table) == 5
    for _, row in table.iterrows():
        assert (row["True class"] in row["Set"].split(", ")) == (row["Held"] == "in")
    assert ("out" in set(table["Held"])) == bool((~result.rows.covered).any())


def test_examples_of_a_number_have_their_unit(result_of: ResultOf) -> None:
    table = example_rows(result_of("default"), k=3)
    assert list(table.columns) == ["Interval", "True value", "Held"]
    assert len(table) == 3
    assert all(cell.endswith("mmHg") for cell in table["True value"])
    assert re.fullmatch(r"[\d.]+ to [\d.]+ mmHg", plain(table["Interval"].iloc[0]))


@pytest.mark.parametrize("k", [1, 2, 1000])
def test_as_many_examples_as_there_are(any_result: SimulationResult, k: int) -> None:
    assert 1 <= len(example_rows(any_result, k)) <= min(k, 100)


def test_the_likeliest_class_of_a_large_set_is_named_first_and_the_rest_counted(result_of: ResultOf) -> None:
    result = result_of("many")
    n_classes = len(result.target.categories)
    likely = np.linspace(1, 2, n_classes)[None, :] / 40
    rows = HeldOutSets(likely, np.ones((1, n_classes), dtype=bool), np.array([0]))
    (told,) = example_rows(dataclasses.replace(result, rows=rows))["Set"]
    assert told.startswith(f"{result.target.categories[-1]}, ")
    assert told.endswith(f"and {n_classes - 6} more")


@pytest.mark.parametrize("draw", [strip, sets])
def test_tags_in_the_name_of_a_class_are_shown_and_not_obeyed(draw: Draw, result_of: ResultOf) -> None:
    result = result_of("tumours")
    hostile = dataclasses.replace(result.target, categories=("<a>x", "<i>y"), label="<b>z")
    text = json.dumps(json.loads(draw(dataclasses.replace(result, target=hostile)).figure.to_json()))
    assert not re.search(r"<(a|i|b)>", text)
    assert "&lt;i&gt;y" in text


def test_tags_in_the_name_of_a_group_are_shown_and_not_obeyed(result_of: ResultOf) -> None:
    result = result_of("default")
    hostile = tuple(dataclasses.replace(group, name="<i>x", column="<b>y") for group in result.groups)
    text = json.dumps(json.loads(groups(dataclasses.replace(result, groups=hostile)).figure.to_json()))
    assert not re.search(r"<(i|b)>", text)
