"""A schema whose unknown bounds are bought: private bounds and typical ranges, each with its line on the receipt.

What if nobody knows the bounds of a column? Part of the budget buys them from the rows::

    schema, entries = with_private_bounds(data, epsilon=0.2, rng=rng)

What does that do to coverage? Every way to pay for in-sample scores stays valid at a slightly lower level, see
:func:`level_after_bounds`.

>>> round(level_after_bounds(0.1, epsilon=0.2), 4)
0.0819
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core import _validate
from dpcp_core.data.cells import as_numbers
from dpcp_core.data.column import Column, exact_number
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.private_bounds import one_step_wider, private_bounds, rows_needed
from dpcp_core.privacy.private_typical import private_typical
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry

_BOUNDS_SHARE = 0.5
"""Share of a column's epsilon for its bounds; the typical range gets the rest."""


def columns_without_public_bounds(schema: Schema) -> tuple[str, ...]:
    """Return the numeric features and the numeric target whose bounds are missing or were read off the rows."""
    return tuple(
        column.name for column in schema.columns if column.role in ("feature", "target") and _needs_bounds(column)
    )


def with_private_bounds(
    data: Dataset,
    columns: Iterable[str] | None = None,
    *,
    epsilon: float,
    rng: np.random.Generator,
    typical: bool = True,
) -> tuple[Schema, tuple[ReceiptEntry, ...]]:
    """Return the schema with private bounds where nobody knows public ones, and what they cost.

    Parameters
    ----------
    data : Dataset
    columns : iterable of str, optional
        Names of numeric columns; those with public bounds keep them and cost nothing. By default every feature and
        the target, if numeric.
    epsilon : float
        For all columns together, above 0; a row is in all of them, so it is divided evenly. Infinity adds no noise.
    rng : numpy Generator
    typical : bool
        Whether to buy a typical range too, where no person gave one, for half of the column's epsilon.

    Returns
    -------
    schema : Schema
        Its new bounds are no longer flagged as read off the rows: they are private, not public.
    entries : tuple of ReceiptEntry
        One per column; their epsilons add up to ``epsilon``. Empty if no column needs bounds.

    Raises
    ------
    InputError
        A column that is not there or holds no numbers, or too few rows for this epsilon and so many columns.

    Notes
    -----
    **Privacy.** ``epsilon`` in total, without delta, by basic composition. Empty cells count nowhere. Which columns
    need bounds, and whether the rows suffice, is decided by the schema and the public number of rows.

    **Guarantee.** Coverage is of the target clipped to its bounds, private ones included. Those are moved outward by
    a step of their grid, so that few rows lie beyond. What coverage then takes is said at :func:`level_after_bounds`.

    Examples
    --------
    >>> import pandas as pd
    >>> rng = np.random.default_rng(0)
    >>> frame = pd.DataFrame({"dose": rng.gamma(4.0, 5.0, 3000)})
    >>> schema = Schema((Column("dose", "number"),))
    >>> found, entries = with_private_bounds(Dataset.from_frame(frame, schema), epsilon=0.5, rng=rng)
    >>> found.column("dose").bounds, found.column("dose").bounds_from_file, [entry.epsilon for entry in entries]
    ((2.0, 100.0), False, [0.5])
    """
    return buy_bounds(data.schema, data.frame, columns, epsilon=epsilon, rng=rng, typical=typical)


def buy_bounds(
    schema: Schema,
    frame: pd.DataFrame,
    columns: Iterable[str] | None = None,
    *,
    epsilon: float,
    rng: np.random.Generator,
    typical: bool = True,
) -> tuple[Schema, tuple[ReceiptEntry, ...]]:
    """Return what :func:`with_private_bounds` does, for a schema and any rows with its columns, such as a half."""
    total = _validate.positive(infinite=True, epsilon=epsilon)
    names = _names_to_buy(schema, columns)
    if not names:
        return schema, ()
    share = total / len(names)
    _refuse_few_rows(len(frame), names, total, share * _BOUNDS_SHARE if typical else share)
    entries = []
    for name in names:
        column = schema.column(name)
        found = _bought(column, as_numbers(frame[name], name), share, rng, typical=typical)
        schema = schema.with_column(found)
        entries.append(_entry(found, share, len(frame), typical=typical and not _has_public_typical(column)))
    return schema, tuple(entries)


