"""Conformal regressors with scikit-learn's conventions.

How sure is a private prediction?

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(4000, 2)); y = X @ [1.0, -1.0] + 0.3 * rng.normal(size=4000)
>>> model = DPCPRegressor(epsilon=1.0, bounds_X=(-3, 3), bounds_y=(-5, 5), random_state=0).fit(X, y)
>>> y_pred, intervals = model.predict_interval(X[:3])
>>> intervals.shape
(3, 2, 1)
>>> model.certificate_.holds, str(model.receipt_.total)
(True, 'epsilon = 1, delta = 1e-05')
"""

from __future__ import annotations

import dataclasses
from types import MethodType
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from dpcp_core import _validate as check
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.columns import fit_columns
from dpcp_core.conformal.procedure import run_procedure
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.split import SplitConformalRegressor
from dpcp_core.data.encoding import Floats, encode
from dpcp_core.data.schema import Schema
from dpcp_core.privacy.randomness import refuse_seed, release_generator, simulation_generator

__all__ = ["DPCPRegressor", "PrivateSplitConformalRegressor", "SplitConformalRegressor"]


class _ScoreParameter:
    """Lets the parameter ``score`` live beside scikit-learn's method ``score``.

    Assigning stores the parameter, ``get_params`` returns it, and reading the attribute gives the method.
    """

    def __set__(self, estimator: Any, value: Any) -> None:
        estimator.__dict__["score"] = value

    def __get__(self, estimator: Any, owner: type) -> Any:
        return RegressorMixin.score if estimator is None else MethodType(RegressorMixin.score, estimator)


class DPCPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Differentially private conformal regression: a private model, and an interval of certified coverage.

    1. Encode rows by the public schema (bounds, typical ranges, categories); every row gets norm at most 1.
    2. Divide the budget between training and the quantile.
    3. Train privately on all rows.
    4. Score all rows by their absolute residual.
    5. Work out what ranking rows that trained costs: a lower level, or a public widening.
    6. Draw the threshold privately on a public grid.

    Parameters
    ----------
    epsilon, delta : float
        Total privacy budget; epsilon above 0, delta in (0, 1).
    confidence_level : float
        Wanted coverage in (0, 1).
    schema : Schema, optional
        What is publicly known about the columns, the target among them. Frames are read by column name, arrays in
        the order of the schema's features.
    bounds_X : pair, optional
        Without a schema: lowest and highest value of the features, each a number or one number per column.
    bounds_y : pair of float, optional
        Without a schema: lowest and highest value of the target.
    trainer : str
        ``ridge`` or ``ols``.
    training_share : float
        Share of epsilon for training.
    loss, stability, guarantee, composition, bins, grid, score, smallest_width
        See :class:`dpcp_core.experiments.settings.ConformalSettings`.
    row_share : float
        Share of rows that train where ``stability="split"``.
    steps, step_size, max_grad_norm, penalty : optional
        Public hyper-parameters of training; None takes the public default.
    mode : str
        ``simulation`` (seeded, never private) or ``release`` (the operating system's randomness, no seed).
    random_state : int, optional
        Seed of a simulation; a release refuses one.

    Attributes
    ----------
    threshold_ : float
        Released half-width, the public widening included.
    receipt_ : PrivacyReceipt
    certificate_ : CoverageCertificate
    schema_ : Schema
        What the columns were read by.
    n_features_in_ : int

    Raises
    ------
    InputError
        A value out of range, or data that cannot be used.
    NotPrivateError
        In release mode: something that is not private, such as bounds read off the rows.

    Notes
    -----
    **Privacy.** (epsilon, delta) for the model and the threshold together; neighbours differ in one row being there
    or empty, the number of rows is public.

    **Guarantee.** With ``guarantee="certified"``: a new exchangeable row's target, clipped to its public bounds,
    lies in its interval with probability at least ``confidence_level``, for every distribution and every n.

    References
    ----------
    Wu et al. (2026), "Differentially private conformal prediction", arXiv 2604.14621, for the idea; docs/guarantees.md
    for the proofs of what is different here.
    """

    score = _ScoreParameter()
    _always_splits = False

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        confidence_level: float = 0.9,
        schema: Schema | None = None,
        bounds_X: Any = None,
        bounds_y: Any = None,
        trainer: str = "ridge",
        training_share: float = 0.5,
        loss: str = "bracket",
        stability: str = "best",
        guarantee: str = "certified",
        composition: str = "tight",
        bins: int | str = 100,
        grid: str = "geometric",
        score: str = "absolute",
        smallest_width: float | None = None,
        row_share: float = 0.5,
        steps: int | None = None,
        step_size: float | None = None,
        max_grad_norm: float | None = None,
        penalty: float | None = None,
        mode: str = "simulation",
        random_state: int | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.confidence_level = confidence_level
        self.schema = schema
        self.bounds_X = bounds_X
        self.bounds_y = bounds_y
        self.trainer = trainer
        self.training_share = training_share
        self.loss = loss
        self.stability = stability
        self.guarantee = guarantee
        self.composition = composition
        self.bins = bins
        self.grid = grid
        self.score = score
        self.smallest_width = smallest_width
        self.row_share = row_share
        self.steps = steps
        self.step_size = step_size
        self.max_grad_norm = max_grad_norm
        self.penalty = penalty
        self.mode = mode
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        params: dict[str, Any] = super().get_params(deep)
        return params | {"score": vars(self)["score"]} if "score" in params else params

    def fit(self, X: Any, y: Any) -> Self:
        """Train on all rows and draw the threshold.

        Parameters
        ----------
        X : frame or array of shape (n, n_features)
        y : array of shape (n,)

        Returns
        -------
        DPCPRegressor
            Itself, fitted.
        """
        refuse_seed(self.mode, self.random_state)
        choices = self._choices()
        columns, frame = fit_columns(self, X, y)
        table = encode(frame, columns.schema, columns.target)
        procedure = run_procedure(table, columns.schema, choices, self._generator(), self.mode)
        # All at the end: a fit that fails leaves the last one whole.
        self._columns, self._procedure, self.schema_ = columns, procedure, columns.schema
        self.threshold_ = procedure.threshold
        self.receipt_ = procedure.receipt
        self.certificate_ = procedure.certificate
        return self

    def predict(self, X: Any) -> Floats:
        """Return predictions in target units, shape (n,)."""
        check_is_fitted(self, "threshold_")
        table = encode(self._columns.read(self, X), self.schema_)
        return self._procedure.predict(table.features)

    def predict_interval(self, X: Any) -> tuple[Floats, Floats]:
        """Return predictions and their intervals.

        Parameters
        ----------
        X : frame or array of shape (n, n_features)

        Returns
        -------
        y_pred : array of shape (n,)
        intervals : array of shape (n, 2, 1)
            Lower and upper ends, within the target's public bounds; laid out as in MAPIE.
        """
        predicted = self.predict(X)
        score = SCORES[vars(self)["score"]]
        ends = score.interval(predicted, self.threshold_, self._procedure.scale)
        return predicted, np.stack(ends, axis=1)[:, :, None]

    def _choices(self) -> ConformalChoices:
        # The attributes themselves: a subclass may fix a parameter and leave it out of its signature.
        names = {field.name for field in dataclasses.fields(ConformalChoices)} - {"method"}
        given = {name: vars(self)[name] for name in names}
        return ConformalChoices(**given | ({"stability": "split"} if self._always_splits else {}))

    def _generator(self) -> np.random.Generator:
        if self.mode == "release":
            return release_generator()
        if self.random_state is None:
            return np.random.default_rng()
        return simulation_generator(check.whole(at_least=0, random_state=self.random_state))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Noise decides the quality of a private model of a few rows.
        tags.regressor_tags.poor_score = True
        return tags


class PrivateSplitConformalRegressor(DPCPRegressor):
    """Private split conformal regression: one part of the rows trains, the other is ranked.

    The parts are disjoint, so each may spend the whole budget (parallel composition). Parameters, attributes and
    guarantee are those of :class:`DPCPRegressor`; ``stability``, ``training_share`` and ``composition`` play no part.

    References
    ----------
    Angelopoulos, Bates, Zrnic and Jordan (2022), "Private prediction sets", arXiv 2102.06202, for the procedure.
    """

    _always_splits = True
