"""Releasing intervals, or sets of classes: a private model with a certified threshold."""

from __future__ import annotations

import dataclasses
import inspect
import json
from pathlib import Path
from typing import Any

from dpcp_core.conformal.base import ConformalEstimator, refuse_leaks
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.classifier import DPCPClassifier
from dpcp_core.conformal.estimators import DPCPRegressor
from dpcp_core.conformal.fitting import FittingPlan, plan_fitting
from dpcp_core.conformal.linter import lint
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.data.target import target_of
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.float_cost import gumbel_delta
from dpcp_core.privacy.grid import bins_from_rule
from dpcp_core.privacy.ledger import Part, ReleaseCost
from dpcp_core.release import predict_script
from dpcp_core.release.archive import array_bytes
from dpcp_core.release.card import intervals_card
from dpcp_core.release.model_file import ModelFile, model_file, require_storable
from dpcp_core.release.plan import (
    Draft,
    ReleasePlan,
    reminders_of,
    require_all_rows_readable,
    require_no_formulas,
    require_saved_schema,
    require_small_delta,
    told_of_left_out,
)
from dpcp_core.training.protocol import ProblemSize
from dpcp_core.training.registry import is_dense

RELEASED = "dpcp"
"""The one method that is released; the others are there to compare with."""

PREDICTED = frozenset({"absolute", "normalized", "probability", "aps"})
"""The scores that ``predict_script`` works out; a new one needs its lines there before it may be released."""

_SMALL_SHARE = 0.01


def plan_intervals(data: Dataset, choices: ConformalChoices, schema_text: str) -> ReleasePlan:
    """Check whether intervals may be released, and what they cost; nothing is drawn.

    Parameters
    ----------
    data : Dataset
        Its schema has a target.
    choices : ConformalChoices
        Of method ``dpcp``; the settings of a simulation, which have a seed, are refused.
    schema_text : str
        Text of the file that the schema was saved in.

    Raises
    ------
    NotPrivateError
        Another method, candidates taken from the scores, bounds read off the rows, a schema that was not saved.
    InputError
        No target, rows that cannot be read, a model that a bundle cannot hold.

    Notes
    -----
    **Privacy.** Everything in the plan is a function of public numbers; whether rows can be read is told to their
    owner.
    """
    require_saved_schema(data, schema_text)
    target = data.schema.target
    if target is None:
        raise InputError("The schema has no target; give one column the role target.")
    choices = _checked(choices, data.schema)
    require_storable(data.schema)
    require_no_formulas(data.schema)
    leaks = lint(choices, data.schema, n_rows=data.n_rows)
    refuse_leaks(leaks, "release")
    require_small_delta(choices.delta, data.n_rows)
    require_all_rows_readable(lambda: encode(data.frame, data.schema, target.name))
    cost = ReleaseCost(PrivacyBudget(choices.epsilon, choices.delta), _parts(data, choices))
    what = "intervals" if target.is_numeric else "sets of classes"
    return ReleasePlan(
        data=data,
        title=f"{what} of {target.title}, {choices.trainer}",
        cost=cost,
        reminders=(*reminders_of(leaks, data), *_rounding(choices, data.n_rows)),
        draw=lambda: _drawn(data, choices),
    )


def _checked(choices: ConformalChoices, schema: Schema) -> ConformalChoices:
    if type(choices) is not ConformalChoices:
        raise InputError(
            "These are settings of a simulation, with a seed and rows held out, and a release has neither: give "
            "ConformalChoices."
        )
    if choices.method != RELEASED:
        raise InputError(
            f"method is {choices.method!r}, but a release takes {RELEASED!r}: the others are there to compare with."
        )
    if choices.bounds_epsilon:
        raise InputError("A release takes no bought bounds: buy them in a release of their own, or give public ones.")
    assert schema.target is not None
    target = target_of(schema.target)
    chosen = choices.resolved("classification" if target.n_classes else "regression", target.n_classes)
    if not is_dense(chosen.trainer):
        raise InputError(
            f"A model of {chosen.trainer!r} has more than dense layers, which a bundle cannot hold; "
            "choose another trainer."
        )
    if SCORES[chosen.score].needs_coins:
        raise InputError("A release takes no score that throws coins with every prediction; choose aps or probability.")
    if chosen.score not in PREDICTED:
        raise InputError(f"A bundle's script cannot predict with the score {chosen.score!r}; choose another score.")
    return chosen


def _rounding(choices: ConformalChoices, n_rows: int) -> tuple[str, ...]:
    """Tell the delta that drawing in numbers of 53 bits adds, where it is not far below the one that was chosen."""
    epsilon = choices.allocation.quantile_epsilon
    assert epsilon is not None
    places = bins_from_rule(choices.bins, n_rows, choices.alpha, epsilon) + 1
    delta = gumbel_delta(places, epsilon)
    if delta <= _SMALL_SHARE * choices.delta:
        return ()
    return (
        f"Drawing one of {places:,} candidates in numbers of 53 bits adds up to {delta:.1e} to delta, which the "
        "receipt does not count. Take fewer candidates or less epsilon.",
    )


def _parts(data: Dataset, choices: ConformalChoices) -> tuple[Part, ...]:
    """Return the mechanisms, where they read the same rows; else one pair for all."""
    quantile = choices.allocation.quantile_epsilon
    assert quantile is not None
    if choices.recipe.composition not in ("basic", "tight") or choices.by_group:
        return ()
    plan = _fitting_plan(data, choices)
    return (Part.of_profile(plan.profile, choices.allocation.training.point), Part.pure(quantile))


def _fitting_plan(data: Dataset, choices: ConformalChoices) -> FittingPlan:
    target = data.schema.target
    assert target is not None
    described = target_of(target)
    width = encode(data.frame.head(0), data.schema).features.shape[1]
    return plan_fitting(
        described,
        ProblemSize(data.n_rows, width, described.n_classes),
        choices.allocation.training,
        trainer=choices.trainer,
        score=choices.score,
        choices=choices.training_choices,
    )


def _drawn(data: Dataset, choices: ConformalChoices) -> Draft:
    target = data.schema.target
    assert target is not None
    estimator = _estimator(target, choices, data.schema)
    frame = data.frame
    estimator.fit(frame.drop(columns=[target.name]), frame[target.name])
    fitted = estimator.procedure_
    procedure = dataclasses.replace(fitted, receipt=told_of_left_out(fitted.receipt, data))
    model = model_file(procedure, estimator.schema_)
    certificate = dataclasses.asdict(procedure.certificate)
    files = {
        **model_bytes(model),
        "schema.toml": data.schema.to_toml().encode(),
        "receipt.json": procedure.receipt.to_json().encode(),
        "receipt.txt": procedure.receipt.to_text().encode(),
        "certificate.json": _json(certificate),
        "predict.py": Path(predict_script.__file__).read_bytes(),
        "README.md": intervals_card(data, choices, procedure).encode(),
    }
    return Draft(files, procedure.receipt, procedure.certificate.reason)


def model_bytes(model: ModelFile) -> dict[str, bytes]:
    """Return the files that predictions are computed from."""
    arrays = {f"weights/{name}.npy": array_bytes(values) for name, values in model.arrays.items()}
    return {"model.json": _json(dict(model.model)), **arrays}


def _estimator(target: Column, choices: ConformalChoices, schema: Schema) -> ConformalEstimator:
    kind = DPCPRegressor if target.is_numeric else DPCPClassifier
    known = inspect.signature(kind).parameters
    given = {name: value for name, value in choices.to_dict().items() if name in known}
    return kind(**given, schema=schema, mode="release")


def _json(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode()
