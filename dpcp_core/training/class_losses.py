"""Convex losses of linear classifiers, as functions of the margins ``w_k . x``.

A row's gradient with respect to the weights is ``residual x``, with one residual per output: its length is
``|residual| |x|``, and no per-row gradient has to be formed. Each loss says how long a residual can get (what one row
can do) and how fast it turns (the smoothness, on which step sizes and the coupling argument rest).

Arrays of margins have shape (outputs, models, rows), so that every sum over the outputs runs along the rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dpcp_core.training.protocol import Matrix

Codes = npt.NDArray[Any]


class ClassLoss(Protocol):
    """A convex loss of a linear classifier."""

    @property
    def smoothness(self) -> float:
        """Largest curvature of a row's loss in the margins."""
        ...

    def n_outputs(self, n_classes: int) -> int:
        """Return how many margins a row has."""
        ...

    def longest_residual(self, n_classes: int) -> float:
        """Return the largest possible Euclidean length of a row's residuals."""
        ...

    def stretch(self, n_classes: int) -> float:
        """Return how far the logits move, at most, when the margins move by 1 (both Euclidean)."""
        ...

    def truth(self, codes: Codes, n_classes: int, dtype: npt.DTypeLike) -> Matrix:
        """Return the classes as numbers, shape (outputs, rows)."""
        ...

    def residuals(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return the derivative of the loss in each margin; may overwrite the margins.

        Margins have shape (outputs, models, rows), ``truth`` has (outputs, 1, rows).
        """
        ...

    def cap(self, residuals: Matrix, truth: Matrix, shares: Matrix) -> None:
        """Lower residuals, in place, to at most ``shares`` (rows,) of the longest, so that the loss stays convex."""
        ...

    def values(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return the loss, shape (models, rows)."""
        ...

    def logits(self, margins: Matrix) -> Matrix:
        """Return what becomes probabilities by softmax over axis 0, shape (classes, ...)."""
        ...


@dataclass(frozen=True)
class SoftmaxLoss:
    """Cross-entropy of softmax probabilities ``p``; the residual is ``p - y`` with ``y`` the class as a unit vector.

    ``|p - y|^2 = (1 - p_y)^2 + sum of the other p_k^2 <= 2 (1 - p_y)^2 <= 2``, so a row of norm at most 1 has a
    gradient no longer than ``sqrt(2)`` without any clipping. The curvature ``diag(p) - p p'`` has no eigenvalue
    above 1/2 (Böhning 1992, Multinomial logistic regression algorithm).

    Shortening ``p - y`` to a given length need not leave the gradient of anything convex. What may be cut is
    ``1 - p_y``. The loss is ``log(1 + exp(m))`` of the convex ``m = log(sum of the other exp(z_k)) - z_y``, and its
    gradient is ``1 - p_y`` times that of ``m``, which is no longer than ``sqrt(2)``. Where ``1 - p_y`` is cut
    at ``c``, the loss goes on as a straight line of slope ``c`` in ``m``: still convex, being an increasing convex
    function of a convex one, still 1/2-smooth, and no gradient is longer than ``sqrt(2) c``.

    Examples
    --------
    >>> loss = SoftmaxLoss()
    >>> loss.residuals(np.zeros((4, 1, 1)), loss.truth(np.array([2]), 4, float)[:, None]).ravel().tolist()
    [0.25, 0.25, -0.75, 0.25]
    """

    smoothness: float = 0.5

    def n_outputs(self, n_classes: int) -> int:
        """Return one margin for each class."""
        return n_classes

    def longest_residual(self, n_classes: int) -> float:  # noqa: ARG002 - the protocol's
        """Return the square root of 2, reached where another class is certain."""
        return math.sqrt(2)

    def stretch(self, n_classes: int) -> float:  # noqa: ARG002 - the protocol's
        """Return 1: margins are the logits."""
        return 1.0

    def truth(self, codes: Codes, n_classes: int, dtype: npt.DTypeLike) -> Matrix:
        """Return 1 for the class of a row, else 0."""
        hot: Matrix = (np.arange(n_classes)[:, None] == codes).astype(dtype)
        return hot

    def residuals(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return probabilities minus truth."""
        probabilities = softmax(margins)
        probabilities -= truth
        return probabilities

    def cap(self, residuals: Matrix, truth: Matrix, shares: Matrix) -> None:
        """Cut ``1 - p_y`` at ``shares`` and shrink the whole residual with it."""
        missing = -np.einsum("kmi,kmi->mi", residuals, np.broadcast_to(truth, residuals.shape))
        residuals *= np.minimum(1, np.divide(shares, missing, out=np.ones_like(missing), where=missing > 0))

    def values(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return minus the logarithm of the probability of the class."""
        top = margins.max(axis=0)
        rest = np.log(np.exp(margins - top).sum(axis=0)) + top
        loss: Matrix = rest - (margins * truth).sum(axis=0)
        return loss

    def logits(self, margins: Matrix) -> Matrix:
        """Return the margins."""
        return margins


@dataclass(frozen=True)
class LogisticLoss:
    """``log(1 + exp(-s z))`` of one margin ``z``, with ``s`` 1 for class 1 and -1 for class 0.

    The residual ``-s / (1 + exp(s z))`` lies within -1 and 1 and never falls as ``z`` grows, at most with slope 1/4.

    Examples
    --------
    >>> loss = LogisticLoss()
    >>> loss.residuals(np.zeros((1, 1, 2)), loss.truth(np.array([0, 1]), 2, float)[:, None]).ravel().tolist()
    [0.5, -0.5]
    """

    smoothness: float = 0.25

    def n_outputs(self, n_classes: int) -> int:  # noqa: ARG002 - the protocol's
        """Return 1."""
        return 1

    def longest_residual(self, n_classes: int) -> float:  # noqa: ARG002 - the protocol's
        """Return 1."""
        return 1.0

    def stretch(self, n_classes: int) -> float:  # noqa: ARG002 - the protocol's
        """Return the movement of ``(-z/2, z/2)`` when ``z`` moves by 1."""
        return math.sqrt(0.5)

    def truth(self, codes: Codes, n_classes: int, dtype: npt.DTypeLike) -> Matrix:  # noqa: ARG002 - the protocol's
        """Return 1 for class 1 and -1 for class 0."""
        return signs(codes[None], dtype)

    def residuals(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return ``-s / (1 + exp(s z))``."""
        margins *= truth
        # An overflow is a residual of 0, as it should be.
        np.exp(margins, out=margins)
        margins += 1
        return np.divide(-truth, margins, out=margins)

    def cap(self, residuals: Matrix, truth: Matrix, shares: Matrix) -> None:  # noqa: ARG002 - the protocol's
        """Cut the residual, which stays a non-decreasing function of the margin."""
        np.clip(residuals, -shares, shares, out=residuals)

    def values(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return ``log(1 + exp(-s z))``."""
        loss: Matrix = np.logaddexp(0, -margins[0] * truth[0])
        return loss

    def logits(self, margins: Matrix) -> Matrix:
        """Return ``(-z/2, z/2)``."""
        return np.concatenate([-margins, margins]) / 2


@dataclass(frozen=True)
class SmoothedHinge:
    """Hinge loss with a rounded corner, one class against the rest; for two classes a single margin.

    With ``m = s z`` the slope in ``m`` is ``-min(max((1 - m) / width, 0), 1)``: 0 from margin 1 on, -1 below
    ``1 - width``, and a straight line between, so the curvature is at most ``1 / width``.

    With ``K > 2`` classes, the ``K - 1`` margins of the classes that a row is not of count ``1 / (K - 1)`` each: as
    much together as the one of its class. It keeps rare "yes" from drowning among many "no", and the residuals' length
    at most ``sqrt(K / (K - 1))`` where equal weights would let it reach ``sqrt(K)``, all of which noise has to hide.

    Attributes
    ----------
    width : float
        Of the rounded corner, above 0.
    slope : float
        Public factor from margins to logits, as a margin by itself is no probability.

    Examples
    --------
    >>> loss = SmoothedHinge()
    >>> loss.residuals(np.zeros((3, 1, 1)), loss.truth(np.array([2]), 3, float)[:, None]).ravel().tolist()
    [0.5, 0.5, -1.0]
    """

    width: float = 1.0
    slope: float = 3.0

    @property
    def smoothness(self) -> float:
        """Return ``1 / width``."""
        return 1 / self.width

    def n_outputs(self, n_classes: int) -> int:
        """Return 1 for two classes, else one for each."""
        return 1 if n_classes == 2 else n_classes

    def longest_residual(self, n_classes: int) -> float:
        """Return 1 for two classes, else ``sqrt(K / (K - 1))``."""
        return 1.0 if n_classes == 2 else math.sqrt(n_classes / (n_classes - 1))

    def stretch(self, n_classes: int) -> float:
        """Return the movement of the logits when the margins move by 1."""
        return self.slope * (math.sqrt(0.5) if n_classes == 2 else 1.0)

    def truth(self, codes: Codes, n_classes: int, dtype: npt.DTypeLike) -> Matrix:
        """Return the sign of each margin times what it counts."""
        if n_classes == 2:
            return signs(codes[None], dtype)
        is_class = np.arange(n_classes)[:, None] == codes
        return np.where(is_class, 1.0, -1 / (n_classes - 1)).astype(dtype)

    def residuals(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return the slope of the rounded hinge, towards the class."""
        margins *= np.sign(truth)
        np.subtract(1, margins, out=margins)
        if self.width != 1:
            margins /= margins.dtype.type(self.width)
        np.clip(margins, 0, 1, out=margins)
        margins *= -truth
        return margins

    def cap(self, residuals: Matrix, truth: Matrix, shares: Matrix) -> None:
        """Cut each residual at ``shares`` of its largest, a hinge that is less steep."""
        largest = shares * np.abs(truth)
        np.clip(residuals, -largest, largest, out=residuals)

    def values(self, margins: Matrix, truth: Matrix) -> Matrix:
        """Return the weighted sum of rounded hinges."""
        short = np.maximum(1 - margins * np.sign(truth), 0)
        hinge = np.where(short < self.width, short**2 / (2 * self.width), short - self.width / 2)
        loss: Matrix = (hinge * np.abs(truth)).sum(axis=0)
        return loss

    def logits(self, margins: Matrix) -> Matrix:
        """Return ``slope`` times the margins, or ``(-z/2, z/2)`` of it for two classes."""
        scaled = margins * margins.dtype.type(self.slope)
        return np.concatenate([-scaled, scaled]) / 2 if len(margins) == 1 else scaled


def signs(codes: Codes, dtype: npt.DTypeLike) -> Matrix:
    """Return 1 for class 1 and -1 for class 0."""
    signed: Matrix = np.where(codes == 1, 1.0, -1.0).astype(dtype)
    return signed


def softmax(logits: Matrix) -> Matrix:
    """Overwrite logits by probabilities along axis 0.

    Examples
    --------
    >>> softmax(np.array([[0.0, 1000.0], [0.0, 0.0]])).tolist()
    [[0.5, 1.0], [0.5, 0.0]]
    """
    logits -= logits.max(axis=0)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=0)
    return logits
