"""Whatever a person gets wrong: exit 2, nothing on standard output, one plain sentence that names it."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import zlib

import numpy as np
import pandas as pd
import pytest

from dpcp_core.cli import entry

SCHEMA = """
[age]
kind = "integer"
bounds = [18, 90]

[pressure]
kind = "number"
bounds = [70, 250]
role = "target"
"""


@pytest.fixture
def frame():
    """Return 200 rows with an age and a pressure."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 200)
    return pd.DataFrame({"age": age, "pressure": (100 + 0.5 * age + rng.normal(0, 8, 200)).round(1)})


@pytest.fixture
def refused(tmp_path, capsys):
    """Return a function that runs a command line which must be refused, and gives the sentence."""

    def run(*args, frame=None, schema=None):
        words = [str(arg) for arg in args]
        if frame is not None:
            frame.to_csv(tmp_path / "table.csv", index=False)
            words.insert(1, str(tmp_path / "table.csv"))
        if schema is not None:
            (tmp_path / "schema.toml").write_text(schema)
            words += ["--schema", str(tmp_path / "schema.toml")]
        code = entry.run(words)
        out, err = capsys.readouterr()
        assert code == 2, f"exit {code}: {out}{err}"
        assert out == ""
        return one_sentence(err)

    return run


def one_sentence(text):
    """Check that the text is a single plain sentence, and return it."""
    assert text.count("\n") == 1, text
    assert text.endswith(".\n"), text
    sentence = text.strip()
    # A full stop inside a number or a file name does not end a sentence.
    assert not re.search(r"[.!?] [A-Z]", sentence), text
    assert "Traceback" not in text
    return sentence


@pytest.mark.parametrize("epsilon", ["0", "-1", "abc", "nan", ""])
def test_epsilon(refused, frame, epsilon):
    assert "epsilon" in refused("simulate", "--epsilon", epsilon, frame=frame, schema=SCHEMA)


@pytest.mark.parametrize("alpha", ["0", "1", "1.5", "-0.1", "x"])
def test_alpha(refused, frame, alpha):
    assert "alpha" in refused("simulate", "--alpha", alpha, frame=frame, schema=SCHEMA)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--delta", "0"), ("--delta", "2"), ("--training-share", "1"), ("--row-share", "0"), ("--bins", "0"),
        ("--bins", "many"), ("--repetitions", "0"), ("--repetitions", "1.5"), ("--seed", "-1"),
        ("--test-share", "1"), ("--bound-share", "1"), ("--bound-share", "half"), ("--smallest-width", "0"),
        ("--bounds-epsilon", "-1"), ("--bounds-epsilon", "1"), ("--steps", "0"), ("--step-size", "0"),
        ("--max-grad-norm", "x"), ("--penalty", "-1"), ("--noise-multiplier", "0"), ("--sampling-rate", "1.5"),
        ("--sampling-rate", "all"), ("--batch-size", "0.5"), ("--epochs", "0"), ("--warmup-share", "1"),
    ],
)  # fmt: skip
def test_other_numbers_are_named(refused, frame, option, value):
    name = option.removeprefix("--").replace("-", "_")
    assert name in refused("simulate", option, value, frame=frame, schema=SCHEMA)


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("--method", "dpcp_paper"), ("--trainer", "ridge"), ("--score", "absolute"), ("--loss", "bracket"),
        ("--stability", "coupling"), ("--guarantee", "certified"), ("--composition", "tight"),
        ("--grid", "geometric"), ("--decay", "cosine"),
    ],
)  # fmt: skip
def test_unknown_choices_list_the_known_ones(refused, frame, option, known):
    sentence = refused("simulate", option, "magic", frame=frame, schema=SCHEMA)
    assert "magic" in sentence
    assert known in sentence


def test_a_model_that_has_no_use_for_a_choice(refused, frame):
    assert "steps" in refused("simulate", "--trainer", "adassp", "--steps", "5", frame=frame, schema=SCHEMA)


def test_noise_that_would_overspend(refused, frame):
    assert "noise_multiplier" in refused("simulate", "--noise-multiplier", "0.01", frame=frame, schema=SCHEMA)


def test_public_tables_that_do_not_fit(refused, frame, tmp_path):
    public = tmp_path / "public.csv"
    words = ("simulate", "--public", public)
    assert "public.csv" in refused(*words, frame=frame, schema=SCHEMA)
    frame.rename(columns={"age": "height"}).to_csv(public, index=False)
    sentence = refused(*words, frame=frame, schema=SCHEMA)
    assert "public table" in sentence
    assert "age" in sentence


def test_target_with_text_where_the_schema_says_number(refused, frame):
    frame["pressure"] = frame["pressure"].astype(object)
    frame.loc[3, "pressure"] = "high"
    assert "pressure" in refused("simulate", frame=frame, schema=SCHEMA)


def test_columns_that_are_all_constant(refused, frame):
    frame["age"] = 40
    assert "Every feature has the same value" in refused("simulate", frame=frame, schema=SCHEMA)


