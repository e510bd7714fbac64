"""Attacks on a simulated synthetic table as Python that repeats them.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.synthesis.settings import SynthesisSettings
>>> print(table_risks_python(Repeated(load_sample("diabetes"), SynthesisSettings(), ("logistic",))))
from dpcp_core import SynthesisSettings, load_sample, simulate_synthesis
from dpcp_core.experiments.audit.table_risks import table_risks
<BLANKLINE>
data = load_sample("diabetes")
settings = SynthesisSettings(
    epsilon=1.0,
    delta=1e-05,
    attributes="marginals",
    task_model="mlp",
    labels="argmax",
    seed=0,
)
result = simulate_synthesis(data, settings, models=())
risks = table_risks(data, result)
print(risks.table().to_string(index=False))
"""

from __future__ import annotations

import dataclasses

from dpcp_core.presentation.synthesis_snippets import Repeated, synthesis_python

_IMPORT = "from dpcp_core.experiments.audit.table_risks import table_risks"
_CALL = "risks = table_risks(data, result)"
_PRINT = "print(risks.table().to_string(index=False))"


def table_risks_python(made: Repeated) -> str:
    """Return Python that makes the table again and attacks it; nothing is trained on it."""
    alone = dataclasses.replace(made, models=(), rivals=(), repetitions=1)
    imports, _, rest = synthesis_python(alone).partition("\n\n")
    # What follows the call saves the table and tells its worth, which is not asked here.
    lines = rest.splitlines()
    last = max(place for place, line in enumerate(lines) if line.startswith("result = "))
    return "\n".join([imports, _IMPORT, "", *lines[: last + 1], _CALL, _PRINT])
