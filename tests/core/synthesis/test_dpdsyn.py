from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dpcp_core import DPDSyn, SynthesisSettings
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError, NotPrivateError, PrivacyLeakWarning
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.run import synthesize
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people()
MADE = ["age", "years_employed", "dose", "job", "size", "smoker", "ill"]


def model(**changes: object) -> DPDSyn:
    return DPDSyn(**{"schema": PEOPLE, "task_model": "logistic", "random_state": 0, **changes})


@pytest.fixture(scope="module")
def fitted() -> DPDSyn:
    return model(rules=("years_employed <= age - 16",)).fit(FRAME)


@pytest.mark.parametrize("attributes", ["marginals", "tree", "public", "autoencoder"])
def test_every_private_maker_gives_a_table_that_the_schema_allows(attributes):
    made = model(attributes=attributes).fit(FRAME)
    table = made.sample(700)
    assert list(table.columns) == MADE
    assert len(table) == 700
    PEOPLE.replace(columns=tuple(c for c in PEOPLE.columns if c.name in MADE)).check(table)
    assert table["age"].dropna().between(18, 90).all()
    assert set(table["job"].dropna()) <= set(PEOPLE.column("job").categories)
    assert str(made.receipt_.total) == "epsilon = 1, delta = 1e-05"


def test_noisy_histograms_keep_each_column_and_the_share_of_empty_cells():
    table = model(epsilon=4.0).fit(FRAME).sample(4000)
    for name in ("job", "size", "smoker"):
        shares = [part[name].value_counts(normalize=True, dropna=False) for part in (FRAME, table)]
        assert shares[0].sub(shares[1], fill_value=0).abs().max() < 0.04
    assert table["dose"].isna().mean() == pytest.approx(FRAME["dose"].isna().mean(), abs=0.03)
    assert table["age"].mean() == pytest.approx(FRAME["age"].mean(), abs=1.5)


def test_a_group_keeps_what_its_columns_have_in_common_and_single_columns_do_not():
    pair = ["age", "years_employed"]
    alone = model(epsilon=4.0).fit(FRAME).sample(4000)[pair].corr().iloc[0, 1]
    together = model(epsilon=4.0, groups=[tuple(pair)]).fit(FRAME).sample(4000)[pair].corr().iloc[0, 1]
    tree = model(epsilon=4.0, attributes="tree").fit(FRAME).sample(4000)[pair].corr().iloc[0, 1]
    assert abs(alone) < 0.1
    assert together > 0.8
    assert tree > 0.6


def test_labels_follow_the_task():
    table = model(epsilon=4.0).fit(FRAME).sample(4000)
    by_age = (table["ill"] == "yes").groupby(table["age"] > 60).mean()
    assert by_age[True] > by_age[False] + 0.4


def test_drawn_labels_keep_the_label_rate_and_the_likeliest_need_not():
    frame = FRAME.assign(ill=np.where(np.random.default_rng(5).random(len(FRAME)) < 0.2, "yes", "no"))
    likeliest, drawn = (
        model(labels=labels, epsilon=8.0, task_model="mlp").fit(frame) for labels in ("argmax", "sample")
    )
    for each in (likeliest, drawn):
        each.sample(4000)
    assert likeliest.report_.label_rate[1] < 0.02
    assert drawn.report_.label_rate[1] == pytest.approx(drawn.report_.real_label_rate[1], abs=0.05)


def test_a_number_is_predicted_or_drawn_around_its_prediction():
    schema = PEOPLE.with_target("years_employed")
    spread = {}
    for labels in ("argmax", "sample"):
        made = model(schema=schema, task_model="ridge", labels=labels, epsilon=4.0, groups=[]).fit(FRAME)
        table = made.sample(4000)
        assert table["years_employed"].dtype == "int64"
        assert table["years_employed"].between(0, 70).all()
        spread[labels] = np.std(table["years_employed"] - made.predict(table))
        assert len(made.receipt_.entries) == (2 if labels == "argmax" else 3)
    assert spread["argmax"] < 0.5
    assert 1 < spread["sample"] < 12


def test_several_targets_have_a_model_each_and_the_later_know_the_earlier():
    made = model(target=["smoker", "ill"], epsilon=4.0).fit(FRAME)
    table = made.sample(3000)
    assert list(table.columns) == MADE
    assert sum("Task model" in entry.mechanism for entry in made.receipt_.entries) == 2
    assert any("equal part of the budget" in sentence for sentence in made.receipt_.assumptions)
    names = [column.name for column in made._source.labels[1].plan.schema.features]
    assert "smoker" in names
    assert "ill" not in [column.name for column in made._source.labels[0].plan.schema.features]


def test_a_table_without_a_target_is_made_without_a_task_model():
    schema = PEOPLE.with_role("ill", "feature")
    made = model(schema=schema, attributes="autoencoder", epsilon=8.0).fit(FRAME)
    table = made.sample(2000)
    assert list(table.columns) == MADE
    assert not any("Task model" in entry.mechanism for entry in made.receipt_.entries)
    assert table[["age", "years_employed"]].corr().iloc[0, 1] > 0.5
    with pytest.raises(InputError, match="no target"):
        made.predict(FRAME)


def test_rules_are_kept_and_what_they_dropped_is_counted(fitted):
    table = fitted.sample(2000)
    assert len(table) == 2000
    assert (table["years_employed"] <= table["age"] - 16).all()
    report = fitted.report_
    assert report.n_dropped > 100
    assert report.n_drawn >= 2000 + report.n_dropped - 500
    assert report.dropped_by == (("years_employed <= age - 16", report.n_dropped),)


