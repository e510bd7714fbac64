"""What one person is told: a number with its interval and fifty dots, or a set of classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate
from dpcp_core._arrays import Booleans, Codes, Floats
from dpcp_core.conformal.procedure import finished
from dpcp_core.conformal.regions import Intervals, LabelSets
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.experiments.person.model import PersonModel, Subgroup
from dpcp_core.experiments.person.values import Person, encoded, group_code
from dpcp_core.experiments.streams import Stream
from dpcp_core.privacy.randomness import simulation_generator

N_DOTS = 50
"""Dots for a person: one for each 2 % of the people for whom a model errs like that."""

_LEVELS = (np.arange(N_DOTS) + 0.5) / N_DOTS


@dataclass(frozen=True, eq=False)
class NumberAnswer:
    """A number in target units.

    Attributes
    ----------
    predicted, lower, upper : float
    dots : array of shape (50,) or None
        Rising: the prediction, moved by quantiles of how the model errs. None where nothing is known of those.
    truth : float or None
        True value of a held-out row.
    """

    predicted: float
    lower: float
    upper: float
    dots: Floats | None
    truth: float | None = None

    @property
    def width(self) -> float:
        """Width of the interval."""
        return self.upper - self.lower

    @property
    def covered(self) -> bool | None:
        """Whether the interval holds the truth; None where that is not known."""
        return None if self.truth is None else self.lower <= self.truth <= self.upper

    def above(self, threshold: float) -> int:
        """Return how many dots lie above a threshold, which itself does not count.

        >>> NumberAnswer(5.0, 3.0, 7.0, np.linspace(0.0, 9.8, 50)).above(9.0)
        4
        """
        return 0 if self.dots is None else int(np.count_nonzero(self.dots > threshold))

    @property
    def inside(self) -> int:
        """Number of dots inside the interval, ends included."""
        return 0 if self.dots is None else int(np.count_nonzero((self.dots >= self.lower) & (self.dots <= self.upper)))


@dataclass(frozen=True, eq=False)
class ClassAnswer:
    """A set of classes.

    Attributes
    ----------
    classes : tuple of str
        All of them, in the schema's order.
    probabilities : array of shape (K,)
        What the model gives each: its own guess, of which nothing promises that it is right.
    members : bool array of shape (K,)
        Which are in the set, whose coverage is what is promised.
    truth : int or None
        Code of a held-out row's class.
    """

    classes: tuple[str, ...]
    probabilities: Floats
    members: Booleans
    truth: int | None = None

    @property
    def covered(self) -> bool | None:
        """Whether the set holds the true class; None where that is not known."""
        return None if self.truth is None else bool(self.members[self.truth])

    @property
    def dots(self) -> Codes:
        """Dots for each class, 50 in all, as near to the model's guess as whole dots can be.

        >>> ClassAnswer(("a", "b", "c"), np.array([0.7, 0.285, 0.015]), np.array([True, True, False])).dots.tolist()
        [35, 14, 1]
        """
        exact = N_DOTS * self.probabilities / self.probabilities.sum()
        dots: Codes = np.floor(exact).astype(np.int64)
        largest = np.argsort(dots - exact, kind="stable")
        dots[largest[: N_DOTS - int(dots.sum())]] += 1
        return dots

    @property
    def names(self) -> tuple[str, ...]:
        """Classes in the set, what the model finds likeliest first."""
        order = np.argsort(-self.probabilities, kind="stable")
        return tuple(self.classes[code] for code in order if self.members[code])


@dataclass(frozen=True, eq=False)
class PersonAnswer:
    """What one person is told.

    Attributes
    ----------
    person : Person
    number : NumberAnswer or None
    classes : ClassAnswer or None
        One of the two.
    subgroup : Subgroup or None
        The public group that the person is in, as far as somebody says so.
    """

    person: Person
    number: NumberAnswer | None
    classes: ClassAnswer | None
    subgroup: Subgroup | None = None

    @property
    def covered(self) -> bool | None:
        """Whether interval or set holds the truth; None where that is not known."""
        said = self.number or self.classes
        assert said is not None
        return said.covered


def answer(model: PersonModel, person: Person) -> PersonAnswer:
    """Return what a person is told; trains and draws nothing, and reads no row but a held-out one.

    Parameters
    ----------
    model : PersonModel
    person : Person

    Raises
    ------
    InputError
        A value that the schema does not allow; no group, where each group has a threshold of its own.

    Notes
    -----
    **Privacy.** For a person who is typed in, a function of what the receipt has paid for. A held-out row is somebody.

    **Guarantee.** That of the result's certificate: over people like those in the table, not for this one.
    """
    goal, truth = model.runs.prepared.goal, None
    if person.place is None:
        features = encoded(person, model.schema)
    else:
        row = model.rows[_validate.whole(at_least=0, at_most=len(model.rows) - 1, place=person.place)]
        features, truth = model.runs.prepared.features[[row]], model.runs.prepared.truth[row]
    predicted = model.fitted.predict(features)[:, :1]
    code = group_code(person.group, model.schema.group)
    score, coins = SCORES[model.settings.score], _coins(model, person.place)
    region = finished(score.region(predicted, _threshold(model, code), goal, coins), predicted, model.settings)
    subgroup = None if code is None else model.subgroups[code]
    if isinstance(region, LabelSets):
        known = None if truth is None else int(truth)
        names = _class_names(model.schema)
        return PersonAnswer(person, None, ClassAnswer(names, predicted[0, 0], region.members[0, 0], known), subgroup)
    assert isinstance(region, Intervals)
    told = NumberAnswer(
        float(predicted[0, 0, 0]),
        float(region.lower[0, 0]),
        float(region.upper[0, 0]),
        _dots(model, predicted),
        None if truth is None else float(truth),
    )
    return PersonAnswer(person, told, None, subgroup)


def _threshold(model: PersonModel, code: int | None) -> float:
    if len(model.thresholds) == 1:
        return float(model.thresholds[0])
    if code is None:
        raise InputError("Each group has a threshold of its own, so say which group this person is in.")
    return float(model.thresholds[code])


def _coins(model: PersonModel, place: int | None) -> Floats | None:
    """Return the chance of a randomised score: that of the held-out row, or one of its own."""
    if model.runs.test_coins is None:
        return None
    if place is not None:
        return model.runs.test_coins[[place], :1]
    return simulation_generator(model.settings.seed, Stream.DOTS, Stream.COINS).random((1, 1))


def _dots(model: PersonModel, predicted: Floats) -> Floats | None:
    """Return the ends of nested intervals: the upper one for errors above the prediction, the lower one below."""
    if model.shape is None:
        return None
    errors = model.shape.quantiles(_LEVELS)
    score, goal = SCORES[model.settings.score], model.runs.prepared.goal
    nested = score.region(np.repeat(predicted, N_DOTS, axis=0), np.abs(errors)[:, None], goal, None)
    assert isinstance(nested, Intervals)
    return np.sort(np.where(errors >= 0, nested.upper[:, 0], nested.lower[:, 0]))


def _class_names(schema: Schema) -> tuple[str, ...]:
    assert schema.target is not None
    return tuple(schema.target.categories)
