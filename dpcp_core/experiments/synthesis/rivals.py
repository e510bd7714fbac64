"""Rivals of a synthesis: the same rows, the same budget, measured in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from dpcp_core import _validate as check
from dpcp_core.experiments.synthesis.measured import Measured
from dpcp_core.experiments.synthesis.reference import RealReference
from dpcp_core.experiments.synthesis.result import RivalResult, TableScores
from dpcp_core.experiments.synthesis.scoring import Trial, score_table
from dpcp_core.experiments.synthesis.steps import Steps
from dpcp_core.synthesis.rivals import RIVALS, RivalRun, run_rival
from dpcp_core.synthesis.settings import SynthesisSettings


@dataclass(eq=False)
class Rivals:
    """Runs rivals repetition by repetition; one that failed or was too slow is not run again.

    Attributes
    ----------
    names : tuple of str
    timeout : float
        Seconds for each run.
    """

    names: tuple[str, ...]
    timeout: float
    _runs: dict[str, list[RivalRun]] = field(default_factory=dict)
    _scores: dict[str, list[TableScores]] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str], timeout: float) -> Self:
        """Return the rivals of these names, each once.

        Raises
        ------
        InputError
            A name that is none.
        """
        return cls(tuple(dict.fromkeys(check.one_of(RIVALS, rival=name) for name in names)), timeout)

    def run(
        self, trial: Trial, settings: SynthesisSettings, n: int, reference: RealReference, steps: Steps
    ) -> RealReference:
        """Run all of them on the rows of one repetition; return the reference with what was learnt on the way."""
        for name in self.names:
            before = self._runs.setdefault(name, [])
            if before and before[-1].problem:
                steps.end(1 + trial.n_steps)
                continue
            if not steps.begin(name):
                break
            made = self._made(name, trial, settings, n, steps)
            if made.is_stopped:
                break
            before.append(made)
            if made.table is None:
                steps.end(1 + trial.n_steps)
                continue
            steps.end()
            scores, reference = score_table(made.table, trial, reference, steps)
            self._scores.setdefault(name, []).append(scores)
        return reference

    def results(self) -> tuple[RivalResult, ...]:
        """Return what was found of those that were run at all."""
        return tuple(self._result(name, runs) for name, runs in self._runs.items() if runs)

    def _made(self, name: str, trial: Trial, settings: SynthesisSettings, n: int, steps: Steps) -> RivalRun:
        return run_rival(
            name,
            trial.split.train,
            trial.schema,
            epsilon=settings.epsilon,
            delta=settings.delta,
            n=n,
            seed=settings.seed,
            timeout=self.timeout,
            should_stop=steps.asks_to_stop,
        )

    def _result(self, name: str, runs: list[RivalRun]) -> RivalResult:
        return RivalResult(
            name=name,
            title=runs[0].title,
            scores=tuple(self._scores.get(name, ())),
            making_seconds=Measured(tuple(run.seconds for run in runs)),
            problem=runs[-1].problem,
            is_timeout=runs[-1].is_timeout,
        )
