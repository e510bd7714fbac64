"""A claim's verdict follows from the numbers, and uncertainty is never taken for a contradiction."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.experiments.reproduce.verdict import Contrast, judge

STEADY = np.array([-0.01, 0.0, 0.01])


def contrast(margin, *, epsilon=1.0, floor=False):
    return Contrast("Abalone", "ols", epsilon, 1.0, np.asarray(margin, dtype=np.float64), floor)


YES, NO, OPEN = contrast(1 + STEADY), contrast(-1 + STEADY), contrast(STEADY)


@pytest.mark.parametrize(
    ("contrasts", "status"),
    [
        ([YES], "holds"),
        ([YES] * 9 + [OPEN], "holds"),
        ([YES] * 8 + [OPEN] * 2, "only where"),
        ([YES, NO], "only where"),
        ([NO], "does not hold"),
        ([NO, OPEN], "does not hold"),
        ([OPEN], "cannot be told"),
        ([], "not tried"),
    ],
)
def test_the_status_follows_from_the_outcomes(contrasts, status):
    assert judge(contrasts).status == status


def test_a_floor_is_met_by_a_mean_that_reaches_it():
    assert judge([contrast(STEADY, floor=True)]).status == "holds"
    assert judge([contrast(STEADY - 0.001, floor=True)]).status == "cannot be told"
    assert judge([contrast(STEADY - 1, floor=True)]).status == "does not hold"


def test_one_repetition_tells_nothing():
    assert judge([contrast([1.0])]).status == "cannot be told"


def test_equal_sizes_are_no_gain_and_no_loss():
    assert judge([contrast([0.0, 0.0, 0.0])]).status == "cannot be told"


def test_many_places_do_not_make_a_contradiction_by_chance():
    """Of 400 claims that hold exactly on the edge in 20 places, about one in twenty may be contradicted somewhere."""
    rng = np.random.default_rng(1)
    verdicts = [judge([contrast(rng.normal(0, 1, 30)) for _ in range(20)]) for _ in range(400)]
    told = np.mean([verdict.status != "cannot be told" for verdict in verdicts])
    assert told < 0.09


def test_values_are_smallest_middle_and_largest():
    values = [Contrast("a", "ols", 1.0, value, 1 + STEADY) for value in (3.0, 1.0, 2.0)]
    assert judge(values).values == (1.0, 2.0, 3.0)
