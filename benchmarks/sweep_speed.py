"""The whole comparison on `blood_pressure`: 9 methods, 12 epsilons, 50 repetitions; in this process and by two workers.

Each way runs in a process of its own, twice: cold, with the start of Python and of the workers, and warm. The clock on
the wall counts everything; the processor's time, known where no other process helps, is what it would say on a machine
with nothing else to do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from typing import Any

from common import parser, table_text, verdicts, write_json

# Backend of joblib, and how many trainings run at a time.
WAYS = {"in turn": ("threading", 1), "2 threads": ("threading", 2), "2 processes": ("loky", 2)}
MOST_SECONDS = 15.0


def run_once(way: str, repetitions: int, started: float) -> None:
    """Run the comparison twice and print seconds as JSON; ``started`` is when the process was asked for."""
    from joblib import parallel_config

    from dpcp_core import load_sample, sweep
    from dpcp_core.experiments.presets import COMPARED_EPSILONS

    backend, jobs = WAYS[way]
    taken: dict[str, Any] = {}
    with parallel_config(backend=backend, n_jobs=jobs):
        for name in ("cold", "warm"):
            worked, begun = time.process_time(), time.time()
            result = sweep(
                load_sample("blood_pressure"), methods="all", epsilons=COMPARED_EPSILONS, repetitions=repetitions
            )
            taken[name] = time.time() - (started if name == "cold" else begun)
            taken[f"{name}, processor"] = time.process_time() - (0.0 if name == "cold" else worked)
    taken["cells"], taken["failed"] = len(result.cells), len(result.failures)
    print(json.dumps(taken))


def measured(way: str, repetitions: int) -> dict[str, Any]:
    """Return a row of the table."""
    command = [
        sys.executable,
        __file__,
        "--once",
        way,
        "--repetitions",
        str(repetitions),
        "--started",
        str(time.time()),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    taken = json.loads(done.stdout.splitlines()[-1])
    if WAYS[way][0] == "loky":
        # The workers' time is not this process's.
        taken |= {"cold, processor": math.nan, "warm, processor": math.nan}
    return {"how": way, **taken}


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--repetitions", type=int, default=50)
    options.add_argument("--once", choices=WAYS, help=argparse.SUPPRESS)
    options.add_argument("--started", type=float, default=0.0, help=argparse.SUPPRESS)
    choice = options.parse_args()
    if choice.once:
        run_once(choice.once, choice.repetitions, choice.started)
        return 0
    rows = [measured(way, choice.repetitions) for way in WAYS]
    alone = rows[0]
    for row in rows:
        row["times faster, warm"] = alone["warm"] / row["warm"]
    print(f"seconds; others keep {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores busy\n")
    print(table_text(rows))
    wall, worked = min(row["cold"] for row in rows), alone["cold, processor"]
    best = min(wall, worked)
    met = verdicts(
        {
            f"cold: {wall:.1f} s on the wall at best, {worked:.1f} s of one processor in turn; the smaller of both at "
            f"most {MOST_SECONDS:g} s": best <= MOST_SECONDS,
            f"{alone['cells']} cells, {sum(row['failed'] for row in rows)} failed": not any(r["failed"] for r in rows),
        }
    )
    write_json(choice.json, "sweep_speed", repetitions=choice.repetitions, rows=rows, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