def test_constant_target(refused, frame):
    frame["pressure"] = 120.5
    assert "pressure" in refused("simulate", frame=frame, schema=SCHEMA)
    assert "pressure" in refused("simulate", "--target", "pressure", frame=frame)


def test_target_with_missing_values(refused, frame):
    frame.loc[5, "pressure"] = np.nan
    assert "pressure" in refused("simulate", frame=frame, schema=SCHEMA)
    assert "pressure" in refused("simulate", "--target", "pressure", frame=frame)


def test_bounds_reversed(refused, frame):
    assert "age" in refused("simulate", frame=frame, schema=SCHEMA.replace("[18, 90]", "[90, 18]"))


def test_five_rows(refused, frame):
    assert "5 rows" in refused("simulate", frame=frame.head(5), schema=SCHEMA)
    assert "5 rows" in refused("simulate", "--target", "pressure", frame=frame.head(5))


def test_column_of_the_schema_that_is_not_in_the_table(refused, frame):
    sentence = refused("simulate", frame=frame, schema=SCHEMA.replace("[age]", "[agee]"))
    assert "'agee'" in sentence


def test_unknown_key_in_the_schema(refused, frame):
    sentence = refused("simulate", frame=frame, schema=SCHEMA.replace("bounds = [18", "bound = [18"))
    assert "age" in sentence
    assert "bound" in sentence


def test_unknown_target(refused, frame):
    sentence = refused("simulate", "--target", "presure", frame=frame, schema=SCHEMA)
    assert "presure" in sentence
    assert "did you mean 'pressure'" in sentence


def test_no_target(refused, frame):
    assert "target" in refused("simulate", frame=frame)


def test_unreadable_toml(refused, frame):
    assert "line 2" in refused("simulate", frame=frame, schema='[age]\nkind = "integer\n')


def test_schema_file_that_is_not_there(refused, frame, tmp_path):
    assert "none.toml" in refused("simulate", "--schema", tmp_path / "none.toml", frame=frame)


@pytest.mark.parametrize("command", ["simulate", "schema"])
def test_files_that_are_no_tables(refused, tmp_path, command):
    assert "nowhere.csv" in refused(command, tmp_path / "nowhere.csv")
    assert str(tmp_path.name) in refused(command, tmp_path)
    (tmp_path / "empty.csv").write_bytes(b"")
    assert "empty" in refused(command, tmp_path / "empty.csv")
    (tmp_path / "picture.csv").write_bytes(png())
    assert "picture" in refused(command, tmp_path / "picture.csv")


def png():
    """Return the bytes of a real 8 x 8 picture."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(range(row, row + 24)) for row in range(8))
    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_unknown_sample_lists_the_known_ones(refused):
    assert "blood_pressure" in refused("simulate", "sample:blood")


def test_existing_file_is_not_overwritten(refused, frame, tmp_path):
    (tmp_path / "mine.toml").write_text("mine")
    assert "mine.toml" in refused("schema", "--out", tmp_path / "mine.toml", frame=frame)
    assert (tmp_path / "mine.toml").read_text() == "mine"


def test_folder_that_cannot_be_written_to(refused, frame, tmp_path):
    assert "gone" in refused("schema", "--out", tmp_path / "gone" / "s.toml", frame=frame)


@pytest.mark.parametrize(
    "words",
    [
        ["simulat"], ["simulate"], ["simulate", "x.csv", "--epsilom", "1"], ["simulate", "x.csv", "--epsilon"],
        ["app", "--port", "abc"], ["app", "--port", "70000"], ["schema"], ["schema", "a.csv", "b.csv"],
    ],
)  # fmt: skip
def test_wrong_usage(refused, words):
    refused(*words)


def test_a_thousand_columns_work(frame, tmp_path, capsys):
    rng = np.random.default_rng(2)
    wide = pd.DataFrame(rng.normal(size=(200, 999)).round(3), columns=[f"x{i}" for i in range(999)])
    wide["pressure"] = frame["pressure"]
    wide.to_csv(tmp_path / "wide.csv", index=False)
    words = ["simulate", str(tmp_path / "wide.csv"), "--target", "pressure", "--repetitions", "2", "--json"]
    assert entry.run(words) == 0
    out, err = capsys.readouterr()
    assert '"coverage_mean"' in out
    # A note on the shape and one on all bounds, not one for each column.
    assert [line.partition(" ")[0] for line in err.splitlines()] == ["Note:"] * 2


def test_refusal_in_a_real_process_is_one_sentence_too(tmp_path):
    (tmp_path / "empty.csv").write_bytes(b"")
    line = [sys.executable, "-m", "dpcp_core", "simulate", str(tmp_path / "empty.csv"), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    one_sentence(done.stderr)


def test_a_fault_of_ours_is_exit_1_with_a_way_to_the_details(monkeypatch, capsys):
    def broken(*_, **__):
        raise ZeroDivisionError("inner detail")

    monkeypatch.setattr("dpcp_core.cli.tables.open_table", broken)
    assert entry.run(["simulate", "sample:diabetes"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "--debug" in one_sentence(err)
    assert entry.run(["simulate", "sample:diabetes", "--debug"]) == 1
    assert "inner detail" in capsys.readouterr().err
