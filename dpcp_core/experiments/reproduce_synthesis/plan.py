"""What is run on each table, cell by cell.

>>> effort = Effort(repetitions=2)
>>> len(cells_of(effort)), len({cell.seed for cell in cells_of(effort)})
(56, 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dpcp_core import _validate as check
from dpcp_core.experiments.reproduce_synthesis.methods import (
    FITTED_RIVALS,
    LITERAL,
    METHODS,
    OURS,
    QUICK_RIVALS,
)
from dpcp_core.synthesis.rivals import MOST_SECONDS

Split = Literal["apart", "naive"]
"""Whether equal rows are kept on one side, or rows are dealt out as they come."""

EPSILONS = (0.1, 0.5, 1.0)
USUAL_EPSILON, USUAL_MODEL = 1.0, "mlp"
TASK_MODELS = ("mlp", "linear_svm")
DOWNSTREAM_MODELS = ("logistic", "svm", "mlp")
TRANSFORMER = "ft_transformer"
SCALES = (2, 3)
SCALED = (LITERAL, "marginals", "independent")
RIVAL_CHOICES = ("quick", "all", "none")

_MOST = 1000


@dataclass(frozen=True)
class Cell:
    """One table that is made and measured.

    Attributes
    ----------
    method : str
    task_model : str
        "" for a rival, which has none.
    epsilon : float
    seed : int
    split : "apart" or "naive"
    scale : int
        How many times as many rows, drawn from the training rows with repetition; 1 takes the rows themselves.
    """

    method: str
    task_model: str
    epsilon: float
    seed: int
    split: Split = "apart"
    scale: int = 1


@dataclass(frozen=True)
class Effort:
    """How much is run.

    Attributes
    ----------
    repetitions : int
        Seeds of split and noise; the project's figures take five.
    epsilons : tuple of float
    rivals : "quick", "all" or "none"
        All takes those as well that need minutes for each table; they run at the usual epsilon only.
    timeout : float
        Seconds after which a rival is stopped, which is a result.
    has_transformer : bool
        Whether the FT-Transformer is among the task models and the models that are trained on tables.
    has_scales : bool
        Whether tables of twice and three times as many rows are made.
    seed : int
        The first one.
    """

    repetitions: int = 5
    epsilons: tuple[float, ...] = EPSILONS
    rivals: str = "quick"
    timeout: float = MOST_SECONDS
    has_transformer: bool = False
    has_scales: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        for name, least, most in (("repetitions", 1, _MOST), ("seed", 0, None)):
            value: object = getattr(self, name)
            object.__setattr__(self, name, check.whole(at_least=least, at_most=most, **{name: value}))
        object.__setattr__(self, "timeout", check.positive(timeout=self.timeout))
        check.one_of(RIVAL_CHOICES, rivals=self.rivals)

    @property
    def task_models(self) -> tuple[str, ...]:
        """Private models that label rows; those after the first run at the usual epsilon, and not for each method."""
        return (*TASK_MODELS, TRANSFORMER) if self.has_transformer else TASK_MODELS

    @property
    def models(self) -> tuple[str, ...]:
        """Models that are trained on every table."""
        return (*DOWNSTREAM_MODELS, TRANSFORMER) if self.has_transformer else DOWNSTREAM_MODELS

    @property
    def seeds(self) -> tuple[int, ...]:
        """One for each repetition."""
        return tuple(range(self.seed, self.seed + self.repetitions))


QUICK = Effort(repetitions=2, epsilons=(USUAL_EPSILON,), has_scales=False)
"""Enough to see what comes out, too little to tell close methods apart."""


def cells_of(effort: Effort) -> tuple[Cell, ...]:
    """Return what is run on a table, seed by seed; the comparison comes first."""
    return tuple(cell for seed in effort.seeds for cell in dict.fromkeys(_of_seed(effort, seed)))


def _of_seed(effort: Effort, seed: int) -> Iterator[Cell]:
    yield from _comparison(effort, seed)
    yield Cell("marginals", USUAL_MODEL, USUAL_EPSILON, seed, split="naive")
    if effort.has_scales:
        rivals = _rivals(effort)
        for method in (*SCALED, *(name for name in FITTED_RIVALS if name in rivals)):
            if not METHODS[method].is_rival or method in rivals:
                model = "" if METHODS[method].is_rival else USUAL_MODEL
                yield from (Cell(method, model, USUAL_EPSILON, seed, scale=scale) for scale in SCALES)


def _comparison(effort: Effort, seed: int) -> Iterator[Cell]:
    for epsilon in effort.epsilons:
        yield from (Cell(method, USUAL_MODEL, epsilon, seed) for method in (LITERAL, *OURS))
    for model in effort.task_models:
        yield from (Cell(method, model, USUAL_EPSILON, seed) for method in (LITERAL, "marginals"))
    for name in _rivals(effort):
        # A budget changes nothing for what never looks at rows, and slow ones take minutes for each epsilon.
        is_once = name in FITTED_RIVALS or name == "uniform"
        yield from (Cell(name, "", epsilon, seed) for epsilon in ((USUAL_EPSILON,) if is_once else effort.epsilons))


def _rivals(effort: Effort) -> tuple[str, ...]:
    return {"none": (), "quick": QUICK_RIVALS, "all": (*QUICK_RIVALS, *FITTED_RIVALS)}[effort.rivals]
