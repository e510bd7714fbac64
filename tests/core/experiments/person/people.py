"""Models that people are asked of, trained once for all tests; nobody in these tables is real."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.person import PersonModel, person_model
from dpcp_core.experiments.run import TrainedRuns, calibrate, prepare, train
from dpcp_core.experiments.settings import ConformalSettings

LONG = "Quite a long name of a measurement that somebody gave it once upon a time"


@cache
def trained(data: Dataset, settings: ConformalSettings) -> TrainedRuns:
    """Return the runs of a table for settings."""
    table = prepare(data, settings.target, bounds_epsilon=settings.bounds_epsilon, seed=settings.seed)
    return train(table, settings.resolved(table.task, table.goal.n_classes).training_key())


def model_of(data: Dataset | str = "blood_pressure", *, dots: bool = True, **choices: object) -> PersonModel:
    """Return the model of a sample or a table, with one repetition unless it is said otherwise."""
    data = load_sample(data) if isinstance(data, str) else data
    settings = ConformalSettings(**{"repetitions": 1, **choices})
    runs = trained(data, settings)
    return person_model(data, runs, settings, calibrate(runs, settings), dots=dots)


@cache
def long_table(n_columns: int = 300, n: int = 600) -> Dataset:
    """Return a table with very many columns, all names and categories as long as they may be, and two groups."""
    rng = np.random.default_rng(7)
    names = [f"{LONG} {i}" for i in range(n_columns)]
    kinds = ["a category that is called by a whole sentence", "another category that is called by a whole sentence"]
    columns = [Column(name, "category", categories=tuple(kinds)) for name in names[:4]]
    columns += [Column(name, "number", bounds=(0, 1e4), unit="micromoles per litre") for name in names[4:]]
    frame = pd.DataFrame({name: rng.choice(kinds, n) for name in names[:4]})
    numbers = pd.DataFrame({name: rng.normal(5000, 1000, n).round(2) for name in names[4:]})
    group = Column(f"{LONG} of a group", "category", "group", categories=tuple(kinds))
    target = Column(
        f"{LONG} to predict", "number", "target", bounds=(0, 1e5), typical=(3e4, 6e4), unit="micromoles per litre"
    )
    frame = pd.concat([frame, numbers], axis=1)
    frame[group.name], frame[target.name] = rng.choice(kinds, n), rng.normal(45_000, 9000, n).round(1)
    schema = Schema((*columns, group, target), one_row_is="one visit of a person to any of the clinics in the region")
    return Dataset.from_frame(frame, schema, name="a table with long names")


@cache
def gappy_table(n: int = 300) -> Dataset:
    """Return a table with gaps, of whose columns nothing typical is known."""
    rng = np.random.default_rng(8)
    age, dose = rng.integers(20, 90, n).astype(float), rng.uniform(0, 10, n)
    pain = np.clip(20 + 0.5 * age - 2 * dose + rng.normal(0, 5, n), 0, 100)
    sex = rng.choice(["f", "m"], n).astype(object)
    age[::7], sex[::5] = np.nan, None
    schema = Schema(
        (
            Column("age", "integer", bounds=(18, 100)),
            Column("dose", "number", bounds=(0, 10), missing="refuse"),
            Column("sex", "category", categories=("f", "m")),
            Column("pain", "number", "target", bounds=(0, 100)),
        )
    )
    return Dataset.from_frame(pd.DataFrame({"age": age, "dose": dose, "sex": sex, "pain": pain}), schema, name="gaps")
