"""Coverage and size of private sets of classes on real tables, beside non-private and private split.

Confidence 90 %; every repetition draws the split and the noise anew. `ratio` is the mean set size over that of the
non-private split (`split`) of the same model. The requirements: mean coverage of `dpcp` at least the target minus two
standard errors, and on Adult at epsilon 1 sets at most 1.05 times as large as those of `split`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from typing import Any

from common import CLASS_TABLES, load, parser, table_text, verdicts, write_json

EPSILONS = (1.0, 4.0)
VARIANTS: dict[str, dict[str, Any]] = {
    "split": {"method": "split"},
    "clip_only": {"method": "clip_only"},
    "pscp": {"method": "pscp"},
    "dpcp_paper": {"method": "dpcp_paper"},
    "dpcp": {"method": "dpcp"},
    "dpcp split": {"method": "dpcp", "stability": "split"},
}
LARGEST_ON_ADULT = 1.05


def measure(data: Any, table: str, variant: str, **settings: Any) -> dict[str, Any]:
    """Run one cell of the table."""
    from dpcp_core import ConformalSettings, simulate

    result = simulate(data, ConformalSettings(**VARIANTS[variant], **settings))
    assert result.sets is not None
    return {
        "data": table,
        "model": result.settings.trainer,
        "method": variant,
        "epsilon": settings["epsilon"],
        "n": result.n,
        "coverage": float(result.coverage_mean),
        "se": float(result.coverage_se),
        "size": float(result.size_mean),
        "ratio": 0.0,
        "one class": float(result.sets.singleton_share.mean()),
        "stability": result.certificate.stability,
        "certified": "yes" if result.certificate.holds else "no",
        "seconds": float(result.seconds),
    }


def requirements(rows: list[dict[str, Any]]) -> list[tuple[bool, str]]:
    """Return each requirement that the rows can answer: met or not, and a sentence."""
    found = []
    for row in rows:
        if row["method"] not in ("dpcp", "dpcp split"):
            continue
        least = 0.9 - 2 * row["se"]
        name = f"{row['method']} with {row['model']} on {row['data']} at epsilon {row['epsilon']:g}"
        found.append((row["coverage"] >= least, f"coverage of {name}: {row['coverage']:.4f}, at least {least:.4f}"))
        if row["data"] == "adult" and row["epsilon"] == 1 and row["method"] == "dpcp":
            text = f"set size of {name}: {row['ratio']:.3f} times split's, at most {LARGEST_ON_ADULT}"
            found.append((row["ratio"] <= LARGEST_ON_ADULT, text))
    return found


def compared(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with the ratio of each set size to the non-private split's of the same table."""
    without = {row["data"]: row["size"] for row in rows if row["method"] == "split"}
    return [{**row, "ratio": row["size"] / without[row["data"]]} for row in rows if row["data"] in without]


def _options() -> argparse.Namespace:
    options = parser(__doc__ or "")
    options.add_argument("--repetitions", type=int, default=20)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--trainer", default="auto", help="any trainer that predicts classes")
    options.add_argument("--steps", type=int, default=None, help="steps of training (default: the trainer's own)")
    options.add_argument("--tables", nargs="+", choices=list(CLASS_TABLES), default=list(CLASS_TABLES))
    options.add_argument("--epsilons", nargs="+", type=float, default=EPSILONS)
    options.add_argument("--methods", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    return options.parse_args()


def main() -> int:
    choice = _options()
    fixed = {
        "repetitions": choice.repetitions,
        "seed": choice.seed,
        "trainer": choice.trainer,
        "steps": choice.steps,
    }
    rows = []
    for name in choice.tables:
        data = load(name, choice.data)
        for variant, epsilon in itertools.product(choice.methods, choice.epsilons):
            if variant in ("split", "clip_only") and epsilon != choice.epsilons[0]:
                continue
            rows.append(measure(data, name, variant, epsilon=epsilon, **fixed))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    rows = compared(rows)
    print(f"Confidence 90 %, {choice.repetitions} repetitions, seed {choice.seed}\n\n{table_text(rows)}")
    required = requirements(rows)
    met = verdicts({text: is_met for is_met, text in required})
    lines = [{"met": is_met, "requirement": text} for is_met, text in required]
    write_json(choice.json, "classification", **fixed, rows=rows, requirements=lines)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
