"""Trainers by name; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcp_core.training.adassp import AdaSSP
from dpcp_core.training.classifiers import LINEAR_SVM, LOGISTIC, SOFTMAX
from dpcp_core.training.lasso import Lasso
from dpcp_core.training.linear import LeastSquares
from dpcp_core.training.mlp import Mlp
from dpcp_core.training.objective_perturbation import ObjectivePerturbation
from dpcp_core.training.opacus_modules import CNN, FT_TRANSFORMER, OpacusTrainer
from dpcp_core.training.output_perturbation import OutputPerturbation
from dpcp_core.training.posterior import PosteriorSample
from dpcp_core.training.protocol import Task, Trainer

TRAINERS: Mapping[str, Trainer[Any]] = {
    trainer.name: trainer
    for trainer in (
        LeastSquares("ols", penalised=False),
        LeastSquares("ridge", penalised=True),
        Lasso(),
        LOGISTIC,
        SOFTMAX,
        LINEAR_SVM,
        Mlp(),
        FT_TRANSFORMER,
        CNN,
        OutputPerturbation(),
        ObjectivePerturbation(),
        AdaSSP(),
        PosteriorSample(),
    )
}


def is_dense(name: str) -> bool:
    """Whether a trainer's models are dense layers, one or more, that numpy alone can predict with.

    >>> is_dense("ridge"), is_dense("ft_transformer")
    (True, False)
    """
    return not isinstance(TRAINERS[name], OpacusTrainer)


def default_trainer(task: Task, n_classes: int = 0) -> str:
    """Return the trainer that is taken where nobody chooses; two classes need one vector of weights, more need several.

    >>> default_trainer("regression"), default_trainer("classification", 2), default_trainer("classification", 10)
    ('ridge', 'logistic', 'softmax')
    """
    if task == "regression":
        return "ridge"
    return "logistic" if n_classes == 2 else "softmax"
