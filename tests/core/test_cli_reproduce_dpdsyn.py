"""``dpcp reproduce dpdsyn`` runs what a folder holds, and refuses bad input in one sentence."""

from __future__ import annotations

import pandas as pd
import pytest

from dpcp_core.cli.entry import run
from tests.core.experiments.reproduce_synthesis.measurements import write_br2000


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
    write_br2000(tmp_path / "data", 120)
    out = tmp_path / "out"
    command = ["dpdsyn", "--data", tmp_path / "data", "--out", out, "--quick", "--repetitions", 1, "--jobs", 1]
    code, said, err = answer(capsys, *command)
    assert (code, err) == (0, "")
    assert "Of 13 claims of the texts" in said
    assert "Adult is missing (adult.csv, or adult.data + adult.test)" in said
    files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file() and path.parent.name != "cells"}
    assert files == {"findings.md", "findings.html", "tables/cells.csv", "tables/br2000.md", "figures/br2000.html"}
    cells = pd.read_csv(out / "tables" / "cells.csv")
    assert set(cells.method) == {"shuffle", "marginals", "sample", "tree", "independent", "naive_bayes", "uniform"}
    kept = {path.name: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    assert answer(capsys, *command)[:2] == (0, said)
    assert {path.name: path.stat().st_mtime_ns for path in (out / "cells").iterdir()} == kept

    # A run that was killed lacks its last cells, and only these are run.
    lost = sorted(kept)[0]
    (out / "cells" / lost).unlink()
    assert answer(capsys, *command)[0] == 0
    again = {path.name: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    assert [name for name in kept if again[name] != kept[name]] == [lost]
    assert again.keys() == kept.keys()


def test_the_tables_must_be_somewhere(tmp_path, capsys):
    assert "--data FOLDER" in refusal(capsys, "dpdsyn")
    assert "is not there" in refusal(capsys, "dpdsyn", "--data", tmp_path / "nowhere")
    (tmp_path / "notes.txt").write_text("nothing")
    said = refusal(capsys, "dpdsyn", "--data", tmp_path, "--out", tmp_path / "out")
    assert "holds none of the tables Adult, Br2000, LPD, Smoking" in said
    assert not (tmp_path / "out").exists()


def test_a_table_that_is_asked_for_and_missing_is_named_with_its_address(tmp_path, capsys):
    write_br2000(tmp_path)
    said = refusal(capsys, "dpdsyn", "--data", tmp_path, "--tables", "br2000,lpd")
    assert said.startswith("LPD is missing (lpd_liver_30k.csv, or Liver Patient Dataset (LPD)_train.csv)")


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--repetitions", "0", "repetitions is 0 but must be a whole number of at least 1"),
        ("--rivals", "some", "rivals is 'some' but must be one of: quick, all, none"),
        ("--timeout", "soon", "timeout is 'soon'"),
        ("--tables", "iris", "tables is 'iris' but must be one of: adult"),
        ("--class-repetitions", "3", "--class-repetitions is not for dpdsyn; leave it out"),
        ("--jobs", "0", "jobs is 0"),
    ],
)
def test_a_bad_option_is_refused_before_anything_runs(tmp_path, capsys, option, value, sentence):
    write_br2000(tmp_path)
    out = tmp_path / "out"
    assert sentence in refusal(capsys, "dpdsyn", "--data", tmp_path, "--out", out, option, value)
    assert not (out / "findings.md").exists()


def test_options_of_synthetic_tables_are_refused_for_dpcp(tmp_path, capsys):
    for option in (["--rivals", "all"], ["--timeout", "5"], ["--transformer"]):
        said = refusal(capsys, "dpcp", "--data", tmp_path, *option)
        assert f"{option[0]} is not for dpcp; leave it out." in said


def test_wrong_columns_and_a_folder_that_cannot_be_written_into_are_one_sentence(tmp_path, capsys):
    file = write_br2000(tmp_path)
    assert "Nothing can be written into" in refusal(capsys, "dpdsyn", "--data", tmp_path, "--out", file)
    file.write_text("a,b\n1,2\n")
    assert "has no column 'attr_00'" in refusal(capsys, "dpdsyn", "--data", tmp_path, "--out", tmp_path / "out")
