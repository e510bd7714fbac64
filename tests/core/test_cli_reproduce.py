"""``dpcp reproduce`` runs what a folder holds, goes on where it was stopped, and refuses bad input in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core.cli.entry import run
from dpcp_core.experiments.reproduce.studies import EPSILONS, METHODS

ABALONE = ["sex", "length", "diameter", "height", "whole_weight", "shucked_weight", "viscera_weight", "shell_weight"]


def write_abalone(folder: Path, n_rows: int = 300) -> Path:
    """Write simulated shells in the published format."""
    rng = np.random.default_rng(0)
    length = rng.uniform(0.2, 0.7, n_rows)
    frame = pd.DataFrame({name: (length * rng.uniform(0.5, 0.9, n_rows)).round(3) for name in ABALONE})
    frame["sex"] = rng.choice(["M", "F", "I"], n_rows)
    frame["rings"] = (4 + 12 * length + rng.normal(0, 2, n_rows)).round().clip(1, 29).astype(int)
    folder.mkdir(exist_ok=True)
    path = folder / "abalone.data"
    frame.to_csv(path, index=False, header=False)
    return path


def answer(capsys, *args):
    code = run(["reproduce", *[str(arg) for arg in args]])
    out, err = capsys.readouterr()
    return code, out, err


def refusal(capsys, *args):
    """Return the one sentence with which a command line is refused."""
    code, out, err = answer(capsys, *args)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    return err


@pytest.mark.slow
def test_a_quick_run_writes_findings_tables_and_figures_and_is_not_run_twice(tmp_path, capsys):
    write_abalone(tmp_path / "data")
    out = tmp_path / "out"
    command = ["dpcp", "--data", tmp_path / "data", "--out", out, "--quick", "--repetitions", 2, "--jobs", 1]
    code, said, err = answer(capsys, *command)
    assert (code, err) == (0, "")
    assert "Of 18 claims of the texts" in said
    assert "Bike Sharing is missing (bike_sharing_hour.csv, or hour.csv)" in said
    assert max(len(line) for line in said.splitlines() if "https:" not in line and str(out) not in line) <= 88
    files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file() and path.parent.name != "cells"}
    assert files == {"findings.md", "findings.html", "tables/cells.csv", "tables/abalone.md", "figures/abalone.html"}
    cells = pd.read_csv(out / "tables" / "cells.csv")
    comparison = cells.query("training_share == .5 and bins == 100 and test_share == .2")
    assert len(comparison) == len(METHODS) * len(EPSILONS) * 3
    assert len(cells) == len(comparison) + 2 * 2 * (2 + 3 + 1)
    assert (cells.repetitions == 2).all()

    kept = {path.name: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    code, again, _ = answer(capsys, *command)
    assert code == 0
    assert {path.name: path.stat().st_mtime_ns for path in (out / "cells").iterdir()} == kept
    pd.testing.assert_frame_equal(pd.read_csv(out / "tables" / "cells.csv"), cells)
    # Only the times are measured anew.
    assert [line for line in again.splitlines() if "coverage" in line] == [
        line for line in said.splitlines() if "coverage" in line
    ]


def test_the_tables_must_be_somewhere(tmp_path, capsys):
    assert "--data FOLDER" in refusal(capsys, "dpcp")
    assert "is not there" in refusal(capsys, "dpcp", "--data", tmp_path / "nowhere")
    file = write_abalone(tmp_path / "data")
    assert "is a file; name the folder" in refusal(capsys, "dpcp", "--data", file)


def test_a_folder_without_any_table_is_told_what_to_put_there(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("nothing")
    said = refusal(capsys, "dpcp", "--data", tmp_path, "--out", tmp_path / "out")
    assert "holds none of the tables Abalone, Bike Sharing" in said
    assert "https://archive.ics.uci.edu" in said
    assert not (tmp_path / "out").exists()


def test_a_folder_with_pictures_alone_is_told_how_to_run_them(tmp_path, capsys):
    (tmp_path / "cifar-10-batches-py").mkdir()
    said = refusal(capsys, "dpcp", "--data", tmp_path)
    assert "--tables all runs what there is: CIFAR-10" in said


def test_a_table_that_is_asked_for_and_missing_is_named_with_its_address(tmp_path, capsys):
    write_abalone(tmp_path)
    said = refusal(capsys, "dpcp", "--data", tmp_path, "--tables", "abalone,casp")
    assert said.startswith("CASP is missing (casp_protein.csv, or CASP.csv): download it from https://")


def test_a_table_that_nobody_knows_is_refused(tmp_path, capsys):
    write_abalone(tmp_path)
    assert "tables is 'iris' but must be one of: abalone, bike" in refusal(
        capsys, "dpcp", "--data", tmp_path, "--tables", "iris"
    )
    assert "paper is 'other' but must be one of: dpcp, dpdsyn" in refusal(capsys, "other", "--data", tmp_path)


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--repetitions", "0", "repetitions is 0 but must be a whole number of at least 1"),
        ("--repetitions", "many", "repetitions is 'many' but must be"),
        ("--class-repetitions", "-1", "class_repetitions is -1"),
        ("--seed", "x", "seed is 'x'"),
        ("--jobs", "0", "jobs is 0"),
        ("--backend", "cloud", "backend is 'cloud' but must be one of"),
    ],
)
def test_a_bad_number_is_refused_before_anything_runs(tmp_path, capsys, option, value, sentence):
    write_abalone(tmp_path)
    out = tmp_path / "out"
    assert sentence in refusal(capsys, "dpcp", "--data", tmp_path, "--out", out, option, value)
    assert not (out / "findings.md").exists()


def test_wrong_columns_are_one_sentence(tmp_path, capsys):
    (tmp_path / "abalone.csv").write_text("a,b\n1,2\n")
    said = refusal(capsys, "dpcp", "--data", tmp_path, "--out", tmp_path / "out", "--jobs", 1)
    assert "has no column 'sex'" in said
    assert "download it again" in said


def test_a_damaged_file_is_found_before_another_table_is_run(tmp_path, capsys):
    write_abalone(tmp_path)
    (tmp_path / "CASP.csv.gz").write_bytes(b"\x1f\x8b damaged")
    said = refusal(capsys, "dpcp", "--data", tmp_path, "--out", tmp_path / "out", "--jobs", 1)
    assert "CASP.csv.gz cannot be read" in said
    assert list((tmp_path / "out" / "cells").iterdir()) == []


def test_a_folder_that_cannot_be_written_into_is_refused(tmp_path, capsys):
    file = write_abalone(tmp_path)
    assert "Nothing can be written into" in refusal(capsys, "dpcp", "--data", tmp_path, "--out", file)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_opened_is_refused(tmp_path, capsys):
    (tmp_path / "closed").mkdir(mode=0)
    assert "cannot be opened" in refusal(capsys, "dpcp", "--data", tmp_path / "closed")


def test_help_lists_the_options(capsys):
    code, out, _ = answer(capsys, "--help")
    assert code == 0
    assert all(option in out for option in ("--data", "--out", "--tables", "--quick", "--class-repetitions", "--jobs"))
