"""Convex losses whose gradients are bounded for rows of norm at most 1: what private empirical risk minimisation needs.

A loss reads the scores ``x . w`` of a row. Its gradient in the weights is ``x`` times the residual (one number for
each score), so its length is ``|x|`` times the residual's.

>>> loss = HuberLoss(0.5)
>>> loss.bound, loss.curvature
(0.5, 1.0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logsumexp, softmax

from dpcp_core import _validate as check
from dpcp_core._arrays import Floats


class Loss(Protocol):
    """A convex loss of a row's scores; shapes are (rows, models, scores).

    Attributes
    ----------
    n_scores : int
        Numbers that a row's prediction consists of.
    bound : float
        Largest length of a row's gradient, for rows of norm at most 1; infinite where nothing is clipped.
    curvature : float
        Largest eigenvalue of a row's second derivative, for rows of norm at most 1.
    """

    @property
    def n_scores(self) -> int:
        """Numbers that a row's prediction consists of."""
        ...

    @property
    def bound(self) -> float:
        """Largest length of a row's gradient."""
        ...

    @property
    def curvature(self) -> float:
        """Largest eigenvalue of a row's second derivative."""
        ...

    def targets(self, targets: npt.NDArray[Any]) -> Floats:
        """Return targets as scores are compared with them, shape (rows, 1, scores)."""
        ...

    def residuals(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return derivatives in the scores; ``norms`` are the rows', shape (rows, 1, 1)."""
        ...

    def unclipped(self) -> Loss:
        """Return the same loss with no gradient shortened."""
        ...

    def values(self, scores: Floats, targets: Floats) -> Floats:
        """Return the losses themselves, before clipping, shape (rows, models)."""
        ...

    def slopes(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return what ``bend`` needs of the second derivatives."""
        ...

    def bend(self, slopes: Floats, directions: Floats) -> Floats:
        """Return second derivatives in the scores times directions."""
        ...


@dataclass(frozen=True)
class HuberLoss:
    """Squared error with the gradient clipped: half the square up to a residual of ``bound / |x|``, linear beyond.

    Attributes
    ----------
    bound : float
        Above 0; infinity is the plain squared error.
    """

    bound: float

    def __post_init__(self) -> None:
        check.positive(infinite=True, max_grad_norm=self.bound)

    n_scores = 1
    curvature = 1.0

    def targets(self, targets: npt.NDArray[Any]) -> Floats:
        """Return the scaled targets as they are."""
        return targets.astype(np.float64)[:, None, None]

    def residuals(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return ``score - target``, clipped."""
        return _clipped(scores - targets, self.bound, norms)

    def unclipped(self) -> HuberLoss:
        """Return the squared error."""
        return HuberLoss(math.inf)

    def values(self, scores: Floats, targets: Floats) -> Floats:
        """Return half the squared errors."""
        return np.asarray((scores - targets)[:, :, 0] ** 2 / 2)

    def slopes(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return 1 where nothing is clipped, else 0."""
        return (np.abs(scores - targets) * norms < self.bound).astype(np.float64)

    def bend(self, slopes: Floats, directions: Floats) -> Floats:
        """Return the product with the second derivatives."""
        return slopes * directions


@dataclass(frozen=True)
class LogisticLoss:
    """Log loss of two classes with one score, the log odds of the second; its gradient may be clipped.

    The residual is a non-decreasing function of the score, and clipping keeps it one: the clipped loss is convex.

    Attributes
    ----------
    bound : float
        At most 1, which no gradient exceeds.
    """

    bound: float = 1.0

    def __post_init__(self) -> None:
        check.positive(infinite=True, max_grad_norm=self.bound)
        object.__setattr__(self, "bound", min(self.bound, 1.0))

    n_scores = 1
    curvature = 0.25

    def targets(self, targets: npt.NDArray[Any]) -> Floats:
        """Return the codes 0 and 1 as numbers."""
        return targets.astype(np.float64)[:, None, None]

    def residuals(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return ``probability - target``, clipped."""
        return _clipped(expit(scores) - targets, self.bound, norms)

    def unclipped(self) -> LogisticLoss:
        """Return the loss with its own bound of 1."""
        return LogisticLoss()

    def values(self, scores: Floats, targets: Floats) -> Floats:
        """Return the log losses."""
        return np.asarray((np.logaddexp(0.0, scores) - targets * scores)[:, :, 0])

    def slopes(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:
        """Return ``p (1 - p)`` where nothing is clipped, else 0."""
        chance = expit(scores)
        inside: Floats = chance * (1 - chance) * (np.abs(chance - targets) * norms <= self.bound)
        return inside

    def bend(self, slopes: Floats, directions: Floats) -> Floats:
        """Return the product with the second derivatives."""
        return slopes * directions


@dataclass(frozen=True)
class SoftmaxLoss:
    """Log loss of K classes with a score each; its gradient is never longer than ``sqrt(2)``, so nothing is clipped.

    The residual ``p - e_y`` is longest where a wrong class is certain: ``|e_j - e_y| = sqrt(2)``. Shortening it would
    not leave the gradient of any convex function.

    Attributes
    ----------
    n_classes : int
    """

    n_classes: int

    bound = math.sqrt(2)
    curvature = 0.5  # the largest eigenvalue of diag(p) - p p', at p = (1/2, 1/2, 0, ...)

    @property
    def n_scores(self) -> int:
        """One for each class."""
        return self.n_classes

    def targets(self, targets: npt.NDArray[Any]) -> Floats:
        """Return the codes as unit vectors."""
        return np.eye(self.n_classes)[targets.astype(np.intp)][:, None, :]

    def residuals(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        """Return ``probabilities - target``."""
        return np.asarray(softmax(scores, axis=2) - targets)

    def unclipped(self) -> SoftmaxLoss:
        """Return itself."""
        return self

    def values(self, scores: Floats, targets: Floats) -> Floats:
        """Return the log losses."""
        return np.asarray(logsumexp(scores, axis=2) - (scores * targets).sum(axis=2))

    def slopes(self, scores: Floats, targets: Floats, norms: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        """Return the probabilities."""
        return np.asarray(softmax(scores, axis=2))

    def bend(self, slopes: Floats, directions: Floats) -> Floats:
        """Return the product with ``diag(p) - p p'``."""
        weighted = slopes * directions
        return np.asarray(weighted - slopes * weighted.sum(axis=2, keepdims=True))


def _clipped(residuals: Floats, bound: float, norms: Floats) -> Floats:
    if math.isinf(bound):
        return residuals
    # An empty row has no gradient to shorten.
    furthest = np.divide(bound, norms, out=np.full_like(norms, math.inf), where=norms > 0)
    return np.asarray(np.clip(residuals, -furthest, furthest))
