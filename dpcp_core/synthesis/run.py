"""One synthesis from settings: what the app and the command line call.

>>> from dpcp_core.data.samples import load_sample
>>> made = synthesize(load_sample("blood_pressure"), SynthesisSettings(task_model="ridge", n_rows=100))
>>> len(made.table), str(made.receipt.total)
(100, 'epsilon = 1, delta = 1e-05')
"""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass

import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.synthesis.dpdsyn import DPDSyn
from dpcp_core.synthesis.report import SynthesisReport
from dpcp_core.synthesis.settings import SynthesisSettings


@dataclass(frozen=True, eq=False)
class Synthesis:
    """A synthetic table and all that belongs to it.

    Attributes
    ----------
    table : DataFrame
    receipt : PrivacyReceipt
    report : SynthesisReport
    schema : Schema
        Of the table: columns that were not made are left out.
    model : DPDSyn
        Fitted, to draw more rows from.
    """

    table: pd.DataFrame
    receipt: PrivacyReceipt
    report: SynthesisReport
    schema: Schema
    model: DPDSyn

    @property
    def seconds_fit(self) -> float:
        """How long reading the rows took."""
        return self.report.seconds_fit

    @property
    def seconds_sample(self) -> float:
        """How long drawing rows took."""
        return self.report.seconds_sample


def synthesize(data: Dataset, settings: SynthesisSettings, public: pd.DataFrame | None = None) -> Synthesis:
    """Fit and draw once.

    Parameters
    ----------
    data : Dataset
    settings : SynthesisSettings
    public : DataFrame, optional
        Public rows for ``attributes="public"``.

    Raises
    ------
    InputError
        See :class:`dpcp_core.synthesis.dpdsyn.DPDSyn`.
    """
    known = inspect.signature(DPDSyn).parameters
    given = {name: value for name, value in vars(settings).items() if name in known}
    seed = settings.seed if settings.mode == "simulation" else None
    model = DPDSyn(schema=data.schema, random_state=seed, **given).fit(data.frame, public=public)
    table = model.sample(settings.n_rows)
    made = dataclasses.replace(
        model.schema_, columns=tuple(column for column in model.schema_.columns if column.name in table.columns)
    )
    return Synthesis(table, model.receipt_, model.report_, made, model)
