"""What a procedure certifies, at one point and over a plane of sizes and budgets; see ``feasibility``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core.conformal.certificate import CoverageCertificate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.public_run import EmptyRun

OBSTACLES = ("rows", "level", "widening", "unproved")
"""Why nothing is certified: too few rows for this epsilon (or too little epsilon for these rows); a miss rate lowered
so far that a smaller epsilon would do better; a public widening as large as the scores; or nothing is proved at all."""


@dataclass(frozen=True)
class Feasibility:
    """What a procedure certifies, from public numbers.

    Attributes
    ----------
    choices : ConformalChoices
        With trainer and score resolved.
    n : int
        Rows that the procedure may use.
    run : EmptyRun
        The procedure on as many empty rows.
    smallest_n : int or None
        First n with which anything narrower than everything can come out; None if none up to ``MOST_ROWS`` is enough.
    smallest_epsilon, largest_epsilon : float or None
        Between them anything narrower can come out with these rows. The first is None if no epsilon is enough, the
        second where there is no such limit: a budget that lowers the level as it grows can be too large.

    Notes
    -----
    **Privacy.** Costs nothing: no row is touched.
    """

    choices: ConformalChoices
    n: int
    run: EmptyRun
    smallest_n: int | None = None
    smallest_epsilon: float | None = None
    largest_epsilon: float | None = None

    @property
    def n_train(self) -> int:
        """Rows that train."""
        return self.run.n_train

    @property
    def n_ranked(self) -> int:
        """Rows that are ranked."""
        return self.run.n_ranked

    @property
    def certificate(self) -> CoverageCertificate:
        """That of every run with these numbers."""
        return self.run.certificate

    @property
    def bound(self) -> float:
        """Largest threshold, which rules nothing out, in score units."""
        return self.run.bound

    @property
    def narrowest(self) -> float:
        """Smallest threshold that can be released, in score units."""
        return self.run.narrowest

    @property
    def narrows(self) -> bool:
        """Whether anything narrower than everything can come out."""
        return self.run.narrows

    @property
    def proved(self) -> bool:
        """Whether coverage of what comes out is proved."""
        return self.certificate.holds

    @property
    def certified(self) -> bool:
        """Whether something narrower than everything is certified."""
        return self.narrows and self.proved

    @property
    def obstacle(self) -> str:
        """What is in the way, one of ``OBSTACLES``; "" if something is certified."""
        if self.certified:
            return ""
        if self.narrows:
            return "unproved"
        if self.largest_epsilon is not None and self.choices.epsilon > self.largest_epsilon:
            return "level"
        return "widening" if self.widening and not self.certificate.nothing_narrower else "rows"

    @property
    def level(self) -> float:
        """Miss rate that is aimed at once ranking rows that trained is paid for."""
        return self.certificate.level

    @property
    def widening(self) -> float:
        """Public amount added to every threshold, in score units."""
        return self.certificate.widening

    @property
    def target_count(self) -> float | None:
        """Ranked rows allowed above the threshold; None where the quantile is not private."""
        return self.certificate.target_count

    @property
    def aimed_coverage(self) -> float:
        """Share of the ranked rows that the threshold aims to cover, before its widening; 1 is everything."""
        if not self.narrows:
            return 1.0
        return 1 - (self.level if self.target_count is None else self.target_count / self.n_ranked)

    @property
    def coverage_cost(self) -> float:
        """Coverage aimed at beyond the coverage wanted: what privacy and its proof cost."""
        return self.aimed_coverage - self.choices.confidence_level


@dataclass(frozen=True, eq=False)
class FeasibilityMap:
    """What is certified over a plane of sizes and budgets.

    Attributes
    ----------
    choices : ConformalChoices
    n : tuple of int
        Rows that the procedure may use, A of them.
    epsilons : tuple of float
        B of them.
    narrows, proved : bool arrays of shape (A, B)
        As in :class:`Feasibility`.
    aimed_coverage, level, widening : float64 arrays of shape (A, B)
        As in :class:`Feasibility`; NaN where the procedure cannot be run.
    smallest_n : tuple of int or None
        First n with which anything narrower can come out, for each epsilon.
    """

    choices: ConformalChoices
    n: tuple[int, ...]
    epsilons: tuple[float, ...]
    narrows: npt.NDArray[np.bool_]
    proved: npt.NDArray[np.bool_]
    aimed_coverage: Floats
    level: Floats
    widening: Floats
    smallest_n: tuple[int | None, ...]

    @property
    def certified(self) -> npt.NDArray[np.bool_]:
        """Where something narrower than everything is certified, shape (A, B)."""
        return self.narrows & self.proved
