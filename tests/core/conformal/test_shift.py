"""Weights for another population: what they keep, what is on the receipt, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpcp_core import (
    Column,
    DPCPClassifier,
    DPCPRegressor,
    InputError,
    PrivateSplitConformalRegressor,
    Schema,
    private_quantile_under_shift,
)
from dpcp_core.conformal.shift import Shift
from dpcp_core.privacy.grid import Grid

GRID = Grid.geometric(smallest=0.1, largest=8.0, bins=40)


def rows(n: int, seed: int = 0, old: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return people of all ages, or mostly old ones, of whom the old are harder to predict."""
    rng = np.random.default_rng(seed)
    age = np.sqrt(rng.random(n)) if old else rng.random(n)
    x = np.column_stack([age, rng.normal(size=n)])
    return x, np.clip(x[:, 1] + (0.2 + 1.5 * age) * rng.normal(size=n), -8, 8)


def regressor(**choices: object) -> DPCPRegressor:
    known = {"bounds_X": ([0, -4], [1, 4]), "bounds_y": (-8, 8), "stability": "split", "random_state": 0}
    return DPCPRegressor(**known | choices)


def draw(scores: object, weights: object, seed: int = 0, **choices: object):
    wanted = {"epsilon": 1.0, "miss_rate": 0.1, "largest_weight": 2.0} | choices
    return private_quantile_under_shift(scores, weights, GRID, rng=np.random.default_rng(seed), **wanted)


def test_rows_are_kept_with_a_chance_proportional_to_their_weight() -> None:
    shift = Shift(np.repeat([0.0, 0.5, 1.0, 2.0], 5000), 2.0)
    kept = shift.keep(np.random.default_rng(0)).reshape(4, 5000).mean(axis=1)
    np.testing.assert_allclose(kept, [0, 0.25, 0.5, 1], atol=0.03)
    assert (kept[0], kept[3]) == (0, 1)


def test_without_noise_equal_weights_give_the_plain_quantile() -> None:
    scores = np.abs(np.random.default_rng(0).normal(size=1999))
    drawn = draw(scores, np.full(1999, 2.0), epsilon=float("inf"))
    assert drawn.noisy_kept == 1999
    assert drawn.threshold == GRID.edges[np.argmax(GRID.counts_above(scores) <= 199)]


def test_rows_of_weight_0_count_nowhere() -> None:
    scores = np.abs(np.random.default_rng(0).normal(size=4000))
    hidden = np.where(np.arange(4000) < 2000, 0.0, 2.0)
    drawn, without = (draw(values, hidden, 3) for values in (scores, np.where(hidden == 0, 7.0, scores)))
    np.testing.assert_array_equal(drawn.distribution.log_probabilities, without.distribution.log_probabilities)


def test_a_constant_factor_of_the_weights_does_not_matter() -> None:
    scores, weights = np.abs(np.random.default_rng(0).normal(size=1000)), np.linspace(0, 2, 1000)
    small, large = draw(scores, weights), draw(scores, 50 * weights, largest_weight=100.0)
    assert (small.threshold, small.noisy_kept) == (large.threshold, large.noisy_kept)


awkward = st.floats(0, 1) | st.sampled_from([5e-324, 1e-300, 1 - 2**-53])


@given(
    arrays.arrays(np.float64, st.integers(0, 40), elements=st.floats(0, 8) | st.sampled_from([5e-324, 1e308, np.inf])),
    st.lists(awkward, min_size=40, max_size=40),
    st.floats(1e-100, 1e100),
    st.sampled_from([1e-3, 1.0, 1e3, np.inf]),
)
@settings(max_examples=50)
def test_any_scores_and_weights_give_a_candidate(
    scores: np.ndarray, shares: list[float], largest: float, epsilon: float
) -> None:
    weights = np.minimum(np.array(shares[: len(scores)]) * largest, largest)
    drawn = draw(scores, weights, largest_weight=largest, epsilon=epsilon, miss_rate=0.4)
    assert drawn.threshold in GRID.edges
    assert drawn.certificate.n == max(drawn.noisy_kept, 0)
    assert np.isclose(drawn.distribution.probabilities.sum(), 1)
    if drawn.certificate.nothing_narrower:
        assert drawn.threshold == GRID.largest


def test_both_steps_stand_on_the_receipt_and_cost_epsilon_together() -> None:
    drawn = draw(np.linspace(0, 8, 900), np.ones(900), epsilon=2.0, count_share=0.25)
    assert [note.epsilon for note in drawn.notes] == [0.5, 1.5]
    assert drawn.certificate.quantile_epsilon == 1.5
    assert drawn.certificate.n == drawn.noisy_kept


def test_too_few_kept_rows_give_the_whole_range_and_one_sentence() -> None:
    drawn = draw(np.linspace(0, 8, 900), np.full(900, 0.01))
    assert drawn.threshold == 8.0
    assert drawn.certificate.holds
    assert drawn.certificate.nothing_narrower
    assert drawn.certificate.reason.endswith("by returning the whole range.")
    assert draw([], []).threshold == 8.0