def level_after_bounds(level: float, epsilon: float) -> float:
    """Return the level to aim at once bounds were bought from the very rows that train or are ranked.

    Parameters
    ----------
    level : float
        Level that would be right if the bounds were public, from any stability factor but ``none``; in (0, 1).
    epsilon : float
        Total epsilon of the bounds and typical ranges, 0 or more.

    Returns
    -------
    float
        ``exp(-epsilon) level``.

    Notes
    -----
    **Guarantee.** For fixed rows, let ``h(b)`` be any number in [0, 1] that depends on the released bounds ``b``.
    Bounds from ``n`` rows and bounds ``b'`` from all ``n + 1`` differ by one row being empty, so
    ``E h(b) <= exp(epsilon) E h(b')``. Such ``b'`` treat all rows alike: given them, the rows are still exchangeable,
    and bounds, scale and grid are constants. It remains to choose ``h``:

    * ``split``, ``coupling``: the probability that the new row is missed when the first ``n`` rows train and are
      ranked. At ``b'`` it is at most the level that was aimed at, on average. The coupling compares two runs with the
      *same* bounds; its movement, in target units, scales with the spread of the released ones. (Two runs with bounds
      of their own would not stay together: that difference is paid for here.)
    * ``dp``, ``profile``: for every fixed ``b`` the miss rate is at most ``exp(e) h(b) + delta(e)``, ``h`` being the
      probability of a miss when all ``n + 1`` rows train. At ``b'`` it is at most the level that was aimed at, so that
      ``exp(-epsilon)`` times ``exp(-e) (alpha - delta(e))`` gives ``alpha``.

    With ``split`` and bounds from the training rows alone, no ranked row touches the bounds: keep ``level`` as it is.
    All of it needs bounds that are private without delta, as they are here.
    """
    return math.exp(-_validate.non_negative(epsilon=epsilon)) * _validate.share(level=level)


def _needs_bounds(column: Column) -> bool:
    return column.is_numeric and (column.bounds is None or column.bounds_from_file)


def _has_public_typical(column: Column) -> bool:
    return column.typical is not None and not column.bounds_from_file


def _names_to_buy(schema: Schema, columns: Iterable[str] | None) -> tuple[str, ...]:
    if columns is None:
        return columns_without_public_bounds(schema)
    chosen = [schema.column(name) for name in dict.fromkeys(columns)]
    for column in chosen:
        if not column.is_numeric:
            raise InputError(
                f"Column {column.name!r} is of kind {column.kind}, which has no bounds to buy; "
                "list its categories in the schema."
            )
    return tuple(column.name for column in chosen if _needs_bounds(column))


def _refuse_few_rows(n_rows: int, names: tuple[str, ...], total: float, epsilon: float) -> None:
    needed = rows_needed(epsilon)
    if n_rows < needed:
        what = f"the bounds of {names[0]!r}" if len(names) == 1 else f"the bounds of {len(names)} columns"
        raise InputError(
            f"{n_rows:,} rows are too few to buy {what} with epsilon = {total:g}: it takes about {needed:,}; "
            "give public bounds for some columns, or spend more on bounds."
        )


def _bought(
    column: Column, values: NDArray[np.float64], epsilon: float, rng: np.random.Generator, *, typical: bool
) -> Column:
    """Return the column with private bounds, and with a private typical range where no person gave one."""
    known = column.typical if _has_public_typical(column) else None
    with_typical = typical and known is None
    low, high = private_bounds(values, epsilon=epsilon * (_BOUNDS_SHARE if with_typical else 1.0), rng=rng)
    if column.role == "target":
        # Rows that are cut off here would be left out of what coverage promises; wider bounds hardly cost width.
        low, high = one_step_wider((low, high))
    if column.kind == "integer":
        low, high = float(math.floor(low)), float(math.ceil(high))
    if known is not None:
        low, high = min(low, known[0]), max(high, known[1])
    middle = known
    if with_typical:
        middle = private_typical(values, (low, high), epsilon=epsilon * (1 - _BOUNDS_SHARE), rng=rng)
    return dataclasses.replace(column, bounds=(low, high), typical=middle, bounds_from_file=False)


def _entry(column: Column, epsilon: float, n_rows: int, *, typical: bool) -> ReceiptEntry:
    assert column.bounds is not None
    what = "Private bounds and typical range" if typical else "Private bounds"
    moved = "1 row in one count of a noisy histogram"
    detail = f"bounds {_shown(column.bounds)}"
    if typical and column.typical is not None:
        moved += ", 1 row in the utility of a range"
        detail += f", typical {_shown(column.typical)}"
    return ReceiptEntry(
        f"{what} of {column.title}", f"{column.name} in {n_rows:,} rows", ONE_ROW, moved, epsilon, 0.0, detail
    )


def _shown(pair: tuple[float, float]) -> str:
    return f"{exact_number(pair[0])} to {exact_number(pair[1])}"
