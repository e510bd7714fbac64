"""Trainers by name; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcp_core.training.linear import LeastSquares
from dpcp_core.training.protocol import Trainer

TRAINERS: Mapping[str, Trainer[Any]] = {
    trainer.name: trainer
    for trainer in (
        LeastSquares("ols", penalised=False),
        LeastSquares("ridge", penalised=True),
    )
}
