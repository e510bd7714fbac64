"""The subtraction attack: know every row but one and the mechanism, and read the one off what is released.

>>> from dpcp_core.data.samples import load_sample
>>> data = load_sample("blood_pressure")
>>> literal = subtraction_attack(data, attributes="shuffle", trials=2)
>>> literal.is_whole_row, literal.success.value
(True, 1.0)
>>> private = subtraction_attack(data, attributes="marginals", epsilon=1.0, trials=100)
>>> private.is_whole_row, private.is_within
(False, True)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcp_core import _validate as check
from dpcp_core.data.cells import as_text
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE, PrivacyRisk
from dpcp_core.evaluation.audit.subtraction import counted, left_over
from dpcp_core.experiments.audit.guesses import EMPTY, UNKNOWN, ColumnGuess, guesses_from_counts
from dpcp_core.experiments.audit.releases import COUNTED, KnownRows, whole_budget_plan
from dpcp_core.privacy.attack_limits import attack_limits
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.attributes.shuffle import Shuffle, ShufflePlan

_ATTACKED = ("shuffle", *COUNTED)
# A subtraction has no chance in it, so that few trials show what it does.
_FEWER = 50
_ALL_ALIKE = "All rows of this table look the same, so there is nobody to be told apart."


@dataclass(frozen=True)
class SubtractionResult:
    """One release looked at cell by cell, and many that a game was played with.

    Attributes
    ----------
    attributes, title : str
        Name and words of the maker.
    epsilon, delta : float
        Claimed for the attributes; epsilon is infinite where nothing is.
    n_rows, row : int
    columns : tuple of ColumnGuess
        What one release with the row itself gave away.
    n_candidates, trials, hits : int
        The game: one of the candidates, all different rows of the table, is put in its place, and the attacker names
        one. Hits are right names. Where columns are only shuffled, all cells must be read off instead.
    success : PrivacyRisk
    blind : float
        Success of a guess without the release.
    allowed : float
        Success that (epsilon, delta) leaves anybody, at most.
    allowed_by_noise : float
        The same by the exact shape of Gaussian noise, which is less.
    """

    attributes: str
    title: str
    epsilon: float
    delta: float
    n_rows: int
    row: int
    columns: tuple[ColumnGuess, ...]
    n_candidates: int
    trials: int
    hits: int
    success: PrivacyRisk
    blind: float
    allowed: float
    allowed_by_noise: float

    @property
    def n_right(self) -> int:
        """Cells that the attacker got right from the one release."""
        return sum(guess.is_right for guess in self.columns)

    @property
    def is_whole_row(self) -> bool:
        """Whether that is all of them."""
        return self.n_right == len(self.columns)

    @property
    def is_within(self) -> bool:
        """Whether the measured success, as far as it is sure, keeps to what noise allows."""
        return self.success.low <= self.allowed_by_noise


@dataclass(frozen=True)
class _Game:
    """How often the attacker was right."""

    n_candidates: int
    trials: int
    hits: int


def subtraction_attack(
    data: Dataset,
    attributes: str = "marginals",
    epsilon: float = 1.0,
    delta: float = 1e-5,
    *,
    row: int = 0,
    trials: int = 200,
    n_candidates: int = 50,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> SubtractionResult:
    """Attack one row of a table through its released attributes.

    Parameters
    ----------
    data : Dataset
    attributes : str
        ``shuffle``, ``marginals`` or ``tree``; it spends the whole budget, as no labels are made.
    epsilon, delta : float
    row : int
        Place of the row that is attacked, from 0.
    trials : int
        Releases of the game; shuffled columns take a fiftieth of them, as no chance is in the answer.
    n_candidates : int
        Rows that the attacker is handed, the right one among them; 2 or more.
    confidence : float
        Of the interval of the success.
    seed : int

    Raises
    ------
    InputError
        A row that is not there, a table whose rows are all equal, or what the maker refuses.

    Notes
    -----
    **Privacy.** None: a simulation, which reads the row that it attacks.

    **Guarantee.** Of equally likely candidates the attacker names the likeliest, which no attacker beats; so the
    success must keep to ``allowed`` if the claim holds.
    """
    check.one_of(_ATTACKED, attributes=attributes)
    place = check.whole(at_least=0, at_most=data.n_rows - 1, row=row)
    n, most = check.whole(trials=trials), check.whole(at_least=2, n_candidates=n_candidates)
    rng = simulation_generator(seed, place)
    if attributes == "shuffle":
        columns, game = _shuffled(data, place, max(1, n // _FEWER), most, rng)
        promised, noise = PrivacyBudget.infinite(), GaussianProfile(math.inf)
    else:
        known = KnownRows.of(data, attributes, epsilon=epsilon, delta=delta, row=place)
        columns, game = guesses_from_counts(known, rng), _played(known, n, most, rng)
        promised, noise = PrivacyBudget(epsilon, delta), GaussianProfile(gaussian_mu(epsilon, delta))
    blind = 1 / game.n_candidates
    return SubtractionResult(
        attributes,
        ATTRIBUTES[attributes].title,
        promised.epsilon,
        float(delta),
        data.n_rows,
        place,
        columns,
        game.n_candidates,
        game.trials,
        game.hits,
        PrivacyRisk.of_share(game.hits, game.trials, confidence),
        blind,
        attack_limits(promised).chance_named(blind),
        attack_limits(noise).chance_named(blind),
    )


def _played(known: KnownRows, trials: int, n_candidates: int, rng: np.random.Generator) -> _Game:
    """Put one candidate after the other in and let the attacker name the likeliest."""
    candidates = known.candidates(n_candidates, rng)
    if len(candidates) < 2:
        raise InputError(_ALL_ALIKE)
    truth = rng.integers(len(candidates), size=trials)
    hits = 0
    for place in truth:
        seen = known.release(candidates[place], rng)
        hits += int(np.argmax(seen.log_likelihoods(candidates))) == int(place)
    return _Game(len(candidates), trials, hits)


@dataclass(frozen=True, eq=False)
class _Shuffled:
    """A table whose columns are released in random order, and the rows of it that are known."""

    data: Dataset
    plan: ShufflePlan
    known: pd.DataFrame

    @cached_property
    def rest(self) -> Mapping[str, Counter[str | None]]:
        """How often the known rows hold each cell."""
        return counted(self.known)

    def guesses(self, hidden: pd.DataFrame, rng: np.random.Generator) -> dict[str, tuple[str, str]]:
        """Release the table with this row in, subtract the known ones; return what each cell is and is said to be."""
        maker = Shuffle()
        frame = pd.concat([hidden, self.known], ignore_index=True)
        released = maker.fit(frame, self.plan, rng).draw(len(frame), rng)
        left = left_over(released, self.rest)
        return {name: (_shown(tuple(as_text(hidden[name]))), _shown(cells)) for name, cells in left.items()}


def _shuffled(
    data: Dataset, row: int, trials: int, n_candidates: int, rng: np.random.Generator
) -> tuple[tuple[ColumnGuess, ...], _Game]:
    """Attack the row itself, and then others of the table in its place."""
    plan: ShufflePlan = whole_budget_plan(data, "shuffle", epsilon=1.0, delta=1e-5).attributes
    frame = data.frame[list(plan.task.columns)].reset_index(drop=True)
    attacked = _Shuffled(data, plan, frame.drop(index=row))
    columns = tuple(
        ColumnGuess(name, data.schema.column(name).title, *words, words[0] == words[1], 1.0, _commonest(frame[name]))
        for name, words in attacked.guesses(frame.iloc[[row]], rng).items()
    )
    others = rng.permutation(np.flatnonzero(~frame.duplicated()))[:n_candidates]
    if len(others) < 2:
        raise InputError(_ALL_ALIKE)
    found = [attacked.guesses(frame.iloc[[place]], rng) for place in rng.choice(others, trials)]
    hits = sum(all(truth == said for truth, said in cells.values()) for cells in found)
    return columns, _Game(len(others), trials, hits)


def _commonest(cells: pd.Series) -> float:
    return float(cells.value_counts(normalize=True, dropna=False).iloc[0])


def _shown(left: tuple[str | None, ...]) -> str:
    if len(left) != 1:
        return UNKNOWN
    return EMPTY if left[0] is None else left[0]
