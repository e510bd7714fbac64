"""How long the steps of one release take on a large table."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.data.target import Floats
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.trained import train, train_reference

N_ROWS = 150_000
_N_FEATURES = 10
_TIMES = 3


@dataclass(frozen=True, eq=False)
class Timing:
    """Processor seconds of the two steps of DPCP as published, measured several times.

    Attributes
    ----------
    n_ranked : int
        Rows whose scores are ranked.
    training, quantile : arrays of shape (times,)
        Fitting and scoring one private ridge model; drawing the threshold and measuring coverage with it.
    """

    n_ranked: int
    training: Floats
    quantile: Floats


def measure_time(n_rows: int = N_ROWS, times: int = _TIMES) -> Timing:
    """Measure both steps on a simulated table."""
    prepared = prepare(_simulated(n_rows))
    settings = ConformalSettings(method="dpcp_paper", trainer="ridge", repetitions=1)
    task = settings.training_key()
    reference = train_reference(prepared, task)
    seconds = []
    for _ in range(times):
        begun = time.process_time()
        runs = train(prepared, task, reference)
        trained = time.process_time()
        calibrate(runs, settings)
        seconds.append((trained - begun, time.process_time() - trained))
    training, quantile = np.array(seconds).T
    return Timing(runs.n_calibration, training, quantile)


def _simulated(n_rows: int) -> Dataset:
    rng = np.random.default_rng(0)
    features = rng.uniform(-1, 1, (n_rows, _N_FEATURES))
    frame = pd.DataFrame(features, columns=[f"x{place}" for place in range(_N_FEATURES)])
    frame["y"] = (features.sum(axis=1) + rng.normal(0, 1, n_rows)).clip(-12, 12)
    known = {"kind": "number", "bounds": [-1, 1], "typical": [-0.6, 0.6]}
    target = {"kind": "number", "bounds": [-12, 12], "typical": [-2, 2], "role": "target"}
    schema = Schema.from_dict({name: target if name == "y" else known for name in frame.columns})
    return Dataset.from_frame(frame, schema=schema, name="simulated")
