r"""Dense networks: predictions, and the sum of clipped per-row gradients without keeping one of them.

The gradient of one row with respect to a layer ``z = a W + c`` is the outer product of the layer's input ``a`` and the
error ``b`` that comes back to it, next to ``b`` itself for ``c``. Its length needs no product:

.. math:: \|g\|^2 = \sum_{\text{layers}} (\|a\|^2 + 1)\,\|b\|^2 .

So a batch takes one pass forward, one back, and one product per layer with the errors of each row scaled by how much
that row is clipped (Goodfellow 2015, "Efficient per-example gradient computations", arXiv 1510.01799; as DP training in
Rochette et al. 2019, arXiv 1912.06015).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from dpcp_core.training.protocol import Matrix, Task, Weights

# Rows of one block: its activations stay in a core's cache between the passes.
_BLOCK = 1024


@dataclass(frozen=True, eq=False)
class GradientSum:
    """What one batch says.

    Attributes
    ----------
    total : tuple of arrays
        Sum of the clipped gradients over the rows, shaped like the weights.
    norms : array of shape (b,)
        Length of each row's gradient before clipping.
    losses : array of shape (b,)
        Half the squared error, or minus the logarithm of the probability of the right class.
    """

    total: Weights
    norms: Matrix
    losses: Matrix


@dataclass(frozen=True)
class DenseNetwork:
    """The public shape of a network of dense layers with rectified hidden units.

    Attributes
    ----------
    widths : tuple of int
        Features, hidden units of each layer, outputs.
    task : str
        ``regression`` (half squared error, summed over outputs) or ``classification`` (cross-entropy of a softmax).
    input_scale : float
        Factor on the features; it decides how much the first layer takes part in a step.

    Examples
    --------
    >>> network = DenseNetwork((3, 8, 2), "classification")
    >>> [weight.shape for weight in network.initial(np.random.default_rng(0))]
    [(3, 8), (8,), (8, 2), (2,)]
    """

    widths: tuple[int, ...]
    task: Task
    input_scale: float = 1.0

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the weights: for each layer a matrix (inputs, outputs), then its constants (outputs,)."""
        pairs = zip(self.widths[:-1], self.widths[1:], strict=True)
        return [shape for n_in, n_out in pairs for shape in ((n_in, n_out), (n_out,))]

    def initial(self, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Weights:
        """Draw weights to start from; the last layer is zero, so that every prediction starts the same.

        Parameters
        ----------
        rng : numpy Generator
        dtype : float type

        Notes
        -----
        Rows have norm at most 1 however many columns there are, so the first layer's spread follows from the input
        scale, that of the others from their number of inputs (He et al. 2015, arXiv 1502.01852).
        """
        arrays = [np.zeros(shape, dtype=dtype) for shape in self.shapes]
        for layer, weight in enumerate(arrays[:-2:2]):
            inputs = self.input_scale**2 if layer == 0 else weight.shape[0]
            weight[:] = rng.standard_normal(weight.shape) * math.sqrt(2 / inputs)
        return tuple(arrays)

    def outputs(self, features: Matrix, weights: Weights) -> Matrix:
        """Return predictions of shape (rows, outputs): numbers, or probabilities that sum to 1."""
        blocks = [self._forward(block, weights)[-1] for block in _blocks(features)]
        raw = np.concatenate(blocks) if blocks else np.zeros((0, self.widths[-1]), dtype=features.dtype)
        return softmax(raw, axis=1) if self.task == "classification" else raw

    def clipped_gradient_sum(
        self, features: Matrix, targets: npt.NDArray[Any], weights: Weights, max_grad_norm: float
    ) -> GradientSum:
        """Return the sum over rows of the gradients, each shortened to ``max_grad_norm``.

        Parameters
        ----------
        features : array of shape (b, d)
        targets : array of shape (b,)
            Scaled numbers, or class codes from 0; shape (b, outputs) for several numbers.
        weights : tuple of arrays
            As from :meth:`initial`.
        max_grad_norm : float
            Above 0; infinity clips nothing.

        Notes
        -----
        **Privacy.** Emptying one row moves the total by at most ``max_grad_norm`` in Euclidean norm over all weights.

        Examples
        --------
        >>> network = DenseNetwork((2, 1), "regression")
        >>> x, weights = np.array([[0.6, 0.8]]), (np.zeros((2, 1)), np.zeros(1))
        >>> found = network.clipped_gradient_sum(x, np.array([5.0]), weights, 1.0)
        >>> [part.round(3).ravel().tolist() for part in found.total], found.norms.round(3).tolist()
        ([[-0.424, -0.566], [-0.707]], [7.071])
        """
        total = tuple(np.zeros_like(weight) for weight in weights)
        norms = np.empty(len(features), dtype=weights[0].dtype)
        losses = np.empty_like(norms)
        for start in range(0, len(features), _BLOCK):
            rows = slice(start, start + _BLOCK)
            inputs = self._forward(features[rows], weights)
            error, losses[rows] = _error(inputs.pop(), targets[rows], self.task)
            errors = _backward(inputs, error, weights)
            norms[rows] = self._norms(inputs, errors)
            self._add(total, inputs, errors, _factors(norms[rows], max_grad_norm))
        return GradientSum(total, norms, losses)

    def _forward(self, features: Matrix, weights: Weights) -> list[Matrix]:
        """Return the input of every layer, then the raw outputs."""
        layers: list[Matrix] = [features]
        for place in range(0, len(weights), 2):
            # Scaling the small matrix is the same as scaling the features, which may be large.
            matrix = weights[0] * weights[0].dtype.type(self.input_scale) if place == 0 else weights[place]
            below = layers[-1] @ matrix
            below += weights[place + 1]
            if place + 2 < len(weights):
                np.maximum(below, 0, out=below)
            layers.append(below)
        return layers

    def _norms(self, inputs: Sequence[Matrix], errors: Sequence[Matrix]) -> Matrix:
        scales = [self.input_scale**2, *([1.0] * (len(inputs) - 1))]
        parts = (
            (_squares(a) * a.dtype.type(scale) + 1) * _squares(b)
            for a, b, scale in zip(inputs, errors, scales, strict=True)
        )
        norms: Matrix = np.sqrt(sum(parts))
        return norms

    def _add(self, total: Weights, inputs: Sequence[Matrix], errors: Sequence[Matrix], factors: Matrix | None) -> None:
        for layer, (a, b) in enumerate(zip(inputs, errors, strict=True)):
            if factors is not None:
                b *= factors[:, None]
            product = a.T @ b
            if layer == 0:
                product *= product.dtype.type(self.input_scale)
            total[2 * layer][...] += product
            total[2 * layer + 1][...] += b.sum(axis=0)


def _blocks(features: Matrix) -> list[Matrix]:
    return [features[start : start + _BLOCK] for start in range(0, len(features), _BLOCK)]


def _squares(rows: Matrix) -> Matrix:
    squares: Matrix = np.einsum("ij,ij->i", rows, rows)
    return squares


def _error(raw: Matrix, targets: npt.NDArray[Any], task: Task) -> tuple[Matrix, Matrix]:
    """Return the derivative of each row's loss by its raw outputs, and the losses."""
    if task == "regression":
        wanted = targets.astype(raw.dtype, copy=False)
        residuals = raw - (wanted if wanted.ndim == 2 else wanted[:, None])
        return residuals, np.sum(residuals**2, axis=1) / 2
    error, right = softmax(raw, axis=1), (np.arange(len(raw)), targets.astype(np.intp, copy=False))
    losses = -np.log(np.maximum(error[right], np.finfo(raw.dtype).tiny))
    error[right] -= 1
    return error, losses


def _backward(inputs: Sequence[Matrix], error: Matrix, weights: Weights) -> list[Matrix]:
    """Return the error that comes back to each layer, first layer first."""
    errors = [error]
    for layer in range(len(inputs) - 1, 0, -1):
        back = errors[0] @ weights[2 * layer].T
        back *= inputs[layer] > 0
        errors.insert(0, back)
    return errors


def _factors(norms: Matrix, max_grad_norm: float) -> Matrix | None:
    if math.isinf(max_grad_norm):
        return None
    factors: Matrix = np.minimum(1, norms.dtype.type(max_grad_norm) / np.maximum(norms, np.finfo(norms.dtype).tiny))
    return factors
