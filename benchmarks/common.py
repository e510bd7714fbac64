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
    """A real public table: the files with its rows, and its schema from public documentation.

    Attributes
    ----------
    title : str
    files : tuple of str
        Joined one below the other.
    schema : str
        A file, or "" for pictures, whose columns are all alike.
    brightest, digit : int, str
        Of pictures: the largest value of a pixel, and the column with the class.
    """

    title: str
    files: tuple[str, ...]
    schema: str
    brightest: int = 0
    digit: str = "digit"

    def described(self, names: Sequence[str]) -> Any:
        """Return the schema of a table with these columns."""
        from dpcp_core import Schema

        if self.schema:
            return Schema.from_toml(SCHEMAS / self.schema)
        pixel = {"kind": "integer", "bounds": [0, self.brightest], "typical": [0, self.brightest]}
        classes = {"kind": "category", "categories": [str(code) for code in range(10)], "role": "target"}
        return Schema.from_dict({name: classes if name == self.digit else pixel for name in names})


TABLES = {
    "abalone": Table("Abalone", ("abalone.csv",), "abalone.toml"),
    "bike": Table("Bike", ("bike_sharing_hour.csv",), "bike.toml"),
    "casp": Table("CASP", ("casp_protein.csv.gz",), "casp.toml"),
    "communities_crime": Table("Communities & Crime", ("communities_crime.csv",), "communities_crime.toml"),
}
CLASS_TABLES = {
    "adult": Table("Adult", ("adult.csv.gz",), "adult.toml"),
    "br2000": Table("Br2000", ("br2000.csv",), "br2000.toml"),
    "lpd": Table("LPD", ("lpd_liver_30k.csv",), "lpd.toml"),
    "smoking": Table("Smoking", ("smoking_body_signals.csv",), "smoking.toml"),
    "pima": Table("Pima", ("pima_diabetes.csv",), "pima.toml"),
    "heart": Table("Heart disease", ("heart_disease_cleveland.csv",), "heart.toml"),
    "digits": Table("Digits", ("digits_8x8.csv",), "", brightest=16),
    "mnist": Table("MNIST", ("mnist_train.csv.gz", "mnist_test.csv.gz"), "", brightest=255),
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

    from dpcp_core import Dataset, load_sample

    table = (TABLES | CLASS_TABLES).get(name)
    if table is None:
        return load_sample(name)
    if folder is None:
        leave("Name the folder with the real tables: --data FOLDER, or the environment variable DPCP_DATA.")
    paths = [folder / file for file in table.files]
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        leave(f"{missing} is not there; see benchmarks/README.md for the tables that are needed.")
    frame = pd.concat([pd.read_csv(path, keep_default_na=False, na_values=[""]) for path in paths], ignore_index=True)
    return Dataset.from_frame(frame, schema=table.described(list(frame.columns)), name=table.title)


def seconds(call: Callable[[], object]) -> float:
    """Return how long one call takes, by the clock on the wall."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def processor_seconds(call: Callable[[], object], rounds: int = 3) -> float:
    """Return how long the processor works on one call, the least of some rounds: others on the machine do not count."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def verdicts(checks: Mapping[str, bool]) -> bool:
    """Print a line for each requirement, and return whether all are met."""
    print()
    for sentence, met in checks.items():
        print("PASS" if met else "FAIL", sentence)
    return all(checks.values())


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
