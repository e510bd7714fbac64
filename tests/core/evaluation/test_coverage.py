"""Coverage and its uncertainty: intervals are what their papers say and cover as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcp_core.errors import InputError
from dpcp_core.evaluation.coverage import mean_interval, standard_error, wilson_interval


@pytest.mark.parametrize(("hits", "total"), [(0, 1), (1, 1), (9, 10), (720, 800), (800, 800)])
def test_wilson_interval_is_the_set_of_shares_a_score_test_accepts(hits: int, total: int) -> None:
    low, high = wilson_interval(hits=hits, total=total)
    for share in np.linspace(0.001, 0.999, 333):
        z = abs(hits / total - share) / np.sqrt(share * (1 - share) / total)
        assert (low <= share <= high) == (z <= stats.norm.ppf(0.975))


def test_wilson_interval_covers_about_as_often_as_it_says() -> None:
    total, confidence = 88, 0.95
    for share in (0.8, 0.9, 0.95):
        hits = np.arange(total + 1)
        inside = [low <= share <= high for low, high in (wilson_interval(hits=h, total=total) for h in hits)]
        assert stats.binom.pmf(hits, total, share)[inside].sum() == pytest.approx(confidence, abs=0.03)


def test_mean_interval_covers_the_mean_of_normal_repetitions_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    found = [mean_interval(rng.normal(3.0, 2.0, size=6), 0.9) for _ in range(4000)]
    assert np.mean([low <= 3.0 <= high for low, high in found]) == pytest.approx(0.9, abs=0.015)


def test_one_repetition_of_coverage_takes_the_uncertainty_of_its_rows() -> None:
    assert mean_interval([0.9], n_test=800) == wilson_interval(hits=720, total=800)


def test_one_repetition_of_width_has_no_interval() -> None:
    with pytest.raises(InputError, match="at least 2 repetitions"):
        mean_interval([38.0])
    with pytest.raises(InputError, match="at least 2 repetitions"):
        standard_error([38.0])


def test_coverage_interval_stays_a_share() -> None:
    low, high = mean_interval([1.0, 0.97, 1.0], n_test=100)
    assert 0.9 < low < 0.99
    assert high == 1.0


@pytest.mark.parametrize("hits", [-1, 11])
def test_more_hits_than_rows_are_refused(hits: int) -> None:
    with pytest.raises(InputError, match="between 0 and total"):
        wilson_interval(hits=hits, total=10)
