"""A bundle predicts what the estimator that made it predicts, here and with numpy alone."""

from __future__ import annotations

import hashlib
import io
import itertools
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core.conformal.classifier import DPCPClassifier
from dpcp_core.conformal.estimators import DPCPRegressor
from dpcp_core.conformal.scores import SCORES
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import InputError
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.release import open_bundle
from dpcp_core.release.archive import array_bytes, packed
from dpcp_core.release.bundle import Bundle
from dpcp_core.release.intervals import PREDICTED, model_bytes
from dpcp_core.release.model_file import model_file
from dpcp_core.training.registry import TRAINERS, is_dense
from tests.core.release.released import intervals, released, small

# Refuses every import but numpy and what comes with Python.
ALONE = """
import sys, runpy
class Only:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "numpy" and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ImportError(f"{name} is not there")
sys.meta_path.insert(0, Only())
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def predicted_alone(bundle: bytes, frame: pd.DataFrame, folder: Path) -> pd.DataFrame:
    """Run the bundle's own script where numpy is the only package."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        archive.extractall(folder)
    frame.to_csv(folder / "new.csv", index=False)
    command = [sys.executable, "-I", "-c", ALONE, folder / "predict.py", folder / "new.csv", folder / "out.csv"]
    subprocess.run(command, check=True, capture_output=True)
    return pd.read_csv(folder / "out.csv", keep_default_na=False)


def bundle_of(estimator: DPCPRegressor | DPCPClassifier, schema: Schema) -> Bundle:
    """Return what a bundle of a (simulated) fit would hold, through the files it would be made of."""
    made = model_file(estimator.procedure_, schema)
    files = model_bytes(made)
    arrays = {
        Path(name).stem: np.load(io.BytesIO(content), allow_pickle=False)
        for name, content in files.items()
        if name.endswith(".npy")
    }
    return Bundle(made.model, arrays, schema, estimator.receipt_, {})


NUMBERS = [name for name, trainer in TRAINERS.items() if "regression" in trainer.tasks and is_dense(name)]
CASES = [("breast_cancer", "probability"), ("readmission", "aps"), ("readmission", "probability")]
CLASSES = [name for name, trainer in TRAINERS.items() if "classification" in trainer.tasks and is_dense(name)]


def test_every_score_that_may_be_released_is_one_that_the_script_works_out() -> None:
    assert frozenset(name for name, score in SCORES.items() if not score.needs_coins) == PREDICTED


@pytest.mark.parametrize(("trainer", "score"), list(zip(NUMBERS, itertools.cycle(["absolute", "normalized"]))))
def test_intervals_are_those_of_the_estimator(trainer: str, score: str) -> None:
    data = small("blood_pressure")
    target = data.schema.target
    assert target is not None
    X, y = data.frame.drop(columns=[target.name]), data.frame[target.name]
    model = DPCPRegressor(epsilon=8.0, schema=data.schema, trainer=trainer, score=score, random_state=0).fit(X, y)
    found = bundle_of(model, data.schema).predict(X).table
    centre, ends = model.predict_interval(X)
    assert np.abs(found["prediction"] - centre).max() <= 1e-12 * np.abs(centre).max()
    assert np.abs(found[["lower", "upper"]].to_numpy() - ends[:, :, 0]).max() <= 1e-12 * np.abs(ends).max()


@pytest.mark.parametrize(("trainer", "case"), list(zip(CLASSES, itertools.cycle(CASES))))
def test_sets_are_those_of_the_estimator(trainer: str, case: tuple[str, str]) -> None:
    sample, score = case
    data = small(sample)
    target = data.schema.target
    assert target is not None
    X, y = data.frame.drop(columns=[target.name]), data.frame[target.name]
    model = DPCPClassifier(epsilon=8.0, schema=data.schema, trainer=trainer, score=score, random_state=0).fit(X, y)
    found = bundle_of(model, data.schema).predict(X).table
    _, sets = model.predict_set(X)
    names = [f"probability of {name}" for name in target.categories]
    assert np.abs(found[names].to_numpy() - model.predict_proba(X)).max() <= 1e-12
    held = [[name for name, inside in zip(target.categories, row, strict=True) if inside] for row in sets[..., 0]]
    assert found["set"].tolist() == [" | ".join(names) for names in held]


