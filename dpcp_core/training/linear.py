"""Linear least squares: ``ols`` and ``ridge``, by private gradient descent.

The public defaults follow three considerations, each a function of public numbers only. With ``travel`` the
product of steps and step size, ``n`` rows, clip norm ``C`` and training privacy ``mu``:

* an early stop leaves slow directions unlearnt: more travel helps, as the square root of ``n``;
* noise moves a prediction by about ``travel * C / (n * mu)`` target spreads, so travel is kept below a share of
  ``n * mu``;
* one more row moves a prediction by at most about ``travel * C / n``, the price of the coupling argument
  (:func:`dpcp_core.training.descent.coupling_radius`).

The constants were compared on simulated tables by ``benchmarks/tune_training.py``, never on a user's rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpcp_core.training.descent import DescentPlan, Matrix, coupling_radius, descend
from dpcp_core.training.protocol import TrainingChoices

_LONGEST_STEP = 1.7
_CLIP_NORM = 0.8
_TRAVEL_PER_ROOT_ROW = 1.6
_TRAVEL_PER_SIGNAL = 0.3
_RIDGE_PER_TRAVEL = 0.25
# Only there to solve normal equations of columns that add up to another one.
_JITTER = 1e-8


@dataclass(frozen=True, eq=False)
class LinearModels:
    """Linear models as columns of one weight matrix of shape (d, models)."""

    weights: Matrix

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled predictions, shape (rows, models)."""
        return features @ self.weights


@dataclass(frozen=True)
class LeastSquares:
    """Least squares with an optional ridge penalty, on rows of norm at most 1.

    **Privacy.** Emptying one row moves the clipped gradient sum by at most ``max_grad_norm``; ``steps``
    Gaussian mechanisms make the fit ``mu``-GDP with ``mu = sqrt(steps) / noise_multiplier``.

    **Guarantee.** Convex and smooth after clipping (a Huber loss), hence coupled:
    :func:`dpcp_core.training.descent.coupling_radius`.
    """

    name: str
    penalised: bool

    def plan(self, n_rows: int, n_features: int, mu: float, choices: TrainingChoices) -> DescentPlan:
        """Return the public hyper-parameters of a fit.

        Parameters
        ----------
        n_rows, n_features : int
            Public size of the training rows.
        mu : float
            GDP parameter that training may spend; infinity adds no noise.
        choices : TrainingChoices
            What a person set; it wins over the defaults.

        Examples
        --------
        >>> plan = LeastSquares("ols", penalised=False).plan(4000, 9, 0.2, TrainingChoices())
        >>> plan.steps, round(plan.step_size, 2), round(plan.noise_multiplier, 1)
        (60, 1.69, 38.7)
        """
        del n_features  # rows have norm at most 1 whatever their number of columns
        travel = max(2.0, min(_TRAVEL_PER_ROOT_ROW * math.sqrt(n_rows), _TRAVEL_PER_SIGNAL * n_rows * mu))
        steps = choices.steps or math.ceil(travel / _LONGEST_STEP)
        step_size = choices.step_size or min(_LONGEST_STEP, travel / steps)
        default_penalty = min(_RIDGE_PER_TRAVEL / travel, 0.05) if self.penalised else 0.0
        return DescentPlan(
            steps=steps,
            step_size=step_size,
            max_grad_norm=choices.max_grad_norm or _CLIP_NORM,
            noise_multiplier=math.sqrt(steps) / mu,
            penalty=default_penalty if choices.penalty is None else choices.penalty,
        )

    def fit(
        self,
        features: Matrix,
        targets: Matrix,
        plan: DescentPlan,
        *,
        n_rows: int,
        noise_multipliers: npt.ArrayLike,
        rng: np.random.Generator,
        included: Matrix | None = None,
    ) -> LinearModels:
        """Fit one model per noise multiplier; see :func:`dpcp_core.training.descent.descend`."""
        weights = descend(
            features,
            targets,
            plan,
            n_rows=n_rows,
            noise_multipliers=noise_multipliers,
            rng=rng,
            included=included,
        )
        return LinearModels(weights)

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix) -> LinearModels:
        """Solve the normal equations once per column of ``included``; not private."""
        wide = features.astype(np.float64)
        penalty = (plan.penalty if self.penalised else 0.0) + _JITTER
        columns = []
        for mask in included.T.astype(bool):
            rows = wide[mask]
            gram = rows.T @ rows / len(rows) + penalty * np.eye(wide.shape[1])
            columns.append(np.linalg.solve(gram, rows.T @ targets[mask].astype(np.float64) / len(rows)))
        return LinearModels(np.column_stack(columns))

    def coupling_radius(self, plan: DescentPlan, n_rows: int) -> float | None:
        """Return how far one more row moves a scaled prediction, as rows have norm at most 1."""
        return coupling_radius(plan, n_rows)
