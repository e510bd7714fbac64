"""A conformal classifier with scikit-learn's conventions.

Which diagnoses cannot be ruled out, and how private is that?

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(4000, 2)); y = np.where(X[:, 0] + 0.5 * rng.normal(size=4000) > 0, "ill", "well")
>>> model = DPCPClassifier(epsilon=1.0, bounds_X=(-3, 3), classes=["ill", "well"], random_state=0).fit(X, y)
>>> y_pred, sets = model.predict_set(X[:3])
>>> sets.shape, model.certificate_.holds
((3, 2, 1), True)
"""

from __future__ import annotations

from typing import Any, Self

import numpy.typing as npt
from sklearn.base import ClassifierMixin

from dpcp_core._arrays import Booleans
from dpcp_core.conformal.base import ConformalEstimator, ScoreParameter
from dpcp_core.conformal.class_columns import read_classes
from dpcp_core.conformal.regions import LabelSets
from dpcp_core.conformal.shift import Shift
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import Floats

__all__ = ["DPCPClassifier"]


class DPCPClassifier(ClassifierMixin, ConformalEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Differentially private conformal classification: a private model, and sets of classes of certified coverage.

    1. Encode rows by the public schema (bounds, typical ranges, categories); every row gets norm at most 1.
    2. Divide the budget between training and the quantile.
    3. Train privately on all rows.
    4. Score all rows by how unlikely the model finds their true class.
    5. Work out what ranking rows that trained costs: a lower level, or a public widening.
    6. Draw the threshold privately on a public grid; a set holds every class whose score is at most that.

    Parameters
    ----------
    epsilon, delta : float
        Total privacy budget; epsilon above 0, delta in (0, 1).
    confidence_level : float
        Wanted coverage in (0, 1).
    schema : Schema, optional
        What is publicly known about the columns, the target and its categories among them.
    bounds_X : pair, optional
        Without a schema: lowest and highest value of the features, each a number or one number per column.
    classes : sequence, optional
        Without a schema: all classes that are possible.
    trainer : str
        A name in the trainer registry that predicts classes; ``auto`` takes ``logistic`` for two, else ``softmax``.
    score : str
        ``probability``, ``aps`` or ``aps_randomized``.
    allow_empty : bool
        Whether a set may be empty; otherwise the likeliest class is put into it.
    training_share : float
        Share of epsilon for training.
    loss, stability, guarantee, composition, bins, grid, bound_share, by_group, smallest_width
        See :class:`dpcp_core.experiments.settings.ConformalSettings`.
    bounds_epsilon : float
        Part of epsilon that buys the bounds of features for which nobody gives public ones; 0 buys none.
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
    classes_ : array of shape (K,)
        In the order of the columns of every answer.
    threshold_ : float
        Released threshold in [0, 1], the public widening included.
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
        In release mode: something that is not private, such as classes read off the rows.

    Notes
    -----
    **Privacy.** (epsilon, delta) for the model and the threshold together; neighbours differ in one row being there
    or empty, the number of rows is public.

    **Guarantee.** With ``guarantee="certified"``: a new exchangeable row's class lies in its set with probability at
    least ``confidence_level``, for every distribution and every n.

    References
    ----------
    Wu et al. (2026), "Differentially private conformal prediction", arXiv 2604.14621, for the idea; docs/guarantees.md
    for the proofs of what is different here.
    """

    score = ScoreParameter(ClassifierMixin)
    _task = "classification"

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        confidence_level: float = 0.9,
        schema: Schema | None = None,
        bounds_X: Any = None,
        classes: Any = None,
        trainer: str = "auto",
        training_share: float = 0.5,
        loss: str = "one_sided",
        stability: str = "best",
        guarantee: str = "certified",
        composition: str = "tight",
        bins: int | str = 100,
        grid: str = "geometric",
        score: str = "probability",
        smallest_width: float | None = None,
        bound_share: float = 0.0,
        by_group: bool = False,
        bounds_epsilon: float = 0.0,
        allow_empty: bool = False,
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
            Classes.
        public : pair (X, y), optional
            Public rows that training starts from; they cost nothing.
        weights : array of shape (n,), optional
            How much more often such a row is met in another population, for which the threshold then is: a public
            function of the row, from 0 to ``largest_weight``. Needs ``stability="split"``.
        largest_weight : float, optional
            Public bound of the weights.

        Returns
        -------
        DPCPClassifier
            Itself, fitted.
        """
        shift = None if weights is None else Shift(weights, largest_weight)
        self._fit(X, y, public, read_classes, shift=shift)
        self.classes_ = self._seen_classes
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return probabilities, shape (n, K), in the order of ``classes_``."""
        return self._outputs(X)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the likeliest class of each row, shape (n,)."""
        likeliest = self._outputs(X).argmax(axis=1)
        named: npt.NDArray[Any] = self.classes_[likeliest]
        return named

    def predict_set(self, X: Any) -> tuple[npt.NDArray[Any], Booleans]:
        """Return the likeliest classes and the sets.

        Parameters
        ----------
        X : frame or array of shape (n, n_features)

        Returns
        -------
        y_pred : array of shape (n,)
        sets : bool array of shape (n, K, 1)
            Which of ``classes_`` cannot be ruled out; laid out as in MAPIE.
        """
        outputs = self._outputs(X)
        region = self._region(X, outputs)
        assert isinstance(region, LabelSets)
        return self.classes_[outputs.argmax(axis=1)], region.members.transpose(0, 2, 1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Noise decides the quality of a private model of a few rows.
        tags.classifier_tags.poor_score = True
        return tags
