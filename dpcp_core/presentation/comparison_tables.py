"""A comparison of methods as tables: every cell, and who leads at each epsilon."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dpcp_core.experiments.comparison import Comparison, Standing
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.presentation.wording.crossings import is_of_sets, smallest
from dpcp_core.presentation.wording.terms import option_title


def cells_table(comparison: Comparison) -> pd.DataFrame:
    """Return one line per cell: method, epsilon, coverage and size with their intervals."""
    rows = [_row(comparison, cell) for name in comparison.methods for cell in comparison.line(name)]
    return pd.DataFrame(rows)


def standings_table(comparison: Comparison) -> pd.DataFrame:
    """Return one line per epsilon: who is in front and how large that is, who is level, who misses the target."""
    return pd.DataFrame([_standing(comparison, standing) for standing in comparison.standings()])


def _standing(comparison: Comparison, standing: Standing) -> dict[str, Any]:
    front = standing.front
    cell = comparison.cell(front[0], standing.epsilon) if front else None
    size = "set size" if is_of_sets(comparison) else "width"
    return {
        "ε": standing.epsilon,
        smallest(comparison): _titles(front[:1]) or "nobody",
        size: cell.size_mean if cell else float("nan"),
        "not told apart from it": _titles(front[1:]),
        "miss their target": _titles(standing.missed),
    }


def _titles(names: tuple[str, ...]) -> str:
    return "; ".join(option_title("method", name) for name in names)


def _row(comparison: Comparison, cell: CellResult) -> dict[str, Any]:
    low, high = cell.coverage_interval
    narrow, wide = cell.size_interval
    size = "set size" if is_of_sets(comparison) else "width"
    return {
        "method": option_title("method", cell.settings.method),
        "epsilon": cell.settings.epsilon,
        "coverage": cell.coverage_mean,
        "coverage from": low,
        "coverage to": high,
        size: cell.size_mean,
        f"{size} from": narrow,
        f"{size} to": wide,
        "times without privacy": cell.size_ratio,
        "private": cell.is_private,
        "certified": cell.certified,
        "reaches target": comparison.reaches(cell),
    }
