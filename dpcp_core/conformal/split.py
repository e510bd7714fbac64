"""Split conformal regression without privacy: the reference that everything private is measured against."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import LinearRegression
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcp_core import _validate as check
from dpcp_core.conformal.rows import split_rows
from dpcp_core.conformal.scores.absolute import around
from dpcp_core.conformal.thresholds import exact_threshold
from dpcp_core.data.target import Floats


class SplitConformalRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Split conformal regression around any scikit-learn regressor; not private.

    1. Draw at random which rows train and which are ranked.
    2. Train the estimator on the first part.
    3. Take the ``ceil((n + 1) * confidence_level)``-th smallest absolute residual of the second part.

    Parameters
    ----------
    estimator : regressor, optional
        None takes ordinary least squares.
    confidence_level : float
        Wanted coverage in (0, 1).
    row_share : float
        Share of the rows that train.
    random_state : int, RandomState or None
        Source of the split; None draws from the operating system.

    Attributes
    ----------
    estimator_ : the fitted regressor
    threshold_ : float
        Half-width; infinite if too few rows are ranked for the confidence level.
    train_rows_, rank_rows_ : int arrays
        Which rows did what.

    Notes
    -----
    **Privacy.** None: the threshold is somebody's exact residual.

    **Guarantee.** Coverage of at least ``confidence_level`` for a new exchangeable row, for every distribution.

    References
    ----------
    Papadopoulos, Proedrou, Vovk and Gammerman (2002), "Inductive confidence machines for regression".

    Examples
    --------
    >>> X = np.arange(40.0)[:, None]; y = 2 * X[:, 0] + np.tile([0.0, 1.0], 20)
    >>> model = SplitConformalRegressor(random_state=0).fit(X, y)
    >>> model.predict_interval(X[:2])[1].shape
    (2, 2, 1)
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        confidence_level: float = 0.9,
        row_share: float = 0.5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.confidence_level = confidence_level
        self.row_share = row_share
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Split, train and rank.

        Parameters
        ----------
        X : array of shape (n, n_features)
        y : array of shape (n,)

        Returns
        -------
        SplitConformalRegressor
            Itself, fitted.

        Raises
        ------
        InputError
            A share out of range, or too few rows to split.
        """
        level = check.share(confidence_level=self.confidence_level)
        share = check.share(row_share=self.row_share)
        values, targets = validate_data(self, X, y, y_numeric=True)
        self.train_rows_, self.rank_rows_ = split_rows(len(values), share, self._generator())
        estimator = LinearRegression() if self.estimator is None else clone(self.estimator)
        self.estimator_ = estimator.fit(values[self.train_rows_], targets[self.train_rows_])
        residuals = np.abs(targets[self.rank_rows_] - self.estimator_.predict(values[self.rank_rows_]))
        self.threshold_ = float(exact_threshold(np.sort(residuals)[:, None], 1 - level, np.inf)[0])
        return self

    def _generator(self) -> np.random.Generator | np.random.RandomState:
        # Without a seed scikit-learn would draw from numpy's global state, which anybody may have set.
        return np.random.default_rng() if self.random_state is None else check_random_state(self.random_state)

    def predict(self, X: Any) -> Floats:
        """Return predictions, shape (n,)."""
        check_is_fitted(self, "threshold_")
        predicted: Floats = self.estimator_.predict(validate_data(self, X, reset=False))
        return predicted

    def predict_interval(self, X: Any) -> tuple[Floats, Floats]:
        """Return predictions, shape (n,), and intervals, shape (n, 2, 1), laid out as in MAPIE."""
        predicted = self.predict(X)
        return predicted, np.stack(around(predicted, self.threshold_), axis=1)[:, :, None]
