"""Every trainer against its non-private twin, at several privacy budgets.

Held-out root mean squared error (numbers, in typical half-widths of the target) or error rate (classes), averaged over
repetitions with fresh splits and noise. `twin` is the same model without noise or clipping, `clip-only` has clipping
but no noise. The requirements: more budget is never clearly worse (beyond two standard errors of the difference and one
per cent of the twin's error), and at epsilon 1e6 a trainer does as well as with clipping alone.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from common import load, parser, table_text, verdicts, write_json

EPSILONS = (0.5, 1.0, 4.0, 16.0)
PLENTY = 1e6
TABLES = {"regression": "blood_pressure", "classification": "readmission"}
# Slow ones are tried on small tables.
SMALL = {"cnn": ["digits"], "ft_transformer": ["diabetes", "breast_cancer"]}


@dataclass(frozen=True)
class Split:
    """Rows that train and rows that test, once for each repetition."""

    train: Any
    test: Any


def splits(n_rows: int, repetitions: int) -> list[Split]:
    """Return four fifths to train on, the rest to test on."""
    orders = [np.random.default_rng(seed).permutation(n_rows) for seed in range(repetitions)]
    return [Split(order[n_rows // 5 :], order[: n_rows // 5]) for order in orders]


def error(prepared: Any, models: Any, split: Split) -> float:
    """Return the held-out error of one model."""
    predicted = models.predict(prepared.features[split.test])[:, 0]
    truth = prepared.goal.for_training(prepared.truth[split.test])
    if prepared.task == "classification":
        return float(np.mean(predicted.argmax(axis=1) != truth))
    return float(np.sqrt(np.mean((predicted[:, 0] - truth) ** 2)))


def errors(prepared: Any, trainer: Any, epsilon: float, parts: list[Split], *, twin: bool = False) -> Any:
    """Return the held-out errors of all repetitions at one budget."""
    from dpcp_core.privacy.spending import TrainingBudget
    from dpcp_core.training.protocol import ProblemSize, TrainingChoices

    found = []
    for number, split in enumerate(parts):
        size = ProblemSize(len(split.train), prepared.features.shape[1], prepared.goal.n_classes)
        plan = trainer.plan(size, TrainingBudget(epsilon, 1e-5), TrainingChoices())
        features = prepared.features[split.train]
        targets = prepared.goal.for_training(prepared.truth[split.train])
        targets = targets.astype(np.float32) if prepared.task == "regression" else targets
        if twin:
            models = trainer.fit_exactly(features, targets, plan, np.ones((len(features), 1), dtype=np.float32))
        else:
            models = trainer.fit(features, targets, plan, n_models=1, rng=np.random.default_rng(1000 + number))
        found.append(error(prepared, models, split))
    return np.array(found)


def measure(prepared: Any, trainer: Any, repetitions: int) -> tuple[dict[str, Any], list[tuple[bool, str]]]:
    """Return one line of the table and the verdicts on it."""
    start, parts = time.perf_counter(), splits(prepared.n_rows, repetitions)
    twin = errors(prepared, trainer, math.inf, parts, twin=True)
    clipped = errors(prepared, trainer, math.inf, parts)
    private = {epsilon: errors(prepared, trainer, epsilon, parts) for epsilon in (*EPSILONS, PLENTY)}
    row = {"trainer": trainer.name, "data": prepared.name, "twin": float(twin.mean())}
    row |= {f"epsilon {epsilon:g}": float(private[epsilon].mean()) for epsilon in (*EPSILONS, PLENTY)}
    row |= {"clip-only": float(clipped.mean()), "seconds": time.perf_counter() - start}
    slack = 0.01 * float(twin.mean())
    ladder = (*EPSILONS, PLENTY)
    steps = [not_worse(private[more] - private[less], slack) for less, more in itertools.pairwise(ladder)]
    apart = private[PLENTY] - clipped
    matches = not_worse(apart, slack) and not_worse(-apart, slack)
    name = f"{trainer.name} on {prepared.name}"
    return row, [
        (all(steps), f"{name}: more budget is never clearly worse"),
        (matches, f"{name}: at epsilon 1e6 as with clipping alone"),
    ]


def not_worse(difference: Any, slack: float) -> bool:
    """Whether a mean difference is not above the slack beyond two standard errors."""
    error = float(difference.std(ddof=1)) / math.sqrt(len(difference))
    return bool(difference.mean() <= slack + 2 * error)


def tables_of(trainer: Any) -> list[str]:
    """Return the tables that a trainer is tried on."""
    if trainer.name in SMALL:
        return SMALL[trainer.name]
    return [TABLES[task] for task in ("regression", "classification") if task in trainer.tasks]


def _options() -> argparse.Namespace:
    from dpcp_core.training.registry import TRAINERS

    options = parser(__doc__ or "")
    options.add_argument("--repetitions", type=int, default=5)
    options.add_argument("--trainers", nargs="+", choices=list(TRAINERS), default=list(TRAINERS))
    return options.parse_args()


def main() -> int:
    from dpcp_core.experiments.prepare import prepare
    from dpcp_core.training.registry import TRAINERS

    choice = _options()
    rows, required = [], []
    for name in choice.trainers:
        for table in tables_of(TRAINERS[name]):
            row, found = measure(prepare(load(table, choice.data)), TRAINERS[name], choice.repetitions)
            rows.append(row)
            required += found
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{choice.repetitions} repetitions, delta 1e-5, all of epsilon for training\n\n{table_text(rows)}")
    met = verdicts({text: is_met for is_met, text in required})
    write_json(choice.json, "trainers", rows=rows, requirements=[{"met": m, "requirement": t} for m, t in required])
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
