"""A procedure run on empty rows: everything about it that public numbers decide.

Its certificate is that of every run with as many rows, as the certificate reads no row. Nothing is worked out a second
time: the budget, the plan of training, the stability factor and the draw are the procedure's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.fitting import plan_fitting
from dpcp_core.conformal.methods import ORDER_STATISTICS
from dpcp_core.conformal.private_schema import columns_without_public_bounds
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import ClassTarget, NumericTarget, Target, target_of
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.training.protocol import ProblemSize, Task

MOST_ORDER_STATISTICS = 10**6
"""Ranked rows where candidates are the scores themselves: there are as many of them."""

_USUAL_FEATURES = 10
_USUAL_TARGET = NumericTarget(centre=0.0, spread=1.0, lower=-5.0, upper=5.0)


@dataclass(frozen=True)
class EmptyRun:
    """What a run on empty rows shows.

    Attributes
    ----------
    n_train, n_ranked : int
        Rows that train, and rows that are ranked.
    certificate : CoverageCertificate
    bound, narrowest : float
        Largest and smallest threshold that can be released, in score units.
    """

    n_train: int
    n_ranked: int
    certificate: CoverageCertificate
    bound: float
    narrowest: float

    @property
    def narrows(self) -> bool:
        """Whether anything narrower than everything can come out."""
        return not self.certificate.nothing_narrower and self.narrowest < self.bound


@dataclass(frozen=True)
class PublicFacts:
    """All that is known of a procedure before it sees a row.

    Attributes
    ----------
    choices : ConformalChoices
        With trainer and score resolved.
    target : Target
    n_features : int
        Columns of the encoded table.
    from_file : tuple of str
        Columns whose bounds or categories were read off the rows.
    buys_bounds : bool
        Whether some column lacks public bounds, so that ``bounds_epsilon`` is spent on them.
    """

    choices: ConformalChoices
    target: Target
    n_features: int
    from_file: tuple[str, ...] = ()
    buys_bounds: bool = False

    @classmethod
    def of(
        cls,
        choices: ConformalChoices | None,
        schema: Schema | None,
        *,
        target: str = "",
        n_features: int | None = None,
        n_classes: int = 0,
        settings: Mapping[str, Any] | None = None,
    ) -> PublicFacts:
        """Gather what is known; see :func:`dpcp_core.conformal.feasibility.certified_feasibility`."""
        chosen = _changed(choices or ConformalChoices(), settings or {})
        if schema is None:
            usual = check.whole(n_features=_USUAL_FEATURES if n_features is None else n_features)
            return cls(chosen, _usual_target(n_classes), usual)._resolved()
        described = schema.with_target(target) if target else schema
        if described.target is None:
            raise InputError("No column is the target yet; name one, for instance with target=.")
        goal, bought = target_of(described.target), bool(columns_without_public_bounds(described))
        buys = bool(chosen.bounds_epsilon) and bought
        # As a run does: what was meant for bounds that nobody needs is for the rest.
        chosen = chosen if buys else chosen.replace(bounds_epsilon=0.0)
        from_file = () if buys else described.from_file
        return cls(chosen, goal, _encoded_columns(described), from_file, buys)._resolved()

    def _resolved(self) -> PublicFacts:
        task: Task = "classification" if self.target.n_classes else "regression"
        return replace(self, choices=self.choices.resolved(task, self.target.n_classes))

    def replace(self, **changes: Any) -> PublicFacts:
        """Return the facts with some choices changed."""
        return replace(self, choices=self.choices.replace(**changes))

    def run(self, n: int, n_ranked: int | None = None) -> EmptyRun:
        """Run the procedure on ``n`` empty rows.

        Parameters
        ----------
        n : int
            Rows that the procedure may use.
        n_ranked : int, optional
            Ranked rows of one group.

        Raises
        ------
        InputError
            Too few rows to split, or choices that training refuses.
        """
        n_train, others = self._parts(n)
        ranked, plan = n_ranked or others, self._calibration(n_train)
        grid = self.choices.recipe.grid
        if grid == ORDER_STATISTICS and ranked > MOST_ORDER_STATISTICS:
            raise InputError(
                f"grid {grid!r} has a candidate for each of {ranked:,} ranked rows, which are too many; "
                f"take at most {MOST_ORDER_STATISTICS:,} rows, or another grid."
            )
        exact = plan.choices.allocation.quantile_epsilon is None or grid == ORDER_STATISTICS
        scores = np.broadcast_to(np.zeros((1, 1)), (ranked if exact else 1, 1))
        drawn = draw_thresholds(scores, plan, simulation_generator(0), ranked)
        first = float(drawn.raw[0]) if exact else float(plan.grid(ranked).edges[0])
        return EmptyRun(n_train, ranked, drawn.certificate, plan.bound, first + drawn.certificate.widening)

    def _parts(self, n: int) -> tuple[int, int]:
        if not self.choices.recipe.splits_rows:
            return n, n
        n_train = round(self.choices.row_share * n)
        if not 0 < n_train < n:
            raise InputError(
                f"n is {n}, which cannot be split with row_share = {self.choices.row_share:g}; take more rows."
            )
        return n_train, n - n_train

    def _calibration(self, n_train: int) -> CalibrationPlan:
        choices, spent = self.choices, self.choices.bounds_epsilon if self.buys_bounds else 0.0
        if choices.recipe.stability in ("none", "split"):
            # How training goes does not matter then, and planning a slow one takes seconds.
            return CalibrationPlan(choices, self.target, GaussianProfile(0.0), None, self.from_file, spent)
        fitting = plan_fitting(
            self.target,
            ProblemSize(n_train, self.n_features, self.target.n_classes),
            choices.allocation.training,
            trainer=choices.trainer,
            score=choices.score,
            choices=choices.training_choices,
        )
        return CalibrationPlan(choices, self.target, fitting.profile, fitting.movement, self.from_file, spent)


def _changed(choices: ConformalChoices, settings: Mapping[str, Any]) -> ConformalChoices:
    """Return the choices with some of them changed, and refuse a name that is none of them."""
    return type(choices).from_dict({**choices.to_dict(), **settings})


def _usual_target(n_classes: int) -> Target:
    if n_classes == 0:
        return _USUAL_TARGET
    names = range(1, check.whole(at_least=2, n_classes=n_classes) + 1)
    return ClassTarget(tuple(str(name) for name in names))


def _encoded_columns(schema: Schema) -> int:
    assert schema.target is not None
    nobody = pd.DataFrame({name: pd.Series([], dtype=object) for name in schema.names})
    return len(encode(nobody, schema, schema.target.name).names)
