"""What ``dpcp synthesize`` cannot use: exit 2, nothing written, nothing on standard output, one sentence."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

from tests.core.synthesis.commands import FRAME, synthesized
from tests.core.synthesis.tables import PEOPLE, people
from tests.core.test_cli_bad_input import one_sentence


@pytest.fixture
def typed(tmp_path, capsys):
    """Return a function that runs the command on a table and gives exit code, output and what was said beside it."""
    return partial(synthesized, tmp_path, capsys)


@pytest.fixture
def refused(typed, tmp_path):
    """Return a function that runs a command which must be refused and write nothing, and gives its sentence."""

    def call(*args, **kwargs):
        code, out, err = typed("--out", tmp_path / "made.csv", *args, **kwargs)
        assert (code, out) == (2, ""), err
        assert {path.name for path in tmp_path.iterdir()} <= {"people.csv", "people.toml", "there"}
        return one_sentence(err)

    return call


WIDE = {"town": [f"town {place % 200}" for place in range(600)]}
TEXT = {"essay": [f"words {place * 7919 % 1000} and {place} more" for place in range(600)]}
DATES = {"seen": pd.date_range("2020-01-01", periods=600).strftime("%Y-%m-%d")}
DATED = f'{PEOPLE.to_toml()}\n[seen]\nkind = "number"\nbounds = [0, 1]\n'
TABLES = {
    "one class": ((), {"ill": "no"}, PEOPLE, "Column 'ill' is the target but is the same in every row"),
    "empty target": ((), {"ill": np.nan}, PEOPLE, "Column 'ill' is the target but is empty in 600 rows"),
    "200 categories": (("--target", "town"), WIDE, None, "'town' is a target but it is text with 200 different values"),
    "free text": (("--target", "essay"), TEXT, None, "Column 'essay' is a target but it looks like an identifier"),
    "dates": (("--target", "seen"), DATES, None, "Column 'seen' is a target but it holds dates or times"),
    "dates as numbers": ((), DATES, DATED, "Column 'seen' should hold numbers but line 2 does not"),
    "endless": ((), {"dose": np.inf}, PEOPLE, "Column 'dose' should hold numbers but line 2 does not"),
    "unknown class": ((), {"ill": ["maybe", "no"] * 300}, PEOPLE, "has 300 values that are none of its categories"),
    "one unknown": ((), {"ill": ["maybe"] + ["no", "yes"] * 299 + ["no"]}, PEOPLE, "has 1 value that is none of its"),
    "all empty": (("--target", "dose"), {"dose": np.nan}, None, "dose"),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_tables_that_cannot_be_used(refused, case):
    words, columns, schema, sentence = TABLES[case]
    assert sentence in refused(*words, frame=FRAME.assign(**columns), schema=schema)


@pytest.mark.parametrize("words", [(), ("--evaluate",)])
def test_twenty_rows_are_too_few(refused, words):
    said = refused("--epsilon", "1", *words, frame=people(20))
    assert said.startswith("With rows held out, 16 of 20 are left; 16 rows" if words else "20 rows are too few")


def test_one_row_is_too_few(refused):
    assert refused("--target", "ill", frame=people(1)).startswith("1 row is too few: noise of")


WORDS = {
    "unknown group": (("--groups", "age+jobs"), "groups names 'jobs' (did you mean 'job'?)"),
    "group of one": (("--groups", "age"), "groups is 'age' but must be columns with a plus between them"),
    "contradiction": (("--rule", "size == 'small'", "--rule", "size > 'small'"), "No row that the schema"),
    "unread rule": (("--rule", "age"), "The rule 'age' cannot be read"),
    "code": (("--rule", "__import__('os')"), "The rule"),
    "unknown target": (("--target", "il"), "There is no column 'il' (did you mean 'ill'?)"),
    "attributes": (("--attributes", "gan"), "attributes is 'gan' but must be one of"),
    "task model": (("--task-model", "forest"), "task_model is 'forest' but must be one of"),
    "labels": (("--labels", "both"), "labels is 'both' but must be one of"),
    "epsilon": (("--epsilon", "0"), "epsilon is 0 but must be a number above 0"),
    "rows": (("--rows", "many"), "rows is 'many' but must be a whole number"),
    "no rows": (("--rows", "0"), "rows is 0 but must be a whole number of at least 1"),
    "bins": (("--bins", "few"), "bins is 'few' but must be a whole number"),
    "bins of two": (("--bins", "age=5", "--bins", "7"), "bins is '7' but must be a column and a number"),
    "randomised": (("--randomised-response", "job"), "randomised-response is 'job' but must be a column and a number"),
    "models": (("--evaluate", "--models", "forest"), "models is 'forest' but must be one of: logistic, mlp, svm"),
    "no models": (("--evaluate", "--models", ","), "models is empty"),
    "rivals": (("--evaluate", "--rivals", "gan"), "rivals is 'gan' but must be one of"),
    "rivals alone": (("--rivals", "mst"), "--rivals are measured beside the table; add --evaluate."),
    "timeout": (("--evaluate", "--timeout", "-1"), "timeout is -1 but must be a number above 0"),
    "repetitions": (("--evaluate", "--repetitions", "0"), "repetitions is 0 but must be a whole number"),
    "epsilon of all": (("--epsilon", "1e9"), "epsilon is 1e9 but must be from 0.0001 to 10000."),
    "no epsilon": (("--epsilon", "nan"), "epsilon is not a number (NaN)"),
    "delta": (("--delta", "2"), "delta is 2 but must be a number between 0 and 1"),
    "many rows": (("--rows", "1000000000"), "rows is 1000000000 but must be a whole number of at most 10,000,000."),
    "many bins": (("--bins", "99999"), "bins is 99999 but must be a whole number of at most 10,000."),
    "bins of words": (("--bins", "job=3"), "bins names 'job', but only columns of numbers that are drawn have bins"),
    "bins of nobody": (("--bins", "agee=3"), "There is no column 'agee' (did you mean 'age'?)"),
    "overlap": (("--groups", "age+job", "--groups", "job+size"), "groups names 'job' twice"),
    "large group": (("--groups", "age+dose+years_employed", "--bins", "200"), "but at most 200,000 can be counted"),
    "randomised nobody": (("--randomised-response", "jobb=2"), "There is no column 'jobb' (did you mean 'job'?)"),
    "randomised number": (("--randomised-response", "age=2"), "randomised_response names 'age', but only columns of"),
    "randomised at 0": (("--randomised-response", "job=0"), "randomised_response of 'job' is 0 but must be"),
    "randomised twice": (("--randomised-response", "job=1", "--randomised-response", "job=2"), "names 'job' twice"),
    "empty rule": (("--rule", " "), "A rule is empty"),
    "long rule": (("--rule", "age > 1 and " * 300 + "age > 1"), "but at most 2,000 are read"),
    "deep rule": (("--rule", "-" * 900 + "age > 3"), "is nested too deeply"),
    "impossible rule": (("--rule", "dose > 50"), "No row that the schema allows satisfies the rule (dose > 50)"),
    "constant rule": (("--rule", "1 < 2"), "names no column"),
    "public for nothing": (("--public", "nowhere.csv"), "The public table does not fit"),
    "release": (("--mode", "release"), "No such option: --mode"),
    "public": (("--attributes", "public", "--public", "nowhere.csv"), "The public table does not fit"),
}  # fmt: skip


@pytest.mark.parametrize("case", WORDS)
def test_options_that_cannot_be_used(refused, case):
    words, sentence = WORDS[case]
    assert sentence in refused(*words)


@pytest.mark.parametrize("name", ["made.txt", "made", "nowhere/made.csv", "there"])
def test_places_that_cannot_be_written(typed, tmp_path, name):
    (tmp_path / "there").mkdir()
    code, out, err = typed("--out", tmp_path / name)
    assert (code, out) == (2, "")
    assert str(tmp_path / name) in one_sentence(err)


def test_there_must_be_something_to_do(typed):
    code, _, err = typed()
    assert code == 2
    assert "name a file with --out, or measure with --evaluate" in one_sentence(err)
