"""The share of each class, bought with noise, and the shift of a model's probabilities that brings it about.

Rows whose columns were drawn apart seldom look like a rare class, so that labels drawn from a model leave it out. One
number per class added to the logits puts the shares right and leaves the order of the rows by likelihood as it is.

>>> probabilities = np.array([[0.9, 0.1], [0.8, 0.2]])
>>> shift = shift_towards(probabilities, np.array([0.5, 0.5]))
>>> shifted(probabilities, shift).mean(axis=0).round(3).tolist()
[0.5, 0.5]
"""

from __future__ import annotations

import numpy as np

from dpcp_core._arrays import Codes, Floats
from dpcp_core.data.column import Column
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts, projected

# Fewer rounds than a model that is sure of every row would take: its labels are not turned into a lottery.
_MOST_ROUNDS = 200
_CLOSE = 1e-6
_SMALLEST = 1e-12


def rates_plan(column: Column, mu: float) -> CountsPlan | None:
    """Return how the shares of a column's classes are bought; None for numbers."""
    return None if column.is_numeric else CountsPlan.of((column.name,), (len(column.categories),), mu)


def noisy_rates(codes: Codes, plan: CountsPlan, n_rows: int, rng: np.random.Generator) -> Floats:
    """Return the share of each class, shape (classes,), adding up to 1.

    Parameters
    ----------
    codes : int array of shape (n,)
        Class of each row, from 0.
    plan : CountsPlan
        Of one histogram.
    n_rows : int
        Public.
    rng : numpy Generator

    Notes
    -----
    **Privacy.** The plan's profile: a row lies in one count. No class gets less than half a row, which sees released
    numbers only.
    """
    (noisy,) = noisy_counts((np.bincount(codes, minlength=plan.sizes[0]),), plan, rng)
    released = np.maximum(projected(noisy, float(n_rows)), 0.5)
    rates: Floats = released / released.sum()
    return rates


def shift_towards(probabilities: Floats, rates: Floats) -> Floats:
    """Return what to add to the logits of each class so that its mean probability is ``rates``.

    Parameters
    ----------
    probabilities : array of shape (n, classes)
    rates : array of shape (classes,)
        Above 0, adding up to 1.

    Returns
    -------
    array of shape (classes,)
        As far as some hundred rounds come, where the model is sure of nearly every row.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori probabilities",
    for the form of the correction.
    """
    shift = np.zeros(len(rates))
    for _ in range(_MOST_ROUNDS):
        found = np.maximum(shifted(probabilities, shift).mean(axis=0), _SMALLEST)
        if np.abs(found - rates).max() < _CLOSE:
            break
        shift += np.log(rates / found)
    return shift


def shifted(probabilities: Floats, shift: Floats) -> Floats:
    """Return probabilities with these numbers added to their logits, shape (n, classes)."""
    weighted = np.maximum(probabilities, _SMALLEST) * np.exp(shift - shift.max())
    result: Floats = weighted / weighted.sum(axis=1, keepdims=True)
    return result
