from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.data.column import Column
from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.experiments.splits import SplitMap
from dpcp_core.experiments.sweep.cell import CellResult
from dpcp_core.experiments.sweep.plan import SweepPlan

TARGET = Column("sbp", "number", "target", bounds=(70, 250), unit="mmHg")
NOISE = np.array([-1.0, -0.4, 0.0, 0.5, 0.9])
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


def cell(share: float, size: float | np.ndarray, epsilon: float = 1.0, **more) -> CellResult:
    sizes = np.broadcast_to(np.asarray(size, dtype=float), 5).copy()
    settings = ConformalSettings(epsilon=epsilon, training_share=share, repetitions=5)
    told = {"certified": True, "coverage": np.full(5, 0.91), "n_test": 800, **more}
    return CellResult(settings, size=sizes, reference_size=np.full(5, 30.0), thresholds=sizes / 2, **told)


def grid(*cells: CellResult, shares=SHARES, epsilons=(1.0,)) -> SplitMap:
    plan = SweepPlan.of(ConformalSettings(repetitions=5), training_share=shares, epsilons=epsilons)
    return SplitMap.growing(plan, "training_share", TARGET, "regression", cells)


def test_values_whose_paired_difference_may_be_zero_are_as_good():
    # All vary alike from repetition to repetition, so that only differences tell.
    common = 3 * NOISE
    found = grid(
        cell(0.1, 45 + common),
        cell(0.3, 41 + common + np.array([0.9, -1.6, 1.5, -1.4, 0.8])),
        cell(0.5, 40 + common),
        cell(0.7, 40.6 + common + 0.05 * NOISE),
        cell(0.9, 44.8 + common),
    )
    choice = found.choice(1.0)
    assert choice.best == 0.5
    assert choice.as_good == (0.3, 0.5)
    beside = choice.beside(0.7)
    assert not beside.is_as_good
    assert beside.low <= beside.extra <= beside.high
    assert choice.beside(0.9).extra == pytest.approx(0.12)


def test_a_sure_difference_that_does_not_matter_counts_as_none():
    found = grid(cell(0.1, 50), cell(0.3, 40.1 + NOISE), cell(0.5, 40 + NOISE), cell(0.7, 40.3 + NOISE), cell(0.9, 50))
    assert found.choice(1.0).as_good == (0.3, 0.5)


def test_the_run_of_values_that_are_as_good_has_no_hole():
    found = grid(cell(0.1, 40), cell(0.3, 60), cell(0.5, 40), cell(0.7, 40), cell(0.9, 60))
    assert found.choice(1.0).best == 0.1
    assert found.choice(1.0).as_good == (0.1, 0.1)


def test_what_does_not_cover_is_never_the_best():
    narrow = cell(0.1, 20, certified=False, coverage=np.full(5, 0.7))
    found = grid(narrow, *(cell(share, 40 + share) for share in SHARES[1:]))
    choice = found.choice(1.0)
    assert choice.best == 0.3
    assert not choice.beside(0.1).is_as_good


def test_an_epsilon_at_which_nothing_can_be_ruled_out_has_no_best():
    choice = grid(*(cell(share, 180, top_share=1.0) for share in SHARES)).choice(1.0)
    assert choice.best is None
    assert choice.as_good is None
    assert choice.says_nothing
    assert math.isnan(choice.size)


def test_there_is_no_choice_before_every_cell_of_an_epsilon_is_there():
    found = grid(*(cell(share, 40 + share) for share in SHARES[:-1]))
    assert found.choice(1.0) is None
    assert found.choices == ()
    assert not found.is_complete


def test_a_cell_that_failed_is_left_out():
    failed = CellResult(ConformalSettings(training_share=0.1, repetitions=5), problem="Too few rows.")
    choice = grid(failed, *(cell(share, 40 + share) for share in SHARES[1:])).choice(1.0)
    assert choice.best == 0.3
    assert choice.beside(0.1) is None


def test_one_repetition_cannot_tell_values_apart():
    plan = SweepPlan.of(ConformalSettings(repetitions=1), training_share=SHARES[:2], epsilons=[1.0])
    cells = [
        CellResult(
            ConformalSettings(training_share=share, repetitions=1),
            coverage=np.array([0.9]), size=np.array([size]), certified=True,
        )
        for share, size in zip(SHARES, (40.0, 50.0), strict=False)
    ]  # fmt: skip
    choice = SplitMap.growing(plan, "training_share", TARGET, "regression", cells).choice(1.0)
    assert choice.as_good == (0.1, 0.3)


def test_values_and_epsilons_are_in_order_however_they_were_given():
    found = grid(shares=(0.9, 0.1), epsilons=(2.0, 0.5))
    assert found.values == (0.1, 0.9)
    assert found.epsilons == (0.5, 2.0)


def test_a_plan_with_other_axes_is_refused():
    plan = SweepPlan.of(ConformalSettings(), bins=[50], epsilons=[1.0])
    with pytest.raises(InputError, match="needs the axes epsilon and training_share"):
        SplitMap.growing(plan, "training_share", TARGET, "regression", ())
