"""What `import dpcp_core` loads and how long it takes; the heavy libraries must stay out."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import Any

from common import parser, table_text, verdicts, write_json

HEAVY = ("torch", "opacus", "dp_accounting", "streamlit", "plotly")
STEPS = {
    "import dpcp_core": "import dpcp_core",
    "every public name": "import dpcp_core; [getattr(dpcp_core, name) for name in dpcp_core.__all__]",
    "first result on a sample": (
        "from dpcp_core import *; simulate(load_sample('blood_pressure'), ConformalSettings(repetitions=20))"
    ),
    "(scikit-learn and pandas alone)": "import pandas, sklearn.base, sklearn.linear_model",
}
_PROBE = """
import json, sys, time
before, start = set(sys.modules), time.perf_counter()
{code}
seconds = time.perf_counter() - start
print(json.dumps({{"seconds": seconds, "modules": sorted(set(sys.modules) - before)}}))
"""


def probe(code: str) -> dict[str, Any]:
    """Run code in a fresh interpreter; return the seconds it took and the modules that it loaded."""
    command = [sys.executable, "-c", _PROBE.format(code=code)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def measure(step: str, runs: int) -> dict[str, Any]:
    """Return the median time of a step and the heavy libraries that it loaded."""
    answers = [probe(STEPS[step]) for _ in range(runs)]
    modules = answers[-1]["modules"]
    tops = sorted({module.partition(".")[0] for module in modules} - set(sys.stdlib_module_names))
    return {
        "step": step,
        "seconds": statistics.median(answer["seconds"] for answer in answers),
        "modules": len(modules),
        "heavy": ", ".join(name for name in HEAVY if name in tops) or "none",
        "packages": ", ".join(name for name in tops if not name.startswith("_")),
    }


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--runs", type=int, default=5)
    choice = options.parse_args()
    rows = [measure(step, choice.runs) for step in STEPS]
    packages = [row.pop("packages") for row in rows]
    print(table_text(rows), "\n")
    for row, loaded in zip(rows, packages, strict=True):
        print(f"{row['step']}: {loaded}")
    light = verdicts({f"import dpcp_core loads none of {', '.join(HEAVY)}": rows[0]["heavy"] == "none"})
    write_json(choice.json, "startup", rows=rows, packages=packages, met=light)
    return 0 if light else 1


if __name__ == "__main__":
    raise SystemExit(main())
