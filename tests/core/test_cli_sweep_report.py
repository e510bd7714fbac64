"""The report of a sweep, of results made by hand: what a terminal shows of each kind of cell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpcp_core.cli.sweep_report import MOST_LINES, WIDTH, sweep_text
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.result import SweepResult
from tests.core.experiments.sweeps import comparison_of


def over(name: str, values: tuple[object, ...]) -> SweepResult:
    """Return a sweep of one method at one epsilon over another setting."""
    one = comparison_of({"dpcp": [(0.9, 30.0)]}, (1.0,))
    (cell,) = one.cells
    cells = tuple(replace(cell, settings=cell.settings.replace(**{name: value})) for value in values)
    return replace(one, plan=SweepPlan(one.plan.settings, {**one.plan.axes, name: values}), cells=cells)


def test_a_run_that_was_stopped_before_anything_could_be_computed_shows_no_empty_tables() -> None:
    lines = sweep_text(comparison_of({"pscp": ["No room."], "dpcp": [None]}, (0.5,))).splitlines()
    assert lines == [
        "ward: intervals for Blood pressure",
        "1 of 2 cells, 20 repetitions each, seed 0",
        "Simulation: not a private release.",
        "",
        "NOT COMPUTED: 1 cell",
        "  pscp at epsilon 0.5: No room.",
        "",
        "  1 s.",
    ]


def test_sets_are_counted_in_classes_and_widths_have_their_unit() -> None:
    sets = sweep_text(comparison_of({"dpcp": [(0.9, 1.5)]}, (1.0,), classes=True))
    assert "sets for Kind" in sets
    assert "\nMEAN CLASSES IN A SET\n" in sets
    intervals = comparison_of({"dpcp": [(0.9, 30.0)]}, (1.0,))
    assert "\nMEAN WIDTH, mmHg\n" in sweep_text(intervals)
    assert "\nMEAN WIDTH\n" in sweep_text(replace(intervals, target=replace(intervals.target, unit="")))


def test_a_width_beyond_all_measure_is_written_with_a_power_of_ten() -> None:
    text = sweep_text(comparison_of({"dpcp": [(1.0, 2e18)]}, (1.0,)))
    assert "2.00e18 +/- " in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_long_table_ends_with_how_to_get_the_rest() -> None:
    text = sweep_text(over("bins", tuple(range(1, MOST_LINES + 8))))
    assert text.count("dpcp, bins ") == 2 * MOST_LINES
    assert text.count("  ... and 7 lines more: --out writes them all to a file.") == 2
    whole = sweep_text(over("bins", tuple(range(1, MOST_LINES + 1))))
    assert "lines more" not in whole


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("steps", (None, 9), ["dpcp, steps default", "dpcp, steps 9"]),
        ("by_group", (False, True), ["dpcp, by_group no", "dpcp, by_group yes"]),
        ("confidence_level", (0.8, 0.95), ["dpcp, level 0.8", "dpcp, level 0.95"]),
        ("bins", (50, "sqrt"), ["dpcp, bins 50", "dpcp, bins sqrt"]),
    ],
)
def test_each_line_names_its_setting_in_plain_words(name: str, values: tuple[object, ...], said: list[str]) -> None:
    lines = sweep_text(over(name, values)).splitlines()
    rows = [line.split("  ")[1] for line in lines if line.startswith("  dpcp, ")]
    assert rows == said * 2
