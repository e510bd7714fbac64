"""Was this row in? Two attacks on trained models, and the curve of what they find.

What speaks for a row, by models of which one knows what they saw?  ``likelihood_ratios(seen_by, known, asked)``.
How good is an attack?  ``membership_curve(scores, included, thresholds)``, with an interval for each number.

A likelihood ratio compares what a model says of a row with what it says when the row trained, and when it did not.
The simple attack looks only at the loss: rows that trained fit better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcp_core import _validate as check
from dpcp_core._arrays import Booleans, Floats
from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.estimates import CONFIDENCE, PrivacyRisk

RARE = 0.01
"""Share of false alarms at which the share of hits is told."""

_RESAMPLES = 200
_THRESHOLDS = 80
_SMALLEST_SHARE = 1e-4


@dataclass(frozen=True, eq=False)
class MembershipCurve:
    """How well an attack tells rows that were in from rows that were not.

    Attributes
    ----------
    fpr, tpr : float arrays of shape (k,)
        Share of false alarms, from 0 to 1, and the share of hits that comes with it.
    auc : PrivacyRisk
        Chance that a row that was in scores higher than one that was not; 0.5 is guessing.
    advantage : PrivacyRisk
        Hits minus false alarms at one threshold; 0 is guessing. Below 0 where the attack did worse than that.
    tpr_at_1_percent : PrivacyRisk
        Share of hits where one in a hundred alarms about others is false; 0.01 is guessing.
    """

    fpr: Floats
    tpr: Floats
    auc: PrivacyRisk
    advantage: PrivacyRisk
    tpr_at_1_percent: PrivacyRisk


def likelihood_ratios(included: Booleans, known: Floats, asked: Floats) -> Floats:
    """Return how much more likely what models say of each row is if the row was in.

    Parameters
    ----------
    included : bool array of shape (rows, m)
        Which rows each of the attacker's own models saw.
    known : float array of shape (rows, m)
        What these say of each row: a prediction, or log odds.
    asked : float array of shape (rows, k)
        What the attacked models say.

    Returns
    -------
    float array of shape (rows, k)
        Logarithms of likelihood ratios, by a normal distribution for each row with equal spreads; 0 where a row was
        in too few of the models, or in too many.

    References
    ----------
    Carlini et al., Membership Inference Attacks From First Principles (2022), section 5 (LiRA); equal spreads as in
    its appendix for few models.
    """
    n_in, n_out = (side.sum(axis=1, keepdims=True) for side in (included, ~included))
    with np.errstate(invalid="ignore", divide="ignore"):
        there = np.where(included, known, 0.0).sum(axis=1, keepdims=True) / n_in
        absent = np.where(included, 0.0, known).sum(axis=1, keepdims=True) / n_out
        left = known - np.where(included, there, absent)
        variance = (left**2).sum(axis=1, keepdims=True) / (n_in + n_out - 2)
        ratios = (there - absent) * (asked - (there + absent) / 2) / variance
    usable = (n_in > 1) & (n_out > 1) & (variance > 0)
    return np.where(usable, ratios, 0.0)


def thresholds_of(scores: Floats, included: Booleans) -> Floats:
    """Return thresholds to try, from rows of which an attacker knows whether they were in; falling, shape (k,)."""
    tails = np.geomspace(_SMALLEST_SHARE, 0.5, _THRESHOLDS // 2)
    shares = np.concatenate([tails, 1 - tails])
    tried = [np.quantile(scores[side], shares) for side in (included, ~included) if side.any()]
    return np.unique(np.concatenate(tried))[::-1]


def membership_curve(
    scores: Floats,
    included: Booleans,
    thresholds: Floats,
    chosen: float,
    *,
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
) -> MembershipCurve:
    """Return the curve of an attack, with intervals.

    Parameters
    ----------
    scores : float array of shape (rows, models)
        Higher where the row seems to have been in.
    included : bool array of shape (rows, models)
    thresholds : float array of shape (k,), falling
        From :func:`thresholds_of`, by other models than these.
    chosen : float
        Threshold at which the advantage is told; from other models as well (:func:`best_threshold`).
    rng : numpy Generator
        Of the bootstrap.
    confidence : float
        Of the intervals.

    Raises
    ------
    InputError
        Models that all saw every row, or none.

    Notes
    -----
    Intervals come from a bootstrap over the models: they were fitted independently of each other, while the rows of
    one model share its noise. They tell how much another round of training would change the numbers, for these rows.
    """
    found = _Counts.of(scores, included, np.append(thresholds, chosen))
    if not found.n_in.sum() or not found.n_out.sum():
        raise InputError("included is the same everywhere; give rows that were in and rows that were not.")
    level = check.share(confidence=confidence)
    n_models = scores.shape[1]
    drawn = rng.multinomial(n_models, np.full(n_models, 1 / n_models), size=_RESAMPLES).astype(np.float64)
    fpr, tpr = found.rates(np.ones((1, n_models)))
    measured = _measures(fpr, tpr)[:, 0]
    resampled = _measures(*found.rates(drawn))
    low, high = np.nanquantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=1)
    auc, advantage, rare = (
        PrivacyRisk(float(value), float(min(value, a)), float(max(value, b)), level)
        for value, a, b in zip(measured, low, high, strict=True)
    )
    x, y = (np.concatenate([[0.0], rates[0, :-1], [1.0]]) for rates in (fpr, tpr))
    return MembershipCurve(x, y, auc, advantage, rare)


def best_threshold(scores: Floats, included: Booleans, thresholds: Floats) -> float:
    """Return the threshold with most hits beyond false alarms."""
    fpr, tpr = _Counts.of(scores, included, thresholds).rates(np.ones((1, scores.shape[1])))
    return float(thresholds[int(np.argmax(tpr - fpr))])


@dataclass(frozen=True, eq=False)
class _Counts:
    """How many rows of each model score at least each threshold: hits and alarms of shape (models, k)."""

    hits: Floats
    alarms: Floats
    n_in: Floats
    n_out: Floats

    @classmethod
    def of(cls, scores: Floats, included: Booleans, thresholds: Floats) -> _Counts:
        models, k = scores.shape[1], len(thresholds)
        order = np.argsort(thresholds)
        # Place p means that the p lowest thresholds are reached.
        places = np.searchsorted(thresholds[order], scores, side="right") + (k + 1) * np.arange(models)

        def reached(side: Booleans) -> Floats:
            counts = np.bincount(places[side], minlength=models * (k + 1)).reshape(models, k + 1)
            reached = np.empty((models, k))
            reached[:, order] = counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
            return reached

        n_in = included.sum(axis=0).astype(np.float64)
        return cls(reached(included), reached(~included), n_in, len(scores) - n_in)

    def rates(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return false alarms and hits as shares, shape (w, k), with models weighted as in (w, models)."""
        with np.errstate(invalid="ignore"):
            fpr = weights @ self.alarms / (weights @ self.n_out)[:, None]
            return fpr, weights @ self.hits / (weights @ self.n_in)[:, None]


def _measures(fpr: Floats, tpr: Floats) -> Floats:
    """Return area, advantage and hits at rare alarms, shape (3, w); the last column is the chosen threshold's."""
    ends = np.zeros((len(fpr), 1)), np.ones((len(fpr), 1))
    x, y = (np.hstack([ends[0], rates[:, :-1], ends[1]]) for rates in (fpr, tpr))
    area = np.trapezoid(y, x, axis=1)
    rare = np.array([np.interp(RARE, a, b) for a, b in zip(x, y, strict=True)])
    return np.stack([area, tpr[:, -1] - fpr[:, -1], rare])
