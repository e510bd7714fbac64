"""``dpcp synthesize``: a table with its receipt beside it, what it is worth, and a sentence for what cannot be made."""

from __future__ import annotations

import dataclasses
import inspect
import json
from functools import partial

import pandas as pd
import pytest

from dpcp_core import PrivacyReceipt, Schema, SynthesisSettings
from dpcp_core.cli.entry import run
from dpcp_core.cli.report import WIDTH
from dpcp_core.cli.synthesize import synthesize_command
from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.synthesis import simulate_synthesis
from dpcp_core.synthesis.run import synthesize
from tests.core.synthesis.commands import FRAME, synthesized
from tests.core.synthesis.tables import PEOPLE
from tests.core.test_cli_bad_input import one_sentence

SCORES = ["accuracy", "f1", "auc", "balanced_accuracy"]
BADGE = "Note: This table is a simulation and not a private release"


@pytest.fixture
def typed(tmp_path, capsys):
    """Return a function that runs the command on a table and gives exit code, output and what was said beside it."""
    return partial(synthesized, tmp_path, capsys)


@pytest.fixture
def answer(typed):
    """Return a function that runs a command which must succeed, and gives both outputs."""

    def call(*args, **kwargs):
        code, out, err = typed(*args, **kwargs)
        assert code == 0, err
        return out, err

    return call


def test_the_table_comes_with_its_receipt_and_its_schema(answer, tmp_path):
    out, err = answer("--out", tmp_path / "made.csv", "--rows", 250, "--seed", 7)
    table = pd.read_csv(tmp_path / "made.csv")
    schema = Schema.from_toml(tmp_path / "made.schema.toml")
    receipt = PrivacyReceipt.from_json((tmp_path / "made.receipt.json").read_text())
    settings = SynthesisSettings(epsilon=4.0, task_model="logistic", n_rows=250, seed=7)
    expected = synthesize(Dataset.from_frame(FRAME, PEOPLE), settings)
    assert receipt == expected.receipt
    assert schema == expected.schema
    schema.check(table)
    pd.testing.assert_frame_equal(table, expected.table, check_dtype=False)
    assert receipt.mode == "simulation"
    assert BADGE in err
    assert "Simulation: not a private release." in out
    assert all(str(tmp_path / name) in out for name in ("made.csv", "made.receipt.json", "made.schema.toml"))


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_the_name_says_how_the_table_is_written(answer, tmp_path, ending):
    answer("--out", tmp_path / f"made.{ending}", "--rows", 50)
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "json": pd.read_json}[ending]
    assert read(tmp_path / f"made.{ending}").shape == (50, 7)


def test_nothing_is_overwritten_without_being_told_to(typed, answer, tmp_path):
    (tmp_path / "made.receipt.json").write_text("mine")
    code, _, err = typed("--out", tmp_path / "made.csv")
    assert code == 2
    assert one_sentence(err) == (
        f"{tmp_path / 'made.receipt.json'} is there already: choose another name, or add --force to overwrite it."
    )
    assert (tmp_path / "made.receipt.json").read_text() == "mine"
    assert not (tmp_path / "made.csv").exists()
    answer("--out", tmp_path / "made.csv", "--force")
    assert PrivacyReceipt.from_json((tmp_path / "made.receipt.json").read_text()).is_private


def test_what_is_read_is_not_written_over_even_by_force(typed, tmp_path):
    PEOPLE_TOML = tmp_path / "people.schema.toml"
    PEOPLE_TOML.write_text(PEOPLE.to_toml())
    code, _, err = typed("--out", tmp_path / "people.csv", "--force")
    assert code == 2
    assert "is read by this command" in one_sentence(err)
    code, _, err = typed("--out", tmp_path / "people.parquet", "--force", "--schema", PEOPLE_TOML, schema=None)
    assert code == 2
    assert "people.schema.toml is read by this command" in one_sentence(err)
    assert Schema.from_toml(PEOPLE_TOML) == PEOPLE


def test_json_has_the_agreed_keys_and_the_numbers_of_the_simulation(answer):
    out, err = answer("--evaluate", "--models", "logistic,svm", "--json")
    said = json.loads(out)
    # No table is left behind that could be taken for a release.
    assert BADGE not in err
    assert list(said) == [*SCORES, "label_rate", "seconds_fit", "seconds_sample", "receipt"]
    settings = SynthesisSettings(epsilon=4.0, task_model="logistic")
    found = simulate_synthesis(Dataset.from_frame(FRAME, PEOPLE), settings, ("logistic", "svm"))
    for measure in SCORES:
        for model in ("logistic", "svm"):
            assert said[measure][model]["real"] == found.score(model, measure, "real").mean
            assert said[measure][model]["synthetic"] == found.score(model, measure).mean
    assert said["label_rate"]["synthetic"]["yes"] == (found.table["ill"] == "yes").mean()
    assert said["receipt"]["mode"] == "simulation"


def test_json_of_repetitions_and_rivals(answer):
    out, _ = answer("--evaluate", "--models", "logistic", "--json", "--repetitions", 2, "--rivals", "uniform,aim",
                    "--timeout", "0.01", "--target", "years_employed", "--task-model", "ridge")  # fmt: skip
    said = json.loads(out)
    assert list(said) == ["rmse", "r2", "rmse_sd", "r2_sd", "seconds_fit", "seconds_sample", "rivals", "receipt"]
    assert said["rmse_sd"]["logistic"]["synthetic"] > 0
    assert set(said["rivals"]) == {"uniform", "aim"}
    assert "was stopped after 0.01 seconds" in said["rivals"]["uniform"]["problem"]


