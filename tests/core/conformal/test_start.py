"""Public rows that training starts from: they help where the budget is small, cost nothing and are on the receipt."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import (
    Column,
    ConformalSettings,
    Dataset,
    DPCPClassifier,
    DPCPRegressor,
    InputError,
    Schema,
    load_sample,
    simulate,
)

NAMES = ["ill", "well"]


def rows(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features, numbers and classes."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6))
    line = x @ [1.5, -1.0, 0.5, 0.4, -0.8, 0.2]
    return x, line + 0.5 * rng.normal(size=n), np.where(line + rng.logistic(size=n) / 2 > 0, *NAMES)


def regressor(**choices: object) -> DPCPRegressor:
    return DPCPRegressor(**{"bounds_X": (-3, 3), "bounds_y": (-9, 9), "random_state": 0} | choices)


def classifier(**choices: object) -> DPCPClassifier:
    return DPCPClassifier(**{"bounds_X": (-3, 3), "classes": NAMES, "random_state": 0} | choices)


def test_at_a_small_epsilon_public_rows_narrow_intervals_and_raise_accuracy() -> None:
    new, _, truth = rows(2000, 900)
    widths: dict[bool, list[float]] = {True: [], False: []}
    hits: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(6):
        (x, y, c), (known, known_y, known_c) = rows(1500, seed), rows(300, 500 + seed)
        for warm in (False, True):
            choices = {"epsilon": 0.3, "random_state": seed}
            model = regressor(**choices).fit(x, y, public=(known, known_y) if warm else None)
            _, intervals = model.predict_interval(new)
            widths[warm].append(np.mean(intervals[:, 1, 0] - intervals[:, 0, 0]))
            chosen = classifier(**choices).fit(x, c, public=(known, known_c) if warm else None)
            hits[warm].append(chosen.score(new, truth))
    assert np.mean(widths[True]) < 0.85 * np.mean(widths[False])
    assert np.mean(hits[True]) > np.mean(hits[False]) + 0.02


def test_coverage_holds_even_where_the_public_rows_mislead() -> None:
    (x, y, _), (known, known_y, _) = rows(4000, 1), rows(400, 2)
    model = regressor(epsilon=0.5).fit(x[:3000], y[:3000], public=(known, -known_y))
    _, intervals = model.predict_interval(x[3000:])
    assert np.mean((intervals[:, 0, 0] <= y[3000:]) & (y[3000:] <= intervals[:, 1, 0])) > 0.88
    assert model.certificate_.holds


@pytest.mark.parametrize("make", [regressor, classifier])
def test_they_are_on_the_receipt_and_cost_nothing(make) -> None:
    x, y, c = rows(500, 1)
    target = y if make is regressor else c
    cold = make().fit(x, target).receipt_
    warm = make().fit(x, target, public=(x[:120], target[:120])).receipt_
    assert warm.entries == cold.entries
    assert warm.total == cold.total
    told = "Training starts from weights learnt on 120 public rows, which cost nothing."
    assert (told in warm.assumptions, told in cold.assumptions) == (True, False)


def test_public_rows_may_be_few_and_lack_a_class() -> None:
    x, _, c = rows(800, 3)
    few = np.flatnonzero(c == "ill")[:15]
    model = classifier(epsilon=4.0).fit(x, c, public=(x[few], c[few]))
    assert model.score(x, c) > 0.7


@pytest.mark.parametrize(
    ("public", "words"),
    [
        (lambda x, c: (x, np.char.add(c, "er")), "none of its categories"),
        (lambda x, c: (x[:, :2], c), "public must be a pair .* X has 2 features"),
        (lambda x, c: (x, c[1:]), "public has 300 rows of X but 299 values of y"),
        (lambda x, c: x[: len(c)], "public must be a pair"),
        (lambda x, c: (x[:0], c[:0]), "public must be a pair .* 0 sample"),
    ],
)
def test_public_rows_that_do_not_fit_are_refused(public, words: str) -> None:
    x, _, c = rows(300, 4)
    with pytest.raises(InputError, match=words):
        classifier().fit(x, c, public=public(x, c))


def test_a_simulation_starts_from_a_public_table_too() -> None:
    data = load_sample("blood_pressure")
    private, public = (
        Dataset.from_frame(data.frame.iloc[part].reset_index(drop=True), schema=data.schema, name="part")
        for part in (slice(0, 1500), slice(1500, 4000))
    )
    settings = ConformalSettings(epsilon=0.3, repetitions=6, stability="split")
    cold, warm = simulate(private, settings), simulate(private, settings, public=public)
    assert warm.size_mean < 0.95 * cold.size_mean
    assert warm.coverage_mean >= 0.9 - 2 * warm.coverage_se
    assert any("2,500 public rows" in sentence for sentence in warm.receipt.assumptions)
    assert warm.receipt.total == cold.receipt.total


def test_a_public_table_with_other_columns_is_refused() -> None:
    data = load_sample("blood_pressure")
    gone = data.schema.features[0].name
    kept = Schema(tuple(column for column in data.schema.columns if column.name != gone))
    public = Dataset.from_frame(data.frame.drop(columns=gone), schema=kept, name="other")
    with pytest.raises(InputError, match=repr(gone)):
        simulate(data, ConformalSettings(repetitions=2), public=public)


def test_public_rows_are_read_by_the_private_schema() -> None:
    x, y, _ = rows(400, 5)
    schema = Schema((Column("a", "number", bounds=(-3, 3)), Column("y", "number", bounds=(-9, 9), role="target")))
    model = DPCPRegressor(schema=schema, random_state=0).fit(x[:, :1], y, public=(x[:50, :1], y[:50]))
    assert model.receipt_.is_private
