"""How much a synthetic table looks like the real one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core.data.column import Kind


@dataclass(frozen=True)
class ColumnFidelity:
    """One column of both tables.

    Attributes
    ----------
    name, title, kind : str
    error : float
        Total variation between the two columns' shares of public bins, 0 (equal) to 1 (nothing in common).
    missing_synthetic, missing_real : float
        Share of empty cells.
    """

    name: str
    title: str
    kind: Kind
    error: float
    missing_synthetic: float
    missing_real: float

    @property
    def score(self) -> float:
        """1 for equal shares, 0 for nothing in common."""
        return 1 - self.error


@dataclass(frozen=True)
class PairFidelity:
    """Two columns taken together.

    Attributes
    ----------
    first, second : str
    error : float
        Total variation between the two tables' shares of pairs of public bins.
    """

    first: str
    second: str
    error: float

    @property
    def score(self) -> float:
        """1 for equal shares, 0 for nothing in common."""
        return 1 - self.error


@dataclass(frozen=True)
class LabelRates:
    """Share of each class of the target.

    Attributes
    ----------
    classes : tuple of str
    synthetic, real : tuple of float
        Of the rows whose class the schema knows; NaN where there is none.
    """

    classes: tuple[str, ...]
    synthetic: tuple[float, ...]
    real: tuple[float, ...]

    @property
    def gap(self) -> float:
        """Total variation between the rates: with two classes, how far the rate of either is off."""
        return float(np.abs(np.subtract(self.synthetic, self.real)).sum() / 2)


@dataclass(frozen=True)
class FidelityReport:
    """How much a synthetic table looks like the real one; every score is 1 for tables that look the same.

    Attributes
    ----------
    n_synthetic, n_real : int
    columns : tuple of ColumnFidelity
    pairs : tuple of PairFidelity
        All pairs of columns, or a random part of them.
    n_pairs : int
        All that there are.
    correlation_distance : float or None
        Mean absolute difference of Pearson correlations over pairs of columns that have an order (numbers, ordinals,
        and columns of two categories); None with fewer than two of them.
    labels : LabelRates or None
        None where the target is a number, or there is none.
    distinct_synthetic, distinct_real : float
        Share of rows left when equal ones are counted once.
    matching_share : float
        Share of synthetic rows that equal some real row in every column. No measure of privacy: on coarse columns,
        rows match by chance, and rows that match in all but one column can give more away.
    n_bins : int
        Bins of a number.

    Notes
    -----
    **Privacy.** Curator's view: every number was measured on real rows.
    """

    n_synthetic: int
    n_real: int
    columns: tuple[ColumnFidelity, ...]
    pairs: tuple[PairFidelity, ...]
    n_pairs: int
    correlation_distance: float | None
    labels: LabelRates | None
    distinct_synthetic: float
    distinct_real: float
    matching_share: float
    n_bins: int

    @property
    def one_way_error(self) -> float:
        """Mean total variation over the columns."""
        return float(np.mean([column.error for column in self.columns]))

    @property
    def two_way_error(self) -> float:
        """Mean total variation over the pairs; that of the column where there is only one."""
        return float(np.mean([pair.error for pair in self.pairs])) if self.pairs else self.one_way_error

    @property
    def column_shapes(self) -> float:
        """Mean score of the columns."""
        return 1 - self.one_way_error

    @property
    def column_pairs(self) -> float:
        """Mean score of the pairs."""
        return 1 - self.two_way_error

    @property
    def overall(self) -> float:
        """Mean of the scores of columns and of pairs."""
        return (self.column_shapes + self.column_pairs) / 2

    def table(self) -> pd.DataFrame:
        """Return a row for each column, in the order of the schema."""
        return pd.DataFrame(
            {
                "column": [column.name for column in self.columns],
                "kind": [column.kind for column in self.columns],
                "score": [column.score for column in self.columns],
                "error": [column.error for column in self.columns],
                "missing_synthetic": [column.missing_synthetic for column in self.columns],
                "missing_real": [column.missing_real for column in self.columns],
            }
        )
