"""The script of a bundle, run in the bundle's own folder: what it answers, and one sentence for what it cannot."""

from __future__ import annotations

import io
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.release import open_bundle, predict_script
from tests.core.release.released import intervals, released, small

LINES = small("blood_pressure").frame.head(2).to_csv(index=False).splitlines()
HEAD, FIRST = LINES[0], LINES[1]
REST = FIRST[FIRST.index(",") :]
NO_NUMBER = "Column age has no number in row 1; write it with a point, or leave the cell empty."
NO_COLUMN = "new.csv has no column age, or has it twice."
NO_CSV = "new.csv cannot be read as a CSV file in UTF-8."
UNREADABLE = {
    "words in a number": (f"{HEAD}\nold{REST}\n", NO_NUMBER),
    "a decimal comma": (f'{HEAD}\n"1,5"{REST}\n', NO_NUMBER),
    "an underscore for thousands": (f"{HEAD}\n1_000{REST}\n", NO_NUMBER),
    "not a number": (f"{HEAD}\nnan{REST}\n", NO_NUMBER),
    "infinity": (f"{HEAD}\ninf{REST}\n", NO_NUMBER),
    "another separator": ("\n".join(LINES).replace(",", ";"), NO_COLUMN),
    "nothing": ("", NO_COLUMN),
    "no rows": (f"{HEAD}\n", "new.csv has no rows."),
    "a column twice": (f"age,{HEAD}\n1,{FIRST}\n", NO_COLUMN),
    "a cell without an end": (f"{HEAD}\n{'1' * 200_000}{REST}\n", NO_CSV),
    "no text": ("\udcff\udcfe", NO_CSV),
}


def unpacked_in(folder: Path, bundle: bytes) -> Path:
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        archive.extractall(folder)
    return folder


def script(folder: Path, *words: object) -> str:
    """Run a bundle's script with these words; return the sentence that it stops with, "" if it does not."""
    copied = folder / "predict.py"
    # Under the name of the module that it is a copy of, so that the branches it takes are counted there.
    code = compile(copied.read_bytes(), predict_script.__file__, "exec", dont_inherit=True)
    before, sys.argv = sys.argv, [str(copied), *map(str, words)]
    try:
        exec(code, {"__name__": "__main__", "__file__": str(copied)})
    except SystemExit as ended:
        return str(ended)
    finally:
        sys.argv = before
    return ""


def predict(folder: Path, text: str) -> str:
    """Run a bundle's script on a table of this text."""
    (folder / "new.csv").write_text(text, encoding="utf-8", errors="surrogateescape")
    (folder / "out.csv").unlink(missing_ok=True)
    return script(folder, folder / "new.csv", folder / "out.csv")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_in(tmp_path_factory.mktemp("bundle"), intervals().bundle)


