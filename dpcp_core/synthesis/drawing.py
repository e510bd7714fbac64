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
from dpcp_core.synthesis.rule_check import no_row_satisfies
from dpcp_core.synthesis.rules import Rule

# Rows of one draw while rules are tried: enough to tell how many survive.
_FIRST_DRAW, _LARGEST_DRAW = 4096, 1 << 20
_SPARE = 1.1
_FEWEST_FILLED = 1000
# Rows that the shares of classes are put right on.
_RATE_ROWS = 20_000


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


def at_their_rates(
    attributes: Attributes, labels: tuple[LabelModel, ...], rng: np.random.Generator
) -> tuple[LabelModel, ...]:
    """Return the models, those with bought shares of classes shifted so that drawn rows have them.

    Notes
    -----
    **Privacy.** Sees what was released only. Rules that drop rows afterwards may move the shares again.
    """
    if all(model.rates is None for model in labels):
        return labels
    frame, known = attributes.draw(_RATE_ROWS, rng), []
    for model in labels:
        known.append(model.at_its_rates(frame))
        frame[model.plan.column.name] = known[-1].label(frame, rng)
    return tuple(known)


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
        named = sorted({name for rule in self.rules for name in rule.names})
        found, drawn, broken = 0, 0, np.zeros(len(self.rules), dtype=np.int64)
        n_filled, n_filled_kept = 0, 0
        most = max(n * self.max_draws, _FIRST_DRAW)
        while found < n and drawn < most:
            rows = self._rows(min(self._wanted(n - found, found, drawn), most - drawn), rng)
            holds = np.stack([rule.holds(rows) for rule in self.rules])
            fine = holds.all(axis=0)
            filled = rows[named].notna().to_numpy().all(axis=1)
            n_filled, n_filled_kept = n_filled + int(filled.sum()), n_filled_kept + int((filled & fine).sum())
            kept.append(rows.take(np.flatnonzero(fine)))
            found, drawn, broken = found + int(fine.sum()), drawn + len(rows), broken + (~holds).sum(axis=1)
        if found and n_filled >= _FEWEST_FILLED and not n_filled_kept:
            # Empty cells satisfy whatever can be satisfied: a table of nothing else is no answer.
            raise no_row_satisfies(f"No row of {n_filled:,} without an empty cell", self.rules)
        if found < n:
            raise self._too_few(n, found, drawn)
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

    def _too_few(self, n: int, found: int, drawn: int) -> InputError:
        if not found:
            return no_row_satisfies(f"No row of {drawn:,}", self.rules)
        texts = "; ".join(rule.text for rule in self.rules[:3])
        return InputError(
            f"Only {found:,} rows of {drawn:,} satisfy the rules ({texts}), and {n:,} are wanted; ask for fewer rows, "
            f"loosen a rule, or raise max_draws above {number_text(self.max_draws)}."
        )
