"""The non-private twin of private classifiers: the same objective, minimised without noise or bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import cholesky, solve_triangular

from dpcp_core._threads import one_thread
from dpcp_core.training.class_losses import ClassLoss
from dpcp_core.training.class_plan import ClassPlan
from dpcp_core.training.class_rows import ClassRows, blockwise
from dpcp_core.training.protocol import Matrix

# Keeps classes that a line can part from growing weights for ever, and columns that add up to another one apart.
SMALLEST_PENALTY = 1e-6
MOST_ITERATIONS = 150
# Largest slope of the average loss at which a fit counts as solved, in directions of equal spread.
_SLOPE = 2e-5
# Least gain of an iteration that is worth another one: what the precision of the features lets through.
_GAIN = {np.dtype(np.float32): 1e-7, np.dtype(np.float64): 1e-12}


def minimise(rows: ClassRows, plan: ClassPlan, loss: ClassLoss, included: Matrix) -> Matrix:
    """Return weights of shape (outputs, models, d), each model fitted to its rows; not private.

    Each fit starts from the one before, as models of a simulation differ in few rows. It runs L-BFGS in coordinates
    in which the features of all rows have equal spread in every direction: curvature then hardly differs between
    directions, so that a few dozen products do. At most ``MOST_ITERATIONS`` iterations.

    Parameters
    ----------
    rows : ClassRows
        Without limits; whom each model sees is ``included``.
    plan : ClassPlan
        Of which the number of classes and the penalty count.
    loss : ClassLoss
    included : array of shape (n, models) of 0 and 1

    Notes
    -----
    **Privacy.** None.
    """
    shape = (loss.n_outputs(plan.n_classes), rows.features.shape[1])
    fitted, last = [], np.zeros(shape)
    # Threads take whole blocks of rows.
    with one_thread():
        spread = _spread(rows.features)
        for mask in included.T.astype(bool):
            seen = rows if mask.all() else ClassRows(rows.features[mask], rows.truth[:, mask])
            last = _Objective(seen, loss, max(plan.penalty, SMALLEST_PENALTY), spread).minimised(last)
            fitted.append(last)
    return np.stack(fitted, axis=1).astype(rows.features.dtype)


def _spread(features: Matrix) -> npt.NDArray[np.float64]:
    """Return the upper factor R of the features' second moments, R'R, slightly raised so that it can be inverted."""
    moments = np.asarray(features.T @ features, dtype=np.float64) / max(1, len(features))
    raised = moments + (1e-3 * np.trace(moments) / len(moments) + 1e-12) * np.eye(len(moments))
    return np.asarray(cholesky(raised), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Objective:
    """Average loss plus penalty, as a function of the flat ``R w`` with R from :func:`_spread`."""

    rows: ClassRows
    loss: ClassLoss
    penalty: float
    spread: npt.NDArray[np.float64]

    def minimised(self, start: Matrix) -> npt.NDArray[np.float64]:
        """Return the best weights, shape (outputs, d)."""
        from scipy.optimize import minimize

        gain = _GAIN[self.rows.features.dtype]
        options = {"maxiter": MOST_ITERATIONS, "gtol": _SLOPE, "ftol": gain, "maxcor": 20}
        flat = (start @ self.spread.T).ravel()
        found = minimize(self, flat, jac=True, method="L-BFGS-B", options=options)
        return self._weights(found.x)

    def _weights(self, flat: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        wide = flat.reshape(len(self.rows.truth), -1).T
        return np.asarray(solve_triangular(self.spread, wide).T, dtype=np.float64)

    def __call__(self, flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        """Return value and slope."""
        weights = self._weights(flat)
        narrow = weights.astype(self.rows.features.dtype)
        value, slope = 0.0, np.zeros_like(weights)
        for part_value, part_slope in blockwise(lambda block: self._block(narrow, block), self.rows, narrow[:, None]):
            value += part_value
            slope += part_slope
        n_rows = max(1, len(self.rows.features))
        value = value / n_rows + self.penalty / 2 * float((weights**2).sum())
        slope = slope / n_rows + self.penalty * weights
        return value, solve_triangular(self.spread, slope.T, trans="T").T.ravel()

    def _block(self, weights: Matrix, block: slice) -> tuple[float, Matrix]:
        features, truth = self.rows.features[block], self.rows.truth[:, None, block]
        margins = (weights @ features.T)[:, None]
        value = float(self.loss.values(margins, truth).sum(dtype=np.float64))
        with np.errstate(over="ignore"):
            residuals = self.loss.residuals(margins, truth)
        return value, residuals[:, 0] @ features
