"""What is encoded for a prediction, and which tables nothing can be predicted from."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcp_core import ConformalSettings, Dataset, InputError, Schema
from dpcp_core.data.schema import Column
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.run import calibrate, train
from dpcp_core.experiments.trained import train_reference

N = 120
SCHEMA = Schema(
    (
        Column("age", "integer", bounds=(18, 90)),
        Column("sex", "category", categories=("f", "m")),
        Column("pain", "number", "target", bounds=(0, 100)),
    ),
    one_row_is="one patient",
)


def table(n: int = N, schema: Schema = SCHEMA, **cells: Any) -> Dataset:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 91, n)
    frame = pd.DataFrame({"age": age, "sex": rng.choice(["f", "m"], n), "pain": 0.5 * age + rng.normal(0, 3, n) + 20})
    return Dataset.from_frame(frame.assign(**cells), schema, "pain")


ALONE = Schema((SCHEMA.column("pain"), dataclasses.replace(SCHEMA.column("age"), role="ignore")))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (table(29), r"^The table has 29 rows; at least 30 are needed to hold some out and fit the rest\.$"),
        (table(schema=ALONE), r'^No column is left to predict from; give at least one column the role "feature"\.$'),
        (table(schema=SCHEMA.with_role("pain", "feature")), r"^No column is the target yet; name one, or give it role"),
        (table(pain=np.arange(250.0, 250.0 + N)), r"^The target 'pain' has the same value in every row \(with"),
        (table(age=40, sex="f"), r"^Every feature has the same value in every row, so nothing can be predicted from"),
        (table(sex=None), r"^Column 'sex' is empty in every row, so it cannot help to predict; set its role to"),
    ],
)
def test_a_table_that_nothing_can_be_predicted_from_is_refused(data: Dataset, words: str) -> None:
    with pytest.raises(InputError, match=words):
        prepare(data)


def test_a_feature_that_never_varies_is_named_and_the_others_predict() -> None:
    assert prepare(table(sex="f")).constant == ("sex",)
    assert prepare(table(age=40)).constant == ("age",)
    assert prepare(table()).constant == ()
    # Far doses shorten their rows, which moves the ages that are the same in all of them.
    far = Column("dose", "number", bounds=(0, 1000), typical=(0, 1))
    doses = table(schema=Schema((*SCHEMA.columns, far)), age=40, dose=np.linspace(0, 1000, N))
    assert prepare(doses).constant == ("age",)


def test_what_is_sent_to_another_computer_tells_how_large_its_rows_are() -> None:
    settings = ConformalSettings(repetitions=1).resolved("regression")
    small, large = (prepare(table(n)) for n in (N, 20 * N))
    assert sys.getsizeof(large) - sys.getsizeof(small) == 19 * (small.features.nbytes + small.truth.nbytes)
    kept = [train_reference(prepared, settings.training_key()) for prepared in (small, large)]
    assert sys.getsizeof(kept[1]) - sys.getsizeof(kept[0]) > 15 * kept[0].scores.nbytes


def test_runs_and_references_of_other_settings_are_refused() -> None:
    prepared, settings = prepare(table()), ConformalSettings(repetitions=2).resolved("regression")
    runs = train(prepared, settings.training_key())
    calibrate(runs, settings.replace(confidence_level=0.8))
    with pytest.raises(InputError, match="These runs were trained for other settings; train again"):
        calibrate(runs, settings.replace(training_share=0.8))
    other = train_reference(prepared, settings.replace(seed=5).training_key())
    with pytest.raises(InputError, match="This reference is of another task; make it with train_reference"):
        train(prepared, settings.training_key(), reference=other)
