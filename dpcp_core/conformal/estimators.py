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

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from dpcp_core.conformal.base import ConformalEstimator, ScoreParameter
from dpcp_core.conformal.regions import Intervals
from dpcp_core.conformal.shift import Shift
from dpcp_core.conformal.split import SplitConformalRegressor
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import Floats

__all__ = ["DPCPRegressor", "PrivateSplitConformalRegressor", "SplitConformalRegressor"]


class DPCPRegressor(RegressorMixin, ConformalEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Differentially private conformal regression: a private model, and an interval of certified coverage.

    1. Encode rows by the public schema (bounds, typical ranges, categories); every row gets norm at most 1.
    2. Divide the budget between training and the quantile.
    3. Train privately on all rows.
    4. Score all rows by their residual.
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
        A name in the trainer registry that predicts numbers.
    training_share : float
        Share of epsilon for training.
    loss, stability, guarantee, composition, bins, grid, bound_share, by_group, score, smallest_width
        See :class:`dpcp_core.experiments.settings.ConformalSettings`.
    bounds_epsilon : float
        Part of epsilon that buys the bounds of columns, target included, for which nobody gives public ones; 0 buys
        none.
    row_share : float
        Share of rows that train where ``stability="split"``.
    steps, step_size, max_grad_norm, penalty, noise_multiplier, sampling_rate, batch_size, epochs, warmup_share, decay
        Public hyper-parameters of training, see :class:`dpcp_core.training.protocol.TrainingChoices`; None takes the
        trainer's public default.
    mode : str
        ``simulation`` (seeded, never private) or ``release`` (the operating system's randomness, no seed).
    random_state : int, optional
        Seed of a simulation; a release refuses one.

    Attributes
    ----------
    threshold_ : float
        Released threshold, the public widening included: a half-width, or with ``score="normalized"`` a multiple of
        the spread.
    group_thresholds_ : mapping of group to float
        With ``by_group``, the threshold of each public group; ``threshold_`` is that of the largest.
    group_certificates_ : mapping of group to CoverageCertificate
        With ``by_group``, what is promised within each group; ``certificate_`` is that of the largest.
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

    score = ScoreParameter(RegressorMixin)
    _task = "regression"

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
        loss: str = "one_sided",
        stability: str = "best",
        guarantee: str = "certified",
        composition: str = "tight",
        bins: int | str = 100,
        grid: str = "geometric",
        score: str = "absolute",
        smallest_width: float | None = None,
        bound_share: float = 0.0,
        by_group: bool = False,
        bounds_epsilon: float = 0.0,
        row_share: float = 0.5,
        steps: int | None = None,
        step_size: float | None = None,
        max_grad_norm: float | None = None,
        penalty: float | None = None,
        noise_multiplier: float | None = None,
        sampling_rate: float | None = None,
        batch_size: int | None = None,
        epochs: float | None = None,
        warmup_share: float = 0.0,
        decay: str = "constant",
        mode: str = "simulation",
        random_state: int | None = None,
    ) -> None:
        self._keep(locals())

    def fit(
        self, X: Any, y: Any, *, public: tuple[Any, Any] | None = None, weights: Any = None, largest_weight: Any = None
    ) -> Self:
        """Train on all rows and draw the threshold.

        Parameters
        ----------
        X : frame or array of shape (n, n_features)
        y : array of shape (n,)
        public : pair (X, y), optional
            Public rows that training starts from; they cost nothing.
        weights : array of shape (n,), optional
            How much more often such a row is met in another population, for which the threshold then is: a public
            function of the row, from 0 to ``largest_weight``. Needs ``stability="split"``.
        largest_weight : float, optional
            Public bound of the weights.

        Returns
        -------
        DPCPRegressor
            Itself, fitted.
        """
        shift = None if weights is None else Shift(weights, largest_weight)
        self._fit(X, y, public, shift=shift)
        return self

    def predict(self, X: Any) -> Floats:
        """Return predictions in target units, shape (n,)."""
        return self._outputs(X)[:, 0]

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
        outputs = self._outputs(X)
        region = self._region(X, outputs)
        assert isinstance(region, Intervals)
        return outputs[:, 0], np.stack([region.lower, region.upper], axis=1)

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