def test_json_of_a_table_alone(answer, tmp_path):
    out, _ = answer("--out", tmp_path / "made.csv", "--json", "--rule", "age >= 40")
    said = json.loads(out)
    assert list(said) == [
        "out", "rows", "label_rate", "n_dropped", "seconds_fit", "seconds_sample", "receipt",
    ]  # fmt: skip
    assert (said["out"], said["rows"]) == (str(tmp_path / "made.csv"), 600)
    assert said["n_dropped"] > 0
    assert said["label_rate"]["real"]["yes"] == pytest.approx((FRAME["ill"] == "yes").mean())


def test_the_table_is_the_same_whether_it_is_evaluated_or_not(answer, tmp_path):
    answer("--out", tmp_path / "alone.csv")
    out, err = answer("--out", tmp_path / "beside.csv", "--evaluate", "--models", "logistic")
    assert (tmp_path / "alone.csv").read_bytes() == (tmp_path / "beside.csv").read_bytes()
    assert "Made from 480 rows, measured on 60 that were held out" in out
    assert "WRITTEN, made from all 600 rows" in out
    assert "features and ill of 600 rows" in out
    assert BADGE in err


def test_the_report_fits_and_names_every_table(answer):
    out, _ = answer("--evaluate", "--models", "logistic", "--rivals", "naive_bayes", "--repetitions", 2)
    lines = out.splitlines()
    assert out.isascii()
    assert max(map(len, lines)) <= WIDTH
    assert lines[3] == "2 repetitions, seed 0"
    start = lines.index("SCORES ON HELD-OUT REAL ROWS")
    head, *rows = (line.split("  ")[1:] for line in lines[start + 1 : start + 9])
    assert [text.strip() for text in head if text] == ["trained on", "accuracy", "F1", "AUC"]
    assert [next((text.strip() for text in row if text), "") for row in rows] == [
        "logistic regression", "synthetic rows", "real rows", "rows of Bayes network", "",
        "private model itself", "guess: most frequent class",
    ]  # fmt: skip
    # Three numbers, each with its spread, in every line about a table or a guess.
    assert [line.count("+/-") for line in lines[start + 2 : start + 9]] == [0, 3, 3, 3, 0, 3, 3]


def test_every_setting_is_an_option():
    options = set(inspect.signature(synthesize_command).parameters)
    renamed = {"n_rows": "rows", "rules": "rule"}
    settings = {renamed.get(field.name, field.name) for field in dataclasses.fields(SynthesisSettings)}
    # A release comes from a command of its own.
    assert settings - options == {"mode"}


def test_options_that_name_columns_reach_the_synthesis(answer, tmp_path):
    answer(
        "--out", tmp_path / "made.csv", "--target", "ill", "--target", "smoker", "--groups", "job + size",
        "--groups", "age+years_employed", "--bins", "dose=5", "--bins", "age=8", "--rule", "age >= 20",
        "--rule", "job != 'none'", "--randomised-response", "job=2", "--labels", "sample", "--training-share", ".6",
        "--steps", 30,
    )  # fmt: skip
    settings = SynthesisSettings(
        epsilon=4.0, task_model="logistic", target=("ill", "smoker"),
        groups=[("job", "size"), ("age", "years_employed")], bins={"dose": 5, "age": 8},
        rules=["age >= 20", "job != 'none'"], randomised_response={"job": 2.0},
        labels="sample", training_share=0.6, steps=30,
    )  # fmt: skip
    expected = synthesize(Dataset.from_frame(FRAME, PEOPLE), settings)
    assert PrivacyReceipt.from_json((tmp_path / "made.receipt.json").read_text()) == expected.receipt
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "made.csv"), expected.table, check_dtype=False)


def test_what_is_not_private_is_said(answer, tmp_path):
    out, err = answer("--out", tmp_path / "made.csv", "--attributes", "shuffle")
    assert "Note: Shuffled columns publish every value" in err
    assert "TOTAL   epsilon = infinity" in out
    out, err = answer("--out", tmp_path / "drafted.csv", "--target", "ill", schema=None)
    assert "were read off the file and are not public" in err
    assert "Column 'note' is ignored" in err
    assert "TOTAL   epsilon = infinity" in out


def test_a_table_without_a_target_is_made_and_said_to_be(answer, tmp_path):
    _, err = answer("--out", tmp_path / "made.csv", schema=PEOPLE.with_role("ill", "feature"))
    assert "Note: No target is named" in err
    assert set(pd.read_csv(tmp_path / "made.csv")["ill"]) == {"no", "yes"}


def test_a_column_without_categories_is_left_out_and_named(answer, tmp_path):
    frame = FRAME.assign(essay=[f"some words {place}" for place in range(600)])
    toml = f'{PEOPLE.to_toml()}\n[essay]\nkind = "category"\n'
    _, err = answer("--out", tmp_path / "made.csv", frame=frame, schema=toml)
    assert "Note: Column 'essay' is ignored because" in err
    assert "essay" not in pd.read_csv(tmp_path / "made.csv")


def test_help_names_what_is_registered(capsys):
    assert run(["synthesize", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "marginals, shuffle, tree, graph, public, autoencoder" in out
    assert "uniform, independent, naive_bayes, mst, aim" in out
