"""A million rows of 20 columns: one DPCP fit with its intervals, and a simulation; seconds and memory.

Each case runs in a process of its own. `before` is what Python, the libraries and the table itself take before anything
is fitted; the peak counts that too. The time stands beside its lower bound, reading every number of the table once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd
from common import parser, processor_seconds, table_text, verdicts, write_json

COLUMNS = 20
PREDICTED = 10_000
MOST_SECONDS, MOST_MB = 10.0, 2000.0


def large_table(n_rows: int) -> tuple[pd.DataFrame, np.ndarray, Any]:
    """Return features, target and their public schema."""
    from dpcp_core import Schema

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=n_rows) for i in range(COLUMNS)})
    target = frame.to_numpy() @ rng.normal(size=COLUMNS) / np.sqrt(COLUMNS) + 0.5 * rng.normal(size=n_rows)
    feature = {"kind": "number", "bounds": [-4, 4], "typical": [-1, 1]}
    known = {"kind": "number", "bounds": [-8, 8], "typical": [-1.1, 1.1], "role": "target"}
    return frame, target, Schema.from_dict({**dict.fromkeys(frame.columns, feature), "y": known})


def fit(frame: pd.DataFrame, target: np.ndarray, schema: Any) -> dict[str, Any]:
    """Fit, and predict some rows."""
    from dpcp_core import DPCPRegressor

    model = DPCPRegressor(schema=schema, random_state=0).fit(frame, target)
    _, intervals = model.predict_interval(frame.iloc[:PREDICTED])
    covered = (intervals[:, 0, 0] <= target[:PREDICTED]) & (target[:PREDICTED] <= intervals[:, 1, 0])
    return {"certified": model.certificate_.holds, "coverage": float(covered.mean())}


def simulation(frame: pd.DataFrame, target: np.ndarray, schema: Any, repetitions: int) -> dict[str, Any]:
    """Simulate with few repetitions."""
    from dpcp_core import ConformalSettings, Dataset, simulate

    data = Dataset.from_frame(frame.assign(y=target), schema)
    result = simulate(data, ConformalSettings(repetitions=repetitions))
    return {"certified": result.certificate.holds, "coverage": float(result.coverage_mean)}


def peak_mb() -> float:
    """Return the most memory that this process ever held (Linux counts in kB, macOS in bytes)."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def run_once(n_rows: int, repetitions: int) -> None:
    """Measure one case and print it as JSON; 0 repetitions are one fit."""
    from dpcp_core import DPCPRegressor, simulate  # noqa: F401 - loading them is not part of what is timed

    frame, target, schema = large_table(n_rows)
    reading = processor_seconds(lambda: frame.to_numpy().sum())
    before, worked, begun = peak_mb(), time.process_time(), time.perf_counter()
    found = simulation(frame, target, schema, repetitions) if repetitions else fit(frame, target, schema)
    work = time.process_time() - worked
    wall = time.perf_counter() - begun
    measures = {"processor s": work, "wall s": wall, "times reading": work / reading}
    print(json.dumps({**measures, "before MB": before, "peak MB": peak_mb(), **found}))


def measured(n_rows: int, repetitions: int) -> dict[str, Any]:
    """Return a row of the table, from a process of its own."""
    command = [sys.executable, __file__, "--once", str(n_rows), "--repetitions", str(repetitions)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    what = f"simulate, {repetitions} repetitions" if repetitions else "DPCPRegressor"
    return {"what": what, "rows": n_rows, **json.loads(done.stdout.splitlines()[-1])}


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--repetitions", type=int, default=3, help="of the simulation")
    options.add_argument("--once", type=int, default=0, help=argparse.SUPPRESS)
    choice = options.parse_args()
    if choice.once:
        run_once(choice.once, choice.repetitions)
        return 0
    cases = [(choice.rows // 10, 0), (choice.rows, 0), (choice.rows // 10, choice.repetitions), (choice.rows, 1)]
    rows = [measured(*case) for case in [*cases, (choice.rows, choice.repetitions)]]
    print(f"others keep {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores busy\n")
    print(table_text(rows))
    small, large = rows[:2]
    per_million = (large["peak MB"] - small["peak MB"]) / (0.9 * choice.rows / 1e6)
    print(f"\none fit: {per_million:.0f} MB per million rows; the table alone has {COLUMNS * 8 + 8} MB")
    taken = min(large["processor s"], large["wall s"])
    met = verdicts(
        {
            f"one fit of {choice.rows:,} rows: {large['processor s']:.1f} s of one processor, {large['wall s']:.1f} s "
            f"on the wall; the smaller of both at most {MOST_SECONDS:g} s": taken <= MOST_SECONDS,
            f"its peak: {large['peak MB']:.0f} MB, at most {MOST_MB:g} MB": large["peak MB"] <= MOST_MB,
            f"certified at {choice.rows:,} rows": bool(large["certified"]),
        }
    )
    write_json(choice.json, "memory", rows=rows, megabytes_per_million_rows=per_million, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
