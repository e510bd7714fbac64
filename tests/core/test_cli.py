"""The command line does what its help says, and its JSON is what other programs read."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import tomllib

import numpy as np
import pandas as pd
import pytest
from typer.main import get_command

from dpcp_core import ConformalSettings, PrivacyReceipt, Schema, __version__, load_sample, simulate
from dpcp_core.cli.entry import commands, plain_usage, run
from dpcp_core.conformal.methods import METHODS
from dpcp_core.conformal.scores import SCORES
from dpcp_core.privacy.grid import BIN_RULES
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.training.registry import TRAINERS

KEYS = [
    "method", "epsilon", "delta", "alpha", "n_train", "n_test", "repetitions", "coverage_mean", "coverage_sd",
    "width_mean", "width_sd", "width_median", "threshold_mean", "seconds", "receipt",
]  # fmt: skip


@pytest.fixture
def table(tmp_path):
    """Write 300 rows of people and return the file's path."""
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, 300)
    frame = pd.DataFrame({
        "id": np.arange(1, 301),
        "age": age,
        "smoker": rng.choice(["no", "yes"], 300),
        "pressure": (100 + 0.5 * age + rng.normal(0, 8, 300)).round(1),
    })  # fmt: skip
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False)
    return path


def answer(capsys, *args):
    """Run one command line that must succeed; return what it printed and what it said beside that."""
    code = run([str(arg) for arg in args])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out, err


def test_version(capsys):
    assert answer(capsys, "--version")[0] == f"dpcp {__version__}\n"


def test_no_command_shows_the_help(capsys):
    out, _ = answer(capsys)
    assert all(name in out for name in ("app", "schema", "simulate"))


