"""Tables are read as they are published, cells measured and kept, and what is kept is not run again."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from dpcp_core import InputError
from dpcp_core.experiments.reproduce.published.registry import look_into
from dpcp_core.experiments.reproduce_synthesis.measure import Bench
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement, cell_key
from dpcp_core.experiments.reproduce_synthesis.plan import Cell, Effort, cells_of
from dpcp_core.experiments.reproduce_synthesis.store import CellStore
from dpcp_core.experiments.reproduce_synthesis.tables import TABLES
from tests.core.experiments.reproduce_synthesis.measurements import measured, stopped, write_br2000

PERSON = "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40"
ADULT = f"{PERSON}, {{}}, {{}}\n"


def load(folder, name):
    here, _ = look_into(folder, TABLES)
    return next(entry for entry in here if entry.table.name == name).load()


def bench(tmp_path, **options):
    write_br2000(tmp_path / "data")
    given = {"split": "apart", "seed": 0, "models": ("logistic",), "timeout": 60.0, **options}
    return Bench.of(load(tmp_path / "data", "br2000"), **given)


def test_adult_is_read_from_the_two_files_of_uci(tmp_path):
    (tmp_path / "adult.data").write_text(ADULT.format("?", "<=50K") + ADULT.format("Cuba", ">50K") + "\n")
    (tmp_path / "adult.test").write_text("|1x3 Cross validator\n" + ADULT.format("Cuba", ">50K."))
    frame = load(tmp_path, "adult").frame
    assert frame["income"].tolist() == ["<=50K", ">50K", ">50K"]
    assert frame["native_country"].isna().tolist() == [True, False, False]
    assert frame["age"].tolist() == [39, 39, 39]


def test_lpd_is_read_under_the_names_of_its_publisher(tmp_path):
    header = "Age of the patient,Gender,Bilirubin,Direct,\xa0Alkphos,\xa0Sgpt,Sgot,Protiens,\xa0ALB,A/G,Result\n"
    row = "65,Female,0.7,0.1,187,16,18,6.8,3.3,0.9,1\n"
    (tmp_path / "Liver Patient Dataset (LPD)_train.csv").write_bytes((header + row).encode("latin-1"))
    data = load(tmp_path, "lpd")
    assert data.frame["result"].astype(str).tolist() == ["1"]
    assert data.schema.target.categories[-1] == "1"


def test_a_table_with_other_columns_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "br2000.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"has no column 'attr_00'.*download it again"):
        load(tmp_path, "br2000")


def test_a_cell_is_measured_on_rows_that_its_table_never_saw(tmp_path):
    made = bench(tmp_path)
    found = made.measure(Cell("marginals", "logistic", 100.0, 0))
    assert found.problem == ""
    assert (found.n_train, found.n_test) == (len(made.split.train), len(made.split.test))
    assert found.n_leaked == 0
    scores = found.model("logistic")
    assert scores.on_real.accuracy > found.guess.accuracy
    assert scores.on_synthetic.accuracy > found.guess.accuracy
    assert found.is_private
    assert not made.measure(Cell("shuffle", "logistic", 1.0, 0)).is_private


def test_models_of_real_rows_are_trained_once_for_all_cells_of_a_split(tmp_path):
    made = bench(tmp_path)
    first = made.measure(Cell("marginals", "logistic", 1.0, 0))
    known = made.reference
    second = made.measure(Cell("uniform", "", 1.0, 0))
    assert made.reference is known
    assert first.model("logistic").on_real == second.model("logistic").on_real
    assert first.model("logistic").on_synthetic != second.model("logistic").on_synthetic


def test_scaled_rows_are_drawn_from_the_training_rows(tmp_path):
    made = bench(tmp_path)
    assert made.measure(Cell("marginals", "logistic", 1.0, 0, scale=3)).n_train == 3 * len(made.split.train)


def test_a_plain_split_lets_copies_through(tmp_path):
    path = write_br2000(tmp_path / "data")
    frame = pd.read_csv(path)
    pd.concat([frame, frame]).to_csv(path, index=False)
    data = load(tmp_path / "data", "br2000")
    leaked = {split: Bench.of(data, split, 0, (), 1.0).split.n_leaked for split in ("apart", "naive")}
    assert leaked["apart"] == 0
    assert leaked["naive"] > 20


def test_a_rival_that_is_too_slow_is_a_result_and_not_waited_for_twice(tmp_path):
    made = bench(tmp_path, timeout=0.01)
    found = made.measure(Cell("independent", "", 1.0, 0))
    assert found.is_timeout
    assert "was stopped after" in found.problem
    again = made.measure(Cell("independent", "", 1.0, 0, scale=2))
    assert again.seconds == found.seconds


@pytest.mark.parametrize("found", [measured()[0], stopped("mst")[1]])
def test_what_is_kept_comes_back_equal(tmp_path, found):
    store = CellStore.at(tmp_path / "cells")
    assert store.find("a") is None
    store.add("a", found)
    assert store.find("a") == found
    assert [path.name for path in store.folder.iterdir()] == ["a.json"]


def test_a_failed_cell_comes_back_with_its_gaps(tmp_path):
    values = {**stopped("mst")[0].to_dict(), "label_rate": float("nan")}
    store = CellStore.at(tmp_path)
    store.add("a", Measurement.from_dict(values))
    assert np.isnan(store.find("a").label_rate)


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"cell": 1})])
def test_a_damaged_cell_is_named(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(InputError, match=r"a\.json is damaged or holds no finished cell"):
        CellStore.at(tmp_path).find("a")


def test_a_cell_has_another_key_for_anything_that_changes_it():
    cell = Cell("marginals", "mlp", 1.0, 0)
    keys = {
        cell_key("d", cell, ("svm",), 600.0),
        cell_key("e", cell, ("svm",), 600.0),
        cell_key("d", Cell("marginals", "mlp", 1.0, 1), ("svm",), 600.0),
        cell_key("d", cell, ("svm", "mlp"), 600.0),
        cell_key("d", cell, ("svm",), 60.0),
    }
    assert len(keys) == 5


def test_each_seed_runs_the_same_cells_each_once():
    cells = cells_of(Effort(repetitions=2, rivals="all"))
    assert len(set(cells)) == len(cells)
    assert {cell.method for cell in cells} >= {"mst", "aim", "uniform", "shuffle"}
    by_seed = [
        {(c.method, c.task_model, c.epsilon, c.split, c.scale) for c in cells if c.seed == seed} for seed in (0, 1)
    ]
    assert by_seed[0] == by_seed[1]


@pytest.mark.parametrize(("option", "value"), [("repetitions", 0), ("timeout", -1), ("rivals", "some"), ("seed", "x")])
def test_an_effort_checks_itself(option, value):
    with pytest.raises(InputError, match=option):
        Effort(**{option: value})
