"""Train on synthetic, test on real: against train on real, a guess, and the private model itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import DOWNSTREAM, evaluate_utility, score_classes

QUICK = ("logistic", "svm")
SCHEMA = Schema(
    (
        Column("age", "number", bounds=(0, 100), typical=(30, 60)),
        Column("sex", "category", categories=("f", "m")),
        Column("ill", "category", categories=("no", "yes"), role="target"),
        Column("stay", "number", bounds=(-100, 200), role="ignore"),
    )
)


def people(n: int = 600, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age, sex = rng.uniform(10, 90, n), rng.choice(["f", "m"], n)
    chance = 1 / (1 + np.exp(-(age - 50) / 8 - (sex == "m")))
    ill = np.where(rng.random(n) < chance, "yes", "no")
    return pd.DataFrame({"age": age, "sex": sex, "ill": ill, "stay": age / 2 + 5 * (sex == "m") + rng.normal(size=n)})


@pytest.mark.parametrize("name", DOWNSTREAM)
def test_the_real_rows_as_synthetic_ones_score_as_the_real_rows(name: str) -> None:
    train, test = people(), people(seed=1)
    report = evaluate_utility(train, train, test, SCHEMA, models=[name])
    found = report.model(name)
    assert found.on_synthetic == found.on_real
    assert found.on_real.accuracy > report.majority.accuracy + 0.2


def test_logistic_regression_is_that_of_scikit_learn_on_the_public_encoding() -> None:
    train, test = people(), people(seed=1)
    coded = [encode(frame, SCHEMA, "ill") for frame in (train, test)]
    scaler = StandardScaler().fit(coded[0].features[:, 1:])
    model = LogisticRegression().fit(scaler.transform(coded[0].features[:, 1:]), coded[0].target)
    wanted = score_classes(model.predict_proba(scaler.transform(coded[1].features[:, 1:])), coded[1].target)
    found = evaluate_utility(train, train, test, SCHEMA, models=["logistic"]).models[0].on_synthetic
    assert found.auc == pytest.approx(wanted.auc, abs=1e-4)
    assert found.accuracy == pytest.approx(wanted.accuracy, abs=0.005)


def test_labels_that_are_the_wrong_way_round_score_below_chance() -> None:
    train, test = people(), people(seed=1)
    turned = train.assign(ill=train["ill"].map({"no": "yes", "yes": "no"}))
    found = evaluate_utility(turned, train, test, SCHEMA, models=QUICK)
    assert all(model.on_synthetic.auc < 0.2 < 0.8 < model.on_real.auc for model in found.models)


def test_a_synthetic_table_of_one_class_is_a_guess_and_says_so() -> None:
    train, test = people(), people(seed=1)
    report = evaluate_utility(train.assign(ill="no"), train, test, SCHEMA, models=QUICK)
    share = (test["ill"] == "no").mean()
    for model in report.models:
        assert model.is_constant
        assert model.on_synthetic.accuracy == pytest.approx(share)
        assert (model.on_synthetic.f1, model.on_synthetic.auc) == (0.0, 0.5)
    assert any("all of one class" in note for note in report.notes)


def test_the_majority_guess_knows_the_most_frequent_class_of_the_training_rows() -> None:
    train = people().assign(ill=["yes"] * 400 + ["no"] * 200)
    test = people(seed=1)
    report = evaluate_utility(train, train, test, SCHEMA, models=[])
    assert report.majority.accuracy == pytest.approx((test["ill"] == "yes").mean())
    assert report.majority.auc == 0.5
    assert report.positive == "yes"


def test_the_private_model_itself_is_scored_on_the_same_rows() -> None:
    train, test = people(), people(seed=1)
    chance = np.where(test["age"] > 50, 0.9, 0.1)
    report = evaluate_utility(train, train, test, SCHEMA, models=[], task_model=np.column_stack([1 - chance, chance]))
    assert report.task_model is not None
    assert report.task_model.accuracy == pytest.approx(((test["age"] > 50) == (test["ill"] == "yes")).mean())


def test_rows_without_a_known_target_are_left_out_and_counted() -> None:
    train, test = people(), people(seed=1)
    made = train.assign(ill=train["ill"].where(np.arange(600) >= 50, None).replace("maybe", "no"))
    report = evaluate_utility(made, train, test, SCHEMA, models=["logistic"])
    assert report.n_synthetic == 550
    assert report.notes == ("50 synthetic rows have no target that the schema knows and were left out.",)


def test_numbers_score_by_their_distance() -> None:
    schema = SCHEMA.with_role("ill", "ignore").with_target("stay")
    train, test = people(), people(seed=1)
    report = evaluate_utility(train, train, test, schema, models=QUICK)
    assert report.task == "regression"
    assert report.classes == ()
    assert report.majority.r2 == pytest.approx(0.0, abs=0.05)
    for model in report.models:
        assert model.on_synthetic.r2 > 0.95
        assert model.on_synthetic.rmse < 3
    assert [model.title for model in report.models] == ["ridge regression", "linear SVM"]


def test_three_classes_of_which_the_synthetic_table_has_two_are_still_scored() -> None:
    classes = ("none", "mild", "bad")
    schema = SCHEMA.with_column(Column("ill", "category", categories=classes, role="target"))
    grades = {seed: people(seed=seed) for seed in (0, 1)}
    train, test = (
        f.assign(ill=pd.cut(f["age"], [0, 40, 70, 100], labels=classes).astype(str)) for f in grades.values()
    )
    made = train[train["ill"] != "bad"]
    report = evaluate_utility(made, train, test, schema, models=(*QUICK, "mlp"))
    for model in report.models:
        assert model.on_synthetic.accuracy == pytest.approx((test["ill"] != "bad").mean(), abs=0.1)
        assert model.on_real.accuracy > model.on_synthetic.accuracy
    assert report.positive == ""


def test_scores_on_real_rows_are_taken_over_from_a_reference() -> None:
    train, test = people(), people(seed=1)
    first = evaluate_utility(train, train, test, SCHEMA, models=QUICK)
    again = evaluate_utility(train.sample(300, random_state=0), train, test, SCHEMA, models=QUICK, reference=first)
    assert all(a.on_real is b.on_real for a, b in zip(first.models, again.models, strict=True))
    with pytest.raises(InputError, match="600 training and 600 held-out rows, not with 600 and 100"):
        evaluate_utility(train, train, test.head(100), SCHEMA, models=QUICK, reference=first)


def test_more_rows_than_allowed_are_thinned_and_said() -> None:
    train, test = people(), people(seed=1)
    report = evaluate_utility(train, train, test, SCHEMA, models=["logistic"], most_rows=200)
    assert (report.n_synthetic, report.n_train, report.n_test) == (200, 200, 600)
    assert report.notes[0] == "Models were trained on 200 of 600 synthetic rows."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"models": ["boost"]}, "model is 'boost' but must be one of"),
        ({"target": "illness"}, "There is no column 'illness'"),
        ({"task_model": np.zeros((5, 2))}, "5 predictions for 600 held-out rows"),
        ({"task_model": np.zeros((600, 3))}, r"shape \(600, 3\) but must be \(600, 2\)"),
    ],
)
def test_what_cannot_be_evaluated_is_one_sentence(change: dict, said: str) -> None:
    train, test = people(), people(seed=1)
    with pytest.raises(InputError, match=said):
        evaluate_utility(train, train, test, SCHEMA, **{"models": [], **change})


def test_a_synthetic_table_without_the_target_is_one_sentence() -> None:
    train, test = people(), people(seed=1)
    with pytest.raises(InputError, match="The synthetic rows have no column 'ill'"):
        evaluate_utility(train.drop(columns="ill"), train, test, SCHEMA, models=QUICK)
    with pytest.raises(InputError, match="None of the synthetic rows has a value of the target 'ill'"):
        evaluate_utility(train.assign(ill=None), train, test, SCHEMA, models=QUICK)
