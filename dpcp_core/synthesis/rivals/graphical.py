"""Rivals that choose which columns to count together: MST and AIM, as the library ``opendp`` has them."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from dpcp_core._arrays import Codes
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.synthesis.rivals.protocol import CodedRows

_SMALLEST_RHO, _LARGEST_RHO = 1e-9, 1e4


@dataclass(frozen=True)
class Graphical:
    """Noisy counts of columns and of chosen sets of columns, fitted to one graphical model.

    Attributes
    ----------
    algorithm : str
        ``MST`` (pairs along a spanning tree) or ``AIM`` (sets of up to three columns, as long as the budget lasts).

    Notes
    -----
    **Privacy.** rho-zCDP by ``opendp``, with the largest rho that its own conversion finds to be (epsilon, delta).
    Neighbours are tables that differ by one row. Cells are public, so that none is discovered from the rows. Noise
    comes from the operating system.

    References
    ----------
    McKenna, Miklau and Sheldon (2021), "Winning the NIST contest" (MST); McKenna et al. (2022), "AIM: an adaptive and
    iterative mechanism for differentially private synthetic data".
    """

    algorithm: Literal["MST", "AIM"]
    sentence: str
    needs: tuple[str, ...] = ("opendp", "mbi", "polars")
    is_private: bool = True
    is_repeatable: bool = False

    @property
    def name(self) -> str:
        """Key in the registry."""
        return self.algorithm.lower()

    @property
    def title(self) -> str:
        """What it is called."""
        return self.algorithm

    def draw(self, rows: CodedRows, budget: PrivacyBudget, n: int, rng: np.random.Generator) -> Codes:
        """Choose, count and fit by the library; draw ``n`` rows."""
        dp = _library()
        dp.enable_features("contrib")
        rho = _steady(_largest_rho(budget), len(rows.sizes))
        # Names of our own: one of the library's words, such as "len", must not be a column.
        columns = [f"c{k}" for k in range(len(rows.sizes))]
        keys = {
            name: list(range(size - gap)) for name, size, gap in zip(columns, rows.sizes, rows.has_missing, strict=True)
        }
        context = dp.Context.compositor(
            data=_as_polars(rows, columns).lazy(),
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(rho=rho),
        )
        algorithm = getattr(dp.mbi, self.algorithm)()
        released = context.query(rho=rho).contingency_table(keys=keys, algorithm=algorithm).release()
        # The library draws from numpy's global state.
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002
        return _as_codes(released.synthesize(rows=n), rows, columns, rng)


def _library() -> Any:
    return importlib.import_module("opendp.prelude")


def _largest_rho(budget: PrivacyBudget) -> float:
    """Return the largest rho for which rho-zCDP is (epsilon, delta)-DP, as the library converts it."""
    dp = _library()

    def is_enough(rho: float) -> bool:
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
        gaussian = dp.m.make_gaussian(*space, scale=(2 * rho) ** -0.5)
        return bool(dp.c.make_zCDP_to_approxDP(gaussian).map(1.0).delta(budget.epsilon) <= budget.delta)

    if budget.delta <= 0:
        raise InputError("delta is 0, but MST and AIM need a delta above 0; try 1e-5 or 1 / (10 n).")
    return float(dp.binary_search(is_enough, bounds=(_SMALLEST_RHO, _LARGEST_RHO)))


def _steady(rho: float, n_columns: int) -> float:
    """Return a rho, a hair smaller at most, that MST of opendp 0.16 does not trip over.

    It gives each of its choices an equal part of what choosing may cost, adds the parts up again, rounding upwards, and
    with many columns may find the sum above the whole by the last bit ("insufficient budget for query").

    >>> _steady(0.03055659519763956, 3), round(_steady(0.03055659519763956, 12), 9)
    (0.03055659519763956, 0.030556595)
    """
    candidates = (rho * (1 - step * 1e-9) for step in range(1000))
    return next((each for each in candidates if _fits(each, max(n_columns - 1, 1))), rho)


def _fits(rho: float, n_choices: int) -> bool:
    rest = _below(_below(rho - rho * 0.5))
    choosing = _below(_below(rest - rest * 0.9))
    each, total = _below(choosing / n_choices), 0.0
    for _ in range(n_choices):
        exact, total = Fraction(total) + Fraction(each), total + each
        total = math.nextafter(total, math.inf) if Fraction(total) < exact else total
    return total <= choosing


def _below(number: float) -> float:
    return math.nextafter(number, -math.inf)


def _as_polars(rows: CodedRows, columns: list[str]) -> Any:
    """Return the rows as a polars table; the cell for empty ones is null, which the library counts anyway."""
    import polars as pl

    made = []
    for k, name in enumerate(columns):
        cells = rows.codes[:, k].astype(np.int64)
        values = pl.Series(name, cells)
        made.append(values.set(pl.Series(cells == rows.sizes[k] - 1), None) if rows.has_missing[k] else values)
    return pl.DataFrame(made)


def _as_codes(table: Any, rows: CodedRows, columns: list[str], rng: np.random.Generator) -> Codes:
    codes = np.empty((table.height, len(columns)), dtype=np.int64)
    for k, name in enumerate(columns):
        cells = table[name].fill_null(-1).to_numpy().astype(np.int64)
        empty = cells < 0
        if rows.has_missing[k]:
            cells[empty] = rows.sizes[k] - 1
        elif empty.any():
            # Noise on a cell that the column does not have: its rows are drawn again from the others.
            known = cells[~empty] if not empty.all() else np.arange(rows.sizes[k])
            cells[empty] = rng.choice(known, size=int(empty.sum()))
        codes[:, k] = cells
    return rng.permutation(codes)


MST = Graphical("MST", "Counts every column, and pairs along a privately chosen tree, with noise, and fits one model.")
AIM = Graphical("AIM", "Chooses again and again which columns the model fits worst, counts them with noise and fits.")
