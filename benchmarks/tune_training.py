"""Where the public defaults of training come from: simulated tables only, never a user's rows.

Run ``python benchmarks/tune_training.py`` (about two minutes); it prints, for each candidate, the mean and the worst
width relative to the non-private full-data interval over simulated tables and privacy levels, and marks the defaults.
"""

from __future__ import annotations

import argparse
import itertools
import math

import numpy as np
import pandas as pd

from dpcp_core import ConformalSettings, Dataset, Schema, simulate
from dpcp_core.training import linear

CLIP_NORMS = (0.5, 0.8, 1.2)
TRAVEL_PER_ROOT_ROW = (0.8, 1.6, 3.2)
TRAVEL_PER_SIGNAL = (0.3, 0.6, 1.2)
EPSILONS = (0.25, 1.0, 4.0)


def simulated_table(n: int, d: int, correlation: float, skewed: bool, seed: int) -> Dataset:
    """Return rows of d correlated features and a target half explained by them, with a perfectly known scale."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 1))
    x = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * rng.normal(size=(n, d))
    signal = x @ rng.normal(size=d)
    noise = rng.exponential(size=n) - 1 if skewed else rng.normal(size=n)
    y = (signal / signal.std() + noise) / math.sqrt(2)
    columns = {f"x{i}": {"kind": "number", "bounds": [-6, 6], "typical": [-1, 1]} for i in range(d)}
    target = {"kind": "number", "bounds": [-5, 5], "typical": [-1, 1], "role": "target"}
    schema = Schema.from_dict({**columns, "y": target})
    return Dataset.from_frame(pd.DataFrame(x, columns=list(columns)).assign(y=y), schema)


def tables() -> list[Dataset]:
    """Return the simulated tables that candidates are compared on."""
    shapes = itertools.product((1000, 4000, 20_000), ((5, 0.0), (12, 0.7), (60, 0.3)), (False, True))
    return [simulated_table(n, d, rho, skewed, seed) for seed, (n, (d, rho), skewed) in enumerate(shapes)]


def settings_for(table: Dataset, epsilon: float, clip: float, per_root: float, per_signal: float) -> ConformalSettings:
    """Return settings whose training follows a candidate's constants."""
    settings = ConformalSettings(epsilon=epsilon, repetitions=4)
    n_train = table.n_rows - round(settings.test_share * table.n_rows)
    travel = max(2.0, min(per_root * math.sqrt(n_train), per_signal * n_train * settings.allocation.mu))
    steps = math.ceil(travel / 1.7)
    return settings.replace(
        steps=steps, step_size=min(1.7, travel / steps), max_grad_norm=clip, penalty=min(0.25 / travel, 0.05)
    )


def main() -> None:
    """Print the comparison."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    defaults = (linear._CLIP_NORM, linear._TRAVEL_PER_ROOT_ROW, linear._TRAVEL_PER_SIGNAL)
    data = tables()
    rows = []
    for candidate in itertools.product(CLIP_NORMS, TRAVEL_PER_ROOT_ROW, TRAVEL_PER_SIGNAL):
        ratios = [
            simulate(table, settings_for(table, epsilon, *candidate)).width_ratio
            for table in data
            for epsilon in EPSILONS
        ]
        rows.append((np.mean(ratios), np.max(ratios), candidate))
    print(f"{len(data)} simulated tables x epsilon {EPSILONS}: width relative to the non-private interval")
    print(f"{'mean':>7} {'worst':>7}  clip norm, travel / sqrt(n), travel / (n mu)")
    for mean, worst, candidate in sorted(rows):
        print(f"{mean:7.3f} {worst:7.3f}  {candidate}{'  <- default' if candidate == defaults else ''}")


if __name__ == "__main__":
    main()
