"""The models that somebody might train on a synthetic table.

>>> list(DOWNSTREAM)
['logistic', 'mlp', 'svm', 'ft_transformer']

A model is one function from training rows to a predictor, and one line in ``DOWNSTREAM``. Rows come as
:func:`dpcp_core.data.encoding.encode` makes them from the public schema; scaling beyond that is learnt from the rows
that a model is trained on, as whoever holds only the synthetic table would do it. None of these models is private, nor
needs to be: what they are trained on is.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dpcp_core._arrays import Floats
from dpcp_core._threads import one_thread

Features: TypeAlias = npt.NDArray[np.float32]
Predictor: TypeAlias = Callable[[Features], Floats]
"""Features (m, d) to ranks of shape (m, K), or scaled numbers of shape (m,)."""

# Steps that a small network needs at least, however few rows it gets, and passes over the rows.
_STEPS, _FEWEST_EPOCHS, _MOST_EPOCHS, _BATCH = 2500, 10, 200, 256
_HIDDEN = (64,)
# Rows that the transformer sees, counted as often as it sees them: attention takes most of a millisecond for each.
_VISITS = 100_000


@dataclass(frozen=True)
class TrainingRows:
    """What a downstream model learns from.

    Attributes
    ----------
    features : float32 array of shape (n, d)
        First column constant, rows of norm at most 1.
    target : array of shape (n,)
        Class codes, or numbers in typical half-widths from the centre.
    n_classes : int
        0 for numbers. Not every class need be there.
    seed : int
    """

    features: Features
    target: npt.NDArray[Any]
    n_classes: int
    seed: int


@dataclass(frozen=True)
class Downstream:
    """A kind of model.

    Attributes
    ----------
    name : str
    title, number_title : str
        What it is called where it predicts classes, and numbers.
    sentence : str
    fit : function from TrainingRows to a predictor
        Needs two classes or more among the rows.
    """

    name: str
    title: str
    number_title: str
    sentence: str
    fit: Callable[[TrainingRows], Predictor]

    def titled(self, n_classes: int) -> str:
        """Return its title for a target with so many classes, 0 for a number."""
        return self.title if n_classes else self.number_title


def constant(rows: TrainingRows) -> Predictor:
    """Return the model that ignores the features: the most frequent class, or the mean."""
    if not rows.n_classes:
        mean = float(rows.target.mean())
        return lambda features: np.full(len(features), mean)
    ranks = np.zeros(rows.n_classes)
    ranks[np.bincount(rows.target, minlength=rows.n_classes).argmax()] = 1.0
    return lambda features: np.tile(ranks, (len(features), 1))


def _logistic(rows: TrainingRows) -> Predictor:
    from sklearn.linear_model import LogisticRegression, Ridge

    if rows.n_classes:
        return _scaled(LogisticRegression(max_iter=300), rows)
    return _scaled(Ridge(), rows)


def _svm(rows: TrainingRows) -> Predictor:
    from sklearn.svm import LinearSVC, LinearSVR

    if rows.n_classes:
        return _scaled(LinearSVC(dual=False, C=0.1, random_state=rows.seed), rows)
    loss = "squared_epsilon_insensitive"
    return _scaled(LinearSVR(dual=False, loss=loss, C=0.1, random_state=rows.seed), rows)


def _mlp(rows: TrainingRows) -> Predictor:
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    n_rows = len(rows.features)
    epochs = math.ceil(_STEPS / math.ceil(n_rows / _BATCH))
    settings = {
        "hidden_layer_sizes": _HIDDEN,
        "batch_size": min(_BATCH, n_rows),
        "max_iter": min(max(epochs, _FEWEST_EPOCHS), _MOST_EPOCHS),
        "random_state": rows.seed,
    }
    return _scaled(MLPClassifier(**settings) if rows.n_classes else MLPRegressor(**settings), rows)


def _ft_transformer(rows: TrainingRows) -> Predictor:
    from dpcp_core.privacy.spending import TrainingBudget
    from dpcp_core.training.mlp_plan import TwinDefaults
    from dpcp_core.training.opacus_modules import FT_TRANSFORMER
    from dpcp_core.training.protocol import ProblemSize, TrainingChoices

    n_rows, n_features = rows.features.shape
    usual = TwinDefaults()
    epochs = min(max(math.ceil(_VISITS / n_rows), 1), usual.epochs)
    trainer = replace(FT_TRANSFORMER, twin=replace(usual, epochs=epochs))
    plan = trainer.plan(
        ProblemSize(n_rows, n_features, rows.n_classes), TrainingBudget(math.inf, 1e-5), TrainingChoices()
    )
    models = trainer.fit_exactly(rows.features, rows.target, plan, np.ones((n_rows, 1), dtype=np.float32))
    return lambda features: _first(models.predict(features), rows.n_classes)


def _first(predicted: Any, n_classes: int) -> Floats:
    outputs: Floats = np.asarray(predicted, dtype=np.float64)[:, 0]
    return outputs if n_classes else outputs[:, 0]


def _scaled(model: Any, rows: TrainingRows) -> Predictor:
    """Fit a scikit-learn model on columns of mean 0 and variance 1."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    fitted = make_pipeline(StandardScaler(), model)
    with warnings.catch_warnings(), one_thread():
        # A public number of steps is all that these models get.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted.fit(rows.features[:, 1:].astype(np.float64), rows.target)
    return lambda features: _outputs(fitted, features[:, 1:].astype(np.float64), rows.n_classes)


def _outputs(fitted: Any, features: Floats, n_classes: int) -> Floats:
    if not n_classes:
        return np.asarray(fitted.predict(features), dtype=np.float64)
    if hasattr(fitted, "predict_proba"):
        found = fitted.predict_proba(features)
    else:
        found = fitted.decision_function(features)
        found = np.column_stack([-found, found]) if found.ndim == 1 else found
    # A class that no training row had ranks below all others.
    ranks = np.full((len(features), n_classes), found.min() - 1.0)
    ranks[:, fitted.classes_] = found
    return ranks


DOWNSTREAM: dict[str, Downstream] = {
    model.name: model
    for model in (
        Downstream("logistic", "logistic regression", "ridge regression", "A linear model.", _logistic),
        Downstream("mlp", "neural network", "neural network", "A network with one hidden layer of 64 units.", _mlp),
        Downstream("svm", "linear SVM", "linear SVM", "A linear support vector machine.", _svm),
        Downstream(
            "ft_transformer",
            "FT-Transformer",
            "FT-Transformer",
            "A small transformer whose tokens are the table's columns.",
            _ft_transformer,
        ),
    )
}
