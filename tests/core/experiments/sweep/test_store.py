"""The folder of a sweep gives back exactly what was put in, and nothing that is another's or damaged."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcp_core import ConformalSettings, InputError, load_sample, sweep
from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.sweep import cell as cell_module
from dpcp_core.experiments.sweep.cell import CellResult, cell_key
from dpcp_core.experiments.sweep.store import SweepStore

DIABETES = load_sample("diabetes")
SMALL = {"methods": ["dpcp", "oracle"], "epsilons": [1.0, 2.0], "repetitions": 2}


def run(folder, data=DIABETES, **changes):
    """Run a small sweep of four cells that keeps them in a folder."""
    return sweep(data, folder=folder, **SMALL | changes)


def assert_same(first, second):
    """Check that two cells hold the same, to the last bit."""
    for field in dataclasses.fields(CellResult):
        mine, theirs = getattr(first, field.name), getattr(second, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype == np.float64
            assert np.array_equal(mine, theirs, equal_nan=True), field.name
        else:
            assert mine == theirs, field.name


@pytest.fixture
def kept(tmp_path):
    """Return the one file in which a finished sweep keeps its cells."""
    run(tmp_path / "finished")
    (path,) = (tmp_path / "finished").iterdir()
    return path


def test_a_cell_comes_back_as_it_was(tmp_path):
    done = run(tmp_path)
    again = run(tmp_path)
    assert again.n_reused == 4
    for mine, theirs in zip(done.cells, again.cells, strict=True):
        assert_same(mine, theirs)


def test_settings_of_every_kind_and_awkward_numbers_come_back(tmp_path):
    settings = ConformalSettings(bins="sqrt", smallest_width=0.1 + 0.2, steps=7, by_group=True, target="a \u2603 name")
    arrays = {
        "coverage": np.array([0.1 + 0.2, 1.0]),
        "size": np.array([np.inf, 5e-324]),
        "thresholds": np.array([np.nan, -0.0]),
    }
    full = CellResult(
        settings, "classification", n=3, receipt={"leaks": ["\u00e4"], "x": [1, None]}, seconds=0.1, **arrays
    )
    failed = CellResult(settings.replace(seed=1), problem="It cannot be done.")
    store = SweepStore.at(tmp_path)
    store.add({"a": full, "b": failed})
    found = store.read(["a", "b", "c"])
    assert set(found) == {"a", "b"}
    assert_same(found["a"], full)
    assert_same(found["b"], failed)
    assert found["b"].failed


def test_cells_that_cannot_be_computed_are_tried_again(tmp_path):
    first = run(tmp_path, row_share=[0.001], methods=["pscp"])
    second = run(tmp_path, row_share=[0.001], methods=["pscp"])
    assert len(first.failures) == 2
    assert second.n_reused == 0
    assert [cell.problem for cell in second.cells] == [cell.problem for cell in first.cells]


def test_another_table_s_cells_are_never_mixed_in(tmp_path):
    run(tmp_path)
    frame = DIABETES.frame
    frame.loc[0, "bmi"] += 0.1
    assert run(tmp_path, Dataset.from_frame(frame, DIABETES.schema)).n_reused == 0
    # A wider public bound is another table, too.
    column = dataclasses.replace(DIABETES.schema.target, bounds=(0, 500))
    schema = dataclasses.replace(
        DIABETES.schema, columns=tuple(column if c.name == column.name else c for c in DIABETES.schema.columns)
    )
    assert run(tmp_path, DIABETES.with_schema(schema)).n_reused == 0
    assert run(tmp_path).n_reused == 4


def test_another_version_s_cells_are_never_mixed_in(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cell_module, "__version__", "0.0.1")
        assert run(tmp_path).n_reused == 0
        assert run(tmp_path).n_reused == 4
    assert run(tmp_path).n_reused == 0


def test_a_public_table_makes_other_cells(tmp_path):
    run(tmp_path)
    public = Dataset.from_frame(DIABETES.frame.head(100), DIABETES.schema)
    assert run(tmp_path, public=public).n_reused == 0
    assert cell_key("data", ConformalSettings()) != cell_key("data", ConformalSettings(), "public")


def test_only_what_is_missing_is_run(tmp_path):
    run(tmp_path)
    heard = []
    wider = run(tmp_path, epsilons=[1.0, 2.0, 4.0], on_progress=lambda _, new: heard.append(new))
    assert wider.n_reused == 4
    assert len(heard[0]) == 4
    assert {cell.settings.epsilon for new in heard[1:] for cell in new} == {4.0}
    assert run(tmp_path, repetitions=3).n_reused == 0
    assert run(tmp_path, seed=[1]).n_reused == 0


def test_a_finished_sweep_is_one_file(tmp_path):
    run(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    run(tmp_path, epsilons=[3.0, 4.0])
    assert len(list(tmp_path.iterdir())) == 2
    assert run(tmp_path, epsilons=[1.0, 2.0, 3.0, 4.0]).n_reused == 8


DAMAGE = {
    "empty": lambda _: b"",
    "truncated": lambda good: good[: len(good) // 2],
    "one byte short": lambda good: good[:-1],
    "text": lambda _: b"epsilon,width\n1,2\n",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_no_part_of_a_sweep_is_named(tmp_path, kept, damage):
    (tmp_path / "x").mkdir()
    bad = tmp_path / "x" / "bad.parquet"
    bad.write_bytes(DAMAGE[damage](kept.read_bytes()))
    with pytest.raises(InputError, match=r"bad\.parquet is damaged or holds no finished part of a sweep; move it"):
        run(tmp_path / "x")


@pytest.mark.parametrize("table", [{"a": [1]}, {"key": [1, 2]}, {"key": [{"a": 1}]}])
def test_parquet_of_another_kind_is_named(tmp_path, table):
    pq.write_table(pa.table(table), tmp_path / "other.parquet")
    with pytest.raises(InputError, match=r"other\.parquet is damaged or holds no finished part of a sweep"):
        run(tmp_path)


def test_a_bit_that_has_flipped_never_changes_what_is_read(tmp_path, kept):
    keys = pq.read_table(kept, columns=["key"])["key"].to_pylist()
    good, sound = kept.read_bytes(), SweepStore.at(kept.parent).read(keys)
    rng, n_refused = np.random.default_rng(0), 0
    for place in rng.integers(len(good), size=200):
        bad = bytearray(good)
        bad[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "bad.parquet").write_bytes(bad)
        try:
            found = SweepStore.at(tmp_path).read(keys)
        except InputError:
            n_refused += 1
            continue
        for key, cell in found.items():
            assert_same(cell, sound[key])
    assert 0 < n_refused < 200


def test_what_is_not_a_sweep_s_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".x.parquet").write_bytes(b"")
    (tmp_path / "killed.part").write_bytes(b"half of it")
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "gone.parquet").symlink_to(tmp_path / "nowhere")
    before = set(tmp_path.iterdir())
    assert run(tmp_path).is_complete
    assert before <= set(tmp_path.iterdir())
    assert run(tmp_path).n_reused == 4


def test_a_folder_may_be_called_like_a_setting(tmp_path):
    run(tmp_path / "epsilon=1" / "n=3")
    assert run(tmp_path / "epsilon=1" / "n=3").n_reused == 4


def test_a_file_that_is_still_being_copied_in_does_not_end_a_sweep(tmp_path, kept):
    def copy(progress, _):
        half = kept.read_bytes()[:-100] if progress.done < progress.total else kept.read_bytes()
        (tmp_path / "copied.parquet").write_bytes(half)

    assert run(tmp_path, epsilons=[5.0, 6.0], on_progress=copy).is_complete


def test_folders_that_cannot_be_used_are_named(tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    for folder in (file, file / "inside", tmp_path / "a\0b"):
        with pytest.raises(InputError, match=r"Nothing can be written into .*; choose another folder"):
            run(folder)
    assert file.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_read_only_folder_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="permission denied"):
        run(tmp_path)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a place where nobody may write")
def test_a_place_where_nobody_may_write_is_named():
    with pytest.raises(InputError, match="Nothing can be written into /proc/sweep"):
        run("/proc/sweep")


FULL = """
import json, resource, sys
from dpcp_core import InputError, load_sample, sweep

def limited(n_bytes):
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, resource.RLIM_INFINITY))

def fill(progress, new):
    if progress.done >= 2:
        limited(1000)

data, small = load_sample("diabetes"), dict(methods=["dpcp"], epsilons=[1.0, 2.0, 3.0, 4.0], repetitions=2)
try:
    sweep(data, folder=sys.argv[1], on_progress=fill, **small)
except InputError as error:
    limited(resource.RLIM_INFINITY)
    print(json.dumps([str(error), sweep(data, folder=sys.argv[1], **small).n_reused]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on what a process may write")
def test_a_full_disk_ends_in_a_sentence_and_keeps_what_was_there(tmp_path):
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True)
    sentence, n_reused = json.loads(done.stdout)
    assert sentence.startswith(f"A finished part could not be written into {tmp_path}: file too large; make room")
    assert sentence.endswith("start again: what is there is not run twice.")
    assert n_reused == 2
    assert not list(tmp_path.glob("*.part"))
