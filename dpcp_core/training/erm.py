r"""Minimise a penalised convex loss over rows, many models at once, to a stated length of the gradient.

The objective of one model, with ``n`` the public number of rows, ``w_0`` public weights and ``b`` a fixed vector, is

.. math:: J(w) = \frac1n \sum_i \ell(w; x_i, y_i) + \frac\lambda2 |w - w_0|^2 + b \cdot w.

It is ``lambda``-strongly convex, so a point whose gradient is at most ``gamma`` long lies within ``gamma / lambda`` of
the minimum: that is how far the solver's answer can be from exact, whatever the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core.training.erm_losses import Loss
from dpcp_core.training.protocol import Matrix

_LONGEST = 500  # rounds of Newton's method; some five to ten do in practice
_HALVINGS = 12
_LONGEST_SEARCH = 400  # conjugate gradient steps in one round
_BLOCK = 1 << 23  # scores in memory at once


@dataclass(frozen=True, eq=False)
class Objective:
    """What is minimised, in terms of the move away from the public weights, of shape (d, models, scores).

    The move, and not the weights, since its penalty can be computed to full precision however large they are.

    Attributes
    ----------
    features : float64 array of shape (n, d)
    targets : float64 array of shape (n, 1, scores)
        From the loss.
    loss : Loss
    penalty : float
        Above 0.
    n_rows : int or array of shape (models, 1)
        Normaliser.
    centre : float64 array of shape (d, 1, scores)
        Public weights, where the penalty is 0.
    tilt : float64 array of shape (d, models, scores)
        The vector ``b`` of the linear term.
    included : float64 array of shape (n, models, 1) or None
        Rows that each model sees.
    """

    features: Floats
    targets: Floats
    loss: Loss
    penalty: float
    n_rows: int | Floats
    centre: Floats
    tilt: Floats
    included: Floats | None = None
    norms: Floats = field(init=False)

    def __post_init__(self) -> None:
        norms = np.sqrt(np.einsum("ij,ij->i", self.features, self.features))
        object.__setattr__(self, "norms", norms[:, None, None])

    def scores(self, move: Floats) -> Floats:
        """Return ``x . w``, shape (n, models, scores)."""
        return self._along(self.centre) + self._along(move)

    def gradient(self, move: Floats, scores: Floats) -> Floats:
        """Return the gradient at a move with these scores."""
        residuals = self.loss.residuals(scores, self.targets, self.norms)
        return self._mean(residuals) + self.penalty * move + self.tilt

    def bend(self, slopes: Floats, directions: Floats) -> Floats:
        """Return the second derivative times directions in weight space."""
        return self._mean(self.loss.bend(slopes, self._along(directions))) + self.penalty * directions

    def _along(self, directions: Floats) -> Floats:
        return (self.features @ directions.reshape(len(directions), -1)).reshape(-1, *directions.shape[1:])

    def slopes(self, scores: Floats) -> Floats:
        """Return what ``bend`` needs."""
        return self.loss.slopes(scores, self.targets, self.norms)

    def blocks(self) -> Iterator[Objective]:
        """Yield objectives of a few models each, so that their scores fit into memory."""
        models = self.tilt.shape[1]
        size = max(1, _BLOCK // max(1, len(self.features) * self.loss.n_scores))
        for start in range(0, models, size):
            part = slice(start, start + size)
            yield replace(
                self,
                n_rows=self.n_rows if isinstance(self.n_rows, int) else self.n_rows[part],
                tilt=self.tilt[:, part],
                included=None if self.included is None else self.included[:, part],
            )

    def _mean(self, residuals: Floats) -> Floats:
        if self.included is not None:
            residuals = residuals * self.included
        total = self.features.T @ residuals.reshape(len(residuals), -1)
        return total.reshape(-1, *residuals.shape[1:]) / self.n_rows


def objective(
    features: Matrix,
    targets: npt.NDArray[Any],
    loss: Loss,
    penalty: float,
    n_models: int,
    *,
    n_rows: int | Floats,
    included: Matrix | None = None,
    start: Floats | None = None,
    tilt: Floats | None = None,
) -> Objective:
    """Return the objective of ``n_models`` models.

    Parameters
    ----------
    features : array of shape (n, d)
        Rows of norm at most 1.
    targets : array of shape (n,)
    loss : Loss
    penalty : float
        Above 0.
    n_models : int
    n_rows : int or array of shape (n_models, 1)
    included : array of shape (n, n_models) of 0 and 1, optional
    start : array of shape (d, scores), optional
        Public weights that the penalty pulls towards; zero by default.
    tilt : array of shape (d, n_models, scores), optional
    """
    n_weights = features.shape[1], loss.n_scores
    centre = np.zeros(n_weights) if start is None else start.astype(np.float64)
    return Objective(
        features=features.astype(np.float64),
        targets=loss.targets(targets),
        loss=loss,
        penalty=penalty,
        n_rows=n_rows,
        centre=centre[:, None, :],
        tilt=np.zeros((n_weights[0], n_models, n_weights[1])) if tilt is None else tilt,
        included=None if included is None else included.astype(np.float64)[:, :, None],
    )


def minimise(wanted: Objective, tolerance: float) -> Floats:
    """Return weights at which the gradient of every model is at most ``tolerance`` long.

    Parameters
    ----------
    wanted : Objective
    tolerance : float
        Above 0.

    Returns
    -------
    float64 array of shape (d, models, scores)

    Notes
    -----
    Newton's method with conjugate gradients, shortened until the gradient gets shorter. Where that fails, a plain
    gradient step of length ``1 / L`` makes the gradient shorter by the factor ``1 - penalty / L`` at least.

    Examples
    --------
    >>> from dpcp_core.training.erm_losses import HuberLoss
    >>> x, y = np.array([[0.6], [0.8]]), np.array([0.3, 0.4])
    >>> minimise(objective(x, y, HuberLoss(1.0), 1e-9, 1, n_rows=2), 1e-12).ravel().round(6).tolist()
    [0.5]
    """
    moves = [_minimised(part, tolerance) for part in wanted.blocks()]
    return wanted.centre + np.concatenate(moves, axis=1)


def _minimised(wanted: Objective, tolerance: float) -> Floats:
    move = np.zeros_like(wanted.tilt)
    scores = wanted.scores(move)
    gradient = wanted.gradient(move, scores)
    for _ in range(_LONGEST):
        unfinished = _lengths(gradient) > tolerance
        if not unfinished.any():
            return move
        direction = _newton_direction(wanted, scores, np.where(unfinished[:, None], gradient, 0.0))
        move, scores, gradient = _moved(wanted, move, gradient, direction)
    # To refuse here would tell something of the rows. Tolerances are public and far above rounding, so that this is not
    # reached; if it were, the nearest point found is a better answer than none.
    return move


def _newton_direction(wanted: Objective, scores: Floats, gradient: Floats) -> Floats:
    """Solve for the Newton step of every model, the more exactly the shorter its gradient."""
    slopes = wanted.slopes(scores)
    found, left, search = np.zeros_like(gradient), -gradient, -gradient
    square = _squares(left)
    goal = square * np.minimum(0.1, square**0.25) ** 2
    for _ in range(_LONGEST_SEARCH):
        if (square <= goal).all():
            break
        bent = wanted.bend(slopes, search)
        step = _ratio(square, np.einsum("dmk,dmk->m", search, bent))[:, None]
        found, left = found + step * search, left - step * bent
        previous, square = square, _squares(left)
        search = left + _ratio(square, previous)[:, None] * search
    return found


def _moved(wanted: Objective, move: Floats, gradient: Floats, direction: Floats) -> tuple[Floats, Floats, Floats]:
    """Return where each model goes, halving its step until its gradient gets shorter."""
    before, still = _lengths(gradient), _squares(direction) == 0
    size, shorter = np.ones_like(before), still
    for _ in range(_HALVINGS):
        trial = move + size[:, None] * direction
        scores = wanted.scores(trial)
        after = wanted.gradient(trial, scores)
        shorter = still | (_lengths(after) <= (1 - 1e-3 * size) * before)
        if shorter.all():
            return trial, scores, after
        size = np.where(shorter, size, size / 2)
    plain = gradient / (_steepest(wanted) + wanted.penalty)
    trial = move + np.where(shorter[:, None], size[:, None] * direction, -plain)
    scores = wanted.scores(trial)
    return trial, scores, wanted.gradient(trial, scores)


def _steepest(wanted: Objective) -> float:
    """Return a bound of the second derivative of the averaged loss."""
    rows = len(wanted.features) / np.min(wanted.n_rows)
    return wanted.loss.curvature * max(1.0, float(rows))


def _lengths(gradient: Floats) -> Floats:
    return np.sqrt(_squares(gradient))


def _squares(gradient: Floats) -> Floats:
    return np.asarray(np.einsum("dmk,dmk->m", gradient, gradient))


def _ratio(top: Floats, bottom: Floats) -> Floats:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
