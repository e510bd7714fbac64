"""What a synthetic table would be worth: made from part of the rows, measured on rows that were held out.

How do I measure one?  ``simulate_synthesis(data, SynthesisSettings(epsilon=1.0))``.
And the next one, at another epsilon?  The same with ``reference=result.reference``: models of the real rows are kept.
"""

from __future__ import annotations

from dpcp_core.experiments.synthesis.measured import Measured
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.result import RivalResult, SynthesisResult, SynthesisRun, TableScores
from dpcp_core.experiments.synthesis.run import QUICK_MODELS, simulate_synthesis
from dpcp_core.experiments.synthesis.shares import ColumnShares, PairShares, TableShares, table_shares
from dpcp_core.experiments.synthesis.steps import SynthesisProgress, SynthesisStopped

__all__ = [
    "QUICK_MODELS",
    "ColumnShares",
    "Measured",
    "PairShares",
    "RealReference",
    "RivalResult",
    "SynthesisProgress",
    "SynthesisResult",
    "SynthesisRun",
    "SynthesisStopped",
    "TableScores",
    "TableShares",
    "simulate_synthesis",
    "table_shares",
]
