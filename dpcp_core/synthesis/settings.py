"""Every choice of one synthesis, checked when it is made.

>>> SynthesisSettings(epsilon=0.5).attributes
'marginals'
>>> SynthesisSettings(labels="likely")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: labels is 'likely' but must be one of: argmax, sample, rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.attributes.protocol import Bins
from dpcp_core.synthesis.randomised import CELL_EPSILON_RANGE
from dpcp_core.synthesis.rule_text import RuleText
from dpcp_core.training.protocol import Decay
from dpcp_core.training.registry import TRAINERS
from dpcp_core.training.settings import TrainingSettings

AUTO = "auto"
EPSILON_RANGE = (1e-4, 1e4)
SMALLEST_DELTA = 1e-15
LABELS = ("argmax", "sample", "rate")
MODES = ("simulation", "release")
MOST_BINS = 10_000
MOST_ROWS = 10_000_000
MOST_RULES = 100


@dataclass(frozen=True)
class SynthesisSettings(TrainingSettings):
    """Settings of one synthesis.

    Attributes
    ----------
    epsilon, delta : float
        Total privacy budget.
    target : str, tuple of str, or None
        Columns to label, the later ones knowing the earlier; None takes the schema's target, or makes a table without
        labels where there is none.
    attributes : str
        A name in :data:`dpcp_core.synthesis.attributes.ATTRIBUTES`.
    task_model : str
        A name in the trainer registry, or ``auto``.
    labels : str
        ``argmax`` (the likeliest class, the predicted number), ``sample`` (a draw from the model's probabilities; a
        prediction with noise at a released residual scale) or ``rate`` (as ``sample``, with the share of each class put
        right by a noisy histogram of the labels; for a number the same as ``sample``).
    training_share : float
        Share of the budget (of ``mu`` squared) for the task model, in (0, 1); the rest pays for the attributes.
    groups : tuple of tuples of str
        Columns whose joint counts are kept.
    bins : int, "auto", or pairs (column, bins)
        Cells of numbers between their bounds.
    rules : tuple of str or (column, comparison, value)
        What every row must satisfy, see :mod:`dpcp_core.synthesis.rules`.
    randomised_response : tuple of pairs (column, epsilon)
        Columns whose cells are randomised before anything else reads them.
    max_draws : int
        Rows drawn for each row wanted, at most, while rules are being satisfied.
    steps, step_size, max_grad_norm, penalty, noise_multiplier, sampling_rate, batch_size, epochs, warmup_share, decay
        See :class:`dpcp_core.training.protocol.TrainingChoices`; None takes the trainer's public default.
    mode : str
        ``simulation`` or ``release``.
    n_rows : int or None
        Rows to make; None makes as many as were read.
    seed : int
        Of a simulation; a release takes none.

    Raises
    ------
    InputError
        A value outside its range; the sentence names it.
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    target: str | tuple[str, ...] | None = None
    attributes: str = "marginals"
    task_model: str = "mlp"
    labels: str = "argmax"
    training_share: float = 0.8
    groups: tuple[tuple[str, ...], ...] = ()
    bins: Bins = AUTO
    rules: tuple[RuleText, ...] = ()
    randomised_response: tuple[tuple[str, float], ...] = ()
    max_draws: int = 100
    steps: int | None = None
    step_size: float | None = None
    max_grad_norm: float | None = None
    penalty: float | None = None
    noise_multiplier: float | None = None
    sampling_rate: float | None = None
    batch_size: int | None = None
    epochs: float | None = None
    warmup_share: float = 0.0
    decay: Decay = "constant"
    mode: str = "simulation"
    n_rows: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Check every value; numbers given as text or numpy scalars become plain numbers, lists become tuples."""
        check.one_of(ATTRIBUTES, attributes=self.attributes)
        check.one_of((AUTO, *TRAINERS), task_model=self.task_model)
        check.one_of(LABELS, labels=self.labels)
        check.one_of(MODES, mode=self.mode)
        self._set("epsilon", check.between(EPSILON_RANGE, epsilon=self.epsilon))
        self._set("delta", check.between((SMALLEST_DELTA, 1.0), delta=check.share(delta=self.delta)))
        self._set("training_share", check.share(training_share=self.training_share))
        self._set("max_draws", check.whole(max_draws=self.max_draws))
        self._set("seed", check.whole(at_least=0, seed=self.seed))
        if self.mode == "release" and self.seed:
            raise InputError(f"seed is {self.seed}, but a release takes no seed: leave it out.")
        if self.n_rows is not None:
            self._set("n_rows", check.whole(at_most=MOST_ROWS, n_rows=self.n_rows))
        self._set("target", _target(self.target))
        self._set("groups", _groups(self.groups))
        self._set("bins", _bins(self.bins))
        self._set("rules", _rules(self.rules))
        self._set("randomised_response", _pairs("randomised_response", self.randomised_response, "2.0", _cell_epsilon))
        self._check_training()

    @property
    def budget(self) -> PrivacyBudget:
        """Total privacy budget."""
        return PrivacyBudget(self.epsilon, self.delta)


def _target(given: object) -> str | tuple[str, ...] | None:
    if given is None or isinstance(given, str):
        return given or None
    names = _names(given)
    if names is None or not names or len(set(names)) < len(names):
        raise InputError(f"target is {given!r} but must be a column's name, or a list of different names.")
    return names


def _names(given: object) -> tuple[str, ...] | None:
    if isinstance(given, str) or not isinstance(given, Iterable):
        return None
    names = tuple(given)
    return names if all(isinstance(name, str) for name in names) else None


def _groups(given: object) -> tuple[tuple[str, ...], ...]:
    wrong = f'groups is {given!r} but must be a list of groups such as [("age", "years_employed")].'
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(wrong)
    groups = [_names(group) for group in given]
    if any(group is None for group in groups):
        raise InputError(wrong)
    return tuple(group for group in groups if group is not None)


def _bins(given: object) -> Bins:
    if given == AUTO:
        return AUTO
    if isinstance(given, Mapping) or (isinstance(given, Iterable) and not isinstance(given, str)):
        return _pairs("bins", given, "20", _bin_count)
    return _bin_count(bins=given)


def _pairs(what: str, given: object, example: str, kind: Callable[..., Any]) -> tuple[tuple[str, Any], ...]:
    wrong = f'{what} is {given!r} but must name columns with a number each, such as {{"job": {example}}}.'
    if given is None:
        return ()
    listed = given.items() if isinstance(given, Mapping) else given
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise InputError(wrong)
    pairs: list[tuple[str, Any]] = []
    for pair in listed:
        parts = tuple(pair) if isinstance(pair, (tuple, list)) else ()
        if len(parts) != 2 or not isinstance(parts[0], str):
            raise InputError(wrong)
        if parts[0] in dict(pairs):
            raise InputError(f"{what} names {parts[0]!r} twice; say once what it gets.")
        # The words of a refusal say which column it is about.
        value = {f"{what} of {parts[0]!r}": parts[1]}
        pairs.append((parts[0], kind(**value)))
    return tuple(pairs)


def _cell_epsilon(**value: object) -> float:
    return check.between(CELL_EPSILON_RANGE, **value)


def _bin_count(**value: Any) -> int:
    return check.whole(at_most=MOST_BINS, **value)


def _rules(given: object) -> tuple[RuleText, ...]:
    if given is None:
        return ()
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise InputError(f'rules is {given!r} but must be a list of rules such as ["age >= 18"].')
    rules = tuple(_hashable(rule) for rule in given)
    if len(rules) > MOST_RULES:
        raise InputError(f"There are {len(rules):,} rules, but at most {MOST_RULES} are checked; join or remove some.")
    return rules


def _hashable(value: Any) -> Any:
    return tuple(_hashable(part) for part in value) if isinstance(value, (list, tuple, set, frozenset)) else value
