"""How much a synthetic table looks like the real one: columns, pairs of columns, labels, equal rows.

>>> import pandas as pd
>>> from dpcp_core.data.schema import Column, Schema
>>> schema = Schema((Column("age", "integer", bounds=(0, 9)), Column("sex", "category", categories=("f", "m"))))
>>> real = pd.DataFrame({"age": [1, 2, 1, 2], "sex": ["f", "f", "m", "m"]})
>>> report = evaluate_fidelity(real.assign(age=[1, 1, 2, 2]), real, schema)
>>> report.one_way_error, report.two_way_error, report.overall
(0.0, 0.5, 0.75)
"""

from __future__ import annotations

from dpcp_core.evaluation.fidelity.compare import BINS, MOST_PAIRS, evaluate_fidelity
from dpcp_core.evaluation.fidelity.report import ColumnFidelity, FidelityReport, LabelRates, PairFidelity

__all__ = [
    "BINS",
    "MOST_PAIRS",
    "ColumnFidelity",
    "FidelityReport",
    "LabelRates",
    "PairFidelity",
    "evaluate_fidelity",
]
