"""A bundle that was opened: predictions of new rows, as the estimator that made it would give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpcp_core.data.classes import group_codes
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.release import predict_script as script

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a bundle says of new rows.

    Attributes
    ----------
    table : DataFrame
        Row by row: ``prediction, lower, upper``; or ``prediction, set`` and the probability of each class.
    """

    table: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Bundle:
    """A released model with its threshold.

    Attributes
    ----------
    model, arrays
        See :class:`dpcp_core.release.model_file.ModelFile`.
    schema : Schema
        What columns hold.
    receipt : PrivacyReceipt
    certificate : mapping
        What is promised, see :class:`dpcp_core.conformal.certificate.CoverageCertificate`.
    """

    model: Mapping[str, Any]
    arrays: Mapping[str, Floats]
    schema: Schema
    receipt: PrivacyReceipt
    certificate: Mapping[str, Any]

    def predict(self, frame: pd.DataFrame) -> Predictions:
        """Return predictions with their intervals or sets.

        Parameters
        ----------
        frame : DataFrame of n rows
            With the features of the schema, and the group where groups have thresholds of their own.

        Raises
        ------
        InputError
            A column that is missing, or a cell that cannot be read.
        """
        needed = [column.name for column in self.schema.features]
        needed += [self.model["group"]] if "group" in self.model else []
        absent = [name for name in needed if name not in frame.columns]
        if absent:
            raise InputError(f"The table has no column {absent[0]!r}, which the bundle predicts from; add it.")
        features = encode(frame, self.schema).features.astype(np.float64)
        outputs = script.predicted(features, self.model, self.arrays)
        names, rows = script.answers(outputs, self._thresholds(frame), self.model)
        return Predictions(pd.DataFrame(rows, columns=pd.Index(names)))

    def _thresholds(self, frame: pd.DataFrame) -> Floats:
        if "group" not in self.model:
            return np.full(len(frame), self.model["threshold"])
        column = self.schema.group
        assert column is not None
        own = np.array([self.model["thresholds"][name] for name in column.categories], dtype=np.float64)
        return own[group_codes(frame[column.name].reset_index(drop=True), column)]
