"""What the benchmarks share: the tables, the options, a stopwatch, printing and writing of results."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

SCHEMAS = Path(__file__).parent / "schemas"


@dataclass(frozen=True)
class Table:
    """A real public table: the file with its rows, and its schema from public documentation."""

    title: str
    file: str
    schema: str

    @property
    def schema_path(self) -> Path:
        """Where the schema lies."""
        return SCHEMAS / self.schema


TABLES = {
    "abalone": Table("Abalone", "abalone.csv", "abalone.toml"),
    "bike": Table("Bike", "bike_sharing_hour.csv", "bike.toml"),
    "casp": Table("CASP", "casp_protein.csv.gz", "casp.toml"),
    "communities_crime": Table("Communities & Crime", "communities_crime.csv", "communities_crime.toml"),
}


def parser(description: str, *, needs_data: bool = True) -> argparse.ArgumentParser:
    """Return a command line with the options that all benchmarks have."""
    options = argparse.ArgumentParser(description=description.strip().splitlines()[0])
    options.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers to FILE")
    if needs_data:
        options.add_argument(
            "--data",
            type=Path,
            default=os.environ.get("DPCP_DATA") or None,
            metavar="FOLDER",
            help="folder with the real tables (default: the environment variable DPCP_DATA)",
        )
    return options


def load(name: str, folder: Path | None) -> Any:
    """Return a sample, or a real table with its schema, as a Dataset; leave with one sentence where it is not there."""
    import pandas as pd

    from dpcp_core import Dataset, Schema, load_sample

    if name not in TABLES:
        return load_sample(name)
    table = TABLES[name]
    if folder is None:
        leave("Name the folder with the real tables: --data FOLDER, or the environment variable DPCP_DATA.")
    path = folder / table.file
    if not path.is_file():
        leave(f"{path} is not there; see benchmarks/README.md for the tables that are needed.")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    return Dataset.from_frame(frame, schema=Schema.from_toml(table.schema_path), name=table.title)


def seconds(call: Callable[[], object]) -> float:
    """Return how long one call takes, by the clock on the wall."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def leave(sentence: str) -> NoReturn:
    """Stop with exit code 2 and one sentence."""
    print(sentence, file=sys.stderr)
    raise SystemExit(2)


def table_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as an aligned text table; numbers stand to the right."""
    if not rows:
        return "(nothing)"
    names = list(rows[0])
    cells = [names, *([_cell(row[name]) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    right = [isinstance(rows[0][name], (int, float)) for name in names]
    lines = [_line(line, widths, right) for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    sides = [str.rjust if to_right else str.ljust for to_right in right]
    placed = [side(cell, width) for side, cell, width in zip(sides, cells, widths, strict=True)]
    return "  ".join(placed).rstrip()


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def write_json(path: Path | None, benchmark: str, **results: object) -> None:
    """Write results with the versions they were measured with, if a path was asked for."""
    if path is None:
        return
    import numpy

    report = {
        "benchmark": benchmark,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "processors": os.cpu_count(),
        **results,
    }
    path.write_text(json.dumps(report, indent=2) + "\n")
