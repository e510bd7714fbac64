"""The code beside a synthetic table gives the same table again."""

from __future__ import annotations

import contextlib
import io
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpcp_core import SynthesisSettings, load_sample, simulate_synthesis
from dpcp_core.cli.synthesis_options import settings_from
from dpcp_core.data.dataset import Dataset, ReadingReport
from dpcp_core.errors import InputError
from dpcp_core.presentation.synthesis_snippets import Repeated, synthesis_command, synthesis_python
from tests.core.synthesis.tables import PEOPLE, people

UNUSUAL = SynthesisSettings(
    epsilon=4.0, delta=1e-6, task_model="logistic", labels="sample", training_share=0.6, groups=(("job", "smoker"),),
    bins=12, rules=("age >= 20", "not (job == 'CEO' or age < 21)".replace("CEO", "pilot")), n_rows=150, seed=3,
    randomised_response=(("smoker", 3.0),), steps=40, max_grad_norm=0.8,
)  # fmt: skip


def executed(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "snippet", "exec"), names)
    return names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own_table(folder: Path) -> Dataset:
    frame = people(600)
    frame.to_csv(folder / "people.csv", index=False)
    return Dataset.from_frame(frame, PEOPLE, "people.csv", ReadingReport.of(frame, source="people.csv"))


def test_the_python_gives_the_table_of_a_sample_again(folder: Path) -> None:
    made = Repeated(load_sample("diabetes"), SynthesisSettings(task_model="ridge", rules=("age >= 30",)), ("logistic",))
    names = executed(synthesis_python(made))
    assert names["settings"] == made.settings
    expected = simulate_synthesis(made.data, made.settings, made.models)
    pd.testing.assert_frame_equal(names["result"].table, expected.table)
    assert len(pd.read_csv(folder / "synthetic.csv")) == len(expected.table)


def test_the_python_gives_the_table_of_an_own_file_again_under_its_schema(folder: Path) -> None:
    data = own_table(folder)
    result = simulate_synthesis(data, UNUSUAL, ("logistic",))
    names = executed(synthesis_python(Repeated.of(result, data)))
    assert (names["settings"], names["data"].schema) == (UNUSUAL, PEOPLE)
    pd.testing.assert_frame_equal(names["result"].table, result.table)


def test_a_public_table_is_read_again(folder: Path) -> None:
    public = people(300, seed=1).drop(columns="ill")
    public.to_csv(folder / "public.csv", index=False)
    brought = Dataset.from_frame(public, name="public.csv")
    data, settings = own_table(folder), SynthesisSettings(task_model="logistic", attributes="public")
    names = executed(synthesis_python(Repeated(data, settings, ("logistic",), public=brought)))
    expected = simulate_synthesis(data, settings, ("logistic",), public=public)
    pd.testing.assert_frame_equal(names["result"].table, expected.table)
    assert "--public public.csv" in synthesis_command(Repeated(data, settings, ("logistic",), public=brought))


def test_the_command_stands_for_the_same_settings(folder: Path) -> None:
    from typer.main import get_command

    from dpcp_core.cli.entry import commands
    from dpcp_core.cli.synthesize import synthesize_command

    made = Repeated(own_table(folder), UNUSUAL, ("logistic", "svm"), ("uniform",), 3)
    words = shlex.split(synthesis_command(made))
    assert words[:3] == ["dpcp", "synthesize", "people.csv"]
    command = get_command(commands).commands["synthesize"]  # type: ignore[attr-defined]
    typed = command.make_context("synthesize", words[2:]).params
    code = synthesize_command.__code__
    no_settings = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    assert settings_from({name: value for name, value in typed.items() if name not in no_settings}) == UNUSUAL
    assert (typed["models"], typed["rivals"], typed["repetitions"]) == ("logistic,svm", "uniform", "3")
    assert typed["evaluate"]


def test_a_name_that_a_command_cannot_hold_is_one_sentence() -> None:
    made = Repeated(load_sample("diabetes"), SynthesisSettings(groups=(("a+b", "c"),)), ("logistic",))
    with pytest.raises(InputError, match=r"^The group a\+b, c cannot be written as a command: a name holds a plus\.$"):
        synthesis_command(made)
