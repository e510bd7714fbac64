"""From which epsilon on are intervals of the normalised score narrower than those of the absolute score?

A simulated table whose noise grows with one of its columns, and the sample of lengths of stay. Both scores are
certified at 90 %; the table says from which epsilon on the normalised one is narrower at equal coverage.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
from common import load, parser, table_text, write_json

EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
SCORES = ("absolute", "normalized")


def simulated(n: int = 8000, seed: int = 0) -> Any:
    """Return rows whose noise grows tenfold along the second column."""
    import pandas as pd

    from dpcp_core import Dataset, Schema

    rng = np.random.default_rng(seed)
    x, spread = rng.uniform(-1, 1, size=n), rng.uniform(-1, 1, size=n)
    y = x + 0.1 * 10 ** ((1 + spread) / 2) * rng.normal(size=n)
    known = {"kind": "number", "bounds": [-1, 1], "typical": [-1, 1]}
    schema = Schema.from_dict(
        {"x": known, "s": known, "y": {"kind": "number", "bounds": [-4, 4], "typical": [-1, 1], "role": "target"}}
    )
    return Dataset.from_frame(pd.DataFrame({"x": x, "s": spread, "y": y}), schema, name="growing noise")


def measure(data: Any, epsilon: float, stability: str, repetitions: int) -> dict[str, Any]:
    """Return both scores' coverage and width at one epsilon."""
    from dpcp_core import ConformalSettings, simulate

    absolute, normalized = (
        simulate(data, ConformalSettings(score=score, epsilon=epsilon, stability=stability, repetitions=repetitions))
        for score in SCORES
    )
    return {
        "data": data.name,
        "unseen rows": stability,
        "epsilon": epsilon,
        "coverage absolute": float(absolute.coverage_mean),
        "coverage normalized": float(normalized.coverage_mean),
        "width absolute": float(absolute.width_mean),
        "width normalized": float(normalized.width_mean),
        "normalized / absolute": float(normalized.width_mean / absolute.width_mean),
    }


def _options() -> argparse.Namespace:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--repetitions", type=int, default=20)
    return options.parse_args()


def main() -> int:
    choice = _options()
    tables = (simulated(), load("length_of_stay", None))
    rows = [
        measure(data, epsilon, stability, choice.repetitions)
        for data in tables
        for stability in ("best", "split")
        for epsilon in EPSILONS
    ]
    print(f"Confidence 90 %, {choice.repetitions} repetitions\n\n{table_text(rows)}\n")
    met = True
    for data in tables:
        for stability in ("best", "split"):
            part = [row for row in rows if (row["data"], row["unseen rows"]) == (data.name, stability)]
            narrower = [row["epsilon"] for row in part if row["normalized / absolute"] < 1]
            start = next((e for e in EPSILONS if all(later in narrower for later in EPSILONS if later >= e)), None)
            covers = all(row[f"coverage {score}"] >= 0.9 for row in part for score in SCORES)
            met &= covers and (start is not None or data.name != "growing noise")
            word = f"from epsilon {start:g} on" if start is not None else "at no epsilon tried"
            print(f"{data.name}, unseen rows by {stability}: normalized is narrower {word}; covers: {covers}")
    write_json(choice.json, "heteroscedastic", repetitions=choice.repetitions, rows=rows)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
