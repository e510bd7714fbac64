"""Classes and groups on the command line: what can be served is, the rest is one sentence."""

from __future__ import annotations

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
    """Return 200 rows with an age, a pressure and a ward."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 90, 200)
    pressure = (100 + 0.5 * age + rng.normal(0, 8, 200)).round(1)
    return pd.DataFrame({"age": age, "pressure": pressure, "ward": np.where(age > 50, "north", "south")})


@pytest.fixture
def refused(tmp_path, capsys):
    """Return a function that runs a command line which must be refused, and gives the one sentence."""

    def run(frame, *args):
        frame.to_csv(tmp_path / "table.csv", index=False)
        code = entry.run(["simulate", str(tmp_path / "table.csv"), *map(str, args)])
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), err
        assert err.count("\n") == 1
        return err

    return run


@pytest.fixture
def schema(tmp_path):
    """Return a function that writes a schema with a column ``ward``, and gives the file's path."""

    def write(categories, role):
        path = tmp_path / "schema.toml"
        path.write_text(f'{SCHEMA}[ward]\nkind = "category"\ncategories = {categories}\nrole = "{role}"\n')
        return path

    return write


def test_a_score_or_model_that_does_not_suit_the_target(refused, frame):
    sentence = refused(frame, "--target", "ward", "--score", "absolute")
    assert "absolute" in sentence
    assert "probability" in sentence
    assert "lasso" in refused(frame, "--target", "ward", "--trainer", "lasso")
    assert "aps" in refused(frame, "--target", "pressure", "--score", "aps")


def test_groups_that_nobody_named(refused, frame):
    assert "group" in refused(frame, "--target", "pressure", "--by-group")


def test_a_target_of_one_class(refused, frame):
    assert "ward" in refused(frame.assign(ward="north"), "--target", "ward")


def test_a_class_that_the_schema_does_not_list(refused, frame, schema):
    path = schema(["north", "east"], "feature")
    assert "ward" in refused(frame, "--target", "ward", "--schema", path)


@pytest.fixture
def served(tmp_path, capsys):
    """Return a function that runs a command line which must succeed, and gives what was printed, on one line."""

    def run(frame, *args):
        frame.to_csv(tmp_path / "table.csv", index=False)
        code = entry.run(["simulate", str(tmp_path / "table.csv"), *map(str, args), "--repetitions", "2"])
        out, err = capsys.readouterr()
        assert code == 0, err
        return " ".join(out.split())

    return run


def test_a_target_of_words_is_a_target_of_classes(served, frame):
    assert "sets for ward" in served(frame, "--target", "ward")


def test_a_class_with_one_member_loses_nothing(served, frame):
    frame.loc[7, "ward"] = "attic"
    assert "sets for ward" in served(frame, "--target", "ward")


def test_sixty_classes_are_served(served, frame):
    frame["kind"] = [f"kind {i % 60}" for i in range(len(frame))]
    assert "sets for kind" in served(frame, "--target", "kind")


def test_a_group_of_three_rows_gets_the_whole_range_and_a_sentence(served, frame, schema):
    frame["ward"] = np.where(np.arange(len(frame)) < 3, "attic", "south")
    told = served(frame, "--schema", schema(["attic", "south"], "group"), "--by-group", "--seed", 3)
    assert 'of the group "ward: attic" was held out' in told
    assert 'Group "ward: south": coverage' in told
