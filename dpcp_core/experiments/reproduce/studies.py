"""What is run on each table: the comparison of the texts, and what it should not depend on.

>>> from dpcp_core.experiments.reproduce.published.registry import BY_NAME
>>> [study.name for study in studies_of(BY_NAME["abalone"], Effort())]
['comparison', 'budget split', 'candidates', 'rows']
>>> sum(study.plan.n_cells for study in studies_of(BY_NAME["abalone"], Effort()))
204
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpcp_core import _validate as check
from dpcp_core.experiments.reproduce.published.registry import PublishedTable
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.plan import SweepPlan

EPSILONS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
METHODS = ("oracle", "split", "naive", "differential", "clip_only", "pscp", "dpcp_paper", "dpcp")
LINEAR = ("ols", "ridge", "lasso")

CLASS_METHODS = ("oracle", "split", "pscp", "dpcp_paper", "dpcp")
CLASS_TRAINERS: Mapping[str, tuple[str, ...]] = MappingProxyType({"mnist": ("softmax", "cnn"), "cifar10": ("cnn",)})
CLASS_EPSILONS = (1.0, 3.0, 10.0)
# The usual number of steps over all rows and pixels would take hours; this one loses little.
CLASS_STEPS: Mapping[str, int | None] = MappingProxyType({"softmax": 300, "cnn": None})

# What must not matter is tried with one model, as published and certified, at a small and at a large budget.
VARIED_TRAINER, VARIED_METHODS, VARIED_EPSILONS = "ridge", ("dpcp_paper", "dpcp"), (1.0, 5.0)
SHARES = (0.3, 0.5, 0.7)
BINS = (50, 100, 500, 1000)
TEST_SHARES = (0.2, 0.6)

_MOST = 10_000


@dataclass(frozen=True)
class Effort:
    """How often everything is drawn anew.

    Attributes
    ----------
    repetitions : int
        On tables of numbers; the texts use 100.
    class_repetitions : int
        On pictures, whose models take far longer.
    seed : int
    """

    repetitions: int = 100
    class_repetitions: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        for name, least, most in (("repetitions", 1, _MOST), ("class_repetitions", 1, _MOST), ("seed", 0, None)):
            value: object = getattr(self, name)
            object.__setattr__(self, name, check.whole(at_least=least, at_most=most, **{name: value}))


QUICK = Effort(repetitions=10, class_repetitions=2)
"""Enough to see what comes out, too little to tell close methods apart."""


@dataclass(frozen=True)
class Study:
    """A plan with the name of what it is for."""

    name: str
    plan: SweepPlan


def studies_of(table: PublishedTable, effort: Effort) -> tuple[Study, ...]:
    """Return what is run on a table, the comparison first."""
    if table.task == "classification":
        settings = ConformalSettings(repetitions=effort.class_repetitions, seed=effort.seed)
        return tuple(_pictures(settings, trainer) for trainer in CLASS_TRAINERS[table.name])
    settings = ConformalSettings(repetitions=effort.repetitions, seed=effort.seed)
    comparison = SweepPlan.of(settings, methods=METHODS, trainer=LINEAR, epsilons=EPSILONS)
    return (
        Study("comparison", comparison),
        _varied("budget split", settings, "training_share", SHARES),
        _varied("candidates", settings, "bins", BINS),
        _varied("rows", settings, "test_share", TEST_SHARES),
    )


def _pictures(settings: ConformalSettings, trainer: str) -> Study:
    chosen = settings.replace(steps=CLASS_STEPS[trainer])
    plan = SweepPlan.of(chosen, methods=CLASS_METHODS, trainer=(trainer,), epsilons=CLASS_EPSILONS)
    return Study(f"comparison, {trainer}", plan)


def _varied(name: str, settings: ConformalSettings, setting: str, values: tuple[float, ...]) -> Study:
    axes = {"method": VARIED_METHODS, setting: values, "epsilon": VARIED_EPSILONS}
    return Study(name, SweepPlan(settings.replace(trainer=VARIED_TRAINER), axes))
