"""How long does a synthetic table take, beside AIM and MST on the same rows, and how does it grow to a million rows?

Each case runs in a process of its own. Seconds are from the rows to the synthetic table; a rival loads its libraries in
that time. Those of the processor do not count what others on the machine do. A rival that is stopped by --timeout is a
result: its ratio is a lower bound.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from common import load, parser, table_text, verdicts, write_json

ADULT_ROWS, ADULT_SECONDS = 39_073, 8.0
ROWS = (10_000, 31_623, 100_000, 316_228, 1_000_000)
MOST_SECONDS, MOST_MB = 60.0, 3000.0
# Below that the accounting, which does not grow, is most of the time.
GROWING_FROM, STEEPEST = 100_000, 1.1


def large_table(n_rows: int) -> tuple[pd.DataFrame, Any]:
    """Return 15 columns, six of them numbers and one the label, with their public schema."""
    from dpcp_core import Schema

    rng = np.random.default_rng(0)
    cause = rng.normal(size=n_rows)
    numbers = {f"x{i}": np.clip(0.6 * cause + 0.8 * rng.normal(size=n_rows), -4, 4) for i in range(6)}
    wholes = {f"k{i}": np.clip(np.rint(40 + 12 * cause + 8 * rng.normal(size=n_rows)), 0, 99).astype(np.int64)
              for i in range(4)}  # fmt: skip
    words = {f"c{i}": np.array(list("abcdefgh"))[np.clip(np.rint(3.5 + cause + rng.normal(size=n_rows)), 0, 7)
                                                 .astype(int)] for i in range(4)}  # fmt: skip
    label = {"y": np.where(cause + 0.5 * rng.normal(size=n_rows) > 1, "yes", "no")}
    number = {"kind": "number", "bounds": [-4, 4], "typical": [-1, 1]}
    whole = {"kind": "integer", "bounds": [0, 99], "typical": [25, 55]}
    word = {"kind": "category", "categories": list("abcdefgh")}
    target = {"kind": "boolean", "categories": ["no", "yes"], "role": "target"}
    schema = dict.fromkeys(numbers, number) | dict.fromkeys(wholes, whole) | dict.fromkeys(words, word)
    return pd.DataFrame({**numbers, **wholes, **words, **label}), Schema.from_dict({**schema, "y": target})


def peak_mb() -> float:
    """Return the most memory that this process ever held (Linux counts in kB, macOS in bytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def adult(folder: Path | None) -> tuple[pd.DataFrame, Any]:
    data = load("adult", folder)
    return data.frame.sample(ADULT_ROWS, random_state=0), data.schema


def ours_once(choice: argparse.Namespace) -> None:
    """Make one table and print what it took, as JSON."""
    from dpcp_core import DPDSyn

    frame, schema = large_table(choice.once) if choice.once else adult(choice.data)
    before, worked, begun = peak_mb(), time.process_time(), time.perf_counter()
    model = DPDSyn(schema=schema, attributes=choice.attributes, task_model=choice.task_model, random_state=0)
    model.fit(frame)
    fitted = time.process_time()
    table = model.sample()
    done, wall = time.process_time(), time.perf_counter() - begun
    assert len(table) == len(frame)
    taken = {"processor s": done - worked, "wall s": wall, "of it drawing": done - fitted}
    print(json.dumps({**taken, "before MB": before, "peak MB": peak_mb()}))


def ours(choice: argparse.Namespace, rows: int, attributes: str, task_model: str) -> dict[str, Any]:
    """Return what a process of its own says; rows of 0 is Adult."""
    command = [sys.executable, __file__, "--once", str(rows), "--attributes", attributes, "--task-model", task_model]
    data = ["--data", str(choice.data)] if choice.data else []
    done = subprocess.run([*command, *data], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def rival(name: str, frame: pd.DataFrame, schema: Any, timeout: float) -> dict[str, Any]:
    """Run one rival on the same rows."""
    from dpcp_core.synthesis.rivals import run_rival

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = run_rival(name, frame, schema, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"processor s": worked, "wall s": run.seconds, "problem": run.problem or "none", "stopped": run.is_timeout}


def compare(choice: argparse.Namespace) -> list[dict[str, Any]]:
    """Make Adult's table our ways and by rivals."""
    rows = []
    for attributes, task_model in [("marginals", "mlp"), ("tree", "mlp"), ("marginals", "linear_svm")]:
        found = ours(choice, 0, attributes, task_model)
        rows.append({"table": f"DPDSyn: {attributes}, {task_model}", **{k: found[k] for k in ("processor s", "wall s")},
                     "problem": "none", "stopped": False})  # fmt: skip
    frame, schema = adult(choice.data)
    rows += [{"table": name, **rival(name, frame, schema, choice.timeout)} for name in choice.rivals]
    for row in rows:
        row["times ours"] = row["processor s"] / rows[0]["processor s"]
        row["times ours, wall"] = row["wall s"] / rows[0]["wall s"]
    return rows


def growing(choice: argparse.Namespace) -> list[dict[str, Any]]:
    """Make tables of more and more rows."""
    sizes = [rows for rows in ROWS if rows <= choice.largest]
    return [{"rows": rows, **ours(choice, rows, choice.attributes, choice.task_model)} for rows in sizes]


def exponent(rows: list[dict[str, Any]]) -> float:
    """Return the slope of log seconds over log rows, where rows are most of the work."""
    large = [row for row in rows if row["rows"] >= GROWING_FROM]
    if len(large) < 2:
        return float("nan")
    sizes, seconds = ([row[name] for row in large] for name in ("rows", "processor s"))
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def requirements(table: list[dict[str, Any]], rows: list[dict[str, Any]]) -> dict[str, bool]:
    """Return what is wanted."""
    met: dict[str, bool] = {}
    if table:
        met[f"Adult, {ADULT_ROWS:,} rows: {_both(table[0])} {ADULT_SECONDS:g} s"] = _least(table[0]) < ADULT_SECONDS
    largest = rows[-1] if rows else {"rows": 0}
    if largest["rows"] == ROWS[-1]:
        slope = exponent(rows)
        met |= {
            f"{largest['rows']:,} x 15: {_both(largest)} {MOST_SECONDS:g} s": _least(largest) < MOST_SECONDS,
            f"its peak: {largest['peak MB']:.0f} MB, below {MOST_MB:g} MB": largest["peak MB"] < MOST_MB,
            f"from {GROWING_FROM:,} rows on time grows with the power of {slope:.2f}, at most {STEEPEST}": (
                slope <= STEEPEST
            ),
        }
    return met


def _both(row: dict[str, Any]) -> str:
    return f"{row['processor s']:.1f} s of one processor, {row['wall s']:.1f} s on the wall; the smaller below"


def _least(row: dict[str, Any]) -> float:
    return float(min(row["processor s"], row["wall s"]))


def options() -> argparse.Namespace:
    line = parser(__doc__ or "")
    line.add_argument("--rivals", nargs="*", default=["mst", "aim"])
    line.add_argument("--timeout", type=float, default=600.0, help="seconds after which a rival is stopped")
    line.add_argument("--largest", type=int, default=ROWS[-1], metavar="ROWS", help="leave out more rows; 0 leaves all")
    line.add_argument("--skip-adult", action="store_true")
    line.add_argument("--attributes", default="marginals")
    line.add_argument("--task-model", default="mlp")
    line.add_argument("--once", type=int, help=argparse.SUPPRESS)
    return line.parse_args()


def main() -> int:
    choice = options()
    if choice.once is not None:
        ours_once(choice)
        return 0
    print(f"others keep {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores busy\n")
    rows = growing(choice)
    if rows:
        print(f"{table_text(rows)}\nexponent from {GROWING_FROM:,} rows on: {exponent(rows):.2f}\n", flush=True)
    table = [] if choice.skip_adult else compare(choice)
    if table:
        print(table_text(table))
    met = verdicts(requirements(table, rows))
    write_json(choice.json, "synthesis_speed", growth=rows, adult=table, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
