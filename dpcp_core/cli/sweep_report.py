"""A sweep's result as text for a terminal: coverage and size by method and epsilon, and what could not be computed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from dpcp_core.cli.report import for_terminal
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.plain import SIMULATION
from dpcp_core.presentation.wording.progress import duration

if TYPE_CHECKING:
    from dpcp_core.experiments.sweep.cell import CellResult
    from dpcp_core.experiments.sweep.result import SweepResult

WIDTH = 100
MOST_LINES = 60
"""Lines of a table that are shown; a file has them all."""

_GAP, _NOT_COMPUTED, _MINUTE = "  ", "-", 60

Row: TypeAlias = tuple[object, ...]
Cells: TypeAlias = "dict[tuple[Row, float], CellResult]"


def sweep_text(result: SweepResult) -> str:
    """Return the report, at most 100 characters wide."""
    blocks = [_heading(result)]
    if not all(cell.failed for cell in result.cells):
        blocks += [
            _table(result, f"COVERAGE, % (wanted: {_wanted(result)})", _coverage),
            _table(result, _size_title(result), _size),
            _legend(result),
        ]
    blocks += [_failures(result), _ending(result)]
    return for_terminal("\n\n".join(block for block in blocks if block))


def _heading(result: SweepResult) -> str:
    made = "sets" if result.task == "classification" else "intervals"
    settings = result.plan.settings
    runs = {cell.settings.repetitions for cell in result.cells}
    each = f", {say.count(settings.repetitions, 'repetition')} each" if len(runs) == 1 else ""
    seed = "" if "seed" in result.plan.axes else f", seed {settings.seed}"
    n_cells = say.count(result.plan.n_cells, "cell")
    if not result.is_complete:
        n_cells = f"{say.whole(len(result.cells))} of {n_cells}"
    name = result.dataset_name or "table"
    return f"{name}: {made} for {shortened(result.target.title)}\n{n_cells}{each}{seed}\n{SIMULATION}."


def _wanted(result: SweepResult) -> str:
    levels = dict.fromkeys(cell.settings.confidence_level for cell in result.cells)
    return ", ".join(f"{100 * level:.6g}" for level in levels)


def _size_title(result: SweepResult) -> str:
    if result.task == "classification":
        return "MEAN CLASSES IN A SET"
    return f"MEAN WIDTH, {result.target.unit}" if result.target.unit else "MEAN WIDTH"


def _coverage(cell: CellResult) -> tuple[str, str]:
    low, high = cell.coverage_interval
    # All rows are only said to be covered where all of them are.
    covered = 100 if cell.coverage_mean == 1 else min(100 * cell.coverage_mean, 99.9)
    return say.fixed(covered, 1), say.fixed(50 * (high - low), 1)


def _size(cell: CellResult) -> tuple[str, str]:
    low, high = cell.size_interval
    half = (high - low) / 2
    if say.is_extreme(cell.size_mean):
        return say.number(cell.size_mean, 3), say.number(half, 1)
    n_decimals = max(say.decimals(cell.size_mean, 3), 0)
    return say.fixed(cell.size_mean, n_decimals), say.fixed(half, n_decimals)


def _table(result: SweepResult, title: str, measured: Callable[[CellResult], tuple[str, str]]) -> str:
    """Return a table of methods by epsilons, in as many pieces as its columns need."""
    cells = _by_place(result)
    rows, epsilons = list(dict.fromkeys(row for row, _ in cells)), sorted({epsilon for _, epsilon in cells})
    shown = rows[:MOST_LINES]
    texts = {place: _beside(measured(cell)) for place, cell in cells.items() if not cell.failed}
    names = {row: _name(result, row, cells) for row in shown}
    first = max(len("epsilon"), *(len(name) for name in names.values()))
    wide = max(len(for_terminal(text)) for text in (*texts.values(), *(f"{value:g}" for value in epsilons)))
    fitting = max(1, (WIDTH - 2 - first) // (wide + len(_GAP)))
    lines = [title]
    for start in range(0, len(epsilons), fitting):
        some = epsilons[start : start + fitting]
        lines += [""] if start else []
        lines.append(_line("epsilon", first, [f"{value:g}" for value in some], wide))
        for row in shown:
            found = [texts.get((row, value), _NOT_COMPUTED if (row, value) in cells else "") for value in some]
            lines.append(_line(names[row], first, [for_terminal(text) for text in found], wide))
    if len(rows) > len(shown):
        lines.append(f"  ... and {say.whole(len(rows) - len(shown))} lines more: --out writes them all to a file.")
    return "\n".join(lines)


def _beside(value_and_half: tuple[str, str]) -> str:
    value, half = value_and_half
    return f"{value} \u00b1 {half}"


def _line(name: str, first: int, texts: list[str], wide: int) -> str:
    return f"  {name:<{first}}{''.join(f'{_GAP}{text:>{wide}}' for text in texts)}".rstrip()


def _by_place(result: SweepResult) -> Cells:
    return {(_row(result, cell), cell.settings.epsilon): cell for cell in result.cells}


def _row(result: SweepResult, cell: CellResult) -> Row:
    return (cell.settings.method, *(getattr(cell.settings, name) for name in _others(result)))


def _others(result: SweepResult) -> list[str]:
    return [name for name in result.plan.axes if name not in ("method", "epsilon")]


def _name(result: SweepResult, row: Row, cells: Cells) -> str:
    method, *values = row
    mark = "" if next(cell.is_private for (there, _), cell in cells.items() if there == row) else " *"
    said = [f"{_short(name)} {_plain(value)}" for name, value in zip(_others(result), values, strict=True)]
    return shortened(", ".join([f"{method}{mark}", *said]))


def _short(name: str) -> str:
    return "level" if name == "confidence_level" else name


def _plain(value: object) -> str:
    if value is None:
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _legend(result: SweepResult) -> str:
    said = ["Behind +/-: half of the 95 % interval of the mean over repetitions."]
    if any(not cell.is_private for cell in result.cells):
        said.append("* not private, for comparison.")
    certified = dict.fromkeys(cell.settings.method for cell in result.cells if cell.certified)
    uncertified = {cell.settings.method for cell in result.cells if not cell.certified and not cell.failed}
    if proved := [name for name in certified if name not in uncertified]:
        said.append(f"Coverage is proved for {', '.join(proved)}; elsewhere it is what was measured.")
    return textwrap.fill(" ".join(said), WIDTH, initial_indent="  ", subsequent_indent="  ")


def _failures(result: SweepResult) -> str:
    if not result.failures:
        return ""
    lines = [f"NOT COMPUTED: {say.count(len(result.failures), 'cell')}"]
    for problem, cells in result.reasons.items():
        lines += textwrap.wrap(f"{_places(cells)}: {problem}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def _places(cells: Sequence[CellResult]) -> str:
    methods = dict.fromkeys(cell.settings.method for cell in cells)
    epsilons = dict.fromkeys(f"{cell.settings.epsilon:g}" for cell in cells)
    return f"{', '.join(methods)} at epsilon {', '.join(epsilons)}"


def _ending(result: SweepResult) -> str:
    return "  " + "; ".join(_how_long(result)) + "."


def _how_long(result: SweepResult) -> Iterator[str]:
    n_new = len(result.cells) - result.n_reused
    if result.n_reused:
        yield f"{say.count(result.n_reused, 'cell')} reused from an earlier run, {say.whole(n_new)} run now"
    yield f"{result.seconds:.2g} s" if result.seconds < _MINUTE else duration(result.seconds)
