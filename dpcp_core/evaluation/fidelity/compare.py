"""Counts of the same public bins in two tables, compared."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core._arrays import Codes, Floats
from dpcp_core.data.cells import as_numbers, as_text
from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.fidelity.bins import binned
from dpcp_core.evaluation.fidelity.report import ColumnFidelity, FidelityReport, LabelRates, PairFidelity

BINS = 20
MOST_PAIRS = 200


def evaluate_fidelity(
    synthetic: pd.DataFrame,
    real: pd.DataFrame,
    schema: Schema,
    *,
    bins: int = BINS,
    most_pairs: int = MOST_PAIRS,
    seed: int = 0,
) -> FidelityReport:
    """Compare a synthetic table with the real one, column by column and pair by pair.

    Parameters
    ----------
    synthetic, real : DataFrame
        With the schema's columns, but for ignored ones.
    schema : Schema
    bins : int
        Bins of a number, 2 or more. They follow from the schema, not from the rows.
    most_pairs : int
        Pairs of columns that are compared; beyond it, a random part of them.
    seed : int
        Of the choice of pairs.

    Raises
    ------
    InputError
        A column that is not there or has no bounds or categories, or a table without rows.

    Notes
    -----
    **Privacy.** Curator's view: the errors are measured on real rows, and so not private. Neither they nor matching
    rows measure how private the synthetic table is; its receipt does.

    The report has the parts that users of SDMetrics know (overall, column shapes, column pairs), but numbers, too, are
    compared by total variation on public bins.
    """
    used = _used(schema)
    _refuse_unlike(synthetic, real, used)
    check.whole(at_least=2, bins=bins)
    coded = {column.name: _both(synthetic, real, column, bins) for column in used}
    pairs = _some(list(itertools.combinations(used, 2)), check.whole(most_pairs=most_pairs), seed)
    row_synthetic, row_real = _row_numbers(synthetic, real, used)
    return FidelityReport(
        n_synthetic=len(synthetic),
        n_real=len(real),
        columns=tuple(_column(synthetic, real, column, coded[column.name]) for column in used),
        pairs=tuple(_pair(first, second, coded[first.name], coded[second.name]) for first, second in pairs),
        n_pairs=len(used) * (len(used) - 1) // 2,
        correlation_distance=_correlation_distance(synthetic, real, used),
        labels=_labels(synthetic, real, schema.target),
        distinct_synthetic=len(np.unique(row_synthetic)) / len(synthetic),
        distinct_real=len(np.unique(row_real)) / len(real),
        matching_share=float(np.isin(row_synthetic, row_real).mean()),
        n_bins=bins,
    )


@dataclass(frozen=True, eq=False)
class _Coded:
    """One column of both tables as bins."""

    synthetic: Codes
    real: Codes
    size: int


def _used(schema: Schema) -> list[Column]:
    used = [column for column in schema.columns if column.role != "ignore"]
    if not used:
        raise InputError("All columns of the schema are ignored; give at least one of them another role.")
    return used


def _refuse_unlike(synthetic: pd.DataFrame, real: pd.DataFrame, used: list[Column]) -> None:
    for what, frame in (("synthetic", synthetic), ("real", real)):
        absent = [column.name for column in used if column.name not in frame.columns]
        if absent:
            raise InputError(f"The {what} table has no column {absent[0]!r}, which the schema names.")
        if len(frame) == 0:
            raise InputError(f"The {what} table has no rows; give some to compare.")


def _both(synthetic: pd.DataFrame, real: pd.DataFrame, column: Column, bins: int) -> _Coded:
    codes, size = binned(synthetic[column.name], column, bins)
    return _Coded(codes, binned(real[column.name], column, bins)[0], size)


def _total_variation(synthetic: Codes, real: Codes, size: int) -> float:
    """Return half the summed difference of shares of the codes 0 to ``size - 1``."""
    shares = [np.bincount(codes, minlength=size) / len(codes) for codes in (synthetic, real)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _column(synthetic: pd.DataFrame, real: pd.DataFrame, column: Column, coded: _Coded) -> ColumnFidelity:
    return ColumnFidelity(
        name=column.name,
        title=column.title,
        kind=column.kind,
        error=_total_variation(coded.synthetic, coded.real, coded.size),
        missing_synthetic=float(synthetic[column.name].isna().mean()),
        missing_real=float(real[column.name].isna().mean()),
    )


def _pair(first: Column, second: Column, one: _Coded, other: _Coded) -> PairFidelity:
    size = one.size * other.size
    joint = [
        codes.astype(np.int64) * other.size + beside
        for codes, beside in ((one.synthetic, other.synthetic), (one.real, other.real))
    ]
    return PairFidelity(first.name, second.name, _total_variation(joint[0], joint[1], size))


def _some(pairs: list[tuple[Column, Column]], most: int, seed: int) -> list[tuple[Column, Column]]:
    if len(pairs) <= most:
        return pairs
    chosen = np.sort(np.random.default_rng(seed).choice(len(pairs), most, replace=False))
    return [pairs[place] for place in chosen]


def _correlation_distance(synthetic: pd.DataFrame, real: pd.DataFrame, used: list[Column]) -> float | None:
    ordered = [c for c in used if c.is_numeric or c.kind in ("ordinal", "boolean") or len(c.categories) == 2]
    if len(ordered) < 2:
        return None
    upper = np.triu_indices(len(ordered), 1)
    difference = _correlations(synthetic, ordered)[upper] - _correlations(real, ordered)[upper]
    return float(np.abs(difference).mean())


def _correlations(frame: pd.DataFrame, ordered: Sequence[Column]) -> Floats:
    """Return Pearson's correlations; 0 with a column that does not vary, empty cells at its mean."""
    values = np.column_stack([_ordered_values(frame[column.name], column) for column in ordered])
    values -= values.mean(axis=0)
    lengths = np.sqrt((values**2).sum(axis=0))
    unit = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-9)
    correlations: Floats = unit.T @ unit
    return correlations


