"""Fitted torch modules, kept as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcp_core.training.module_checks import MakeModule, load_weights, torch_on_its_own
from dpcp_core.training.protocol import Matrix, ProblemSize, TrainingTrace, Weights

_PREDICTED_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class ModuleModels:
    """Fitted modules of one kind.

    Attributes
    ----------
    make_module : function from ProblemSize to a torch module
    size : ProblemSize
    fitted : tuple of Weights
        One for each model.
    trace : TrainingTrace or None
    """

    make_module: MakeModule
    size: ProblemSize
    fitted: tuple[Weights, ...]
    trace: TrainingTrace | None = None

    def predict(self, features: Matrix) -> Matrix:
        """Return scaled numbers or probabilities, shape (rows, models, outputs)."""
        with torch_on_its_own(0):
            module = self.make_module(self.size).eval()
        outputs = []
        for weights in self.fitted:
            load_weights(module, weights)
            outputs.append(_predicted(module, features, self.size))
        return np.stack(outputs, axis=1)

    def weights(self, model: int = 0) -> Weights:
        """Return the weights of one model, in the order of the module's parameters."""
        return self.fitted[model]

    def layers(self, model: int = 0) -> None:  # noqa: ARG002 - the protocol's
        """Return None: it has more than dense layers."""
        return


def _predicted(module: Any, features: Matrix, size: ProblemSize) -> Matrix:
    import torch

    rows = torch.from_numpy(np.ascontiguousarray(features, dtype=np.float32))
    with torch.inference_mode():
        parts = [module(part) for part in torch.split(rows, _PREDICTED_AT_ONCE)]
        outputs = torch.cat(parts).double()
        predicted: Matrix = (outputs.softmax(1) if size.n_classes else outputs).numpy()
    return predicted
