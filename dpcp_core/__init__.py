"""Differentially private conformal prediction.

Names are loaded when they are first used, so that ``import dpcp_core`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.6.0"

_HOMES = {
    "Column": "dpcp_core.data.schema",
    "Schema": "dpcp_core.data.schema",
    "Dataset": "dpcp_core.data.dataset",
    "read_csv": "dpcp_core.data.reading",
    "load_sample": "dpcp_core.data.samples",
    "PrivacyBudget": "dpcp_core.privacy.budget",
    "PrivacyReceipt": "dpcp_core.privacy.receipt",
    "Grid": "dpcp_core.privacy.grid",
    "QuantileDistribution": "dpcp_core.privacy.quantile",
    "private_quantile": "dpcp_core.privacy.quantile",
    "quantile_distribution": "dpcp_core.privacy.quantile",
    "certified_target": "dpcp_core.privacy.quantile",
    "DPCPClassifier": "dpcp_core.conformal.classifier",
    "DPCPRegressor": "dpcp_core.conformal.estimators",
    "SplitConformalRegressor": "dpcp_core.conformal.estimators",
    "federated_quantile": "dpcp_core.conformal.federated",
    "private_quantile_under_shift": "dpcp_core.conformal.shift",
    "PrivateSplitConformalRegressor": "dpcp_core.conformal.estimators",
    "ConformalSettings": "dpcp_core.experiments.settings",
    "SimulationResult": "dpcp_core.experiments.result",
    "simulate": "dpcp_core.experiments.run",
    "simulate_synthesis": "dpcp_core.experiments.synthesis",
    "audit": "dpcp_core.experiments.audit.run",
    "DPDSyn": "dpcp_core.synthesis.dpdsyn",
    "SynthesisSettings": "dpcp_core.synthesis.settings",
    "certified_feasibility": "dpcp_core.conformal.feasibility",
    "feasibility_map": "dpcp_core.conformal.feasibility",
    "Feasibility": "dpcp_core.conformal.feasibility",
    "FeasibilityMap": "dpcp_core.conformal.feasibility",
    "find_epsilon": "dpcp_core.experiments.goal",
    "Goal": "dpcp_core.experiments.goal",
    "GoalAnswer": "dpcp_core.experiments.goal",
    "SweepResult": "dpcp_core.experiments.sweep.result",
    "sweep": "dpcp_core.experiments.sweep.engine",
    "InputError": "dpcp_core.errors",
    "NotPrivateError": "dpcp_core.errors",
    "PrivacyLeakWarning": "dpcp_core.errors",
}

# Written out for type checkers, which read no expression.
__all__ = [
    "Column",
    "ConformalSettings",
    "DPCPClassifier",
    "DPCPRegressor",
    "DPDSyn",
    "Dataset",
    "Feasibility",
    "FeasibilityMap",
    "Goal",
    "GoalAnswer",
    "Grid",
    "InputError",
    "NotPrivateError",
    "PrivacyBudget",
    "PrivacyLeakWarning",
    "PrivacyReceipt",
    "PrivateSplitConformalRegressor",
    "QuantileDistribution",
    "Schema",
    "SimulationResult",
    "SplitConformalRegressor",
    "SweepResult",
    "__version__",
    "audit",
    "certified_feasibility",
    "certified_target",
    "feasibility_map",
    "federated_quantile",
    "find_epsilon",
    "load_sample",
    "private_quantile",
    "private_quantile_under_shift",
    "quantile_distribution",
    "read_csv",
    "simulate",
    "simulate_synthesis",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dpcp_core' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__


if TYPE_CHECKING:
    from dpcp_core.conformal.classifier import DPCPClassifier
    from dpcp_core.conformal.estimators import (
        DPCPRegressor,
        PrivateSplitConformalRegressor,
        SplitConformalRegressor,
    )
    from dpcp_core.conformal.feasibility import Feasibility, FeasibilityMap, certified_feasibility, feasibility_map
    from dpcp_core.conformal.federated import federated_quantile
    from dpcp_core.conformal.shift import private_quantile_under_shift
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.data.reading import read_csv
    from dpcp_core.data.samples import load_sample
    from dpcp_core.data.schema import Column, Schema
    from dpcp_core.errors import InputError, NotPrivateError, PrivacyLeakWarning
    from dpcp_core.experiments.audit.run import audit
    from dpcp_core.experiments.goal import Goal, GoalAnswer, find_epsilon
    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.experiments.run import simulate
    from dpcp_core.experiments.settings import ConformalSettings
    from dpcp_core.experiments.sweep.engine import sweep
    from dpcp_core.experiments.sweep.result import SweepResult
    from dpcp_core.experiments.synthesis import simulate_synthesis
    from dpcp_core.privacy.budget import PrivacyBudget
    from dpcp_core.privacy.grid import Grid
    from dpcp_core.privacy.quantile import (
        QuantileDistribution,
        certified_target,
        private_quantile,
        quantile_distribution,
    )
    from dpcp_core.privacy.receipt import PrivacyReceipt
    from dpcp_core.synthesis.dpdsyn import DPDSyn
    from dpcp_core.synthesis.settings import SynthesisSettings
