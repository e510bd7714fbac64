"""Can somebody be found in a synthetic table? Attacks on its rows, on people who were not in it, and blind guesses.

Each line is one attack on one kind of columns at one epsilon, over several simulations: means of the shares that
succeed; how often the attack beat blind guesses, and how often it did better on rows of the table than on others, both
by more than chance. The first lines attack a copy of the rows, which some attack must find. Columns that need an extra
which is not installed are left out.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence

from common import load, parser, table_text, verdicts, write_json

from dpcp_core import Dataset, SynthesisSettings, simulate_synthesis
from dpcp_core.errors import InputError, PrivacyLeakWarning
from dpcp_core.evaluation.audit.table_risk import TableRisk
from dpcp_core.experiments.audit.synthetic_risks import synthetic_risks
from dpcp_core.experiments.audit.table_risks import N_ATTACKS, real_rows, table_risks

MODES = ("marginals", "graph", "shuffle")
_QUICK = SynthesisSettings(attributes="public", task_model="auto")


def copied(data: Dataset, choice: argparse.Namespace) -> list[dict[str, object]]:
    """Return a line for each attack on a table that is a copy of its rows."""
    found = []
    for seed in range(choice.seeds):
        rows = real_rows(data, simulate_synthesis(data, _QUICK.replace(seed=seed), models=()))
        one, other = rows.original, rows.control
        found.append(synthetic_risks(one, one, other, data.schema, n_attacks=choice.attacks, seed=seed).risks)
    return [{"columns": "a copy", "epsilon": "", **line(risks)} for risks in zip(*found, strict=True)]


def lines(data: Dataset, choice: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield a line for each kind of columns, epsilon and attack."""
    for mode in choice.modes:
        for epsilon in choice.epsilons:
            try:
                found = [measured(data, mode, epsilon, seed, choice.attacks) for seed in range(choice.seeds)]
            except InputError as problem:
                print(f"{mode}: {problem}")
                break
            yield from (
                {"columns": mode, "epsilon": f"{epsilon:g}", **line(risks)} for risks in zip(*found, strict=True)
            )


def measured(data: Dataset, mode: str, epsilon: float, seed: int, n_attacks: int) -> tuple[TableRisk, ...]:
    """Simulate one table and attack it."""
    settings = SynthesisSettings(epsilon=epsilon, attributes=mode, task_model="auto", seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        result = simulate_synthesis(data, settings, models=())
    return table_risks(data, result, n_attacks=n_attacks, seed=seed).risks


def line(risks: Sequence[TableRisk]) -> dict[str, object]:
    """Return the means over simulations of one attack."""

    def mean(part: str) -> str:
        return f"{sum(getattr(each, part).value for each in risks) / len(risks):.1%}"

    return {
        "attack": risks[0].name,
        "in the table": mean("attack"),
        "not in it": mean("control"),
        "blind": mean("baseline"),
        "beats blind": f"{sum(each.is_informative for each in risks)} of {len(risks)}",
        "found": f"{sum(each.is_found for each in risks)} of {len(risks)}",
    }


def options() -> argparse.Namespace:
    choice = parser(__doc__ or "")
    choice.add_argument("--tables", nargs="+", default=["blood_pressure"], help="samples, or real tables")
    choice.add_argument("--modes", nargs="+", default=list(MODES), help="how columns are made")
    choice.add_argument("--epsilons", nargs="+", type=float, default=[0.5, 1.0, 4.0])
    choice.add_argument("--seeds", type=int, default=3, help="how many simulations")
    choice.add_argument("--attacks", type=int, default=N_ATTACKS, help="of each kind, at most")
    return choice.parse_args()


def main() -> int:
    choice = options()
    results: dict[str, list[dict[str, object]]] = {}
    met: dict[str, bool] = {}
    for name in choice.tables:
        data = load(name, choice.data)
        print(f"\n{data.name}: {data.n_rows:,} rows, {choice.seeds} simulations\n")
        results[name] = [*copied(data, choice), *lines(data, choice)]
        print(table_text(results[name]), flush=True)
        found = [row["found"] for row in results[name] if row["columns"] == "a copy"]
        met[f"{data.name}: an attack finds a copy each time"] = f"{choice.seeds} of {choice.seeds}" in found
    write_json(choice.json, "table_risks", tables=results, met=met)
    return 0 if verdicts(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
