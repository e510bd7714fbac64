"""What one table is worth, as it is kept on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from dpcp_core import __version__
from dpcp_core.evaluation.utility.scores import ClassScores
from dpcp_core.experiments.reproduce_synthesis.plan import Cell


@dataclass(frozen=True)
class ModelScores:
    """One model: trained on the synthetic table, and on the real rows that it was made from.

    Attributes
    ----------
    name : str
    on_synthetic, on_real : ClassScores
        On rows that were held out.
    """

    name: str
    on_synthetic: ClassScores
    on_real: ClassScores


@dataclass(frozen=True)
class Measurement:
    """One cell.

    Attributes
    ----------
    cell : Cell
    n_train, n_test, n_leaked : int
        Rows that the table was made from, rows held out, and how many of the latter equal one of the former.
    is_private : bool
        Whether the receipt names a finite epsilon.
    models : tuple of ModelScores
    guess : ClassScores or None
        Of the most frequent class.
    label_rate, real_label_rate : float
        Share of the class that F1 is about.
    feature_error, two_way_error : float
        Mean total variation over the features one by one; over pairs of columns.
    seconds : float
        From the rows to the table, while other cells may have been running; of a rival that was stopped, until then.
    problem : str
        Why there is no table, in one sentence; "" if there is one.
    is_timeout : bool
    """

    cell: Cell
    n_train: int
    n_test: int
    n_leaked: int
    is_private: bool
    models: tuple[ModelScores, ...]
    guess: ClassScores | None
    label_rate: float
    real_label_rate: float
    feature_error: float
    two_way_error: float
    seconds: float
    problem: str = ""
    is_timeout: bool = False

    def model(self, name: str) -> ModelScores | None:
        """Return the scores of one model, or None."""
        return next((model for model in self.models if model.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the measurement that ``to_dict`` described."""
        guess = values["guess"]
        return cls(**{
            **values,
            "cell": Cell(**values["cell"]),
            "models": tuple(
                ModelScores(one["name"], ClassScores(**one["on_synthetic"]), ClassScores(**one["on_real"]))
                for one in values["models"]
            ),
            "guess": None if guess is None else ClassScores(**guess),
        })  # fmt: skip


def cell_key(digest: str, cell: Cell, models: tuple[str, ...], timeout: float) -> str:
    """Return the name under which a cell is kept: a digest of table, cell, models, time-out and version."""
    said = json.dumps([__version__, digest, asdict(cell), models, timeout], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