def test_help_loads_nothing_heavy():
    script = (
        "import runpy, sys; sys.argv = ['dpcp', '--help']\n"
        "try: runpy.run_module('dpcp_core', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'pandas', 'sklearn', 'torch', 'streamlit'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stderr == "[]\n"


def test_defaults_are_those_of_the_settings():
    typed = {option.name: option.default for option in get_command(commands).commands["simulate"].params}
    settings = ConformalSettings()
    fields = {field.name for field in dataclasses.fields(settings)}
    # All but these two are options of the same name; a command's run is longer, and coverage is told as alpha.
    assert fields - set(typed) == {"confidence_level"}
    for name in fields - {"confidence_level", "repetitions"}:
        meant = getattr(settings, name)
        is_number = isinstance(meant, int | float) and not isinstance(meant, bool)
        assert (float(typed[name]) if is_number else typed[name]) == meant, name
    assert float(typed["alpha"]) == settings.alpha


def test_help_of_simulate_lists_what_is_registered(capsys):
    out, _ = answer(capsys, "simulate", "--help")
    words = set(re.findall(r"[\w-]+", out))
    assert {*METHODS, *TRAINERS, *SCORES, *LOSSES, *GUARANTEES, *BIN_RULES} <= words
    assert {f"--{name.replace('_', '-')}" for name in ConformalSettings().to_dict()} - words == {"--confidence-level"}
    assert "{" not in out.replace("{DATA}", "")


def test_json_of_classes_has_the_set_size_in_place_of_the_widths(capsys):
    out, err = answer(capsys, "simulate", "sample:breast_cancer", "--repetitions", 3, "--json")
    values = json.loads(out)
    assert list(values) == [
        "method", "epsilon", "delta", "alpha", "n_train", "n_test", "repetitions", "coverage_mean", "coverage_sd",
        "set_size_mean", "threshold_mean", "seconds", "receipt",
    ]  # fmt: skip
    assert 1 <= values["set_size_mean"] <= 2
    assert err == ""


def test_json_has_the_agreed_keys_and_nothing_else_is_printed(capsys):
    out, err = answer(capsys, "simulate", "sample:blood_pressure", "--repetitions", 3, "--json")
    values = json.loads(out)
    assert list(values) == KEYS
    assert err == ""
    assert values["repetitions"] == 3
    assert (values["n_train"], values["n_test"]) == (3200, 800)
    assert 0.8 < values["coverage_mean"] <= 1
    assert PrivacyReceipt.from_dict(values["receipt"]).total.epsilon == 1.0


def test_json_says_what_the_library_says(capsys):
    options = ["--epsilon", 2, "--alpha", 0.2, "--repetitions", 4, "--seed", 7, "--method", "pscp"]
    out, _ = answer(capsys, "simulate", "sample:diabetes", *options, "--json")
    settings = ConformalSettings(epsilon=2, confidence_level=0.8, repetitions=4, seed=7, method="pscp")
    expected = simulate(load_sample("diabetes"), settings).summary()
    values = json.loads(out)
    same = [key for key in KEYS if key != "seconds"]
    assert {key: values[key] for key in same} == {key: expected[key] for key in same}


def test_the_same_seed_gives_the_same_numbers_and_another_does_not(capsys):
    def run_with(seed):
        out, _ = answer(capsys, "simulate", "sample:diabetes", "--repetitions", 3, "--seed", seed, "--json")
        return json.loads(out)["width_mean"]

    assert run_with(1) == run_with(1) != run_with(2)


@pytest.mark.parametrize("method", ["oracle", "split", "naive", "differential"])
def test_json_stays_strict_where_the_receipt_is_infinite(capsys, method):
    out, _ = answer(capsys, "simulate", "sample:diabetes", "--method", method, "--repetitions", 2, "--json")

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    values = json.loads(out, parse_constant=refuse)
    assert values["receipt"]["total"]["epsilon"] == "infinity"


def test_every_option_reaches_the_settings(capsys):
    options = {
        "--method": "dpcp", "--trainer": "ols", "--score": "absolute", "--epsilon": 3, "--delta": 1e-6,
        "--alpha": 0.2, "--training-share": 0.3, "--row-share": 0.6, "--bins": "sqrt", "--grid": "uniform",
        "--loss": "paper", "--stability": "profile", "--guarantee": "paper", "--composition": "basic",
        "--repetitions": 2, "--seed": 5, "--target": "progression",
    }  # fmt: skip
    words = [word for pair in options.items() for word in pair]
    out, _ = answer(capsys, "simulate", "sample:diabetes", *words, "--json")
    settings = ConformalSettings(
        trainer="ols", epsilon=3, delta=1e-6, confidence_level=0.8, training_share=0.3, row_share=0.6, bins="sqrt",
        grid="uniform", loss="paper", stability="profile", guarantee="paper", composition="basic", repetitions=2,
        seed=5, target="progression",
    )  # fmt: skip
    assert json.loads(out)["width_mean"] == simulate(load_sample("diabetes"), settings).width_mean


def test_the_report_of_classes_tells_sets_and_groups(capsys):
    out, err = answer(capsys, "simulate", "sample:readmission", "--repetitions", 3, "--by-group")
    told = " ".join(out.split())
    for words in ("sets for Readmitted", "set of possible answers", "mean set size", "sets of one class", "sets empty"):
        assert words in told
    assert 'Group "Lives with a transplant: yes"' in told
    assert "Each group has a threshold of its own." in told
    assert err == ""
    assert max(map(len, out.splitlines())) <= 88
    assert out.isascii()


@pytest.mark.parametrize("score", ["absolute", "normalized"])
def test_the_report_gives_thresholds_their_unit(capsys, score):
    out, _ = answer(capsys, "simulate", "sample:blood_pressure", "--repetitions", 2, "--score", score)
    words = {"absolute": r"mean half-width +[\d.]+ mmHg", "normalized": r"mean threshold +[\d.]+ times the usual"}
    assert re.search(words[score], out)


def test_report_holds_sentences_table_doctor_and_receipt(capsys):
    out, err = answer(capsys, "simulate", "sample:blood_pressure", "--repetitions", 3)
    for words in ("Simulation: not a private release", "without privacy", "mmHg", "DOCTOR", "PRIVACY RECEIPT"):
        assert words in out
    assert err == ""
    assert max(map(len, out.splitlines())) <= 88
    assert out.isascii()


def test_report_offers_the_doctors_change_as_an_option(capsys):
    out, _ = answer(capsys, "simulate", "sample:diabetes", "--epsilon", 0.1, "--repetitions", 2)
    assert "Try: --" in out


def test_without_a_schema_bounds_come_from_the_file_and_the_receipt_says_so(capsys, table):
    out, err = answer(capsys, "simulate", table, "--target", "pressure", "--repetitions", 2, "--json")
    receipt = json.loads(out)["receipt"]
    assert receipt["total"]["epsilon"] == "infinity"
    assert receipt["leaks"]
    assert err.startswith("Note: ")
    assert "not public" in err
    assert all(line.startswith("Note: ") for line in err.splitlines())
    assert "Column 'id' is ignored because it looks like an identifier." in err


def test_schema_file_with_public_bounds_keeps_the_receipt_finite(capsys, table, tmp_path):
    schema = tmp_path / "people.toml"
    schema.write_text(
        '[age]\nkind = "integer"\nbounds = [18, 90]\n[smoker]\nkind = "boolean"\n'
        '[pressure]\nkind = "number"\nbounds = [70, 250]\nrole = "target"\n'
    )
    out, err = answer(capsys, "simulate", table, "--schema", schema, "--repetitions", 2, "--json")
    assert json.loads(out)["receipt"]["total"]["epsilon"] == 1.0
    assert err == "Note: The schema does not describe `id`, so nothing uses it.\n"


def test_schema_drafts_without_bounds_and_says_what_to_fill_in(capsys, table, tmp_path):
    out_file = tmp_path / "people.toml"
    out, err = answer(capsys, "schema", table, "--out", out_file)
    schema = Schema.from_toml(out_file)
    assert schema.column("age").bounds is None
    assert schema.column("id").role == "ignore"
    assert "people.csv" in out
    assert "300 rows" in out
    assert "fill in bounds" in out
    assert err == ""


def test_schema_can_be_filled_from_the_file_and_is_flagged(capsys, table, tmp_path):
    out_file = tmp_path / "people.toml"
    out, _ = answer(capsys, "schema", table, "--out", out_file, "--fill-from-file")
    column = Schema.from_toml(out_file).column("age")
    assert column.bounds_from_file
    assert "not public" in out


def test_printed_schema_is_toml_with_the_words_beside_it(capsys, table):
    out, err = answer(capsys, "schema", table)
    assert tomllib.loads(out)["pressure"] == {"kind": "number"}
    assert "300 rows" in err


def test_drafted_and_filled_schema_can_be_used_at_once(capsys, table, tmp_path):
    out_file = tmp_path / "people.toml"
    answer(capsys, "schema", table, "--out", out_file, "--fill-from-file")
    args = ["--schema", out_file, "--target", "pressure", "--repetitions", 2, "--json"]
    out, err = answer(capsys, "simulate", table, *args)
    assert json.loads(out)["receipt"]["total"]["epsilon"] == "infinity"
    assert "not public" in err


def test_app_starts_streamlit_on_the_asked_port(monkeypatch):
    started = []
    monkeypatch.setattr("dpcp_core.cli.launch._run", lambda line, folder: started.append((line, folder)) or 0)
    assert run(["app", "--port", "9123"]) == 0
    line, folder = started[0]
    assert line[1:4] == ["-m", "streamlit", "run"]
    assert line[-2:] == ["--server.port", "9123"]
    assert (folder / "pages").is_dir()


def test_a_pipe_that_closes_early_is_no_error():
    line = f"{sys.executable} -m dpcp_core simulate sample:diabetes --repetitions 2 | head -n 1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_parser_complaints_become_one_sentence():
    assert plain_usage("Missing argument 'DATA'.", "dpcp simulate") == (
        "Missing argument 'DATA'; dpcp simulate --help lists what there is."
    )


@pytest.mark.parametrize(("sample", "is_cut"), [("length_of_stay", True), ("blood_pressure", False)])
def test_widths_below_two_half_widths_are_explained(capsys, sample, is_cut):
    assert run(["simulate", f"sample:{sample}", "--repetitions", "2"]) == 0
    assert ("Intervals end at the public bounds" in capsys.readouterr().out) is is_cut
