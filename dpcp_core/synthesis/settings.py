"""Every choice of one synthesis, checked when it is made.

>>> SynthesisSettings(epsilon=0.5).attributes
'marginals'
>>> SynthesisSettings(labels="likely")
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: labels is 'likely' but must be one of: argmax, sample.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.attributes.protocol import Bins
from dpcp_core.synthesis.rules import RuleText
from dpcp_core.training.protocol import Decay, TrainingChoices
from dpcp_core.training.registry import TRAINERS

AUTO = "auto"
EPSILON_RANGE = (1e-4, 1e4)
SMALLEST_DELTA = 1e-15
LABELS = ("argmax", "sample")
MODES = ("simulation", "release")
MOST_BINS = 10_000
MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class SynthesisSettings:
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
        ``argmax`` (the likeliest class, the predicted number) or ``sample`` (a draw from the model's probabilities; a
        prediction with noise at a released residual scale).
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
        Of a simulation.

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
        if self.n_rows is not None:
            self._set("n_rows", check.whole(at_most=MOST_ROWS, n_rows=self.n_rows))
        self._set("target", _target(self.target))
        self._set("groups", _groups(self.groups))
        self._set("bins", _bins(self.bins))
        self._set("rules", _rules(self.rules))
        self._set("randomised_response", _pairs("randomised_response", self.randomised_response, "2.0", float))
        for name, value in vars(self.training_choices.checked()).items():
            self._set(name, value)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def budget(self) -> PrivacyBudget:
        """Total privacy budget."""
        return PrivacyBudget(self.epsilon, self.delta)

    @property
    def training_choices(self) -> TrainingChoices:
        """Hyper-parameters of training that a person set."""
        names = (field.name for field in dataclasses.fields(TrainingChoices))
        return TrainingChoices(**{name: getattr(self, name) for name in names})

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked again."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make settings from plain values.

        Raises
        ------
        InputError
            A name that is no setting, or a value outside its range.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        for name in values:
            if name not in known:
                raise InputError(f"There is no setting {name!r}; the settings are: {', '.join(sorted(known))}.")
        return cls(**values)


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
        return tuple((name, _count(value)) for name, value in _pairs("bins", given, "20", int))
    return _count(given)


def _count(given: object) -> int:
    return check.whole(at_most=MOST_BINS, bins=given)


def _pairs(what: str, given: object, example: str, kind: type) -> tuple[tuple[str, Any], ...]:
    wrong = f'{what} is {given!r} but must name columns with a number each, such as {{"job": {example}}}.'
    if given is None:
        return ()
    listed = given.items() if isinstance(given, Mapping) else given
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise InputError(wrong)
    pairs = []
    for pair in listed:
        parts = tuple(pair) if isinstance(pair, (tuple, list)) else ()
        if len(parts) != 2 or not isinstance(parts[0], str):
            raise InputError(wrong)
        pairs.append((parts[0], check.positive(**{what: parts[1]}) if kind is float else parts[1]))
    return tuple(pairs)


def _rules(given: object) -> tuple[RuleText, ...]:
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f'rules is {given!r} but must be a list of rules such as ["age >= 18"].')
    return tuple(_hashable(rule) for rule in given)


def _hashable(value: Any) -> Any:
    return tuple(_hashable(part) for part in value) if isinstance(value, (list, tuple, set, frozenset)) else value
