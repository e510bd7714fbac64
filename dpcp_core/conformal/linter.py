"""What would not be private, in words, before anything is run.

>>> from dpcp_core.conformal.choices import ConformalChoices
>>> from dpcp_core.data.schema import Column, Schema
>>> bmi = Column("bmi", "number", bounds=(17, 42), bounds_from_file=True)
>>> for leak in lint(ConformalChoices(), Schema((bmi,), one_row_is="one patient")):
...     print(leak.sentence, leak.fix)
The bounds of bmi were read off the rows, which is not private. Give bounds that a person or a code book knows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from dpcp_core import _validate
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.methods import ORDER_STATISTICS, Recipe
from dpcp_core.data.schema import Schema
from dpcp_core.privacy.leaks import read_off_rows
from dpcp_core.training.protocol import TrainingChoices


@dataclass(frozen=True)
class Leak:
    """One thing that is not private, or that only a person can know to be private.

    Attributes
    ----------
    code : str
        ``bounds_from_file, categories_from_file, training, quantile, order_statistics, hand_set, delta,
        one_row_is``.
    sentence : str
        What it is.
    fix : str
        What to do, as a sentence of its own.
    refused_in_release : bool
        Whether a release refuses it; otherwise it is a reminder.
    """

    code: str
    sentence: str
    fix: str
    refused_in_release: bool


def lint(choices: ConformalChoices, schema: Schema, *, n_rows: int | None = None) -> tuple[Leak, ...]:
    """Return what would not be private about a run with these choices; empty if nothing is known against it.

    Parameters
    ----------
    choices : ConformalChoices
    schema : Schema
    n_rows : int, optional
        Rows of the table, to judge delta by.

    Returns
    -------
    tuple of Leak
        Those that a release refuses come first.

    Notes
    -----
    **Privacy.** Reads no row. An empty tuple does not prove that bounds are public: it takes the schema's word.
    """
    found = (
        *unpaid_steps(choices.recipe),
        *_from_file(schema, bounds_are_bought=choices.bounds_epsilon > 0),
        *(_set_by_hand(choices) if choices.recipe.private_training else ()),
        *(large_delta(choices.delta, n_rows) if n_rows is not None and choices.recipe.private_training else ()),
        *unnamed_row(schema),
    )
    return tuple(sorted(found, key=lambda leak: not leak.refused_in_release))


def unpaid_steps(recipe: Recipe) -> tuple[Leak, ...]:
    """Return the steps of a recipe that read rows and pay nothing.

    >>> from dpcp_core.conformal.choices import ConformalChoices
    >>> [leak.sentence for leak in unpaid_steps(ConformalChoices(method="naive").recipe)]
    ['The threshold is an exact residual of somebody in the table.']
    """
    leaks = []
    if not recipe.private_training:
        leaks.append(Leak("training", "The model was trained without noise.", _OTHER_METHOD, True))
    exact = "The threshold is an exact residual of somebody in the table."
    if not recipe.private_quantile:
        leaks.append(Leak("quantile", exact, _OTHER_METHOD, True))
    elif recipe.grid == ORDER_STATISTICS:
        fix = 'Take the public candidates of grid = "geometric".'
        leaks.append(Leak("order_statistics", exact, fix, True))
    return tuple(leaks)


_OTHER_METHOD = 'Take method = "dpcp"; methods without privacy are there to compare with.'


def _from_file(schema: Schema, *, bounds_are_bought: bool) -> Iterator[Leak]:
    columns = [schema.column(name) for name in schema.from_file]
    numbers = [column.name for column in columns if column.is_numeric]
    words = [column.name for column in columns if not column.is_numeric]
    if numbers and not bounds_are_bought:
        sentence = f"{read_off_rows(numbers, 'bounds')}, which is not private."
        yield Leak("bounds_from_file", sentence, "Give bounds that a person or a code book knows.", True)
    if words:
        sentence = f"{read_off_rows(words, 'categories')}, which is not private."
        yield Leak("categories_from_file", sentence, "List all categories that there could be.", True)


def _set_by_hand(choices: ConformalChoices) -> Iterator[Leak]:
    more = () if choices.smallest_width is None else ("smallest_width",)
    yield from set_by_hand(choices.training_choices, *more)


def set_by_hand(given: TrainingChoices, *more: str) -> Iterator[Leak]:
    """Remind of hyper-parameters that a person gave: whether rows were looked at for them, only the person knows.

    Parameters
    ----------
    given : TrainingChoices
    *more : str
        Other settings that were given.
    """
    fields = dataclasses.fields(TrainingChoices)
    names = [*(field.name for field in fields if getattr(given, field.name) != field.default), *more]
    if names:
        was = "was" if len(names) == 1 else "were"
        sentence = f"{', '.join(names)} {was} set by hand, which is private only if nobody tried it out on these rows."
        fix = "Leave it to the public default, or find it on public or simulated data."
        yield Leak("hand_set", sentence, fix, False)


def large_delta(delta: float, n_rows: int) -> Iterator[Leak]:
    """Remind of a delta that promises nothing on so few rows."""
    rows = _validate.whole(n_rows=n_rows)
    if delta > 1 / rows:
        sentence = (
            f"delta = {delta:g} is more than 1 in {rows:,} rows: "
            "what publishes one row in full, chosen at random, would pass for private."
        )
        yield Leak("delta", sentence, f"Take a delta well below 1 / n, such as {0.1 / rows:.0e}.", False)


def unnamed_row(schema: Schema) -> Iterator[Leak]:
    """Remind of a schema that does not say who is protected."""
    if not schema.one_row_is.strip():
        sentence = "It is not said what one row stands for, so nobody can tell who is protected."
        fix = 'Write it into the schema, such as one_row_is = "one patient"; one person should have one row.'
        yield Leak("one_row_is", sentence, fix, False)
