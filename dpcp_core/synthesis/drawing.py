"""Rows of a synthetic table: attributes, then labels, until enough of them satisfy the rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core._words import number_text
from dpcp_core.data.column import Column
from dpcp_core.errors import InputError
from dpcp_core.synthesis.attributes.protocol import Attributes
from dpcp_core.synthesis.domain import as_table
from dpcp_core.synthesis.labels import LabelModel
from dpcp_core.synthesis.rules import Rule

# Rows of one draw while rules are tried: enough to tell how many survive.
_FIRST_DRAW, _LARGEST_DRAW = 4096, 1 << 20
_SPARE = 1.1


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows that satisfy the rules.

    Attributes
    ----------
    frame : DataFrame
    n_drawn, n_dropped : int
    broken : tuple of int
        Of all drawn rows, how many break each rule.
    """

    frame: pd.DataFrame
    n_drawn: int
    n_dropped: int
    broken: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Source:
    """Fitted attributes and models, from which rows are drawn.

    Attributes
    ----------
    attributes : Attributes
    labels : tuple of LabelModel
    columns : tuple of Column
        Of the table, in order.
    rules : tuple of Rule
    max_draws : int
        Rows drawn per row wanted, at most.

    Notes
    -----
    **Privacy.** Sees no private rows, so drawing costs nothing, however often; rules are public.
    """

    attributes: Attributes
    labels: tuple[LabelModel, ...]
    columns: tuple[Column, ...]
    rules: tuple[Rule, ...]
    max_draws: int

    def draw(self, n: int, rng: np.random.Generator) -> Drawn:
        """Return ``n`` rows.

        Raises
        ------
        InputError
            Rules that too few rows satisfy.
        """
        if not self.rules:
            return Drawn(self._rows(n, rng), n, 0, ())
        kept: list[pd.DataFrame] = []
        found, drawn, broken = 0, 0, np.zeros(len(self.rules), dtype=np.int64)
        most = max(n * self.max_draws, _FIRST_DRAW)
        while found < n:
            if drawn >= most:
                raise InputError(self._too_few(n, found, drawn))
            rows = self._rows(min(self._wanted(n - found, found, drawn), most - drawn), rng)
            holds = np.stack([rule.holds(rows) for rule in self.rules])
            fine = holds.all(axis=0)
            kept.append(rows.take(np.flatnonzero(fine)))
            found, drawn, broken = found + int(fine.sum()), drawn + len(rows), broken + (~holds).sum(axis=1)
        frame = pd.concat(kept, ignore_index=True).head(n)
        return Drawn(frame, drawn, drawn - found, tuple(int(count) for count in broken))

    def _wanted(self, missing: int, found: int, drawn: int) -> int:
        """Return how many rows to draw next, by how many survived so far."""
        if not drawn:
            return max(missing, _FIRST_DRAW)
        share = max(found, 1) / drawn
        return int(min(max(missing / share * _SPARE, _FIRST_DRAW), _LARGEST_DRAW))

    def _rows(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        frame = self.attributes.draw(n, rng)
        for model in self.labels:
            frame[model.plan.column.name] = model.label(frame, rng)
        return as_table(frame, self.columns)

    def _too_few(self, n: int, found: int, drawn: int) -> str:
        texts = "; ".join(rule.text for rule in self.rules[:3])
        if not found:
            return f"No row of {drawn:,} satisfies the rules ({texts}); they may contradict each other or the schema."
        return (
            f"Only {found:,} rows of {drawn:,} satisfy the rules ({texts}), and {n:,} are wanted; ask for fewer rows, "
            f"loosen a rule, or raise max_draws above {number_text(self.max_draws)}."
        )
