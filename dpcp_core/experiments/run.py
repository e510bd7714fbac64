"""Simulate a conformal procedure: ``simulate = prepare, train, calibrate``.

The three stages are public so that an interface can keep the first two: a change of coverage, bins or loss needs
only ``calibrate``.

>>> from dpcp_core import load_sample
>>> result = simulate(load_sample("diabetes"), ConformalSettings(epsilon=4.0, repetitions=5))
>>> result.certificate.holds, 0.85 < result.coverage_mean <= 1.0
(True, True)
"""

from __future__ import annotations

from dataclasses import replace

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.calibrate import calibrate
from dpcp_core.experiments.prepare import Prepared, prepare
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings, TrainingTask
from dpcp_core.experiments.trained import TrainedRuns, train
from dpcp_core.privacy.leaks import speak_of_leaks

__all__ = [
    "ConformalSettings",
    "Prepared",
    "SimulationResult",
    "TrainedRuns",
    "TrainingTask",
    "calibrate",
    "prepare",
    "simulate",
    "train",
]


def simulate(
    data: Dataset, settings: ConformalSettings | None = None, public: Dataset | None = None
) -> SimulationResult:
    """Measure coverage and width of one method on held-out rows, over repeated splits and noise.

    Parameters
    ----------
    data : Dataset
        Table with a schema: bounds or categories for every column that is used.
    settings : ConformalSettings, optional
    public : Dataset, optional
        A public table with the same columns that training starts from; it costs nothing.

    Returns
    -------
    SimulationResult

    Raises
    ------
    InputError
        The data or the target cannot be used; the sentence says how to mend it.

    Warns
    -----
    PrivacyLeakWarning
        Bounds or categories were read off the rows; a release would refuse them.

    Notes
    -----
    **Privacy.** None: a simulation is seeded and looks at held-out truth. Its receipt says what one release of the
    same procedure would cost.

    **Guarantee.** The certificate in the result; coverage is measured beside it.
    """
    chosen = settings or ConformalSettings()
    prepared = prepare(data, chosen.target, public, bounds_epsilon=chosen.bounds_epsilon, seed=chosen.seed)
    if prepared.bought is not None and not prepared.bought.entries:
        # As an estimator does: every column has public bounds, so what was meant for them is for the rest.
        chosen, prepared = chosen.replace(bounds_epsilon=0.0), replace(prepared, bought=None)
    # Refuses what does not suit the target before anything is trained.
    chosen = chosen.resolved(prepared.task, prepared.goal.n_classes)
    speak_of_leaks(prepared.from_file, "simulation", instead="public ones in the schema", stacklevel=2)
    return calibrate(train(prepared, chosen.training_key()), chosen)
