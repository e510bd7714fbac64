"""Mechanisms whose output distribution is known exactly: how much does one emptied row change it, at worst?

How far apart are two distributions?  ``privacy_loss(one, other)``, from log-probabilities.
Which table tells most about one of its rows?  ``worst_table(mechanism, ...)`` looks for it; what it finds is a lower
bound, as a worse table may exist.

A table is given by how many of its rows lie at each of K places, which is all that the mechanisms here see of it. Rows
are emptied one at a time; how many there are is public and stays.

>>> def told(tables):  # randomised response of a single row: at place 0, at place 1, or empty
...     truth = np.where(tables.sum(axis=1) == 0, 0.5, np.where(tables[:, 0] == 1, 0.75, 0.25))
...     return np.log(np.stack([truth, 1 - truth], axis=1))
>>> worst = worst_table(told, n_rows=1, n_places=2, rng=np.random.default_rng(0))
>>> round(worst.epsilon, 6)
0.693147
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcp_core import _validate
from dpcp_core._arrays import Counts, Floats
from dpcp_core.errors import InputError
from dpcp_core.privacy.randomness import require_generator

LogProbabilities = Callable[[Counts], Floats]
"""``(T, K)`` tables in, ``(T, M)`` log-probabilities of the M outputs out."""

_MOST_MOVED = 3
_HEAPS = 3


@dataclass(frozen=True)
class ExactAudit:
    """The worst pair of neighbouring tables that a search found.

    Attributes
    ----------
    epsilon : float
        Smallest that this pair allows at ``delta``; infinity where some output is possible for one of the two alone.
    delta : float
    table : tuple of K int
        How many rows lie at each place.
    emptied : int
        Place of the row that is emptied.
    n_pairs : int
        Pairs of neighbours that were looked at.
    """

    epsilon: float
    delta: float
    table: tuple[int, ...]
    emptied: int
    n_pairs: int


def privacy_loss(one: ArrayLike, other: ArrayLike, delta: float = 0.0) -> Floats:
    """Return the smallest epsilon that two distributions allow, in both directions.

    Parameters
    ----------
    one, other : arrays of shape (..., M)
        Log-probabilities of the same M outputs; they broadcast.
    delta : float
        0 up to but not including 1.

    Returns
    -------
    array of shape (...)
        0 or more; infinity where an output is possible for one alone and delta does not cover it.

    Notes
    -----
    The smallest epsilon is the largest of ``ln((P(S) - delta) / Q(S))`` over sets S of outputs, and the worst sets are
    those in which the quotient of the two probabilities is highest.

    Examples
    --------
    >>> one, other = np.log([0.5, 0.5]), np.log([0.25, 0.75])
    >>> float(privacy_loss(one, other)), float(privacy_loss(one, other, delta=0.25))
    (0.693147..., 0.0)
    """
    first, second = np.broadcast_arrays(np.asarray(one, np.float64), np.asarray(other, np.float64))
    if _validate.share(zero=True, delta=delta) == 0:
        # An output that is impossible for both tells nothing.
        known = np.isfinite(first) | np.isfinite(second)
        gaps = np.subtract(first, second, out=np.zeros(first.shape), where=known)
        largest: Floats = np.abs(gaps).max(axis=-1)
        return largest
    return np.maximum(_one_way(first, second, delta), _one_way(second, first, delta))


def _one_way(first: Floats, second: Floats, delta: float) -> Floats:
    known = np.isfinite(first) | np.isfinite(second)
    gaps = np.subtract(first, second, out=np.full(first.shape, -np.inf), where=known)
    order = np.argsort(-gaps, axis=-1)
    upper, lower = (np.cumsum(np.exp(np.take_along_axis(logs, order, -1)), axis=-1) for logs in (first, second))
    with np.errstate(divide="ignore"):
        found = np.log(np.where(upper > delta, upper - delta, 1.0)) - np.log(np.where(upper > delta, lower, 1.0))
    best: Floats = np.max(np.where(upper > delta, found, 0.0), axis=-1)
    return np.maximum(best, 0.0)


def worst_table(
    mechanism: LogProbabilities,
    n_rows: int,
    n_places: int,
    *,
    rng: np.random.Generator,
    delta: float = 0.0,
    n_climbers: int = 16,
    n_steps: int = 60,
    starts: Iterable[ArrayLike] = (),
) -> ExactAudit:
    """Return the worst pair of neighbours that a search finds among tables of at most ``n_rows`` rows.

    1. Start from the given tables, and from random ones: rows anywhere, or in a few heaps.
    2. In each, empty every kind of row in turn, and keep what tells most.
    3. Move a few rows of each table; keep the change where it tells no less.

    Parameters
    ----------
    mechanism : callable
        From tables, (T, K), to log-probabilities of the outputs, (T, M).
    n_rows : int
        Rows of a random table, at most.
    n_places : int
        Places that a row may lie at, K.
    rng : numpy Generator
    delta : float
        At which epsilon is measured.
    n_climbers, n_steps : int
        Tables looked at side by side, and how often each is changed.
    starts : tables of shape (K,)
        That somebody expects to be bad; they take part beside the random ones.

    Returns
    -------
    ExactAudit

    Raises
    ------
    InputError
        A start with other than K places or without a row.

    Notes
    -----
    **Guarantee**: if the mechanism claims (epsilon, delta) for one emptied row and the answer lies above that epsilon,
    the claim is wrong. An answer below it proves nothing beyond the tables that were looked at.
    """
    require_generator(rng)
    first = [_random_table(n_rows, n_places, rng) for _ in range(_validate.whole(at_least=0, n_climbers=n_climbers))]
    tables = np.array([*(_checked(start, n_places) for start in starts), *first])
    losses, places, n_pairs = _worst_rows(mechanism, tables, delta)
    for _ in range(_validate.whole(at_least=0, n_steps=n_steps)):
        tried = np.array([_moved(table, rng) for table in tables])
        new, where, looked = _worst_rows(mechanism, tried, delta)
        better = new >= losses
        tables, losses = np.where(better[:, None], tried, tables), np.where(better, new, losses)
        places, n_pairs = np.where(better, where, places), n_pairs + looked
    top = int(np.argmax(losses))
    return ExactAudit(float(losses[top]), delta, tuple(int(n) for n in tables[top]), int(places[top]), n_pairs)


def _worst_rows(mechanism: LogProbabilities, tables: Counts, delta: float) -> tuple[Floats, Counts, int]:
    """Return, for each table, the largest loss over its emptied rows and the place of that row; and the pairs tried."""
    table, place = np.nonzero(tables)
    emptied = tables[table]
    emptied[np.arange(len(place)), place] -= 1
    logs = mechanism(np.concatenate([tables, emptied]))
    found = privacy_loss(logs[: len(tables)][table], logs[len(tables) :], delta)
    losses, worst = np.zeros(len(tables)), np.zeros(len(tables), np.int64)
    for row in np.argsort(found, kind="stable"):
        losses[table[row]], worst[table[row]] = found[row], place[row]
    return losses, worst, len(found)


def _random_table(n_rows: int, n_places: int, rng: np.random.Generator) -> Counts:
    present = n_rows if rng.random() < 0.5 else int(rng.integers(1, n_rows + 1))
    open_to = rng.integers(0, n_places, _HEAPS) if rng.random() < 0.5 else np.arange(n_places)
    return np.bincount(rng.choice(open_to, present), minlength=n_places)


def _moved(table: Counts, rng: np.random.Generator) -> Counts:
    """Return the table with a few rows, or a heap of them, moved to another place."""
    taken, filled = rng.choice(np.flatnonzero(table)), rng.integers(0, len(table))
    if rng.random() < 0.5:
        filled = rng.choice(np.flatnonzero(table))
    most = int(table[taken])
    moved = most if rng.random() < 0.1 else min(most, int(rng.integers(1, _MOST_MOVED + 1)))
    changed = table.copy()
    changed[taken] -= moved
    changed[filled] += moved
    return changed


def _checked(start: ArrayLike, n_places: int) -> Counts:
    table = np.asarray(start, dtype=np.int64)
    if table.shape != (n_places,) or table.sum() < 1 or table.min() < 0:
        raise InputError(f"a start must hold the numbers of rows at {n_places} places, and one row at least.")
    return table
