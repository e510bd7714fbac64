"""Linear least squares: ``ols`` and ``ridge``, by private gradient descent.

What steps, step size, clip norm and penalty are where nobody sets them: see :class:`PublicDefaults`. Its constants
were compared on simulated tables by ``benchmarks/tune_training.py``, never on a user's rows.

>>> plan = LeastSquares("ridge", penalised=True).plan(3200, 10, 0.177, TrainingChoices())
>>> plan.steps, plan.max_grad_norm, round(plan.penalty, 4)
(54, 0.8, 0.0028)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpcp_core.privacy.allocation import Allocation
from dpcp_core.privacy.receipt import ONE_ROW, ReceiptEntry
from dpcp_core.training.descent import DescentPlan, Matrix, coupling_radius, descend
from dpcp_core.training.protocol import TrainingChoices

# Only there to solve normal equations of columns that add up to another one.
_JITTER = 1e-8


@dataclass(frozen=True)
class PublicDefaults:
    """How the hyper-parameters follow from public numbers alone.

    With ``travel`` the product of steps and step size, ``n`` rows, clip norm ``C`` and training privacy ``mu``:

    * an early stop leaves slow directions unlearnt: more travel helps, as the square root of ``n``;
    * noise moves a prediction by about ``travel * C / (n * mu)`` target spreads, so travel is kept below a share of
      ``n * mu``;
    * one more row moves a prediction by at most about ``travel * C / n``, the price of the coupling argument
      (:func:`dpcp_core.training.descent.coupling_radius`).

    Attributes
    ----------
    clip_norm : float
        ``C``, in scaled target units.
    travel_per_root_row, travel_per_signal : float
        Travel is the smaller of these times ``sqrt(n)`` and ``n * mu``.
    shortest_travel : float
        But never less than this.
    longest_step : float
        Largest step size; below 2, where steps stop being stable.
    penalty_per_travel, largest_penalty : float
        The ridge penalty is the first over travel, at most the second.

    Examples
    --------
    >>> round(PublicDefaults().travel(4000, 0.2), 1), round(PublicDefaults().travel(400, 0.1), 1)
    (101.2, 12.0)
    """

    clip_norm: float = 0.8
    travel_per_root_row: float = 1.6
    travel_per_signal: float = 0.3
    shortest_travel: float = 2.0
    longest_step: float = 1.7
    penalty_per_travel: float = 0.25
    largest_penalty: float = 0.05

    def travel(self, n_rows: int, mu: float) -> float:
        """Return steps times step size."""
        wanted = min(self.travel_per_root_row * math.sqrt(n_rows), self.travel_per_signal * n_rows * mu)
        return max(self.shortest_travel, wanted)


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

    Attributes
    ----------
    name : str
        Key in the registry.
    penalised : bool
        Whether there is a ridge penalty where nobody sets one.
    defaults : PublicDefaults
        Hyper-parameters that nobody set.

    Notes
    -----
    **Privacy.** Emptying one row moves the clipped gradient sum by at most ``max_grad_norm``; ``steps``
    Gaussian mechanisms make the fit ``mu``-GDP with ``mu = sqrt(steps) / noise_multiplier``.

    **Guarantee.** Convex and smooth after clipping (a Huber loss), hence coupled:
    :func:`dpcp_core.training.descent.coupling_radius`.
    """

    name: str
    penalised: bool
    defaults: PublicDefaults = PublicDefaults()

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
        ours, travel = self.defaults, self.defaults.travel(n_rows, mu)
        steps = choices.steps or math.ceil(travel / ours.longest_step)
        penalty = min(ours.penalty_per_travel / travel, ours.largest_penalty) if self.penalised else 0.0
        return DescentPlan(
            steps=steps,
            step_size=choices.step_size or min(ours.longest_step, travel / steps),
            max_grad_norm=choices.max_grad_norm or ours.clip_norm,
            noise_multiplier=math.sqrt(steps) / mu,
            penalty=penalty if choices.penalty is None else choices.penalty,
        )

    def fit(
        self,
        features: Matrix,
        targets: Matrix,
        plan: DescentPlan,
        *,
        n_rows: int,
        n_models: int,
        rng: np.random.Generator,
        included: Matrix | None = None,
    ) -> LinearModels:
        """Fit models by private descent, each with noise of its own.

        Parameters
        ----------
        features : array of shape (n, d)
            Rows of norm at most 1.
        targets : array of shape (n,)
            Scaled.
        plan : DescentPlan
        n_rows : int
            Public number of rows of each fit.
        n_models : int
        rng : numpy Generator
            Source of the noise.
        included : array of shape (n, n_models) of 0 and 1, optional
            Rows that each fit sees.

        Notes
        -----
        **Privacy.** See :func:`dpcp_core.training.descent.descend`.
        """
        noise = np.full(n_models, plan.noise_multiplier)
        weights = descend(features, targets, plan, n_rows=n_rows, noise_multipliers=noise, rng=rng, included=included)
        return LinearModels(weights)

    def fit_exactly(self, features: Matrix, targets: Matrix, plan: DescentPlan, included: Matrix) -> LinearModels:
        """Solve the normal equations once per model; not private.

        Parameters
        ----------
        features : array of shape (n, d)
        targets : array of shape (n,)
            Scaled.
        plan : DescentPlan
            Of which only the penalty counts.
        included : array of shape (n, n_models) of 0 and 1
            Rows that each fit sees.

        Notes
        -----
        **Privacy.** None: no noise.
        """
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

    def receipt_entry(self, plan: DescentPlan, allocation: Allocation, n_rows: int) -> ReceiptEntry:
        """Return the line of a fit on the receipt.

        Parameters
        ----------
        plan : DescentPlan
        allocation : Allocation
            What training spent; ``mu`` infinite for the exact solution.
        n_rows : int
            Rows that trained.

        Examples
        --------
        >>> from dpcp_core.privacy.allocation import allocate_nothing
        >>> ridge = LeastSquares("ridge", penalised=True)
        >>> ridge.receipt_entry(DescentPlan(10, 1.0, 0.5), allocate_nothing(), 4000).mechanism
        'Least squares, solved exactly'
        """
        reads = f"features and target of {n_rows:,} rows"
        if math.isinf(allocation.mu):
            exact = "Least squares, solved exactly"
            return ReceiptEntry(exact, reads, ONE_ROW, "without bound", math.inf, 0.0, "no noise")
        detail = (
            f"{plan.steps} steps; noise of {plan.noise_multiplier:.4g} times the largest contribution in each, "
            f"together mu = {allocation.mu:.4g} in the sense of Gaussian differential privacy"
        )
        return ReceiptEntry(
            "Private gradient descent on least squares",
            reads,
            ONE_ROW,
            f"{plan.max_grad_norm:g} (length of its clipped gradient), per step",
            allocation.epsilon_1,
            allocation.delta,
            detail,
        )
