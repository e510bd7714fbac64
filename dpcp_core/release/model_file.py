"""A fitted estimator as plain numbers and arrays: all that its predictions are computed from, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.conformal.procedure import FittedProcedure
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.column import Column
from dpcp_core.data.encoding import FURTHEST, column_cells, row_size
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import ClassTarget, target_of
from dpcp_core.errors import InputError

FORMAT = "dpcp-intervals-1"
MOST_COLUMNS = 10_000
MOST_NUMBERS = 1_000_000
"""Of all categories together, as they stand in model.json."""
Floats = npt.NDArray[np.floating[Any]]
# Cells that no table has, to learn what a category that is not listed becomes.
_UNLISTED = "\x00 not a category"
_SPELLINGS = {"false": 0, "0": 0, "true": 1, "1": 1}


@dataclass(frozen=True, eq=False)
class ModelFile:
    """What a bundle predicts with.

    Attributes
    ----------
    model : mapping
        ``model.json``, see :mod:`dpcp_core.release.predict_script`.
    arrays : mapping of name to array
        Layers of the networks: ``model-0-matrix``, ``model-0-constants`` and so on; ``spread-...`` for a second one.
    """

    model: Mapping[str, Any]
    arrays: Mapping[str, Floats]


def model_file(procedure: FittedProcedure, schema: Schema) -> ModelFile:
    """Return what a fitted procedure predicts with.

    Raises
    ------
    InputError
        A model that is no network of dense layers.
    """
    fitted, choices = procedure.fitted, procedure.choices
    said = described(schema, choices.score, allow_empty=choices.allow_empty, by_group=choices.by_group)
    own = {"thresholds": dict(procedure.group_thresholds)} if choices.by_group else {"threshold": procedure.threshold}
    networks = {"model": fitted.models} | ({} if fitted.spreads is None else {"spread": fitted.spreads})
    arrays: dict[str, Floats] = {}
    for name, models in networks.items():
        layers = models.layers()
        if layers is None:
            raise InputError(
                f"A model of {fitted.plan.trainer!r} has more than dense layers, which a bundle cannot hold; "
                "choose another trainer."
            )
        for place, (matrix, constants) in enumerate(layers):
            arrays[f"{name}-{place}-matrix"] = np.ascontiguousarray(matrix, dtype=np.float64)
            arrays[f"{name}-{place}-constants"] = np.ascontiguousarray(constants, dtype=np.float64)
    return ModelFile(said | own, arrays)


def require_storable(schema: Schema) -> None:
    """Refuse columns of so many categories that a bundle could not hold what each of them becomes.

    Raises
    ------
    InputError
        More than :data:`MOST_COLUMNS` features, or together more than :data:`MOST_NUMBERS` numbers.
    """
    if len(schema.features) > MOST_COLUMNS:
        raise InputError(
            f"A bundle holds at most {MOST_COLUMNS:,} features, not {len(schema.features):,}; ignore some."
        )
    sizes = {c.name: len(c.categories) ** 2 for c in schema.features if c.kind == "category"}
    if sum(sizes.values()) > MOST_NUMBERS:
        largest = max(sizes, key=lambda name: sizes[name])
        raise InputError(
            f"Column {largest[:60]!r} has more categories than a bundle can hold; "
            "bring them together in fewer, or ignore the column."
        )


def described(schema: Schema, score: str, *, allow_empty: bool, by_group: bool) -> dict[str, Any]:
    """Return all of ``model.json`` that follows from public knowledge: everything but the thresholds."""
    target = schema.target
    assert target is not None
    features = schema.features
    said: dict[str, Any] = {
        "format": FORMAT,
        "score": score,
        "columns": [_column(column) for column in features],
        "size": row_size(features),
        **_target(target, score, allow_empty),
    }
    if by_group:
        assert schema.group is not None
        said["group"] = schema.group.name
    return said


def _target(column: Column, name: str, allow_empty: bool) -> dict[str, Any]:
    target, score = target_of(column), SCORES[name]
    if isinstance(target, ClassTarget):
        return {"classes": list(target.classes), "allow_empty": allow_empty}
    scale = {part: getattr(target, part) for part in ("centre", "spread", "lower", "upper", "unit")}
    smallest = score.floor(target)
    floor = {} if smallest is None else {"floor": smallest}
    return {"target": scale, "bound": score.bound(target), **floor}


def _column(column: Column) -> dict[str, Any]:
    """Describe how one column becomes numbers, so that nothing but arithmetic is left to do."""
    said: dict[str, Any] = {"name": column.name, "refuses_missing": column.missing == "refuse"}
    if column.is_numeric:
        low, high = column.scale_range
        assert column.bounds is not None
        return said | {
            "bounds": list(column.bounds),
            "centre": (low + high) / 2,
            "half": (high - low) / 2,
            "furthest": FURTHEST,
            "marks_missing": column.missing == "category",
        }
    # A column that refuses missing cells has no numbers for one, and such a row is never predicted.
    missing = _UNLISTED if column.missing == "refuse" else None
    cells = pd.Series([*column.categories, missing, _UNLISTED], dtype=object)
    places = {text: place for place, text in enumerate(column.categories)}
    spellings = _SPELLINGS if column.kind == "boolean" else {}
    return said | {"places": {**spellings, **places}, "vectors": column_cells(cells, column).tolist()}
