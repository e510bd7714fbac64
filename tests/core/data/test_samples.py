from __future__ import annotations

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpcp_core.data.encoding import encode
from dpcp_core.data.samples import SAMPLES, load_sample
from dpcp_core.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "sample_data"
SIMULATED = [sample.name for sample in SAMPLES if sample.simulated]
NAMES = [sample.name for sample in SAMPLES]


def test_the_generator_makes_the_committed_files_again_byte_for_byte(tmp_path):
    runpy.run_path(str(FOLDER / "generate.py"))["write"](tmp_path)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in SIMULATED:
        committed = (FOLDER / f"{name}.csv").read_bytes()
        assert (tmp_path / f"{name}.csv").read_bytes() == committed
        assert re.search(rf"`{name}\.csv` .*`{hashlib.sha256(committed).hexdigest()}`", readme)


@pytest.mark.parametrize("sample", SAMPLES, ids=NAMES)
def test_a_sample_is_complete_public_and_as_described(sample):
    data = load_sample(sample.name)
    schema = data.schema
    assert data.n_rows == sample.n_rows
    assert f"{sample.n_rows:,}" in sample.sentence
    assert schema.target.name == sample.target
    assert (sample.task == "regression") == schema.target.is_numeric
    assert schema.incomplete == schema.from_file == ()
    assert schema.names == tuple(data.frame.columns)
    assert schema.one_row_is == "one patient"
    assert all(column.label for column in schema.columns)
    assert all(column.typical for column in schema.columns if column.is_numeric)
    assert data.report.source == sample.source
    assert data.report.notes


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_sample_is_in_its_public_description(name):
    data = load_sample(name)
    for column in data.schema.columns:
        cells = data.frame[column.name].dropna()
        if column.is_numeric:
            assert cells.between(*column.bounds).mean() > 0.999
            assert 0.55 < cells.between(*column.typical).mean() < 0.96
        else:
            assert set(cells.astype(str)) == set(column.categories)


@pytest.mark.parametrize("name", SIMULATED)
def test_a_cohort_has_a_rare_group_and_gaps_but_never_in_the_target(name):
    data = load_sample(name)
    group = [column.name for column in data.schema.columns if column.role == "group"]
    assert len(group) == 1
    assert 0.015 < (data.frame[group[0]] == "yes").mean() < 0.035
    assert 0.01 < sum(data.report.missing.values()) / data.frame.size < 0.05
    assert data.schema.target.name not in data.report.missing


@pytest.mark.parametrize(("name", "least", "most"), [("blood_pressure", 0.35, 0.6), ("length_of_stay", 0.2, 0.45)])
def test_a_linear_model_on_public_scales_explains_a_believable_part(name, least, most):
    data = load_sample(name)
    table = encode(data.frame, data.schema, data.schema.target.name)
    features, truth = table.features.astype(np.float64), table.target
    weights = np.linalg.lstsq(features, truth, rcond=None)[0]
    assert least < 1 - np.var(truth - features @ weights) / np.var(truth) < most


def test_the_spread_of_blood_pressure_grows_with_age():
    data = load_sample("blood_pressure")
    table = encode(data.frame, data.schema, "systolic")
    features = table.features.astype(np.float64)
    rest = table.target - features @ np.linalg.lstsq(features, table.target, rcond=None)[0]
    old = data.frame["age"] > 65
    assert rest[old].std() > 1.3 * rest[data.frame["age"] < 40].std()


def test_an_unknown_sample_is_refused_with_the_list():
    with pytest.raises(
        InputError, match=r"'diabetis' \(did you mean 'diabetes'\?\); the samples are: blood_pressure, "
    ):
        load_sample("diabetis")


def test_an_installed_copy_finds_its_samples_inside_the_package(tmp_path):
    shutil.copytree(ROOT / "dpcp_core", tmp_path / "dpcp_core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(FOLDER, tmp_path / "dpcp_core" / "sample_data")
    code = "import dpcp_core; print(dpcp_core.__file__, dpcp_core.load_sample('readmission').digest)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    where, digest = done.stdout.split()
    assert Path(where).is_relative_to(tmp_path)
    assert digest == load_sample("readmission").digest
