"""Every setting can be asked for on the command line, and reaches the run."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from dpcp_core import ConformalSettings, load_sample, read_csv, simulate
from dpcp_core.cli.entry import run


def answer(capsys, *args):
    """Run one command line that must succeed; return what it printed and what it said beside that."""
    code = run([str(arg) for arg in args])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out, err


def test_every_option_of_training_and_sets_reaches_the_settings(capsys):
    options = {
        "--trainer": "softmax", "--score": "aps_randomized", "--epsilon": 8, "--steps": 9, "--step-size": 0.5,
        "--max-grad-norm": 0.9, "--penalty": 0.01, "--noise-multiplier": 40, "--warmup-share": 0.2, "--decay": "cosine",
        "--bound-share": 0.1, "--smallest-width": 0.05, "--test-share": 0.3, "--repetitions": 2,
    }  # fmt: skip
    words = [word for pair in options.items() for word in pair]
    out, _ = answer(capsys, "simulate", "sample:readmission", *words, "--by-group", "--allow-empty", "--json")
    settings = ConformalSettings(
        trainer="softmax", score="aps_randomized", epsilon=8, steps=9, step_size=0.5, max_grad_norm=0.9, penalty=0.01,
        noise_multiplier=40, warmup_share=0.2, decay="cosine", bound_share=0.1, smallest_width=0.05, test_share=0.3,
        repetitions=2, by_group=True, allow_empty=True,
    )  # fmt: skip
    expected = simulate(load_sample("readmission"), settings).summary()
    values = json.loads(out)
    assert values["set_size_mean"] == expected["set_size_mean"]
    assert values["receipt"] == json.loads(json.dumps(expected["receipt"]))


@pytest.mark.parametrize("option", [("--sampling-rate", 0.25), ("--batch-size", 57)])
def test_batches_can_be_asked_for(capsys, option):
    words = ["--trainer", "mlp", *option, "--epochs", 1, "--epsilon", 8, "--repetitions", 2, "--json"]
    out, _ = answer(capsys, "simulate", "sample:breast_cancer", *words)
    # Half of 455 rows train this model, 57 of them in each batch on average.
    assert (
        "4 steps on batches that hold each row with chance 0.25" in json.loads(out)["receipt"]["entries"][0]["detail"]
    )


def test_a_whole_batch_and_no_warm_up_may_be_written_out(capsys):
    words = ["--sampling-rate", 1, "--warmup-share", 0, "--bound-share", 0, "--repetitions", 2, "--json"]
    out, _ = answer(capsys, "simulate", "sample:diabetes", *words)
    plain, _ = answer(capsys, "simulate", "sample:diabetes", "--repetitions", 2, "--json")
    assert json.loads(out)["width_mean"] == json.loads(plain)["width_mean"]


@pytest.fixture
def public(tmp_path):
    """Write 150 public rows of the diabetes sample, and return the file's path."""
    path = tmp_path / "public.csv"
    load_sample("diabetes").frame.iloc[:150].to_csv(path, index=False)
    return path


def test_a_public_table_is_where_training_starts(capsys, public):
    words = ["simulate", "sample:diabetes", "--epsilon", 0.5, "--repetitions", 2, "--json"]
    out, err = answer(capsys, *words, "--public", public)
    values, without = json.loads(out), json.loads(answer(capsys, *words)[0])
    sample, settings = load_sample("diabetes"), ConformalSettings(epsilon=0.5, repetitions=2)
    start = read_csv(public, schema=sample.schema)
    assert values["width_mean"] == simulate(sample, settings, start).width_mean
    assert any("150 public rows" in sentence for sentence in values["receipt"]["assumptions"])
    assert values["receipt"]["total"] == without["receipt"]["total"]
    assert values["width_mean"] != without["width_mean"]
    assert err == ""


def test_bought_bounds_are_no_leak(capsys, tmp_path):
    table = tmp_path / "people.csv"
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, 300)
    pressure = (100 + 0.5 * age + rng.normal(0, 8, 300)).round(1)
    pd.DataFrame({"id": np.arange(1, 301), "age": age, "pressure": pressure}).to_csv(table, index=False)
    schema = tmp_path / "people.toml"
    schema.write_text(
        '[age]\nkind = "integer"\n'
        '[pressure]\nkind = "number"\nbounds = [70, 250]\nrole = "target"\n[id]\nkind = "integer"\nrole = "ignore"\n'
    )
    words = ["simulate", table, "--schema", schema, "--epsilon", 4, "--bounds-epsilon", 1, "--repetitions", 2, "--json"]
    out, err = answer(capsys, *words)
    receipt = json.loads(out)["receipt"]
    assert receipt["leaks"] == []
    assert receipt["total"]["epsilon"] == 4.0
    assert "bounds" in receipt["entries"][0]["mechanism"]
    assert err == ""
