"""What a rival is given and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from dpcp_core._arrays import Codes
from dpcp_core.privacy.budget import PrivacyBudget


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Private rows as places of public cells.

    Attributes
    ----------
    codes : int array of shape (n, m)
        From 0 to ``sizes - 1``; private.
    names : tuple of str
    sizes : tuple of int
        Cells of each column; public.
    has_missing : tuple of bool
        Whether a column's last cell stands for an empty one.
    target : int
        Place of the column to predict; the last one where there is none.
    """

    codes: Codes
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    has_missing: tuple[bool, ...]
    target: int


class Rival(Protocol):
    """Another way to make a synthetic table.

    Attributes
    ----------
    name : str
        Key in the registry.
    title, sentence : str
        What it is called, and what it does.
    needs : tuple of str
        Libraries beyond the project's own.
    is_private : bool
        Whether it reads rows at all and pays for it, or reads none; every rival is one of the two.
    is_repeatable : bool
        Whether a seed gives the same table again. Libraries that take their noise from the operating system do not.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def sentence(self) -> str: ...  # noqa: D102
    @property
    def needs(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def is_private(self) -> bool: ...  # noqa: D102
    @property
    def is_repeatable(self) -> bool: ...  # noqa: D102

    def draw(self, rows: CodedRows, budget: PrivacyBudget, n: int, rng: np.random.Generator) -> Codes:
        """Return ``n`` synthetic rows as places of cells, shape (n, m).

        Notes
        -----
        **Privacy.** (epsilon, delta) of the budget for all that is returned, neighbours by emptying one row.
        """
        ...


@dataclass(frozen=True, eq=False)
class RivalRun:
    """What became of one run of a rival.

    Attributes
    ----------
    name, title : str
    table : DataFrame or None
        The synthetic rows; None where there is a problem.
    seconds : float
        From the coded rows to the coded synthetic rows, loading of libraries included; up to the end where the run
        was stopped.
    problem : str
        One sentence; "" where all went well.
    is_timeout : bool
    is_stopped : bool
        Whether somebody stopped it, which says nothing of the rival.
    """

    name: str
    title: str
    table: pd.DataFrame | None
    seconds: float
    problem: str = ""
    is_timeout: bool = False
    is_stopped: bool = False
