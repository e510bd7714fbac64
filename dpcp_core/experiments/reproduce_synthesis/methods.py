"""What makes a table: DPDSyn as published, ours, and rivals.

>>> [method.name for method in METHODS.values() if not method.is_rival]
['shuffle', 'marginals', 'sample', 'tree']
>>> METHODS["sample"].settings(1.0, "mlp", 0).labels
'sample'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpcp_core.synthesis.rivals import RIVALS
from dpcp_core.synthesis.settings import SynthesisSettings


@dataclass(frozen=True)
class Method:
    """One way to make a table.

    Attributes
    ----------
    name, title : str
    attributes, labels : str
        Of DPDSyn; "" for a rival.
    """

    name: str
    title: str
    attributes: str = ""
    labels: str = ""

    @property
    def is_rival(self) -> bool:
        """Whether it is another method than DPDSyn."""
        return not self.attributes

    def settings(self, epsilon: float, task_model: str, seed: int) -> SynthesisSettings:
        """Return the settings of DPDSyn."""
        return SynthesisSettings(
            epsilon=epsilon, task_model=task_model, attributes=self.attributes, labels=self.labels, seed=seed
        )


LITERAL = "shuffle"
OURS = ("marginals", "sample", "tree")
QUICK_RIVALS = ("independent", "naive_bayes", "uniform")
FITTED_RIVALS = ("mst", "aim")
"""Rivals that choose marginals and fit a model to them: minutes for each table."""

METHODS: Mapping[str, Method] = MappingProxyType({
    method.name: method
    for method in (
        Method("shuffle", "DPDSyn as published", "shuffle", "argmax"),
        Method("marginals", "private histograms", "marginals", "argmax"),
        Method("sample", "private histograms, drawn labels", "marginals", "sample"),
        Method("tree", "private tree of pairs", "tree", "argmax"),
        *(Method(name, RIVALS[name].title) for name in (*QUICK_RIVALS, *FITTED_RIVALS)),
    )
})  # fmt: skip
