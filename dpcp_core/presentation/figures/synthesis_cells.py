"""Names of the cells that columns are counted in.

>>> import numpy as np
>>> from dpcp_core.experiments.synthesis import ColumnShares
>>> ages = ColumnShares("age", "Age", "years", "integer", (), (18.0, 19.5, 21.0), np.zeros(4), np.zeros(4), 0.0)
>>> cell_names(ages)
['18 to 19.5', '19.5 to 21', 'empty', 'unknown']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import ColumnShares

_LONGEST = 16


def cell_names(shares: ColumnShares) -> list[str]:
    """Return a name for each cell, those of empty and unknown cells last."""
    named = list(shares.categories) or [
        f"{say.short(low, 4)} to {say.short(high, 4)}"
        for low, high in zip(shares.edges[:-1], shares.edges[1:], strict=True)
    ]
    return [*named, "empty", "unknown"]


def short_names(shares: ColumnShares) -> list[str]:
    """Return names for the axis of a small picture: of a number where its cell begins."""
    named = [say.short(edge, 3) for edge in shares.edges[:-1]] or [shortened(c, _LONGEST) for c in shares.categories]
    return [*named, "empty", "unknown"]