def test_shuffled_columns_are_the_tables_own_and_are_called_not_private():
    with pytest.warns(PrivacyLeakWarning, match="rare value still points to its person"):
        made = model(attributes="shuffle", groups=[("age", "years_employed")]).fit(FRAME)
    table = made.sample()
    assert sorted(table["dose"].dropna()) == sorted(FRAME["dose"].dropna())
    pairs = [set(zip(part["age"], part["years_employed"], strict=True)) for part in (table, FRAME)]
    assert pairs[0] == pairs[1]
    assert not made.receipt_.is_private
    assert made.receipt_.leaks
    assert len(made.sample(9000)) == 9000


def test_a_release_refuses_what_is_not_private_and_counts_nothing_on_the_rows():
    with pytest.raises(NotPrivateError, match="Shuffled columns publish every value"):
        model(attributes="shuffle", mode="release", random_state=None).fit(FRAME)
    with pytest.raises(NotPrivateError, match="give a schema"):
        model(schema=None, target="ill", mode="release", random_state=None).fit(FRAME)
    with pytest.raises(InputError, match="a release takes no seed"):
        model(mode="release").fit(FRAME)
    made = model(mode="release", random_state=None).fit(FRAME)
    report = made.report_
    assert (report.clipped, report.missing, report.unknown, report.real_label_rate) == ({}, {}, {}, ())
    assert made.receipt_.mode == "release"
    assert len(made.sample(10)) == 10


def test_a_simulation_repeats_and_each_sample_of_it_is_another():
    first, second = (model().fit(FRAME) for _ in range(2))
    one, two = first.sample(50), second.sample(50)
    pd.testing.assert_frame_equal(one, two)
    assert not first.sample(50).equals(one)


def test_without_a_schema_the_rows_describe_themselves_and_that_is_said():
    with pytest.warns(PrivacyLeakWarning, match="were read off the rows"):
        made = DPDSyn(target="ill", task_model="logistic", random_state=0).fit(FRAME.drop(columns="note"))
    assert not made.receipt_.is_private
    assert made.sample(5).shape == (5, 7)


def test_public_rows_stay_whole_and_cost_nothing():
    public = people(200, seed=9)
    made = model(attributes="public").fit(FRAME, public=public)
    table = made.sample(500)
    assert set(zip(table["age"], table["years_employed"], strict=True)) <= set(
        zip(public["age"], public["years_employed"], strict=True)
    )
    assert [entry.mechanism[:10] for entry in made.receipt_.entries] == ["Task model"]


def test_it_is_a_scikit_learn_estimator():
    twin = clone(model(groups=[("age", "dose")]))
    assert twin.get_params()["groups"] == [("age", "dose")]
    assert set(twin.get_params()) >= set(SynthesisSettings().to_dict()) - {"n_rows", "seed"}


def test_settings_and_dataset_give_the_same_table_as_the_estimator():
    data = Dataset.from_frame(FRAME, PEOPLE)
    settings = SynthesisSettings(task_model="logistic", n_rows=40, groups=[["age", "dose"]], bins={"age": 5})
    assert SynthesisSettings.from_dict(settings.to_dict()) == settings
    assert hash(settings) == hash(SynthesisSettings.from_dict(settings.to_dict()))
    made = synthesize(data, settings)
    again = model(groups=[("age", "dose")], bins={"age": 5}).fit(data).sample(40)
    pd.testing.assert_frame_equal(made.table, again)
    assert made.schema.names == tuple(MADE)


def test_the_curator_sees_what_was_clipped_missing_and_unknown():
    frame = FRAME.copy()
    frame.loc[:4, "age"] = 120
    frame.loc[:2, "job"] = "CEO"
    report = model().fit(frame).report_
    assert report.clipped["age"] == 5
    assert report.unknown == {"job": 3}
    assert report.missing["dose"] == FRAME["dose"].isna().sum()
    assert any("job (3)" in note for note in report.notes)
    assert report.real_label_rate[1] == pytest.approx((FRAME["ill"] == "yes").mean())
    assert report.ignored == ("note",)


@pytest.mark.parametrize("name", [name for name in ATTRIBUTES if name != "graph"])
def test_makers_say_what_they_are(name):
    maker = ATTRIBUTES[name]
    assert maker.sentence.endswith(".")
    assert maker.leak == "" or maker.leak.endswith(".")


def test_a_classifier_of_many_classes_and_a_column_of_many_categories_work():
    levels = tuple(f"level {i}" for i in range(200))
    kinds = Column("t", "category", "target", categories=("x", "y", "z"))
    schema = Schema((Column("a", "category", categories=levels), kinds))
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(levels, 3000), "t": rng.choice(["x", "y", "z"], 3000)})
    table = DPDSyn(schema=schema, task_model="softmax", labels="sample", random_state=0).fit(frame).sample(1000)
    assert table["a"].nunique() > 100
    assert set(table["t"]) == {"x", "y", "z"}


@pytest.mark.slow
def test_a_graphical_model_fits_the_counts_of_a_tree():
    pytest.importorskip("mbi", reason="the library mbi is not installed")
    made = model(attributes="graph", epsilon=4.0).fit(FRAME)
    table = made.sample(4000)
    assert list(table.columns) == MADE
    assert table[["age", "years_employed"]].corr().iloc[0, 1] > 0.8
    assert table["smoker"].value_counts(normalize=True)["yes"] == pytest.approx(0.3, abs=0.05)
    assert str(made.receipt_.total) == "epsilon = 4, delta = 1e-05"
