"""How the cost of the engine grows with rows, repetitions, columns and bins, each beside a stated lower bound.

Seconds of one processor, so others on the machine count little. The exponent is the slope of log seconds over log size.
The bounds: for training, the two matrix products of each step and nothing else; for a whole fit and for encoding,
reading every number once; for the quantile, sorting the scores once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from common import parser, processor_seconds, table_text, verdicts, write_json

from dpcp_core import Schema
from dpcp_core._threads import one_thread
from dpcp_core.data.encoding import encode
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile import quantile_distribution
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.descent import descend
from dpcp_core.training.descent_plan import DescentPlan
from dpcp_core.training.protocol import ProblemSize, TrainingChoices
from dpcp_core.training.registry import TRAINERS

Rows = npt.NDArray[np.float32]

STEPS, MODELS, COLUMNS = 20, 10, 20
BUDGET = TrainingBudget(0.5, 1e-5)
ROWS = (10_000, 31_623, 100_000, 316_228, 1_000_000)
REPETITIONS = (25, 50, 100, 200, 400, 800)
# With more columns than that the matrix products themselves get faster for each, so growth is slower than linear.
LINEAR_MODELS = 200
WIDTHS = (5, 10, 20, 40, 80, 160)
BINS = (10, 100, 1000, 10_000)
LINEAR = (0.9, 1.1)


def problem(n_rows: int, n_columns: int) -> tuple[Rows, Rows]:
    """Return rows of norm at most 1 with a constant, and a scaled target."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((n_rows, n_columns + 1), dtype=np.float32)
    rows[:, 0] = 1
    target = rows[:, 1:] @ rng.standard_normal(n_columns, dtype=np.float32) / math.sqrt(n_columns)
    rows /= math.sqrt(1.3 * (n_columns + 1))
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    return rows, (target + 0.5 * rng.standard_normal(n_rows, dtype=np.float32)).astype(np.float32)


def training(n_rows: int, n_columns: int, n_models: int) -> dict[str, Any]:
    """Time some steps of all models, and the products that they need."""
    features, target = problem(n_rows, n_columns)
    included = (np.random.default_rng(1).random((n_rows, n_models), dtype=np.float32) < 0.8).astype(np.float32)
    plan = DescentPlan(n_rows, STEPS, 1.7, 0.8, noise_multiplier=10.0)

    def ours() -> object:
        return descend(features, target, plan, n_models=n_models, rng=np.random.default_rng(2), included=included)

    weights, towards = np.zeros((n_columns + 1, n_models), np.float32), np.ascontiguousarray(features.T)

    def products() -> None:
        with one_thread():
            for _ in range(STEPS):
                towards @ (features @ weights)

    return row(least(ours), "matrix products", least(products))


def default_fit(n_rows: int) -> dict[str, Any]:
    """Time one private fit with as many steps as the public defaults take."""
    features, target = problem(n_rows, COLUMNS)
    plan = TRAINERS["ridge"].plan(ProblemSize(n_rows, COLUMNS + 1), BUDGET, TrainingChoices())

    def ours() -> object:
        return descend(features, target, plan, n_models=1, rng=np.random.default_rng(2))

    return {"steps": plan.steps, **row(least(ours), "reading once", reading(features))}


def encoding(n_rows: int) -> dict[str, Any]:
    """Time the way from a table to rows of numbers."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=n_rows) for i in range(COLUMNS)})
    described = {"kind": "number", "bounds": [-4, 4], "typical": [-1, 1]}
    schema = Schema.from_dict(dict.fromkeys(frame.columns, described))
    return row(least(lambda: encode(frame, schema)), "reading once", reading(frame.to_numpy()))


def quantiles(n_bins: int) -> dict[str, Any]:
    """Time 50 private quantiles of 10,000 scores."""
    scores = np.random.default_rng(0).random((10_000, 50))
    grid = Grid.geometric(smallest=1e-3, largest=1.0, bins=n_bins)

    def ours() -> object:
        return quantile_distribution(scores, grid, epsilon=0.5, miss_rate=0.1)

    return row(processor_seconds(ours), "sorting once", processor_seconds(lambda: np.sort(scores, axis=0)))


def least(call: Callable[[], object]) -> float:
    """Return the shortest of as many rounds as a second holds, three or more."""
    return processor_seconds(call, max(3, min(30, round(1 / max(processor_seconds(call, 1), 1e-3)))))


def reading(numbers: npt.NDArray[Any]) -> float:
    """Return seconds for adding up every number once."""
    return processor_seconds(lambda: np.add.reduce(numbers, axis=None), 5)


def row(taken: float, bound: str, least: float) -> dict[str, Any]:
    return {"seconds": taken, f"{bound}, s": least, "ratio": taken / max(least, 1e-6)}


def table(name: str, sizes: Iterable[int], measure: Callable[[int], dict[str, Any]]) -> list[dict[str, Any]]:
    """Measure at each size, and print."""
    rows = [{name: size, **measure(size)} for size in sizes]
    print(table_text(rows))
    print(f"exponent {exponent(rows):.2f}\n", flush=True)
    return rows


def exponent(rows: list[dict[str, Any]]) -> float:
    """Return the fitted exponent of the seconds in the first column."""
    sizes = [next(iter(row.values())) for row in rows]
    return float(np.polyfit(np.log(sizes), np.log([row["seconds"] for row in rows]), 1)[0])


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--largest", type=int, default=ROWS[-1], metavar="ROWS", help="leave out more rows than that")
    choice = options.parse_args()
    sizes = [n_rows for n_rows in ROWS if n_rows <= choice.largest]
    print(f"Training, {STEPS} steps of {MODELS} models at a time, {COLUMNS} columns\n")
    by_rows = table("rows", sizes, lambda n: training(n, COLUMNS, MODELS))
    print("The same with 10,000 rows\n")
    by_repetitions = table("models", REPETITIONS, lambda models: training(10_000, COLUMNS, models))
    by_columns = table("columns", WIDTHS, lambda d: training(10_000, d, 50))
    print("One private fit with the default number of steps\n")
    fits = table("rows", sizes, default_fit)
    print(f"Encoding {COLUMNS} columns\n")
    encoded = table("rows", sizes, encoding)
    print("50 private quantiles of 10,000 scores\n")
    by_bins = table("bins", BINS, quantiles)
    usual = [row for row in by_repetitions if row["models"] <= LINEAR_MODELS]
    linear = {"rows": by_rows, f"repetitions, up to {LINEAR_MODELS},": usual}
    low, high = LINEAR
    met = verdicts(
        {
            f"training grows with {name} to the power of {exponent(rows):.2f}, wanted {low} to {high}": low
            <= exponent(rows)
            <= high
            for name, rows in linear.items()
        }
    )
    tables = {
        "rows": by_rows,
        "repetitions": by_repetitions,
        "columns": by_columns,
        "default_fit": fits,
        "encoding": encoded,
        "bins": by_bins,
    }
    write_json(choice.json, "growth", **tables, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
