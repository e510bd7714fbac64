"""From scores to a threshold: the grid is public, the exact rank is the textbook's, certificates say what holds."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds, exact_threshold, public_grid
from dpcp_core.data.target import NumericTarget
from dpcp_core.errors import InputError
from dpcp_core.privacy.profile import GaussianProfile

SCALE = NumericTarget(centre=0.0, spread=1.0, lower=-4.0, upper=4.0)


def scores(n: int = 3000, columns: int = 4, seed: int = 0) -> np.ndarray:
    return np.sort(np.abs(np.random.default_rng(seed).normal(size=(n, columns))), axis=0)


def plan_of(movement: float | None, **choices: object) -> CalibrationPlan:
    chosen = ConformalChoices(**choices).resolved("regression")
    return CalibrationPlan(chosen, SCALE, GaussianProfile(chosen.allocation.training.mu), movement)


def draw(n: int = 3000, movement: float | None = 0.01, **choices: object):
    return draw_thresholds(scores(n), plan_of(movement, **choices), np.random.default_rng(0))


@pytest.mark.parametrize(("n", "alpha", "rank"), [(9, 0.1, 9), (19, 0.1, 18), (99, 0.05, 95), (10, 0.5, 6)])
def test_the_exact_threshold_is_the_split_conformal_rank(n: int, alpha: float, rank: int) -> None:
    assert exact_threshold(np.arange(1.0, n + 1)[:, None], alpha, 1e9)[0] == rank


def test_too_few_scores_give_the_whole_range() -> None:
    assert exact_threshold(np.ones((8, 1)), 0.1, 7.0)[0] == 7.0


def test_the_last_candidate_bounds_every_score() -> None:
    for kind in ("uniform", "geometric"):
        assert public_grid(kind, 100, smallest=0.1, largest=8.0, n=10, alpha=0.1).largest == 8.0


def test_the_grid_depends_on_no_score() -> None:
    wide, narrow = (
        draw(),
        draw_thresholds(scores() / 50, plan_of(0.01), np.random.default_rng(0)),
    )
    np.testing.assert_array_equal(wide.distribution.edges, narrow.distribution.edges)


def test_a_smallest_width_as_wide_as_the_range_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="smallest_width is 8 but must be below 8"):
        public_grid("geometric", 100, smallest=8.0, largest=8.0, n=10, alpha=0.1)


def test_candidates_begin_at_a_tenth_of_the_typical_spread_or_where_a_person_says() -> None:
    assert plan_of(0.01).grid(10).edges[0] == pytest.approx(0.1 * SCALE.spread)
    assert plan_of(0.01, smallest_width=0.5).grid(10).edges[0] == 0.5


def test_a_certified_draw_says_so_and_is_widened_in_public() -> None:
    drawn = draw()
    assert drawn.certificate.holds
    assert drawn.certificate.stability == "coupling"
    np.testing.assert_allclose(drawn.widened - drawn.raw, 0.02)


def test_the_published_recipe_certifies_nothing() -> None:
    for method in ("pscp", "dpcp_paper"):
        assert not draw(method=method).certificate.holds


def test_naive_promises_nothing() -> None:
    assert not draw(method="naive").certificate.holds


def test_where_nothing_can_be_certified_the_whole_range_is_returned_with_the_reason() -> None:
    drawn = draw(n=50, epsilon=0.1)
    assert (drawn.raw == 8.0).all()
    assert drawn.certificate.nothing_narrower
    assert "by ruling nothing out" in drawn.certificate.reason


@pytest.mark.parametrize("loss", ["paper", "bracket"])
def test_the_certified_threshold_keeps_the_level_on_the_ranked_scores(loss: str) -> None:
    drawn = draw(loss=loss, epsilon=2.0)
    above = (scores() > drawn.raw).mean(axis=0)
    assert above.max() <= 0.1


def test_literal_dpcp_gets_wider_as_epsilon_grows() -> None:
    narrow, wide = (draw(200_000, method="dpcp_paper", epsilon=epsilon) for epsilon in (2.0, 8.0))
    assert wide.certificate.level < narrow.certificate.level
    assert wide.raw.mean() > 1.2 * narrow.raw.mean()


def test_choices_name_what_is_wrong() -> None:
    for wrong, words in (
        ({"epsilon": 0}, "epsilon is 0"),
        ({"epsilon": "abc"}, "epsilon is 'abc'"),
        ({"confidence_level": 1.0}, "confidence_level is 1"),
        ({"delta": 0.0}, "delta is 0"),
        ({"bins": "many"}, "bins is 'many'"),
        ({"method": "magic"}, "method is 'magic'"),
        ({"training_share": 1.5}, "training_share is 1.5"),
    ):
        with pytest.raises(InputError, match=words):
            ConformalChoices(**wrong)
