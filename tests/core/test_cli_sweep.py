"""``dpcp sweep``: every cell of a plan, in tables for people and programs; stopped, it goes on where it was."""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

from dpcp_core import ConformalSettings, load_sample, sweep
from dpcp_core.cli.entry import run
from dpcp_core.cli.simulate import JSON_KEYS
from dpcp_core.cli.sweep_report import WIDTH
from dpcp_core.experiments.presets import COMPARED, COMPARED_EPSILONS

SMALL = ("--methods", "dpcp,oracle", "--epsilons", "1,4", "--repetitions", 2, "--jobs", 1)


def answer(capsys, *args, data="sample:diabetes"):
    """Run one sweep that must succeed; return what it printed and what it said beside that."""
    code = run(["sweep", data, *map(str, args)])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out, err


def refused(capsys, *args, data="sample:diabetes"):
    """Run one sweep that must be refused; return its one sentence."""
    assert run(["sweep", data, *map(str, args)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.endswith(".\n")
    assert "Traceback" not in err
    return err.strip()


def test_json_is_a_list_of_what_simulate_would_print(capsys):
    out, err = answer(capsys, *SMALL, "--json")
    cells = json.loads(out)
    assert err == ""
    assert [(cell["method"], cell["epsilon"]) for cell in cells] == [
        ("dpcp", 1.0), ("dpcp", 4.0), ("oracle", 1.0), ("oracle", 4.0),
    ]  # fmt: skip
    for cell in cells:
        run(["simulate", "sample:diabetes", "--method", cell["method"], "--epsilon", str(cell["epsilon"]),
             "--repetitions", "2", "--json"])  # fmt: skip
        alone = json.loads(capsys.readouterr().out)
        assert list(cell) == list(alone) == [key for key in JSON_KEYS if key != "set_size_mean"]
        assert {**cell, "seconds": 0} == {**alone, "seconds": 0}


def test_other_axes_and_every_setting_reach_the_cells(capsys):
    words = ("--over", "bins=50,sqrt", "--over", "by-group=no,yes", "--over", "steps=default,9", "--over", "alpha=.2")
    out, _ = answer(
        capsys, "--methods", "dpcp", "--epsilons", "8", *words, "--trainer", "softmax", "--repetitions", 2, "--seed", 3,
        "--test-share", "0.3", "--jobs", 1, "--json", data="sample:readmission",
    )  # fmt: skip
    settings = ConformalSettings(trainer="softmax", seed=3, test_share=0.3)
    expected = sweep(
        load_sample("readmission"), settings, methods=["dpcp"], epsilons=[8.0], repetitions=2, bins=[50, "sqrt"],
        by_group=[False, True], steps=[None, 9], confidence_level=[0.8],
    )  # fmt: skip
    cells = json.loads(out)
    assert len(cells) == 8
    for cell, wanted in zip(cells, expected.summaries(), strict=True):
        assert {key: cell[key] for key in ("bins", "by_group", "steps", "alpha", "coverage_mean", "set_size_mean")} == {
            key: wanted[key] for key in ("bins", "by_group", "steps", "alpha", "coverage_mean", "set_size_mean")
        }


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_tables_are_written_as_their_names_say(capsys, tmp_path, ending):
    names = [tmp_path / f"{name}.{ending}" for name in ("cells", "repetitions")]
    words = (*SMALL, "--over", "bins=50,sqrt", "--out", names[0], "--repetitions-out", names[1])
    answer(capsys, *words)
    # The same command once more takes the place of its own tables.
    answer(capsys, *words)
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "json": pd.read_json}[ending]
    cells, repetitions = (read(name) for name in names)
    expected = sweep(
        load_sample("diabetes"), methods=["dpcp", "oracle"], bins=[50, "sqrt"], epsilons=[1, 4], repetitions=2
    )
    assert cells["coverage"].to_numpy() == pytest.approx(expected.frame()["coverage"].to_numpy(), abs=1e-12)
    assert cells["bins"].astype(str).tolist() == [str(value) for value in expected.frame()["bins"]]
    assert repetitions["size"].to_numpy() == pytest.approx(expected.repetitions()["size"].to_numpy(), rel=1e-12)
    assert {path.name for path in tmp_path.iterdir()} == {name.name for name in names}


def test_the_report_is_aligned_says_what_is_private_and_fits(capsys):
    epsilons = ",".join(f"{value:g}" for value in COMPARED_EPSILONS)
    out, err = answer(capsys, "--epsilons", epsilons, "--repetitions", 2, "--jobs", 1)
    lines = out.splitlines()
    assert err == ""
    assert max(map(len, lines)) <= WIDTH
    assert out.isascii()
    assert lines[:3] == [
        "diabetes: intervals for Diabetes progression after one year",
        "108 cells, 2 repetitions each, seed 0",
        "Simulation: not a private release.",
    ]
    for method in COMPARED:
        rows = [line for line in lines if re.match(rf"  {method}( \*)? ", line)]
        # Twelve values of coverage and of width, each with its uncertainty, in as many pieces as fit.
        assert sum(line.count("+/-") for line in rows) == 24, method
        marked = method in ("oracle", "split", "naive", "differential")
        assert all(line.startswith(f"  {method} *") == marked for line in rows)
    heads = [number for number, line in enumerate(lines) if line.startswith("  epsilon ")]
    assert [float(word) for number in heads for word in lines[number].split()[1:]] == list(COMPARED_EPSILONS) * 2
    for number in heads:
        # Every row ends where its head ends.
        assert {len(line) for line in lines[number : number + 1 + len(COMPARED)]} == {len(lines[number])}


def test_failures_are_told_with_their_sentence(capsys):
    out, err = answer(capsys, "--methods", "pscp", "--epsilons", "1,2", "--repetitions", 2, "--jobs", 1,
                      "--over", "row-share=0.001,0.5")  # fmt: skip
    told = " ".join(out.split())
    assert "NOT COMPUTED: 2 cells pscp at epsilon 1, 2: The table's 442 rows give 0 to train on" in told
    assert "choose less extreme shares" in told
    assert re.search(r"pscp, row_share 0\.001 +- +-\n", out)
    assert err == ""
    json_out, _ = answer(capsys, "--methods", "pscp", "--epsilons", "1", "--repetitions", 2, "--jobs", 1, "--json",
                         "--over", "row-share=0.001,0.5")  # fmt: skip
    failed, fine = json.loads(json_out)
    assert "choose less extreme shares" in failed["problem"]
    assert "problem" not in fine


def test_a_sweep_of_which_nothing_can_be_computed_is_refused(capsys):
    assert "choose less extreme shares" in refused(capsys, *SMALL, "--methods", "pscp", "--row-share", "0.001")


def test_a_second_run_reuses_what_the_first_has_finished(capsys, tmp_path):
    first, _ = answer(capsys, *SMALL, "--folder", tmp_path / "kept")
    second, _ = answer(capsys, *SMALL, "--folder", tmp_path / "kept")
    assert "reused" not in first
    assert "4 cells reused from an earlier run, 0 run now" in second
    tables = [text.partition("COVERAGE")[2].partition("Behind")[0] for text in (first, second)]
    assert tables[0] == tables[1]


def test_guesses_and_leaks_of_a_file_stand_beside_the_answer(capsys, tmp_path):
    load_sample("diabetes").frame.to_csv(tmp_path / "d.csv", index=False)
    out, err = answer(capsys, "--target", "progression", *SMALL, "--json", data=str(tmp_path / "d.csv"))
    assert all(cell["receipt"]["total"]["epsilon"] == "infinity" for cell in json.loads(out))
    assert err.count("were read off the file and are not public") == 1


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--epsilons", "1,abc"), "'abc'"), (("--epsilons", "0"), "epsilon"), (("--epsilons", ""), "epsilon"),
        (("--methods", "dpcp,magic"), "magic"), (("--methods", ","), "method"), (("--over", "bins"), "bins=50,100,200"),
        (("--over", "binz=5"), "binz"), (("--over", "bins="), "bins"), (("--over", "bins=many"), "bins"),
        (("--over", "epsilon=1"), "--epsilons"), (("--over", "method=dpcp"), "--methods"),
        (("--over", "target=x"), "target"), (("--over", "repetitions=5"), "one for all cells"),
        (("--over", "by_group=maybe"), "yes or no"), (("--over", "alpha=1"), "alpha"), (("--jobs", "0"), "jobs"),
        (("--jobs", "9999"), "jobs is 9999"),
        (("--backend", "slurm"), "slurm"), (("--scheduler", "tcp://x:1"), "--scheduler"), (("--out", "t.xlsx"), ".csv"),
        (("--repetitions", "0"), "repetitions"), (("--epsilon", "1"), "--epsilons"),
        (("--bounds-epsilon", "2"), "bounds_epsilon"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_in_one_sentence(capsys, words, named):
    assert named in refused(capsys, *SMALL, *words)


def test_places_that_cannot_be_written_are_named_before_anything_runs(capsys, tmp_path):
    table = tmp_path / "d.csv"
    load_sample("diabetes").frame.to_csv(table, index=False)
    before = table.read_bytes()
    words = ("--target", "progression", "--epsilons", "1", "--repetitions", 1000)
    assert "is read by this command" in refused(capsys, *words, "--out", table, data=str(table))
    assert table.read_bytes() == before
    assert "nowhere" in refused(capsys, *words, "--out", tmp_path / "nowhere" / "t.csv", data=str(table))
    assert "d.csv" in refused(capsys, *words, "--folder", table, data=str(table))
    assert "cannot be written" in refused(capsys, *words, "--out", table / "t.csv", data=str(table))
    twice = ("--out", tmp_path / "t.csv", "--repetitions-out", f"{tmp_path}/../{tmp_path.name}/t.csv")
    assert "named twice" in refused(capsys, *words, *twice, data=str(table))
    assert not (tmp_path / "t.csv").exists()
    kept = ("--folder", tmp_path / "kept", "--out", tmp_path / "kept" / "t.parquet")
    (tmp_path / "kept").mkdir()
    assert "among the finished cells" in refused(capsys, *words, *kept, data=str(table))


@pytest.mark.parametrize(("backend", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_a_backend_that_is_not_installed_says_how_to_install_it(capsys, monkeypatch, backend, package):
    monkeypatch.setitem(sys.modules, package, None)
    sentence = refused(capsys, *SMALL, "--backend", backend)
    assert f"The backend {backend} needs the package {package}: install it with pip install" in sentence


@pytest.mark.skipif(find_spec("distributed") is None, reason="the package distributed is not installed")
def test_a_scheduler_that_does_not_answer_is_named(capsys, monkeypatch):
    monkeypatch.setattr("dpcp_core.cli.clusters._WAIT_S", 0.5)
    words = (*SMALL, "--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert "No dask scheduler answers at tcp://127.0.0.1:9" in refused(capsys, *words)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("distributed") is None, reason="the package distributed is not installed")
def test_a_dask_cluster_by_its_address_gives_the_same(capsys):
    from distributed import LocalCluster

    here, _ = answer(capsys, *SMALL, "--json")
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR") as cluster:
        words = (*SMALL[:-2], "--backend", "dask", "--scheduler", cluster.scheduler_address)
        there, _ = answer(capsys, *words, "--json")
    for mine, theirs in zip(json.loads(here), json.loads(there), strict=True):
        assert {**mine, "seconds": 0} == {**theirs, "seconds": 0}


def test_the_guide_s_python_runs_and_its_options_exist(capsys):
    guide = (Path(__file__).parents[2] / "docs" / "sweeps.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    exec(compile(code, "sweeps.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == ["method", "epsilon", "bins", "coverage", "size"]
    assert len(printed) == 9
    assert run(["sweep", "--help"]) == 0
    there = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"(?<=`)--[a-z-]+", guide)) <= there
