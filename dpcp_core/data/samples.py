"""Tables to start with: three simulated cohorts, and two real ones that come with scikit-learn.

>>> load_sample("blood_pressure")  # doctest: +ELLIPSIS
Dataset('blood_pressure', 4,000 rows x 12 columns, digest ...)
>>> load_sample("blood pressure")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: There is no sample 'blood pressure' (did you mean 'blood_pressure'?); ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from dpcp_core.data.column import did_you_mean
from dpcp_core.data.dataset import Dataset, ReadingReport
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError


@dataclass(frozen=True)
class Sample:
    """One table to start with.

    Attributes
    ----------
    name : str
        What ``load_sample`` takes.
    title, sentence : str
        What a person reads.
    target : str
        The column that is predicted.
    task : {"regression", "classification"}
        Whether the target is a number or a class.
    n_rows : int
    source : str
        Where the rows come from.
    """

    name: str
    title: str
    sentence: str
    target: str
    task: Literal["regression", "classification"]
    n_rows: int
    source: str

    @property
    def simulated(self) -> bool:
        """Whether no real person is in the table."""
        return self.source == _SIMULATED


_SIMULATED = "simulated, no real person (CC0)"

SAMPLES: tuple[Sample, ...] = (
    Sample(
        name="blood_pressure",
        title="Blood pressure",
        sentence="Predict the systolic blood pressure of 4,000 simulated outpatients.",
        target="systolic",
        task="regression",
        n_rows=4_000,
        source=_SIMULATED,
    ),
    Sample(
        name="length_of_stay",
        title="Length of stay",
        sentence="Predict how many days 6,000 simulated patients stay in hospital; a few stay very long.",
        target="days",
        task="regression",
        n_rows=6_000,
        source=_SIMULATED,
    ),
    Sample(
        name="readmission",
        title="Readmission",
        sentence="Predict which of 8,000 simulated patients come back to hospital within 30 days.",
        target="readmitted",
        task="classification",
        n_rows=8_000,
        source=_SIMULATED,
    ),
    Sample(
        name="diabetes",
        title="Diabetes progression",
        sentence="Predict how the diabetes of 442 real patients progressed; few rows, so privacy is costly.",
        target="progression",
        task="regression",
        n_rows=442,
        source="scikit-learn's bundled diabetes table (Efron and others, 2004)",
    ),
    Sample(
        name="breast_cancer",
        title="Breast cancer",
        sentence="Predict whether each of 569 real biopsies is malignant, from measurements of cell nuclei.",
        target="diagnosis",
        task="classification",
        n_rows=569,
        source="scikit-learn's bundled breast cancer table (Wolberg and others, 1995)",
    ),
)


def load_sample(name: str) -> Dataset:
    """Load one of the samples, with a complete public schema.

    Parameters
    ----------
    name
        ``"blood_pressure"``, ``"length_of_stay"``, ``"readmission"``, ``"diabetes"`` or ``"breast_cancer"``.

    Returns
    -------
    Dataset
        Its schema has a target, and bounds or categories for every column.

    Raises
    ------
    InputError
        If there is no such sample; the sentence lists them.

    Notes
    -----
    **Privacy**: bounds, typical ranges and categories are public knowledge; each schema names its source.

    >>> load_sample("diabetes").schema.target.bounds
    (0.0, 400.0)
    """
    sample = next((sample for sample in SAMPLES if sample.name == name), None)
    if sample is None:
        known = [sample.name for sample in SAMPLES]
        hint = did_you_mean(str(name), known)
        raise InputError(f"There is no sample {name!r}{hint}; the samples are: {', '.join(known)}.")
    frame = _BUNDLED[name]() if name in _BUNDLED else _read(name)
    schema = Schema.from_toml(_folder() / f"{name}.toml")
    report = ReadingReport.of(frame, notes=_notes(sample, frame), source=sample.source)
    return Dataset.from_frame(frame, schema, name, report)


def _notes(sample: Sample, frame: pd.DataFrame) -> tuple[str, ...]:
    empty = int(frame.isna().to_numpy().sum())
    gaps = f"{empty:,} cells are empty, as in real records." if empty else "No cell is empty."
    return (f"A sample with a complete public description; its source: {sample.source}.", gaps)


def _folder() -> Path:
    package = Path(__file__).resolve().parents[1]
    # An installed copy carries the samples inside the package, a source checkout beside it.
    inside = package / "sample_data"
    return inside if inside.is_dir() else package.parent / "sample_data"


def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(_folder() / f"{name}.csv", keep_default_na=False, na_values=[""])


def _diabetes() -> pd.DataFrame:
    from sklearn.datasets import load_diabetes

    frame: pd.DataFrame = load_diabetes(as_frame=True, scaled=False).frame
    whole = frame.astype({"age": np.int64, "sex": np.int64})
    return whole.set_axis(Schema.from_toml(_folder() / "diabetes.toml").names, axis="columns")


def _breast_cancer() -> pd.DataFrame:
    from sklearn.datasets import load_breast_cancer

    bundle = load_breast_cancer(as_frame=True)
    frame: pd.DataFrame = bundle.data.copy()
    return frame.assign(diagnosis=np.asarray(bundle.target_names)[bundle.target.to_numpy()])


_BUNDLED: dict[str, Callable[[], pd.DataFrame]] = {"diabetes": _diabetes, "breast_cancer": _breast_cancer}