@pytest.fixture(scope="module")
def by_ward(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    """Return a bundle whose groups have thresholds of their own and which needs all cells, packed and unpacked."""
    rng = np.random.default_rng(0)
    wards = [str(number) for number in range(1, 4)]
    schema = Schema(
        (
            Column("dose", "number", bounds=(0, 10), missing="refuse"),
            Column("grade", "category", categories=("1", "2"), missing="impute-public"),
            Column("ward", "category", role="group", categories=tuple(wards)),
            Column("y", "number", role="target", bounds=(-10, 10)),
        ),
        one_row_is="one test",
    )
    n = 1500
    ward = rng.choice(wards, n)
    frame = pd.DataFrame(
        {
            "dose": rng.uniform(0, 10, n),
            "grade": rng.choice(["1", "2"], n),
            "ward": ward,
            "y": rng.normal(size=n) * ward.astype(float),
        }
    )
    made = released(Dataset.from_frame(frame, schema), by_group=True, epsilon=20.0).bundle
    return made, unpacked_in(tmp_path_factory.mktemp("wards"), made)


def test_the_script_of_a_bundle_is_the_one_that_is_tested(unpacked: Path) -> None:
    assert (unpacked / "predict.py").read_bytes() == Path(predict_script.__file__).read_bytes()


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_wrong_with_a_table_is_one_sentence_and_nothing_is_written(name: str, unpacked: Path) -> None:
    text, said = UNREADABLE[name]
    assert predict(unpacked, text).removeprefix(f"{unpacked}/") == said
    assert not (unpacked / "out.csv").exists()


def test_a_place_that_cannot_be_read_or_written_is_one_sentence(unpacked: Path) -> None:
    nowhere, new = unpacked / "nowhere" / "out.csv", unpacked / "rows.csv"
    new.write_text("\n".join(LINES))
    assert script(unpacked, nowhere, unpacked / "out.csv") == f"{nowhere} cannot be read as a CSV file in UTF-8."
    assert script(unpacked, new, nowhere) == f"{nowhere} cannot be written: No such file or directory."


@pytest.mark.parametrize("words", [(), ("new.csv",), ("new.csv", "out.csv", "more.csv")])
def test_words_too_few_or_too_many_are_told_how_to_use_it(words: tuple[str, ...], unpacked: Path) -> None:
    assert script(unpacked, *words) == "Use: python predict.py NEW.csv OUT.csv"


def test_short_rows_marks_of_order_and_cells_of_nobody_are_read(unpacked: Path) -> None:
    last = FIRST.rsplit(",", 1)[0]
    texts = ("\n".join([HEAD, FIRST]), f"\ufeff{HEAD}\r\n\r\n{FIRST},9,9\r\n", f"{HEAD}\n{last}\n")
    found = []
    for text in texts:
        assert predict(unpacked, text) == ""
        found.append(np.loadtxt(unpacked / "out.csv", delimiter=",", skiprows=1))
    # The last column is the target, which is not read.
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_each_group_gets_its_threshold_and_categories_may_be_written_as_numbers(by_ward: tuple[bytes, Path]) -> None:
    bundle, folder = by_ward
    assert predict(folder, "dose,grade,ward\n5,1,1\n5, 1.0 ,2\n5,2,3\n5,,3\n5,7,3\n") == ""
    asked = pd.DataFrame({"dose": [5.0] * 5, "grade": ["1", "1", "2", None, "7"], "ward": ["1", "2", "3", "3", "3"]})
    here = open_bundle(bundle).predict(asked).table
    there = pd.read_csv(folder / "out.csv")
    assert np.abs(here.to_numpy() - there.to_numpy()).max() <= 1e-11
    width = there["upper"] - there["lower"]
    assert there["prediction"][0] == there["prediction"][1]
    assert width[0] < width[1] < width[2]


def test_a_missing_cell_that_a_column_refuses_is_one_sentence(by_ward: tuple[bytes, Path]) -> None:
    _, folder = by_ward
    assert predict(folder, "dose,grade,ward\n5,1,1\n ,1,1\n") == "Column dose has missing cells; fill them."
    assert not (folder / "out.csv").exists()


def test_groups_without_a_threshold_are_named_but_not_all_of_many(by_ward: tuple[bytes, Path]) -> None:
    _, folder = by_ward
    rows = "".join(f"5,1,{ward}\n" for ward in "1hgfedc")
    said = predict(folder, f"dose,grade,ward\n{rows}")
    assert said == "Column ward has groups without a threshold: c, d, e, f, g."
    assert predict(folder, "dose,grade\n5,1\n") == f"{folder / 'new.csv'} has no column ward, or has it twice."


def _without_sums(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()


def _without_a_layer(folder: Path) -> None:
    next(folder.glob("weights/*.npy")).unlink()


def _with_sums_cut_short(folder: Path) -> None:
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(sums.read_text().splitlines(keepends=True)[:-1]))


def _without_weights(folder: Path) -> None:
    shutil.rmtree(folder / "weights")
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(line for line in sums.read_text().splitlines(keepends=True) if "weights/" not in line))


def _other_threshold(folder: Path) -> None:
    file = folder / "model.json"
    before, mark, after = file.read_bytes().partition(b'"threshold": ')
    assert mark
    file.write_bytes(before + mark + b"9" + after)


def _half_a_layer(folder: Path) -> None:
    file = next(folder.glob("weights/*.npy"))
    file.write_bytes(file.read_bytes()[:100])


HARMS = [_without_sums, _with_sums_cut_short, _without_weights, _without_a_layer, _other_threshold, _half_a_layer]


@pytest.mark.parametrize("harm", HARMS)
def test_a_bundle_that_is_not_whole_predicts_nothing(
    harm: Callable[[Path], None], unpacked: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(unpacked, tmp_path / "bundle")
    harm(folder)
    assert "unpack all of it again" in predict(folder, "\n".join(LINES))


def test_a_readme_that_somebody_wrote_in_does_not_stop_it(unpacked: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(unpacked, tmp_path / "bundle")
    (folder / "README.md").write_text("Ours.", encoding="utf-8")
    assert predict(folder, "\n".join(LINES)) == ""