@pytest.mark.slow
def test_a_model_of_more_than_dense_layers_fits_no_bundle() -> None:
    data = small("blood_pressure", 100)
    target = data.schema.target
    assert target is not None
    X, y = data.frame.drop(columns=[target.name]), data.frame[target.name]
    choices = {"trainer": "ft_transformer", "steps": 1, "random_state": 0}
    model = DPCPRegressor(epsilon=8.0, schema=data.schema, **choices).fit(X, y)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'ft_transformer' has more than dense layers, which a bundle cannot hold"):
        bundle_of(model, data.schema)


def test_every_kind_of_column_is_read_alike_with_numpy_alone(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    n = 300
    schema = Schema(
        (
            Column("a number", "number", bounds=(-5, 5), typical=(-1, 1), missing="category"),
            Column("whole", "integer", bounds=(0, 9)),
            Column("word", "category", categories=("é, comma", 'a "quote"', "1", " x")),
            Column("again", "category", categories=("p", "q"), missing="impute-public"),
            Column("rank", "ordinal", categories=("low", "middle", "high")),
            Column("flag", "boolean"),
            Column("y", "number", role="target", bounds=(-10, 10)),
        ),
        one_row_is="one test",
    )
    frame = pd.DataFrame(
        {
            "a number": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n) * 4),
            "whole": rng.integers(-2, 14, n),
            "word": rng.choice(["é, comma", 'a "quote"', "1", "unknown"], n),
            "again": pd.Series(rng.choice(["p", "q"], n)).mask(pd.Series(rng.random(n) < 0.2)),
            "rank": rng.choice(["low", "middle", "high"], n),
            "flag": rng.choice(["no", "yes", "true", "0"], n),
            "y": rng.normal(size=n),
        }
    )
    made = released(Dataset.from_frame(frame, schema))
    here = open_bundle(made.bundle).predict(frame).table
    there = predicted_alone(made.bundle, frame, tmp_path)
    assert np.abs(here.to_numpy() - there.to_numpy()).max() <= 1e-12 * 10


@pytest.mark.parametrize("sample", ["blood_pressure", "readmission"])
def test_a_release_predicts_the_same_with_numpy_alone(sample: str, tmp_path: Path) -> None:
    data = small(sample)
    made = released(data)
    here, there = open_bundle(made.bundle).predict(data.frame).table, predicted_alone(made.bundle, data.frame, tmp_path)
    numbers = here.select_dtypes("number").columns
    assert list(here) == list(there)
    assert np.abs(here[numbers].to_numpy() - there[numbers].to_numpy()).max() <= 1e-12 * 300
    others = here.columns.difference(numbers)
    assert here[others].astype(str).equals(there[others].astype(str))


def test_groups_keep_their_own_thresholds(tmp_path: Path) -> None:
    data = small("blood_pressure", 3000)
    column = next(column for column in data.schema.features if not column.is_numeric)
    data = data.with_schema(data.schema.with_role(column.name, "group"))
    made = released(data, by_group=True, epsilon=20.0)
    bundle = open_bundle(made.bundle)
    assert {*bundle.model["thresholds"]} == {*column.categories}
    there = predicted_alone(made.bundle, data.frame.head(200), tmp_path)
    here = bundle.predict(data.frame.head(200)).table
    assert np.abs(here.to_numpy() - there.to_numpy()).max() <= 1e-12 * 300


def test_the_same_content_gives_the_same_bytes_in_any_order() -> None:
    files = {"a.txt": b"1", "weights/b.npy": array_bytes(np.arange(3.0))}
    assert packed(files) == packed(dict(reversed(files.items())))


def test_a_bundle_tells_what_it_is_and_holds_no_row() -> None:
    made = intervals()
    with zipfile.ZipFile(io.BytesIO(made.bundle)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert made.digest == hashlib.sha256(made.bundle).hexdigest()
    receipt = PrivacyReceipt.from_json(files["receipt.json"].decode())
    assert (receipt.mode, receipt.total.epsilon, receipt.leaks) == ("release", 5.0, ())
    card = files["README.md"].decode()
    for said in ("What is promised", "Not protected", "predict.py", receipt.guarantee):
        assert said in card
    assert sorted(files) == [
        "README.md", "SHA256SUMS", "certificate.json", "model.json", "predict.py", "receipt.json", "receipt.txt",
        "schema.toml", "weights/model-0-constants.npy", "weights/model-0-matrix.npy",
    ]  # fmt: skip


def test_a_missing_column_is_one_sentence() -> None:
    bundle = open_bundle(intervals().bundle)
    first = bundle.schema.features[0].name
    with pytest.raises(InputError, match=f"has no column '{first}'"):
        bundle.predict(small("blood_pressure").frame.drop(columns=[first]))