@pytest.mark.parametrize(
    ("scores", "weights", "choices", "words"),
    [
        ([1.0, 2.0], [1.0], {}, "There are 1 weights but 2 rows"),
        ([1.0], [2.5], {}, "weights must be from 0 to largest_weight, 2, in every row"),
        ([1.0], [-0.1], {}, "weights must be from 0"),
        ([1.0], [float("nan")], {}, "weights must be from 0"),
        ([1.0], ["heavy"], {}, "one number per row"),
        ([1.0], [[1.0]], {}, "in a single list"),
        ([1.0], [1.0], {"largest_weight": 0}, "largest_weight is 0"),
        ([1.0], [1.0], {"largest_weight": None}, "need largest_weight"),
        ([1.0], [1.0], {"count_share": 1.0}, "count_share is 1"),
        ([1.0], [1.0], {"miss_rate": 0.0}, "miss_rate is 0"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(scores: list, weights: list, choices: dict, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        draw(scores, weights, **choices)
    assert str(caught.value).count(". ") == 0


def test_an_estimator_covers_the_other_population_with_weights_and_not_without() -> None:
    new, truth = rows(4000, seed=99, old=True)
    covered: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(5):
        x, y = rows(6000, seed)
        for weighted in covered:
            given = {"weights": 2 * x[:, 0], "largest_weight": 2.0} if weighted else {}
            _, intervals = regressor(random_state=seed).fit(x, y, **given).predict_interval(new)
            covered[weighted].append(np.mean((intervals[:, 0, 0] <= truth) & (truth <= intervals[:, 1, 0])))
    assert np.mean(covered[True]) > 0.895
    assert np.mean(covered[False]) < 0.88


def test_the_receipt_of_an_estimator_says_for_whom_the_promise_is() -> None:
    x, y = rows(3000)
    model = regressor(mode="release", random_state=None).fit(x, y, weights=2 * x[:, 0], largest_weight=2.0)
    assert len(model.receipt_.entries) == 3
    assert [entry.epsilon for entry in model.receipt_.entries[1:]] == [0.1, 0.9]
    assert (model.receipt_.total.epsilon, model.receipt_.is_private) == (1.0, True)
    assert "population that the weights describe" in model.receipt_.guarantee
    assert not any("same population" in sentence for sentence in model.receipt_.assumptions)
    assert any("not computed from these rows" in sentence for sentence in model.receipt_.assumptions)


def test_a_classifier_takes_weights_too() -> None:
    x, _ = rows(3000)
    y = np.where(x[:, 1] > 0, "ill", "well")
    model = DPCPClassifier(stability="split", bounds_X=([0, -4], [1, 4]), classes=["ill", "well"], random_state=0).fit(
        x, y, weights=2 * x[:, 0], largest_weight=2.0
    )
    assert model.certificate_.holds
    assert 650 < model.certificate_.n < 850


def test_the_regressor_that_always_splits_takes_weights_as_it_is() -> None:
    x, y = rows(3000)
    model = PrivateSplitConformalRegressor(bounds_X=([0, -4], [1, 4]), bounds_y=(-8, 8), random_state=0)
    assert model.fit(x, y, weights=2 * x[:, 0], largest_weight=2.0).certificate_.holds
    assert model.certificate_.n < 1000


def test_bounds_that_were_read_off_the_rows_spoil_the_promise() -> None:
    x, y = rows(3000)
    with pytest.warns(UserWarning, match="read off"):
        model = regressor(bounds_y=None).fit(x, y, weights=2 * x[:, 0], largest_weight=2.0)
    assert not model.certificate_.holds
    assert model.certificate_.reason.startswith("Not proved, as bounds or categories were read off the rows.")


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"stability": "best"}, 'set stability="split"'),
        ({"stability": "coupling"}, 'set stability="split"'),
        ({"by_group": True}, "weights and by_group do not go together"),
        ({"bound_share": 0.3}, "weights and bound_share do not go together"),
        ({"bounds_epsilon": 0.3}, "weights and bounds_epsilon do not go together"),
        ({"guarantee": "paper"}, 'guarantee="certified"'),
        ({"loss": "paper"}, "loss other than"),
    ],
)
def test_choices_under_which_weights_promise_nothing_are_refused(choices: dict, words: str) -> None:
    x, y = rows(300)
    with pytest.raises(InputError, match=words):
        regressor(**choices).fit(x, y, weights=2 * x[:, 0], largest_weight=2.0)


def test_weights_of_other_rows_are_refused() -> None:
    x, y = rows(300)
    with pytest.raises(InputError, match="There are 299 weights but 300 rows"):
        regressor().fit(x, y, weights=2 * x[1:, 0], largest_weight=2.0)


def test_weights_go_with_a_schema_and_a_frame() -> None:
    x, y = rows(2000)
    schema = Schema(
        (
            Column("age", "number", bounds=(0, 1)),
            Column("dose", "number", bounds=(-4, 4)),
            Column("y", "number", bounds=(-8, 8), role="target"),
        )
    )
    frame = pd.DataFrame(x, columns=["age", "dose"])
    model = DPCPRegressor(schema=schema, stability="split", random_state=0)
    weights = pd.Series(2 * x[:, 0], index=range(5, 2005))
    assert 400 < model.fit(frame, y, weights=weights, largest_weight=2.0).certificate_.n < 600
