"""How long reading and digesting a large table takes, beside pandas alone: ``python benchmarks/reading_speed.py``."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
from common import parser, seconds, table_text, write_json

from dpcp_core import Column, Dataset, Schema, load_sample, read_csv

ROWS = 1_000_000


def large_table() -> pd.DataFrame:
    """Return a million rows of ten numeric columns."""
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.normal(100, 15, ROWS).round(3) for i in range(5)}
    return pd.DataFrame(numbers | {f"n{i}": rng.integers(0, 1000, ROWS) for i in range(5)})


def main() -> None:
    """Print the comparison."""
    arguments = parser(__doc__ or "", needs_data=False).parse_args()
    frame = large_table()
    contents = frame.to_csv(index=False).encode()
    schema = Schema(tuple(Column(name, "number", role="ignore") for name in frame.columns))
    alone = seconds(lambda: pd.read_csv(io.BytesIO(contents)))
    rows = [
        {"step": "pandas.read_csv alone", "seconds": alone, "times pandas": 1.0},
        *(
            {"step": step, "seconds": taken, "times pandas": taken / alone}
            for step, taken in (
                ("read_csv with a schema", seconds(lambda: read_csv(contents, schema=schema))),
                ("read_csv without one", seconds(lambda: read_csv(contents))),
                ("Dataset.from_frame", seconds(lambda: Dataset.from_frame(frame, schema))),
                ("load_sample('blood_pressure')", seconds(lambda: load_sample("blood_pressure"))),
            )
        ),
    ]
    print(table_text(rows))
    write_json(arguments.json, "reading_speed", rows=rows)


if __name__ == "__main__":
    main()
