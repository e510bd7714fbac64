from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import json
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpcp_core.data.dataset import Dataset, ReadingReport
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.run import simulate
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.snippets import command_line, python_snippet, schema_file_name

UNUSUAL = ConformalSettings(
    method="dpcp", trainer="ols", epsilon=0.7, delta=1e-6, confidence_level=0.85, training_share=0.3,
    row_share=0.6, loss="paper", stability="split", composition="basic", bins="sqrt", grid="uniform",
    test_share=0.25, repetitions=4, seed=3, steps=20, penalty=0.01, smallest_width=0.5,
)  # fmt: skip
FEW = ConformalSettings(repetitions=3)
CLASSES = ConformalSettings(
    trainer="softmax", score="aps_randomized", by_group=True, allow_empty=True, epsilon=4.0, loss="one_sided",
    bound_share=0.1, steps=12, step_size=0.5, max_grad_norm=0.8, noise_multiplier=30.0, warmup_share=0.25,
    decay="cosine", repetitions=2,
)  # fmt: skip
BATCHES = ConformalSettings(trainer="mlp", batch_size=200, epochs=1.0, epsilon=8.0, repetitions=2)


def executed(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "snippet", "exec"), names)
    return names


def without_seconds(summary: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in summary.items() if name != "seconds"}


@pytest.mark.parametrize(
    ("settings", "sample"),
    [
        *itertools.product(
            [FEW, UNUSUAL, FEW.replace(method="dpcp_paper", epsilon=5.0)], ["blood_pressure", "diabetes"]
        ),
        (CLASSES, "readmission"),
    ],
)
def test_the_python_repeats_the_run_exactly(settings: ConformalSettings, sample: str) -> None:
    data = load_sample(sample)
    names = executed(python_snippet(settings, data))
    assert names["settings"] == settings
    assert names["data"] == data
    expected = simulate(data, settings).summary()
    assert without_seconds(names["result"].summary()) == without_seconds(expected)


def test_a_sample_under_another_schema_is_repeated_under_that_schema() -> None:
    data = load_sample("blood_pressure")
    age = dataclasses.replace(data.schema.column("age"), bounds=(30, 90), typical=(40, 70), label='Age "now" \\ then')
    changed = data.with_schema(data.schema.with_column(age).replace(one_row_is='one "patient"'))
    names = executed(python_snippet(FEW, changed))
    assert names["data"] == changed


def table() -> Dataset:
    frame = load_sample("diabetes").frame.iloc[:200]
    return Dataset.from_frame(frame, load_sample("diabetes").schema, "mine", ReadingReport.of(frame, source="mine.csv"))


def test_another_table_is_read_from_its_file_under_its_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dpcp_core.data.reading")
    data = table()
    data.frame.to_csv(tmp_path / "mine.csv", index=False)
    monkeypatch.chdir(tmp_path)
    names = executed(python_snippet(FEW, data))
    assert names["data"].schema == data.schema
    assert names["result"].coverage_mean == simulate(data, FEW).coverage_mean


def test_a_snippet_holds_no_row_of_the_table() -> None:
    frame = pd.DataFrame({"x": [1.25, 2.5, 3.75, 5.0], "y": [17.125, 18.25, 19.375, 20.5]})
    columns = (Column("x", "number", bounds=(0, 10)), Column("y", "number", role="target", bounds=(0, 40)))
    code = python_snippet(FEW, Dataset.from_frame(frame, Schema(columns), "mine"))
    for value in frame.to_numpy().ravel():
        assert str(value) not in code


@pytest.mark.parametrize("name", ['we"ird.csv', "back\\slash.csv", "new\nline.csv"])
def test_an_odd_file_name_cannot_break_out_of_its_string(name: str) -> None:
    data = dataclasses.replace(table(), report=ReadingReport(source=name))
    code = python_snippet(FEW, data)
    compile(code, "snippet", "exec")
    assert shlex.split(command_line(FEW, data))[2] == name


@pytest.mark.parametrize(
    ("settings", "sample"),
    [(FEW, "diabetes"), (UNUSUAL, "diabetes"), (CLASSES, "readmission"), (BATCHES, "breast_cancer")],
    ids=["few", "unusual", "classes", "batches"],
)
def test_the_command_line_repeats_the_run(
    settings: ConformalSettings, sample: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = pytest.importorskip("dpcp_core.cli.entry")
    data = load_sample(sample)
    words = shlex.split(command_line(settings, data))
    assert words[0] == "dpcp"
    assert cli.run([*words[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = json.loads(json.dumps(simulate(data, settings).summary()))
    size = "width_mean" if sample == "diabetes" else "set_size_mean"
    assert {"coverage_mean", size, "threshold_mean", "receipt"} <= set(printed)
    assert without_seconds(printed) == {name: expected[name] for name in without_seconds(printed)}


def test_every_setting_that_is_not_at_its_default_is_in_the_command() -> None:
    words = shlex.split(command_line(CLASSES.replace(confidence_level=0.8), load_sample("readmission")))
    for name, value in CLASSES.to_dict().items():
        if value != getattr(ConformalSettings(), name):
            assert f"--{name.replace('_', '-')}" in words, name
    assert words[words.index("--alpha") + 1] == "0.2"
    assert "True" not in words


def test_another_table_needs_its_schema_file() -> None:
    assert command_line(FEW, table()) == "dpcp simulate mine.csv --schema mine.toml --repetitions 3"
    assert "--schema other.toml" in command_line(FEW, table(), "other.toml")


def test_a_schema_that_ends_in_a_quotation_mark_stays_readable() -> None:
    schema = Schema((Column("y", "number", "target", bounds=(0, 1), bounds_from_file=True),))
    assert schema.to_toml().strip().endswith('"')
    code = python_snippet(FEW, Dataset.from_frame(pd.DataFrame({"y": [0.1, 0.9]}), schema, "mine"))
    assert '\n[y]\nkind = "number"\n' in code


@pytest.mark.parametrize(
    ("name", "file"),
    [("mine.csv", "mine.toml"), ("mine.csv.gz", "mine.toml"), ("diabetes", "diabetes.toml")],
)
def test_the_schema_file_of_a_command_is_named_as_its_download(name: str, file: str) -> None:
    data = Dataset.from_frame(pd.DataFrame({"y": [0.1, 0.9]}), name=name)
    assert schema_file_name(data) == file
    assert f"--schema {file}" in command_line(FEW, data)


def test_the_schema_of_a_changed_sample_has_the_samples_name() -> None:
    sample = load_sample("diabetes")
    changed = sample.with_schema(sample.schema.with_role("sex", "ignore"))
    assert "sample:diabetes --schema diabetes.toml" in command_line(FEW, changed)


def test_a_file_name_is_never_taken_for_an_option() -> None:
    data = Dataset.from_frame(pd.DataFrame({"y": [0.1, 0.9]}), name="--json.csv")
    assert command_line(FEW, data).startswith("dpcp simulate ./--json.csv --schema ./--json.toml")
