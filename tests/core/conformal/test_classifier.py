"""The classifier: scikit-learn's conventions, sets that cover, classes of any type, and what is refused."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from dpcp_core import Column, DPCPClassifier, InputError, NotPrivateError, PrivacyLeakWarning, Schema, load_sample
from dpcp_core.conformal.choices import ConformalChoices

NAMES = ["ill", "well"]
SCORES = ("probability", "aps", "aps_randomized")


def rows(n: int, seed: int = 0, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return features and class codes."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    weights = np.random.default_rng(7).normal(size=(3, classes))
    return x, (x @ weights + 0.5 * rng.gumbel(size=(n, classes))).argmax(axis=1)


def classifier(**choices: Any) -> DPCPClassifier:
    known = {"bounds_X": (-3, 3), "classes": NAMES, "random_state": 0}
    return DPCPClassifier(**known | choices)


def named(codes: np.ndarray) -> np.ndarray:
    return np.array(NAMES)[codes]


@pytest.mark.slow
def test_scikit_learn_checks_pass() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(DPCPClassifier(), on_fail=None)
    assert [result["check_name"] for result in results if result["status"] not in ("passed", "skipped")] == []


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("classes", [2, 5])
def test_sets_cover_and_are_laid_out_as_in_mapie(score: str, classes: int) -> None:
    x, codes = rows(6000, classes=classes)
    model = classifier(score=score, classes=range(classes), epsilon=2.0).fit(x[:4000], codes[:4000])
    predicted, sets = model.predict_set(x[4000:])
    assert predicted.shape == (2000,)
    assert (sets.shape, sets.dtype) == ((2000, classes, 1), np.dtype(bool))
    covered = sets[np.arange(2000), codes[4000:], 0].mean()
    assert covered > 0.88
    # Of two classes, the second one's cumulative score is always 1.
    assert sets.sum(axis=1).mean() < 0.98 * classes or (score, classes) == ("aps", 2)
    assert model.certificate_.holds


def test_probabilities_add_up_and_the_likeliest_class_is_predicted() -> None:
    x, codes = rows(2000, classes=4)
    model = classifier(classes=[0, 1, 2, 3]).fit(x, codes)
    probabilities = model.predict_proba(x)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(x), probabilities.argmax(axis=1))
    np.testing.assert_array_equal(model.predict_set(x)[0], model.predict(x))
    assert model.score(x, codes) > 0.6


@pytest.mark.parametrize(
    ("spell", "classes", "dtype"),
    [
        (named, NAMES, "<U4"),
        (lambda codes: named(codes).astype(object), NAMES, object),
        (lambda codes: pd.Series(named(codes), dtype="category"), NAMES, object),
        (lambda codes: codes, [0, 1], np.int64),
        (lambda codes: codes * 40 - 7, [-7, 33], np.int64),
        (lambda codes: codes == 1, [False, True], bool),
        (lambda codes: codes.astype(float), [0.0, 1.0], np.float64),
        (lambda codes: codes.astype(np.uint8), [0, 1], np.uint8),
    ],
    ids=["text", "objects", "categories", "codes", "integers", "booleans", "floats", "bytes"],
)
def test_classes_come_back_in_the_type_that_they_had(spell: Any, classes: list, dtype: Any) -> None:
    x, codes = rows(1500)
    y = spell(codes)
    model = classifier(classes=classes, epsilon=4.0).fit(x, y)
    assert model.classes_.tolist() == classes
    assert model.classes_.dtype == dtype
    assert model.predict(x).dtype == dtype
    assert np.mean(model.predict(x) == np.asarray(y)) > 0.7


def test_classes_that_cannot_have_the_type_of_y_come_back_as_text() -> None:
    x, codes = rows(300)
    model = classifier(classes=[0, 1, "not known"], epsilon=4.0).fit(x, codes)
    assert model.classes_.tolist() == ["0", "1", "not known"]
    assert set(model.predict(x)) <= {"0", "1", "not known"}


def test_columns_of_every_answer_are_in_the_order_in_which_classes_were_named() -> None:
    x, codes = rows(2000)
    forward, backward = (classifier(classes=order, epsilon=8.0).fit(x, named(codes)) for order in (NAMES, NAMES[::-1]))
    assert backward.classes_.tolist() == ["well", "ill"]
    agree = forward.predict_proba(x)[:, 0] - backward.predict_proba(x)[:, 1]
    assert np.abs(agree).mean() < 0.1


def test_classes_from_the_rows_warn_in_a_simulation_and_are_on_the_receipt() -> None:
    x, codes = rows(300)
    with pytest.warns(PrivacyLeakWarning, match="target were read off the rows") as caught:
        model = classifier(classes=None).fit(x, named(codes))
    assert [warning.filename for warning in caught] == [__file__]
    assert not model.receipt_.is_private
    assert not model.certificate_.holds
    assert model.classes_.tolist() == NAMES


def test_a_release_refuses_classes_that_nobody_named() -> None:
    x, codes = rows(300)
    with pytest.raises(NotPrivateError, match="bounds_X and classes"):
        classifier(mode="release", random_state=None, classes=None).fit(x, named(codes))
    assert classifier(mode="release", random_state=None).fit(x, named(codes)).receipt_.is_private


def test_a_class_that_nobody_named_is_one_sentence() -> None:
    x, codes = rows(300)
    y = named(codes).astype(object)
    y[5] = "in secret"
    with pytest.raises(InputError, match="1 value that is none of its categories") as caught:
        classifier().fit(x, y)
    assert "secret" not in str(caught.value)


def test_a_named_class_may_have_one_row_or_none() -> None:
    x, codes = rows(1500)
    y = named(codes).astype(object)
    y[5] = "rare"
    model = classifier(classes=[*NAMES, "rare", "unheard of"]).fit(x, y)
    assert model.predict_set(x)[1].shape == (1500, 4, 1)
    assert model.certificate_.holds


def test_rows_of_one_class_are_enough_if_others_are_named() -> None:
    x, _ = rows(600)
    model = classifier().fit(x, np.full(600, "ill"))
    assert (model.predict(x) == "ill").mean() > 0.9


@pytest.mark.parametrize("score", SCORES)
def test_sixty_classes_are_told_apart(score: str) -> None:
    x, codes = rows(3000, classes=60)
    model = classifier(classes=range(60), epsilon=8.0, score=score).fit(x, codes)
    sets = model.predict_set(x)[1]
    assert sets.shape == (3000, 60, 1)
    assert sets[np.arange(3000), codes, 0].mean() > 0.88


@pytest.mark.parametrize("score", ["probability", "aps_randomized"])
def test_sets_are_never_empty_unless_that_is_wanted(score: str) -> None:
    # The rows are easy and much may be missed, so that the threshold is low.
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, size=(4000, 1))
    y = named((x[:, 0] > 0).astype(int))
    choices = {"confidence_level": 0.3, "epsilon": 20.0, "score": score, "smallest_width": 0.02}
    shown, bare = (classifier(allow_empty=empty, **choices).fit(x, y).predict_set(x) for empty in (False, True))
    empty = ~bare[1].any(axis=1)[:, 0]
    assert empty.mean() > 0.05
    np.testing.assert_array_equal(shown[1][~empty], bare[1][~empty])
    assert (shown[1][empty].sum(axis=1) == 1).all()
    likeliest = np.where(shown[1][empty][:, 0, 0], *NAMES)
    np.testing.assert_array_equal(likeliest, shown[0][empty])


def test_randomised_sets_are_repeated_by_a_seed_and_not_without() -> None:
    x, codes = rows(1500, classes=4)
    sets = [
        classifier(classes=range(4), score="aps_randomized", random_state=seed).fit(x, codes).predict_set(x)[1]
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(sets[0], sets[1])
    assert (sets[0] != sets[2]).any()
    unseeded = classifier(classes=range(4), score="aps_randomized", random_state=None).fit(x, codes)
    assert (unseeded.predict_set(x)[1] != unseeded.predict_set(x)[1]).any()


def test_the_chance_of_randomised_sets_is_not_that_of_a_table_drawn_with_the_same_seed() -> None:
    drawn = np.random.default_rng(0).random(3000)
    x, codes = np.random.default_rng(1).normal(size=(3000, 3)), (drawn > 0.5).astype(int)
    model = classifier(classes=[0, 1], score="aps_randomized", random_state=0).fit(x, codes)
    held = model.predict_set(x)[1][np.arange(3000), codes, 0]
    # Coins that were the table's own numbers would miss one class only.
    assert abs(held[codes == 0].mean() - held[codes == 1].mean()) < 0.1


def test_a_schema_describes_features_and_classes() -> None:
    data = load_sample("breast_cancer")
    target = data.schema.target
    X, y = data.frame.drop(columns=target.name), data.frame[target.name]
    model = DPCPClassifier(schema=data.schema, epsilon=4.0, random_state=0).fit(X, y)
    assert model.classes_.tolist() == list(target.categories)
    assert model.receipt_.is_private
    np.testing.assert_array_equal(model.predict(X[X.columns[::-1]]), model.predict(X))
    assert model.score(X, y) > 0.8


def test_a_number_of_the_schema_is_no_class() -> None:
    schema = Schema((Column("a", "number", bounds=(0, 1)), Column("y", "number", bounds=(0, 1), role="target")))
    with pytest.raises(InputError, match="take DPCPRegressor"):
        DPCPClassifier(schema=schema, random_state=0).fit(pd.DataFrame({"a": [0.1, 0.2]}), [0, 1])


def test_classes_of_the_schema_may_be_named_anew() -> None:
    schema = Schema((Column("a", "number", bounds=(-3, 3)), Column("y", "boolean", role="target")))
    x, codes = rows(400)
    model = DPCPClassifier(schema=schema, classes=NAMES, random_state=0)
    assert model.fit(pd.DataFrame({"a": x[:, 0]}), named(codes)).classes_.tolist() == NAMES


@pytest.mark.parametrize(
    ("change", "y", "words"),
    [
        ({"classes": None}, ["ill"] * 100, "y holds 1 class; at least two are needed"),
        ({"classes": ["ill"]}, ["ill"] * 100, "classes names 1 class"),
        ({"classes": ["ill", "ill", "well"]}, ["ill"] * 100, "lists the category 'ill' twice"),
        ({"classes": "ill"}, ["ill"] * 100, "classes must be a list"),
        ({"classes": 2}, ["ill"] * 100, "classes must be a list"),
        ({}, None, "y"),
        ({}, np.linspace(0, 1, 100), "Unknown label type: continuous; y must hold one class per row"),
        ({}, [["ill", "well"]] * 100, "y should be a 1d array"),
        ({"score": "absolute"}, ["ill"] * 100, "score 'absolute' does not suit a target of classes"),
        ({"score": "normalized"}, ["ill"] * 100, "does not suit a target of classes"),
        ({"trainer": "ridge"}, ["ill"] * 100, "trainer 'ridge' predicts numbers"),
        ({"trainer": "logistic", "classes": ["a", "b", "ill"]}, ["ill"] * 100, "tells two classes apart"),
        ({"mode": "release"}, ["ill"] * 100, "takes no seed"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(change: dict, y: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        classifier(**change).fit(rows(100)[0], y)
    assert str(caught.value).rstrip(".").count(". ") == 0


def test_a_missing_class_is_one_sentence() -> None:
    y = named(rows(100)[1]).astype(object)
    y[3] = None
    with pytest.raises(InputError, match="missing"):
        classifier().fit(rows(100)[0], y)


def test_defaults_of_the_classifier_are_those_of_the_choices() -> None:
    names = {field.name for field in dataclasses.fields(ConformalChoices)} - {"method"}
    assert names <= set(DPCPClassifier().get_params())
    chosen = DPCPClassifier()._choices().resolved("classification")
    assert chosen == ConformalChoices().resolved("classification")


def test_the_parameter_score_lives_beside_the_method_score() -> None:
    x, codes = rows(1000)
    model = clone(classifier(score="aps", epsilon=4.0))
    assert model.get_params()["score"] == "aps"
    assert model.fit(x, named(codes)).score(x, named(codes)) > 0.7


def test_a_fit_that_fails_leaves_the_last_one_whole() -> None:
    x, codes = rows(300)
    model = classifier().fit(x, named(codes))
    before = model.predict_proba(x)
    with pytest.raises(InputError):
        model.set_params(classes=["a", "b"]).fit(x, named(codes))
    np.testing.assert_array_equal(model.predict_proba(x), before)
    assert model.classes_.tolist() == NAMES
    assert set(model.predict(x)) <= set(NAMES)
