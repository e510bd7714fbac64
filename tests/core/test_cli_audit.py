"""``dpcp audit``: a table of claims and bounds, an exit code for a broken one, bad input in one sentence."""

from __future__ import annotations

import dataclasses
import json

import pytest

from dpcp_core.cli.entry import run
from dpcp_core.experiments.audit.faults import FAULTS
from dpcp_core.experiments.audit.registry import AUDITED


def answer(capsys, *args):
    code = run(["audit", *[str(arg) for arg in args]])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_claim_that_holds_ends_with_0_and_says_how_it_was_attacked(capsys):
    code, out, err = answer(capsys, "--claims", "exponential", "--epsilons", "0.5,4")
    assert (code, err) == (0, "")
    assert out.startswith("No attack broke a claim: 2 attacks on 1 claim.")
    row = next(line.split() for line in out.splitlines() if line.startswith("  Exponential mechanism  "))
    assert 0.45 < float(row[2]) <= 0.5
    assert 3.9 < float(row[3]) <= 4
    assert row[4:] == ["0", "of", "2", "exact", "holds"]
    assert "pairs of tables that differ in one emptied row" in " ".join(out.split())
    assert "It cannot prove a claim right" in " ".join(out.split())
    assert "Simulation" in out


def test_a_broken_claim_ends_with_1_and_says_so(capsys, monkeypatch):
    """What is shipped is replaced by a mistake: half of the sensitivity under the claim of the whole."""
    broken = FAULTS["sensitivity_halved"].run

    def shipped(*args):
        return dataclasses.replace(broken(*args), fault="")

    wrong = dataclasses.replace(AUDITED["quantile_bracket"], run=shipped)
    monkeypatch.setattr("dpcp_core.experiments.audit.run.AUDITED", {"quantile_bracket": wrong})
    code, out, _ = answer(capsys, "--epsilons", "1")
    assert code == 1
    assert out.startswith("A claim is broken (Private quantile, bracket loss): 1 attack on 1 claim.")


def test_json_is_one_strict_object_with_every_finding(capsys):
    code, out, err = answer(capsys, "--claims", "exponential,planned_pairs", "--epsilons", "1", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert [found["claim"] for found in told["findings"]] == ["exponential", "planned_pairs"]
    assert all(0.9 < found["bound"] <= 1 for found in told["findings"])
    assert told["broken"] == 0


def test_the_table_is_written_as_markdown(capsys, tmp_path):
    page = tmp_path / "table.md"
    code, _, _ = answer(capsys, "--claims", "planned_marginals", "--epsilons", "1", "--seeds", "2", "--out", page)
    text = page.read_text(encoding="utf-8")
    assert code == 0
    assert "| Planned noise of histograms | 0.99 | 0 of 2 | exact | holds |" in text


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--claims", "nothing"], "claims is 'nothing' but must be one of: quantile_bracket"),
        (["--claims", ","], "claims is empty"),
        (["--epsilons", "1,abc"], "epsilon is 'abc' but must be a number above 0."),
        (["--epsilons", "0.001"], "epsilon is 0.001 but must be from 0.01 to 20."),
        (["--epsilons", ""], "epsilons is empty"),
        (["--delta", "1"], "delta is 1 but must be"),
        (["--seeds", "0"], "seeds is 0"),
        (["--seed", "x"], "seed is 'x'"),
        (["--effort", "hard"], "effort is 'hard' but must be one of: quick, long."),
        (["--out", "nowhere/at/all.md"], "must be a file that ends in .md"),
        (["--out", "table.csv"], "must be a file that ends in .md"),
        (["--out", f"{'x' * 300}.md"], "must be a file that ends in .md"),
        (["--fault"], "did you mean --faults"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(capsys, args, words):
    code, out, err = answer(capsys, *args)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
