"""Intervals hold every value that scores no worse than the threshold, in floating point too."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.conformal.scores import AbsoluteResidual
from dpcp_core.data.encoding import TargetScale

ENDS = st.floats(-1e4, 1e4)


@given(ENDS, st.floats(1e-3, 1e4), st.floats(0, 1), st.floats(0, 1))
def test_a_value_lies_inside_where_its_score_is_the_threshold(low: float, width: float, a: float, b: float) -> None:
    scale = TargetScale(0.0, 1.0, low, low + width)
    truth, predicted = (np.clip(np.array([low + place * width]), scale.lower, scale.upper) for place in (a, b))
    score = AbsoluteResidual()
    lower, upper = score.interval(predicted, score.scores(truth, predicted), scale)
    assert lower[0] <= truth[0] <= upper[0]


@given(ENDS, st.floats(1e-3, 1e4), st.floats(0, 1))
def test_a_threshold_at_the_bound_gives_exactly_the_bounds(low: float, width: float, place: float) -> None:
    scale = TargetScale(0.0, 1.0, low, low + width)
    predicted = np.clip(np.array([low + place * width]), scale.lower, scale.upper)
    lower, upper = AbsoluteResidual().interval(predicted, AbsoluteResidual().bound(scale), scale)
    assert (lower[0], upper[0]) == (scale.lower, scale.upper)


def test_the_slack_is_a_few_units_in_the_last_place() -> None:
    scale = TargetScale(0.0, 1.0, -10.0, 10.0)
    lower, upper = AbsoluteResidual().interval(np.array([1.0]), 2.0, scale)
    np.testing.assert_allclose([lower[0], upper[0]], [-1.0, 3.0], rtol=1e-14)
