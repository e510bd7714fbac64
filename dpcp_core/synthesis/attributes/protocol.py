"""What every maker of attributes offers, so that nothing else needs to know which one it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import pandas as pd

from dpcp_core.data.schema import Schema
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.parts import Part

Bins: TypeAlias = int | str | tuple[tuple[str, int], ...]
PlanT = TypeVar("PlanT")
"""A maker's own public plan. Everybody else hands it on unread."""


@dataclass(frozen=True, eq=False)
class AttributeTask:
    """What is asked of a maker: public facts only.

    Attributes
    ----------
    schema : Schema
    columns : tuple of str
        To be made, in order.
    n_rows : int
    groups : tuple of tuples of str
        Columns that belong together.
    bins : int, "auto", or pairs (column, bins)
        Cells of numbers.
    public : DataFrame or None
        Public rows.
    """

    schema: Schema
    columns: tuple[str, ...]
    n_rows: int
    groups: tuple[tuple[str, ...], ...] = ()
    bins: Bins = "auto"
    public: pd.DataFrame | None = None


class Attributes(Protocol):
    """Fitted attributes, from which rows can be drawn without looking at the private ones again."""

    @property
    def cells(self) -> Mapping[str, int]:
        """Public cells of each column; empty where there are none."""
        ...

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Return ``n`` rows of the columns."""
        ...


class Maker(Protocol[PlanT]):
    """A way to make the attributes of a synthetic table."""

    @property
    def name(self) -> str:
        """Key in the registry."""
        ...

    @property
    def title(self) -> str:
        """What the interface calls it, two or three words."""
        ...

    @property
    def sentence(self) -> str:
        """What it is, in one plain sentence."""
        ...

    @property
    def leak(self) -> str:
        """Why it is not private, in one sentence; empty if it is."""
        ...

    @property
    def is_free(self) -> bool:
        """Whether it spends nothing, so that the whole budget is for the task model."""
        ...

    def plan(self, task: AttributeTask, spending: SharedBudget) -> PlanT:
        """Return the public plan of a fit.

        Raises
        ------
        InputError
            What cannot be made: unknown groups, too many cells, too few rows.

        Notes
        -----
        **Privacy.** Costs nothing: a function of public facts only.
        """
        ...

    def parts(self, plan: PlanT) -> tuple[Part, ...]:
        """Return what a receipt says of it, a line for each mechanism."""
        ...

    def fit(self, frame: pd.DataFrame, plan: PlanT, rng: np.random.Generator) -> Attributes:
        """Read the rows, privately if ``leak`` is empty: at the cost of the profiles of ``parts``."""
        ...


AnyMaker: TypeAlias = Maker[Any]
