"""Trainers by name; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcp_core.training.classifiers import LINEAR_SVM, LOGISTIC, SOFTMAX
from dpcp_core.training.linear import LeastSquares
from dpcp_core.training.protocol import Task, Trainer

TRAINERS: Mapping[str, Trainer[Any]] = {
    trainer.name: trainer
    for trainer in (
        LeastSquares("ols", penalised=False),
        LeastSquares("ridge", penalised=True),
        LOGISTIC,
        SOFTMAX,
        LINEAR_SVM,
    )
}

DEFAULT_TRAINERS: Mapping[Task, str] = {"regression": "ridge", "classification": "softmax"}
"""What is taken where nobody chooses."""
