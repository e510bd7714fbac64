"""The page of findings on synthetic tables says what the measurements say, and its files name what was run."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from dpcp_core.experiments.reproduce_synthesis.plan import Effort
from dpcp_core.experiments.reproduce_synthesis.run import SynthesisReproduction
from dpcp_core.experiments.reproduce_synthesis.tables import TABLES
from dpcp_core.presentation.findings.sheet import sheet_markdown, tally
from dpcp_core.presentation.findings.synthesis_claims import OF_THE_TEXT, OUR_OWN
from dpcp_core.presentation.findings.synthesis_figures import accuracy_over_epsilon, accuracy_over_time
from dpcp_core.presentation.findings.synthesis_files import synthesis_files
from dpcp_core.presentation.findings.synthesis_page import synthesis_sheet
from dpcp_core.presentation.findings.words import figure_words
from tests.core.experiments.reproduce_synthesis.measurements import measured, stopped, table_of


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\xa0", " ")


@pytest.fixture
def done() -> SynthesisReproduction:
    run = table_of(
        measured(accuracy=0.83, label_rate=0.09),
        measured(epsilon=0.1, accuracy=0.80),
        measured("marginals", accuracy=0.829, label_rate=0.09),
        measured("marginals", accuracy=0.829, scale=2),
        measured("marginals", accuracy=0.829, split="naive"),
        measured("independent", accuracy=0.70, seconds=0.1),
        stopped("mst"),
    )
    return SynthesisReproduction((run,), TABLES[1:2], TABLES[2:], Effort(repetitions=3), 1.0)


def entry(done: SynthesisReproduction, start: str):
    sheet = synthesis_sheet(done)
    return next(found for found in (*sheet.texts, *sheet.own) if found.claim.sentence.startswith(start))


def test_claims_end_as_the_measurements_were_made(done):
    ends = {found.claim.sentence[:20]: found.verdict.status for found in synthesis_sheet(done).texts}
    assert ends["Models lose almost n"] == "does not hold"
    assert ends["DPDSyn is ahead of o"] == "cannot be told"
    assert ends["A table is made ten "] == "holds"
    assert ends["It is the fastest of"] == "only where"
    assert ends["On LPD, an F1 of 0.8"] == "not tried"
    assert ends["The whole table cost"] == "does not hold"
    assert entry(done, "The likeliest label").verdict.status == "only where"


def test_differences_are_told_in_points(done):
    found = entry(done, "Private histograms in place")
    assert plain(figure_words(found.claim, found.verdict)).startswith(
        "Accuracy, private histograms minus as published: −0.1 points to −0.1 points"
    )


def test_each_claim_of_the_text_names_its_place_and_none_of_ours_does():
    assert all(re.match(r"\d", claim.source) for claim in OF_THE_TEXT)
    assert not any(claim.source for claim in OUR_OWN)
    assert len({claim.sentence for claim in (*OF_THE_TEXT, *OUR_OWN)}) == len(OF_THE_TEXT) + len(OUR_OWN)


def test_the_page_names_what_was_stopped_what_is_missing_and_what_was_left_out(done):
    text = plain(sheet_markdown(synthesis_sheet(done)))
    assert "MST was stopped." in text
    assert "Br2000 is missing (br2000.csv): download it from https://" in text
    assert "LPD: not asked for; --tables lpd runs it." in text
    assert tally(synthesis_sheet(done).texts) in text


def test_the_files_hold_every_cell(done):
    files = dict(synthesis_files(done, synthesis_sheet(done)))
    assert set(files) == {
        "findings.md", "findings.html", "tables/cells.csv", "tables/adult.md", "figures/adult.html"
    }  # fmt: skip
    markdown = plain(files["tables/adult.md"])
    assert "| DPDSyn as published | 80.0 ± 2.0 % | 83.0 ± 2.0 % |" in markdown
    assert "| real rows | 85.0 ± 2.0 % | 85.0 ± 2.0 % |" in markdown
    assert "rows × 2 (2.0 s)" in markdown
    assert "real rows, as they come" in markdown
    assert "<script src" not in files["figures/adult.html"]


def test_the_cells_are_one_row_for_each_model(done, tmp_path):
    text = dict(synthesis_files(done, synthesis_sheet(done)))["tables/cells.csv"]
    (tmp_path / "cells.csv").write_text(text)
    frame = pd.read_csv(tmp_path / "cells.csv")
    (run,) = done.runs
    assert len(frame) == sum(max(len(found.models), 1) for found in run.cells)
    assert frame.query("method == 'mst'")["problem"].eq("MST was stopped.").all()


def test_pictures_say_what_they_show(done):
    (run,) = done.runs
    assert "DPDSyn as published 83.0 %" in plain(accuracy_over_epsilon(run, "svm").alt)
    scatter = accuracy_over_time(run, "mlp")
    assert "independent marginals 70.0 % in 0.1" in plain(scatter.alt)
    assert "MST" not in scatter.alt
