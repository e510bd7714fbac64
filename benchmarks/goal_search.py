"""Goal-first search: against a dense sweep, against new simulations, and its guess of rows against subsamples.

`met` counts, of 20 new simulations at the answer (other seeds, as many repetitions), those with a mean size of at most
the goal's and a coverage not below the goal's by more than their own 95 % interval. `dense` is the first epsilon of a
sweep in steps of 5 % (60 repetitions) whose mean size and coverage meet the goal. For the rows, part of a table is
searched; `truth` is how many rows of the whole one meet the goal on average.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from common import load, parser, table_text, verdicts, write_json

TRIALS, FEWEST_MET = 20, 18
STEP, DENSE_REPETITIONS = 1.05, 60


@dataclass(frozen=True)
class Case:
    """A table, a size that is wanted, and settings."""

    data: str
    size: float
    settings: dict[str, Any] = field(default_factory=dict)
    largest: float = 10.0


@dataclass(frozen=True)
class RowsCase:
    """Part of a table, and a goal that it does not reach."""

    data: str
    n_rows: int
    size: float
    largest: float


CASES = (
    Case("blood_pressure", 33.0),
    Case("blood_pressure", 36.0),
    Case("blood_pressure", 34.0, {"stability": "dp"}),
    Case("blood_pressure", 38.0, {"stability": "dp"}),
    Case("length_of_stay", 10.4),
    Case("length_of_stay", 14.0, {"confidence_level": 0.95}),
    Case("diabetes", 225.0),
    Case("diabetes", 210.0),
    Case("diabetes", 300.0, {"method": "pscp"}),
    Case("breast_cancer", 1.2),
)
REAL = (Case("abalone", 8.5), Case("abalone", 9.0, {"stability": "profile"}))
SLOW = (Case("readmission", 1.3),)
ROWS = (
    RowsCase("blood_pressure", 500, 33.5, 0.5),
    RowsCase("blood_pressure", 1000, 33.5, 0.5),
    RowsCase("blood_pressure", 1000, 33.0, 1.0),
    RowsCase("blood_pressure", 2000, 34.0, 0.25),
    RowsCase("length_of_stay", 600, 10.6, 1.0),
    RowsCase("length_of_stay", 1500, 11.0, 0.25),
    RowsCase("length_of_stay", 1500, 10.6, 0.5),
)


def searched(case: Case, data: Any, repetitions: int) -> dict[str, Any]:
    """Search one case, sweep around its answer, and simulate the answer anew."""
    from dpcp_core import ConformalSettings, Goal, find_epsilon

    chosen = dict(case.settings)
    goal = Goal(coverage=chosen.pop("confidence_level", 0.9), width=case.size)
    answer = find_epsilon(
        data, ConformalSettings(repetitions=repetitions, **chosen), goal=goal, largest_epsilon=case.largest
    )
    row = {"data": case.data, "settings": " ".join(map(str, chosen.values())) or "default", "goal": case.size}
    row |= {"answer": answer.epsilon or float("nan"), "low": answer.low or 0.0, "why": answer.why or "-"}
    if not answer.reached:
        return row | {"dense": float("nan"), "agrees": "-", "met": "-", "seconds": answer.seconds}
    dense = first_dense(data, answer)
    agrees = "yes" if (answer.low or 0.0) <= dense * STEP and dense <= answer.epsilon * STEP else "NO"
    return row | {"dense": dense, "agrees": agrees, "met": trials_met(data, answer), "seconds": answer.seconds}


def first_dense(data: Any, answer: Any) -> float:
    """Return the first epsilon of a dense sweep that meets the goal on average."""
    from dpcp_core import sweep

    largest = answer.epsilon * STEP**3
    smallest = max(answer.low or answer.epsilon / 2, answer.epsilon / 20) / STEP**3
    n_steps = int(np.ceil(np.log(largest / smallest) / np.log(STEP)))
    tried = np.geomspace(smallest, largest, n_steps + 1).tolist()
    found = sweep(data, answer.settings.replace(seed=500), epsilons=tried, repetitions=DENSE_REPETITIONS)
    good = (
        cell.settings.epsilon
        for cell in found.cells
        if cell.size_mean <= answer.goal.most and cell.coverage_interval[1] >= answer.goal.coverage
    )
    return float(next(good, float("nan")))


def trials_met(data: Any, answer: Any) -> int:
    """Return how many of 20 new simulations meet the goal."""
    from dpcp_core import simulate

    met = 0
    for seed in range(1000, 1000 + TRIALS):
        result = simulate(data, answer.settings.replace(seed=seed))
        met += result.size_mean <= answer.goal.most and result.coverage_interval[1] >= answer.goal.coverage
    return int(met)


def rows_guessed(case: RowsCase, data: Any, repetitions: int) -> dict[str, Any]:
    """Search part of a table, and look how many rows of the whole one it takes."""
    from dpcp_core import ConformalSettings, Goal, find_epsilon

    settings, goal = ConformalSettings(repetitions=repetitions), Goal(width=case.size)
    answer = find_epsilon(part_of(data, case.n_rows), settings, goal=goal, largest_epsilon=case.largest)
    rows, truth = answer.rows, rows_truth(case, data)
    return {
        "data": case.data,
        "part": case.n_rows,
        "goal": case.size,
        "epsilon": case.largest,
        "why": answer.why or "reached",
        "about": rows.about if rows else float("nan"),
        "low": rows.low if rows else float("nan"),
        "high": rows.high if rows else float("nan"),
        "truth": truth,
        "ratio": rows.about / truth if rows else float("nan"),
        "inside": "yes" if rows and rows.low <= truth <= rows.high else "no",
    }


def part_of(data: Any, n_rows: int, seed: int = 0) -> Any:
    """Return so many rows, drawn at random."""
    from dpcp_core import Dataset

    frame = data.frame.sample(n_rows, random_state=seed).reset_index(drop=True)
    return Dataset.from_frame(frame, data.schema, data.name)


def rows_truth(case: RowsCase, data: Any) -> float:
    """Return the first number of rows, in steps of 10 %, whose mean size over four draws of rows meets the goal."""
    from dpcp_core import ConformalSettings, simulate

    settings, n_rows = ConformalSettings(epsilon=case.largest, repetitions=20), case.n_rows
    while n_rows <= data.n_rows:
        sizes = [simulate(part_of(data, n_rows, seed), settings.replace(seed=seed)).size_mean for seed in range(1, 5)]
        if np.mean(sizes) <= case.size:
            return float(n_rows)
        n_rows = int(n_rows * 1.1)
    return float("nan")


def _options() -> argparse.Namespace:
    options = parser(__doc__ or "")
    options.add_argument("--repetitions", type=int, default=20)
    options.add_argument("--tables", nargs="+", default=None, metavar="TABLE")
    options.add_argument("--slow", action="store_true", help="also tables that take minutes")
    options.add_argument("--parts", nargs="+", choices=["answers", "rows"], default=["answers", "rows"])
    return options.parse_args()


def main() -> int:
    choice = _options()
    cases = CASES + (SLOW if choice.slow else ()) + (REAL if choice.data else ())
    wanted = choice.tables or {case.data for case in (*cases, *ROWS)}
    tables = {name: load(name, choice.data) for name in wanted}
    found, guessed = [], []
    for case in cases if "answers" in choice.parts else ():
        if case.data in tables:
            found.append(searched(case, tables[case.data], choice.repetitions))
            print(".", end="", file=sys.stderr, flush=True)
    for part in ROWS if "rows" in choice.parts else ():
        if part.data in tables:
            guessed.append(rows_guessed(part, tables[part.data], choice.repetitions))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{choice.repetitions} repetitions\n\n{table_text(found)}\n\nRows needed\n\n{table_text(guessed)}")
    good = [row["agrees"] == "yes" and row["met"] >= FEWEST_MET for row in found if row["why"] == "-"]
    met = verdicts({f"{sum(good)} of {len(good)} answers agree and are met {FEWEST_MET} in {TRIALS}": all(good)})
    write_json(choice.json, "goal_search", repetitions=choice.repetitions, answers=found, rows=guessed)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
