from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.order_statistics import NOT_PRIVATE, draw_order_statistics, order_statistics_distribution
from dpcp_core.privacy.randomness import simulation_generator


def test_every_threshold_is_somebodys_score() -> None:
    scores = simulation_generator(0).random((300, 25))
    drawn = draw_order_statistics(scores, simulation_generator(1), epsilon=1.0, miss_rate=0.1)
    assert all(drawn.thresholds[column] in scores[:, column] for column in range(25))
    assert not drawn.certified
    assert drawn.distribution is None


def test_it_aims_at_the_wanted_rank() -> None:
    scores = simulation_generator(0).random(5000)
    for loss in ("paper", "bracket", "one_sided"):
        spread = order_statistics_distribution(scores, epsilon=8.0, miss_rate=0.1, loss=loss)
        assert float(spread.probabilities[0] @ spread.edges[0]) == pytest.approx(0.9, abs=0.02)


def test_an_emptied_row_makes_an_answer_impossible() -> None:
    """The neighbour test of the private mechanisms: a ratio without bound, whatever epsilon is."""
    scores = simulation_generator(2).random(200)
    spread = order_statistics_distribution(scores, epsilon=0.1, miss_rate=0.2)
    released = spread.edges[0, np.argmax(spread.probabilities[0])]
    neighbour = order_statistics_distribution(scores[scores != released], epsilon=0.1, miss_rate=0.2)
    assert spread.probabilities[0].max() > 0.003
    assert released not in neighbour.edges
    assert math.isinf(NOT_PRIVATE.epsilon)


def test_equal_scores_are_told_apart_by_nothing() -> None:
    spread = order_statistics_distribution([0.2, 0.2, 0.2, 0.7], epsilon=5.0, miss_rate=0.4)
    assert np.ptp(spread.probabilities[0, :3]) == 0


def test_too_few_scores_give_the_largest() -> None:
    spread = order_statistics_distribution([0.1, 0.3], epsilon=1.0, miss_rate=0.1)
    assert spread.probabilities.tolist() == [[0.0, 1.0]]
    assert spread.target <= 0


def test_one_score_that_may_lie_above_is_enough_to_aim_below_the_largest() -> None:
    spread = order_statistics_distribution(
        np.arange(19.0), epsilon=math.inf, miss_rate=0.1, loss="bracket", guarantee="certified"
    )
    assert spread.target == 1
    assert spread.probabilities[0, -3:].tolist() == [0, 0.5, 0.5]


def test_no_scores_are_refused() -> None:
    with pytest.raises(InputError, match="at least one number"):
        order_statistics_distribution([], epsilon=1.0, miss_rate=0.1)
    with pytest.raises(InputError, match="missing"):
        order_statistics_distribution([0.1, math.nan], epsilon=1.0, miss_rate=0.1)
