"""The private quantile of 10 million scores against numpy.sort of the same scores.

The sort is what an order statistic would need. Both sides take turns in one run. The ratio that counts is that of
their best times, since other work on the machine only ever adds to a time; the median over the rounds stands beside
it. Counting uses up to four threads: with every other processor busy, expect less. The counts behind the quantile
are compared with binary search once, so that speed is not bought with a score on the wrong side of an edge.
Scores: uniform, and absolute residuals of a normal law cut at their bound.
Beside it: the two calls that a slider waits for, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from common import parser, seconds, table_text, verdicts, write_json

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.composition import training_mu
from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.quantile import quantile_distribution

WANTED = 5.0
BINS = 1000

Floats = npt.NDArray[np.float64]
Row = dict[str, object]


def score_sets(count: int) -> Iterator[tuple[str, Floats]]:
    rng = np.random.default_rng(0)
    yield "uniform", rng.random(count)
    yield "residuals", np.minimum(np.abs(rng.normal(scale=0.25, size=count)), 1.0)


def grids() -> tuple[Grid, ...]:
    return Grid.uniform(largest=1.0, bins=BINS), Grid.geometric(smallest=1e-3, largest=1.0, bins=BINS)


def check(grid: Grid, scores: Floats) -> None:
    """Fail unless the counts are those of a comparison with every edge."""
    bins = np.bincount(np.searchsorted(grid.edges, scores), minlength=grid.bins + 1)
    above = len(scores) - np.cumsum(bins)[:-1]
    above[-1] = 0
    if not np.array_equal(grid.counts_above(scores), above):
        raise SystemExit(f"wrong counts on the {grid.kind} grid")


def compare(name: str, scores: Floats, grid: Grid, rounds: int) -> Row:
    check(grid, scores)

    def quantile() -> object:
        return quantile_distribution(scores, grid, epsilon=1.0, miss_rate=0.1)

    quantile()
    pairs = [(seconds(lambda: np.sort(scores)), seconds(quantile)) for _ in range(rounds)]
    sorting, ours = zip(*pairs, strict=True)
    return {
        "scores": name,
        "grid": grid.kind,
        "sort, ms": 1000 * min(sorting),
        "quantile, ms": 1000 * min(ours),
        "times faster": min(sorting) / min(ours),
        "median round": statistics.median(a / b for a, b in pairs),
    }


def live_calls() -> list[Row]:
    table = np.random.default_rng(0).random((10_000, 50))
    grid = Grid.geometric(smallest=1e-3, largest=1.0, bins=100)
    budget = PrivacyBudget(1.0, 1e-5)

    def calibrate() -> object:
        training_mu.cache_clear()
        return training_mu(budget, 0.5, "tight")

    calls: dict[str, Callable[[], object]] = {
        "50 quantiles of 10,000 scores, 100 bins": lambda: quantile_distribution(
            table, grid, epsilon=0.5, miss_rate=0.1
        ),
        "training noise by tight composition, not cached": calibrate,
    }
    return [
        {"call": name, "ms": 1000 * statistics.median(seconds(call) for _ in range(20))} for name, call in calls.items()
    ]


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--scores", type=int, default=10_000_000)
    options.add_argument("--rounds", type=int, default=15)
    choice: argparse.Namespace = options.parse_args()
    rows = [
        compare(name, scores, grid, choice.rounds) for name, scores in score_sets(choice.scores) for grid in grids()
    ]
    print(table_text(rows))
    live = live_calls()
    print("\n" + table_text(live))
    ratios = {f"{row['scores']}, {row['grid']}": row["times faster"] for row in rows}
    fast = all(float(str(ratio)) >= WANTED for ratio in ratios.values())
    met = verdicts({f"each at least {WANTED:.0f} times faster wanted, M = {BINS}": fast})
    write_json(choice.json, "quantile_speed", scores=choice.scores, bins=BINS, rows=rows, live=live, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