def _ordered_values(cells: pd.Series, column: Column) -> Floats:
    if column.is_numeric:
        assert column.bounds is not None
        values = np.clip(as_numbers(cells, column.name), *column.bounds)
    else:
        codes = category_codes(cells, column)
        values = np.where(codes < 0, np.nan, codes.astype(np.float64))
    known = ~np.isnan(values)
    mean = float(values[known].mean()) if known.any() else 0.0
    return np.where(known, values, mean)


def _labels(synthetic: pd.DataFrame, real: pd.DataFrame, target: Column | None) -> LabelRates | None:
    if target is None or target.is_numeric:
        return None
    return LabelRates(target.categories, *(_rates(frame[target.name], target) for frame in (synthetic, real)))


def _rates(cells: pd.Series, target: Column) -> tuple[float, ...]:
    codes = category_codes(cells, target)
    counts = np.bincount(codes[codes >= 0], minlength=len(target.categories))
    return tuple((counts / counts.sum()).tolist() if counts.sum() else [float("nan")] * len(counts))


def _row_numbers(synthetic: pd.DataFrame, real: pd.DataFrame, used: list[Column]) -> tuple[Codes, Codes]:
    """Return a number for each row of both tables, the same for rows that are equal in every column."""
    number = np.zeros(len(synthetic) + len(real), dtype=np.int64)
    for column in used:
        cells = pd.concat([_plain(frame[column.name], column) for frame in (synthetic, real)], ignore_index=True)
        codes, distinct = pd.factorize(cells, use_na_sentinel=True)
        # Numbered anew after each column, so that they stay small.
        number = pd.factorize(number * (len(distinct) + 1) + codes + 1)[0].astype(np.int64)
    return number[: len(synthetic)], number[len(synthetic) :]


def _plain(cells: pd.Series, column: Column) -> pd.Series:
    """Return cells that are equal where they mean the same, whatever type they have."""
    return pd.Series(as_numbers(cells, column.name)) if column.is_numeric else as_text(cells).reset_index(drop=True)
