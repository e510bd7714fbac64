"""Which epsilon does it take? A search that starts from what is wanted: coverage, and how wide intervals may be.

>>> from dpcp_core import load_sample
>>> answer = find_epsilon(load_sample("diabetes"), goal=Goal(coverage=0.8, width=220), largest_epsilon=4.0)
>>> answer.status, answer.low < answer.epsilon <= 4.0
('reached', True)
>>> find_epsilon(load_sample("diabetes"), goal=Goal(coverage=0.8, width=60), largest_epsilon=4.0).why
'without_privacy'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from threadpoolctl import threadpool_limits

from dpcp_core import _validate as check
from dpcp_core.conformal.choices import EPSILON_RANGE
from dpcp_core.conformal.feasibility import Feasibility, certified_feasibility
from dpcp_core.conformal.public_run import PublicFacts
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.evaluation.coverage import mean_interval
from dpcp_core.experiments.goal.answer import GoalAnswer, RowsNeeded
from dpcp_core.experiments.goal.look import Look
from dpcp_core.experiments.goal.looking import Looking, Stopped
from dpcp_core.experiments.goal.rows import rows_needed
from dpcp_core.experiments.goal.search import Found, rounded, search, search_beyond
from dpcp_core.experiments.goal.wish import Goal
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.sweep.running import OnProgress, ShouldStop, never_stop, say_nothing
from dpcp_core.experiments.sweep.tables import Tables
from dpcp_core.privacy.leaks import speak_of_leaks

FEWEST_REPETITIONS = 5
_BOUNDS_ROOM = 1.25
_EXPECTED_PER_SHARE = 20
"""Cells that a search takes, about."""


def find_epsilon(
    data: Dataset,
    settings: ConformalSettings | None = None,
    *,
    goal: Goal,
    largest_epsilon: float = 10.0,
    shares: Sequence[float] = (),
    n_jobs: int | None = None,
    public: Dataset | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> GoalAnswer:
    """Find the smallest epsilon that meets a goal, or say why there is none and what would do.

    Parameters
    ----------
    data : Dataset
    settings : ConformalSettings, optional
        Their epsilon is not read, and their confidence level becomes the goal's coverage. With so many repetitions the
        answer is to be checked.
    goal : Goal
    largest_epsilon : float
        The most that may be spent.
    shares : sequence of float, optional
        Shares for training to search as well; the one that needs the smallest epsilon wins, the first of equals.
    n_jobs, public, on_progress, should_stop
        See :func:`dpcp_core.experiments.sweep.engine.sweep`; the number of cells is a guess until the end.

    Returns
    -------
    GoalAnswer

    Raises
    ------
    InputError
        A goal that this target cannot have, a method that spends nothing, too few repetitions, or a table or a choice
        that cannot be used.

    Notes
    -----
    **Privacy.** None, as of any simulation; see :class:`GoalAnswer`.

    **Guarantee.** Of the epsilon in a ``reached`` answer: simulated anew with other seeds and as many repetitions, the
    mean size is at most the goal's and the coverage is not below the goal's by more than its own 95 % interval, at
    least 18 times in 20. See :mod:`dpcp_core.experiments.goal.look` for the margin that this takes.
    """
    largest = check.between(EPSILON_RANGE, largest_epsilon=largest_epsilon)
    tables = Tables(data, public)
    wanted = (settings or ConformalSettings()).replace(confidence_level=goal.coverage, epsilon=largest)
    chosen = tables.resolved(wanted)
    tried = tuple(dict.fromkeys(check.share(training_share=share) for share in shares)) or (chosen.training_share,)
    _refuse(chosen, tables, goal)
    speak_of_leaks(tables.of(chosen).from_file, "simulation", instead="public ones in the schema", stacklevel=2)
    looking = Looking(tables, chosen, goal, n_jobs, on_progress or say_nothing, should_stop or never_stop)
    looking.expected = _EXPECTED_PER_SHARE * len(tried)
    # From here, as a worker that is done first must not lift the limit of the others.
    with threadpool_limits(limits=1):
        return _Search(looking, tables, tried, largest).answer()


def _refuse(settings: ConformalSettings, tables: Tables, goal: Goal) -> None:
    """Refuse what no search can answer."""
    if not settings.recipe.private_training:
        raise InputError(f"Method {settings.method!r} spends no epsilon, so there is none to search; choose dpcp.")
    if settings.repetitions < FEWEST_REPETITIONS:
        raise InputError(
            f"repetitions is {settings.repetitions} but must be at least {FEWEST_REPETITIONS} here, to tell how much "
            "they differ."
        )
    goal.check_for(tables.of(settings), allow_empty=settings.allow_empty)


class _Search:
    """Searches share after share and puts the answer together."""

    def __init__(self, looking: Looking, tables: Tables, shares: tuple[float, ...], largest: float) -> None:
        self._looking, self._data, self._shares, self._largest = looking, tables.data, shares, largest
        self._settings, self._prepared = looking.settings, looking.prepared
        self._n = self._settings.n_used(self._prepared.n_rows)
        # On the search itself: a cache of the function would keep the table beyond the answer.
        self._feasible: dict[float, Feasibility | None] = {}

    def answer(self) -> GoalAnswer:
        """Return the answer, also of a search that is stopped."""
        try:
            found = self._best_share()
            if found.look is not None:
                return self._reached(found.look, found.low)
            return self._unreachable()
        except Stopped:
            return self._told(self._nearest(), status="stopped")

    def _best_share(self) -> Found:
        """Search each share, below the best epsilon so far."""
        best, largest = Found(None, 0.0), self._largest
        for share in self._shares:
            found = search(self._looking, share, largest=largest, smallest=self._smallest(share))
            if found.look is not None and (best.look is None or found.look.epsilon < best.look.epsilon):
                best, largest = found, found.look.epsilon
        problems = [look.problem for look in self._looking.looks]
        if all(problems):
            raise InputError(problems[-1])
        return best

    def _feasibility(self, share: float) -> Feasibility | None:
        if share not in self._feasible:
            self._feasible[share] = self._certified(share)
        return self._feasible[share]

    def _certified(self, share: float) -> Feasibility | None:
        settings = self._settings.replace(training_share=share)
        # Rows of a group are not known in public, nor is what bounds will be bought.
        if settings.by_group or settings.bounds_epsilon:
            return None
        return certified_feasibility(self._n, settings, self._data.schema, target=self._prepared.target.name)

    def _smallest(self, share: float) -> float:
        """Return an epsilon below which nothing can be met."""
        told = self._feasibility(share)
        if told is None:
            return self._settings.bounds_epsilon * _BOUNDS_ROOM
        return min(told.smallest_epsilon or self._largest, self._largest)

    def _reached(self, look: Look, low: float) -> GoalAnswer:
        above = [other for other in self._looking.of_share(look.training_share) if other.epsilon > look.epsilon]
        missed = [other.epsilon for other in above if not other.may_meet]
        met = [other.epsilon for other in above if not missed or other.epsilon < missed[0]]
        until = None if not missed else max(met, default=look.epsilon)
        return self._told(look, status="reached", epsilon=look.epsilon, low=low, high=look.epsilon, until=until)

    def _nearest(self) -> Look | None:
        """Return the look that came nearest to the goal."""
        looks = [look for look in self._looking.looks if not look.problem]
        covering = [look for look in looks if not look.misses_coverage]
        return min(covering or looks, key=lambda look: look.size_mean, default=None)

    def _unreachable(self) -> GoalAnswer:
        nearest = self._nearest()
        assert nearest is not None
        why = self._why(nearest)
        beyond = Found(None, 0.0)
        if why in ("certificate", "epsilon", "narrowly"):
            beyond = search_beyond(self._looking, nearest.training_share, self._largest)
        if why == "epsilon" and beyond.look is None:
            why = "limit"
        needed = None if beyond.look is None else beyond.look.epsilon
        rows = self._rows(why, nearest)
        return self._told(nearest, status="unreachable", why=why, needed_epsilon=needed, rows=rows)

    def _rows(self, why: str, nearest: Look) -> RowsNeeded | None:
        """Return about how many rows would do, where it is a matter of rows."""
        if why in ("without_privacy", "coverage", "narrowly"):
            return None
        # With more rows, a curve that turns does so at a smaller epsilon.
        least_epsilon = max(EPSILON_RANGE[0], self._settings.bounds_epsilon)
        smaller = (rounded(nearest.epsilon / factor) for factor in (2, 4))
        halves = (nearest.epsilon, *(epsilon for epsilon in smaller if epsilon > least_epsilon))
        epsilons = halves if why == "turns" else (self._largest,)
        told = self._feasibility(nearest.training_share)
        # Fewer than these certify nothing at all, whoever is in the table.
        least = told.smallest_n if why == "certificate" and told is not None else None
        least_rows = (least or 0) / (1 - self._settings.test_share)
        return rows_needed(self._looking, nearest.training_share, epsilons, least_rows)

    def _why(self, nearest: Look) -> str:
        looks = [look for look in self._looking.looks if not look.problem]
        if self._looking.reference_size.mean() > nearest.goal.most:
            return "without_privacy"
        if any(look.meets_on_average for look in looks):
            return "narrowly"
        if any(look.misses_coverage for look in looks):
            return "coverage"
        told = self._feasibility(nearest.training_share)
        if told is not None and (told.smallest_epsilon is None or told.smallest_epsilon > self._largest):
            return "certificate"
        last = self._looking.at(nearest.training_share, self._largest)
        return "turns" if last.size_mean > nearest.size_mean and self._level_falls(nearest, last) else "epsilon"

    def _level_falls(self, nearest: Look, last: Look) -> bool:
        """Return whether the larger budget makes the procedure aim at fewer misses."""
        levels = [
            PublicFacts.of(look.cells[0].settings, self._data.schema, target=self._prepared.target.name)
            .run(self._n)
            .certificate.level
            for look in (nearest, last)
        ]
        return levels[1] < levels[0]

    def _told(self, look: Look | None, **found: Any) -> GoalAnswer:
        sizes = self._looking.reference_size
        values: dict[str, Any] = dict.fromkeys(("epsilon", "low", "high", "until", "needed_epsilon", "rows")) | found
        share = self._shares[0] if look is None else look.training_share
        settings = self._settings.replace(training_share=share)
        return GoalAnswer(
            goal=self._looking.goal,
            settings=settings if look is None else settings.replace(epsilon=look.epsilon),
            training_share=share,
            largest_epsilon=self._largest,
            looks=self._looking.looks,
            best=look,
            why=values.pop("why", ""),
            feasibility=self._feasibility(share),
            reference_size=float(sizes.mean()),
            reference_interval=mean_interval(sizes) if len(sizes) > 1 else (float("nan"), float("nan")),
            dataset_name=self._data.name,
            dataset_digest=self._data.digest,
            target=self._prepared.target,
            task=self._prepared.task,
            n=self._n,
            seconds=self._looking.seconds,
            **values,
        )
