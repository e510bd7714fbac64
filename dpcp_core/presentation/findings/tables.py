"""Coverage and size of every cell: one table for machines, one a table of the texts for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd

from dpcp_core.experiments.reproduce.evidence import TableRun
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.terms import option_title

_NOT_COMPUTED = "–"


def cells_frame(runs: Iterable[TableRun]) -> pd.DataFrame:
    """Return one row for each cell of all tables: settings, coverage and size with their spread, the ratio of sizes."""
    return pd.DataFrame([_row(run, cell) for run in runs for cell in run.cells])


def _row(run: TableRun, cell: CellResult) -> dict[str, Any]:
    chosen = cell.settings
    return {
        "table": run.name,
        "method": chosen.method,
        "trainer": chosen.trainer,
        "epsilon": chosen.epsilon,
        "delta": chosen.delta,
        "training_share": chosen.training_share,
        "bins": chosen.bins,
        "test_share": chosen.test_share,
        "repetitions": chosen.repetitions,
        "n": cell.n,
        "n_test": cell.n_test,
        "coverage_mean": cell.coverage_mean,
        "coverage_sd": cell.coverage_sd,
        "size_mean": cell.size_mean,
        "size_sd": cell.size_sd,
        "size_ratio": cell.size_ratio if not cell.failed else float("nan"),
        "certified": cell.certified,
        "private": cell.is_private,
        "problem": cell.problem,
    }


def markdown_tables(run: TableRun) -> str:
    """Return, for each model, coverage and size by method and epsilon: mean ± standard deviation."""
    unit = "classes in a set" if run.task == "classification" else f"width, {run.target.unit or 'in target units'}"
    parts = [f"# {run.title}: coverage and {unit}", _explained(run)]
    for trainer in run.trainers:
        parts += [f"## {option_title('trainer', trainer)}", *_of_trainer(run, trainer, unit)]
    return "\n\n".join(parts) + "\n"


def _explained(run: TableRun) -> str:
    settings = run.comparison()[0].settings
    return (
        f"{say.count(run.n_rows, 'row')}, {say.count(settings.repetitions, 'repetition')}. Mean ± standard deviation "
        f"between repetitions; wanted coverage {say.level(settings.confidence_level)}. In brackets: size over that of "
        f"the same model without privacy, trained and ranked on all rows. {_NOT_COMPUTED}: cannot be computed. "
        "“no privacy”, “split, no privacy”, “clipping only”, “naive” and “differential CP” are not private."
    )


def _of_trainer(run: TableRun, trainer: str, unit: str) -> list[str]:
    cells = [cell for cell in run.comparison() if cell.settings.trainer == trainer]
    return [f"Coverage:\n\n{_grid(cells, _coverage)}", f"Size ({unit}):\n\n{_grid(cells, _size)}"]


def _grid(cells: Sequence[CellResult], said: Callable[[CellResult], str]) -> str:
    methods = list(dict.fromkeys(cell.settings.method for cell in cells))
    epsilons = sorted({cell.settings.epsilon for cell in cells})
    found = {(cell.settings.method, cell.settings.epsilon): cell for cell in cells}
    rows = [
        [option_title("method", method), *(said(found[method, epsilon]) for epsilon in epsilons)] for method in methods
    ]
    return markdown_table(["method", *(f"ε = {say.short(epsilon)}" for epsilon in epsilons)], rows)


def _coverage(cell: CellResult) -> str:
    if cell.failed:
        return _NOT_COMPUTED
    return f"{say.fixed(100 * cell.coverage_mean, 1)} ± {say.fixed(100 * cell.coverage_sd, 1)}{say.NARROW}%"


def _size(cell: CellResult) -> str:
    if cell.failed:
        return _NOT_COMPUTED
    n_decimals = say.decimals(cell.size_mean, 3)
    spread = say.fixed(cell.size_sd, n_decimals)
    return f"{say.fixed(cell.size_mean, n_decimals)} ± {spread} ({say.number(cell.size_ratio, 3)})"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a Markdown table; upright lines within a cell are escaped.

    >>> print(markdown_table(["a", "b"], [["1", "x|y"]]))
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [head, ["---"] * len(head), *rows]
    texts = ["|".join(["", *(cell if cell == "---" else f" {_safe(cell)} " for cell in line), ""]) for line in lines]
    return "\n".join(texts)


def _safe(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
