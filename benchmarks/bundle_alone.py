"""A released bundle in a fresh environment with numpy alone: does it predict what the library predicts?

Bundles of intervals and of sets, with one threshold and with one for each group, of linear models and of networks, are
released from samples and unpacked. Each bundle's own `predict.py` answers rows that it has not seen, run by a Python
that can import nothing but numpy. The requirements: every number differs from the library's by 1e-12 of the largest in
its column at most, and every set is the same.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from common import leave, parser, table_text, verdicts, write_json

LARGEST = 1e-12
ROWS, NEW = 3000, 500
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "intervals": ("blood_pressure", {}),
    "intervals, widths of their own": ("blood_pressure", {"score": "normalized"}),
    "intervals, by group": ("blood_pressure", {"by_group": True}),
    "intervals, network": ("blood_pressure", {"trainer": "mlp"}),
    "sets": ("readmission", {}),
    "sets, adaptive": ("readmission", {"score": "aps"}),
    "sets, by group": ("readmission", {"by_group": True}),
    "sets, network": ("readmission", {"trainer": "mlp"}),
}
_FOUND = (
    "import sys, importlib.util as u, numpy; "
    "print(sys.version.split()[0], numpy.__version__, [n for n in {} if u.find_spec(n)])"
)
_NOT_NEEDED = ("pandas", "scipy", "sklearn", "torch", "dpcp_core")


def fresh_environment(folder: Path) -> Path:
    """Make an environment with numpy alone, and return its Python."""
    import numpy

    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", f"numpy=={numpy.__version__}"]
    if subprocess.run(install, check=False).returncode:
        leave("numpy could not be installed; name a Python that has it and nothing else: --python FILE.")
    return python


def released(sample: str, choices: dict[str, Any]) -> tuple[bytes, Any]:
    """Release from the first rows of a sample; return the bundle and rows that it has not seen."""
    from dpcp_core import Dataset, load_sample
    from dpcp_core.conformal.choices import ConformalChoices
    from dpcp_core.privacy.budget import PrivacyBudget
    from dpcp_core.privacy.ledger import Ledger
    from dpcp_core.release import plan_intervals, release

    whole = load_sample(sample)
    schema = whole.schema
    if choices.get("by_group"):
        words = [column for column in schema.features if column.kind in ("boolean", "category")]
        schema = schema.with_role(words[0].name, "group")
    data = Dataset.from_frame(whole.frame.head(ROWS), schema)
    ledger = Ledger("sqlite://")
    ledger.set_budget(data.rows_digest, PrivacyBudget(100.0, 0.1), composition="basic")
    plan = plan_intervals(data, ConformalChoices(epsilon=8.0, **choices), schema.to_toml())
    return release(plan, ledger).bundle, whole.frame.tail(NEW).reset_index(drop=True)


def alone(bundle: bytes, rows: Any, folder: Path, python: Path) -> Any:
    """Return what the bundle's own script says of these rows."""
    import pandas as pd

    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        archive.extractall(folder)
    rows.to_csv(folder / "new.csv", index=False)
    subprocess.run([python, "-I", folder / "predict.py", folder / "new.csv", folder / "out.csv"], check=True)
    return pd.read_csv(folder / "out.csv", keep_default_na=False)


def compared(case: str, folder: Path, python: Path) -> dict[str, object]:
    """Return how far the answers of one bundle are from the library's."""
    from dpcp_core.release import open_bundle

    bundle, rows = released(*CASES[case])
    here, there = open_bundle(bundle).predict(rows).table, alone(bundle, rows, folder, python)
    numbers = list(here.select_dtypes("number"))
    words = [name for name in here if name not in numbers]
    apart = (here[numbers] - there[numbers]).abs().max() / here[numbers].abs().max()
    return {
        "bundle": case,
        "rows": len(there),
        "bytes": len(bundle),
        "largest difference": float(apart.max()),
        "same words": bool((here[words].astype(str) == there[words].astype(str)).all(axis=None)),
    }


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--python", type=Path, metavar="FILE", help="a Python with numpy alone (default: a new one)")
    choice = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        python = choice.python or fresh_environment(Path(made) / "environment")
        told = subprocess.run(
            [python, "-I", "-c", _FOUND.format(_NOT_NEEDED)], check=True, capture_output=True, text=True
        )
        version, numpy_version, others = told.stdout.strip().split(" ", 2)
        rows = [compared(case, Path(made) / str(place), python) for place, case in enumerate(CASES)]
    print(f"Python {version}, numpy {numpy_version}\n\n{table_text(rows)}")
    met = verdicts(
        {
            "the environment has numpy alone": others == "[]",
            "every number is the library's": all(row["largest difference"] <= LARGEST for row in rows),  # type: ignore[operator]
            "every set is the library's": all(row["same words"] for row in rows),
        }
    )
    write_json(choice.json, "bundle_alone", rows=rows)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
