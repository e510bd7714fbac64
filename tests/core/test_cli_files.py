"""Files as people have them: what was guessed is said, and nothing in a file commands the terminal."""

from __future__ import annotations

import gzip
import json
import re
import socket
import unicodedata

import numpy as np
import pandas as pd
import pytest

from dpcp_core.cli.entry import run
from dpcp_core.cli.report import for_terminal
from dpcp_core.cli.table_files import refuse_unwritable, write_text
from dpcp_core.errors import InputError


@pytest.fixture
def frame():
    """Return 120 rows with a number, a word and two targets: a measure, and a code for two classes."""
    rng = np.random.default_rng(2)
    dose = rng.uniform(0, 10, 120).round(2)
    return pd.DataFrame({
        "dose": dose,
        "smoker": rng.choice(["no", "yes"], 120),
        "pain": (50 - 2 * dose + rng.normal(0, 5, 120)).round(1),
        "class": rng.choice([1, 2], 120),
    })  # fmt: skip


@pytest.fixture
def said(tmp_path, capsys):
    """Return a function that writes a table, runs a command on it, and gives what was printed and said beside it."""

    def run_on(table, command, *args, name="people.csv", **how):
        path = tmp_path / name
        table.to_csv(path, index=False, **how)
        code = run([command, str(path), *map(str, args)])
        out, err = capsys.readouterr()
        assert code == 0, err
        return out, err

    return run_on


TARGET = ("--target", "pain", "--repetitions", 2)


def test_guesses_of_a_simulated_file_stand_beside_the_answer(said, frame):
    frame.loc[3, "dose"] = np.nan
    out, err = said(frame, "simulate", *TARGET, "--json", sep=";", decimal=",", na_rep="?")
    assert json.loads(out)["method"] == "dpcp"
    assert "Note: Semicolons separate the columns." in err
    assert "Commas in the numbers of `dose`" in err
    assert "1 cell '?' in `dose` was read as missing" in err


def test_a_target_that_codes_two_classes_is_doubted(said, frame):
    _, err = said(frame, "simulate", "--target", "class", "--repetitions", 2)
    assert "Column 'class' holds only 2 different values" in err


def test_a_target_that_the_draft_left_out_is_not_called_ignored(said, frame):
    frame["ward"] = [f"ward {number % 55}" for number in range(len(frame))]
    _, err = said(frame, "simulate", "--target", "ward", "--repetitions", 2)
    assert "'ward' is ignored" not in err
    _, err = said(frame, "simulate", *TARGET)
    assert "Column 'ward' is ignored because it is text with 55 different values" in err


@pytest.mark.parametrize("command", ["schema", "simulate"])
def test_a_column_name_gives_no_orders_to_the_terminal(said, frame, command):
    frame = frame.rename(columns={"dose": "do\x1b]0;owned\x07se\u202e"})
    out, err = said(frame, command, *(TARGET if command == "simulate" else ()))
    shown = err if command == "schema" else out + err
    assert "]0;owned" in shown
    assert not [letter for letter in shown if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf")]


def test_a_drafted_schema_filled_in_as_told_counts_as_public(said, frame, tmp_path):
    schema = tmp_path / "people.toml"
    out, _ = said(frame.drop(columns="class"), "schema", "--out", schema)
    assert "delete that line" in out
    text = schema.read_text()
    for name, bounds in {"dose": "[0, 10]", "pain": "[0, 100]"}.items():
        text = re.sub(rf'(\[{name}\]\nkind = "number"\n)', rf"\1bounds = {bounds}\n", text)
    schema.write_text(text.replace('bounds_source = "file"\n', ""))
    out, err = said(frame.drop(columns="class"), "simulate", "--schema", schema, *TARGET, "--json")
    assert json.loads(out)["receipt"]["total"]["epsilon"] == 1.0
    assert err == ""


def test_columns_of_the_table_never_run_into_each_other(said, frame):
    frame["pain"] *= 1e15
    out, _ = said(frame, "simulate", *TARGET)
    row = next(line for line in out.splitlines() if line.strip().startswith("mean width"))
    numbers = row.split()[2:]
    assert len(numbers) == 2
    assert all(float(number) > 1e15 for number in numbers)


def test_powers_of_ten_are_written_as_every_terminal_can():
    assert for_terminal("5.1\u00a0×\u00a010⁻³⁰⁵ mg") == "5.1e-305 mg"


def test_a_packed_file_is_read(tmp_path, capsys, frame):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    assert run(["simulate", str(path), *map(str, TARGET), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["n_test"] == 24
    assert "unpacked from gzip" in err


@pytest.mark.parametrize(("option", "value"), [("--alpha", "1e-13"), ("--alpha", "0.9999999999999")])
def test_an_extreme_alpha_is_refused_under_its_own_name(capsys, option, value):
    assert run(["simulate", "sample:diabetes", option, value]) == 2
    assert capsys.readouterr().err.startswith(f"alpha is {value} but must be from")


def test_so_many_repetitions_that_they_never_end_are_refused(capsys):
    assert run(["simulate", "sample:diabetes", "--repetitions", "1000000000"]) == 2
    assert "at most 10,000" in capsys.readouterr().err


def test_a_port_that_is_taken_is_one_sentence(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["app", "--port", str(port)]) == 2
    assert capsys.readouterr().err == f"Port {port} cannot be used, perhaps because it is taken; choose another.\n"


def test_a_name_too_long_for_a_file_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(InputError, match="cannot be written: choose another place"):
        refuse_unwritable(tmp_path / f"{'x' * 300}.csv", [])


def test_what_cannot_be_written_after_all_is_one_sentence_and_leaves_nothing_behind(tmp_path):
    with pytest.raises(InputError, match=r"cannot be written \(.+\): choose another place"):
        write_text("all", tmp_path / f"{'x' * 300}.md")
    assert list(tmp_path.iterdir()) == []


def test_a_text_takes_the_place_of_an_older_one(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("old")
    write_text("new", page)
    assert (page.read_text(), list(tmp_path.iterdir())) == ("new", [page])


LEAVES_OUT = {
    "simulate": ("--target", "pain", "--repetitions", 2),
    "sweep": ("--target", "pain", "--repetitions", 2, "--methods", "dpcp", "--epsilons", 1, "--jobs", 1),
    "synthesize": ("--target", "pain", "--evaluate", "--models", "svm"),
}


@pytest.mark.parametrize("command", LEAVES_OUT)
def test_rows_without_the_target_are_left_out_if_asked_for_and_told(said, frame, command):
    frame.loc[[3, 7], "pain"] = np.nan
    _, err = said(frame, command, *LEAVES_OUT[command], "--leave-out-empty", "pain")
    assert "2 of 120 rows are empty in `pain` and were left out" in err
