"""The answer to a goal: the smallest epsilon that meets it, or why there is none and what would do."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpcp_core.conformal.feasibility import Feasibility
from dpcp_core.data.schema import Column
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.goal.wish import Goal
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.training.protocol import Task

REASONS = ("without_privacy", "certificate", "coverage", "turns", "narrowly", "limit", "epsilon")
"""Why a goal is not reached: intervals are wider even without privacy; nothing can be certified with so few rows;
coverage falls short; more budget makes intervals wider again; it is met on average, but not by most simulations; no
budget is enough, as the steps between candidates or the proof cost too much; or it takes more epsilon than allowed."""


@dataclass(frozen=True)
class RowsNeeded:
    """About how many rows would meet a goal on average, of a whole table, those held out included.

    Attributes
    ----------
    about : int
    low, high : int
        With another table of people like these it may be between them; looking ends at 40 times the rows that are
        there, and at 200,000.
    """

    about: int
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class GoalAnswer:
    """What a goal-first search found.

    Attributes
    ----------
    goal : Goal
    settings : ConformalSettings
        The answer's, with its epsilon and training share; of the look that came nearest where the goal is not reached.
    status : "reached", "unreachable" or "stopped"
    epsilon : float or None
        Smallest epsilon whose new simulations meet the goal (18 in 20 and more).
    low, high : float or None
        The smallest epsilon that meets the goal on average lies between them; ``high`` is ``epsilon``.
    until : float or None
        Largest epsilon looked at up to which the goal is met, where still more budget misses it again; None where
        it is met up to the largest.
    training_share, largest_epsilon : float
    looks : tuple of Look
        Everything looked at, by share and epsilon.
    best : Look or None
        The answer's look, or the one that came nearest.
    why : str
        "" if reached, else one of ``REASONS``.
    needed_epsilon : float or None
        About how much epsilon would do, above the largest that was allowed; None if unknown.
    rows : RowsNeeded or None
        How many rows would do at the largest epsilon (where the curve turns, at the best one); None if unknown.
    feasibility : Feasibility or None
        At the largest epsilon, for this table's rows; None where groups have thresholds of their own.
    reference_size : float
        Mean size without privacy.
    reference_interval : pair of float
        Its 95 % interval.
    dataset_name, dataset_digest : str
    target : Column
    task : "regression" or "classification"
    n : int
        Rows that are not held out.
    seconds : float

    Notes
    -----
    **Privacy.** Measured on real rows: the curator's view of simulations, in no release. An epsilon chosen by what was
    measured here costs more than it says, which nothing pays for; choose on a public or an older table where you can.
    """

    goal: Goal
    settings: ConformalSettings = field(repr=False)
    status: str
    epsilon: float | None
    low: float | None
    high: float | None
    until: float | None
    training_share: float
    largest_epsilon: float
    looks: tuple[Look, ...] = field(repr=False)
    best: Look | None = field(repr=False)
    why: str
    needed_epsilon: float | None
    rows: RowsNeeded | None
    feasibility: Feasibility | None = field(repr=False)
    reference_size: float
    reference_interval: tuple[float, float]
    dataset_name: str
    dataset_digest: str
    target: Column = field(repr=False)
    task: Task
    n: int
    seconds: float

    @property
    def reached(self) -> bool:
        """Whether an epsilon meets the goal."""
        return self.status == "reached"
