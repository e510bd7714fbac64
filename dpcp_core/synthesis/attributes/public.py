"""Attributes that cost nothing: the rows of a public table, or evenly spread over what the schema allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core.data.schema_check import named
from dpcp_core.errors import InputError
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.attributes.shuffle import own_values
from dpcp_core.synthesis.blocks import blocks_of
from dpcp_core.synthesis.domain import Domain
from dpcp_core.synthesis.parts import Part


@dataclass(frozen=True, eq=False)
class PublicRows:
    """Rows of a public table, drawn with replacement.

    Attributes
    ----------
    frame : DataFrame
    """

    frame: pd.DataFrame

    @property
    def cells(self) -> Mapping[str, int]:
        """None: the values are the public table's."""
        return {}

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` whole rows."""
        return self.frame.take(rng.integers(0, len(self.frame), n)).reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class EvenlySpread:
    """Every value of the schema with the same chance; no cell is empty.

    Attributes
    ----------
    domain : Domain
        With one cell between the bounds of each number.
    """

    domain: Domain

    @property
    def cells(self) -> Mapping[str, int]:
        """Public cells of each column."""
        return dict(zip(self.domain.names, self.domain.sizes, strict=True))

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` rows."""
        codes = np.empty((n, len(self.domain.parts)), dtype=np.int32)
        for place, part in enumerate(self.domain.parts):
            width = part.upper - part.lower + (part.column.kind == "integer")
            chance = width / width.sum() if part.column.is_numeric else None
            codes[:, place] = rng.choice(part.n_values, n, p=chance)
        return self.domain.decode(codes, rng)


@dataclass(frozen=True)
class Public:
    """Attributes from public knowledge alone.

    Notes
    -----
    **Privacy.** Costs nothing: no private row is read.
    """

    name: str = "public"
    title: str = "public knowledge"
    sentence: str = "Rows of a public table, or values spread evenly over what the schema allows; costs nothing."
    leak: str = ""
    is_free: bool = True

    def plan(self, task: AttributeTask, spending: SharedBudget) -> AttributeTask:  # noqa: ARG002 - the protocol's
        """Return the task itself, once its public table was looked at.

        Raises
        ------
        InputError
            A public table without rows, or without one of the columns.
        """
        blocks_of(task.columns, task.groups)
        if task.public is not None:
            if not len(task.public):
                raise InputError("public has no rows; bring some, or leave it out.")
            named(task.columns, task.public)
        Domain.of(task.schema, 1, task.columns)
        return task

    def parts(self, plan: AttributeTask) -> tuple[Part, ...]:  # noqa: ARG002 - the protocol's
        """Return no line: nothing is spent."""
        return ()

    def fit(
        self,
        frame: pd.DataFrame,  # noqa: ARG002 - the protocol's
        plan: AttributeTask,
        rng: np.random.Generator,  # noqa: ARG002 - the protocol's
    ) -> PublicRows | EvenlySpread:
        """Return the public rows, or the domain of the schema."""
        if plan.public is None:
            return EvenlySpread(Domain.of(plan.schema, 1, plan.columns))
        columns = [plan.schema.column(name) for name in plan.columns]
        return PublicRows(own_values(named(plan.columns, plan.public), columns))
