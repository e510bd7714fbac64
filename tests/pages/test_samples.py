"""What is computed of a sample is there for all sessions; no other table ever gets in."""

from __future__ import annotations

import pytest
from streamlit.errors import StreamlitAPIException

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.settings import ConformalSettings
from pages.ui import compute, compute_samples
from pages.ui.known_runs import KnownRuns, key_of
from pages.ui.panels.budget_goal import SEARCH
from tests.pages.test_budget import ended

NAME = "blood_pressure"


def test_a_table_that_calls_itself_a_sample_is_none():
    sample = compute_samples.sample(NAME)
    like = Dataset.from_frame(sample.frame.iloc[1:], sample.schema, name=NAME)
    assert compute_samples.name_of(sample) == NAME
    assert compute_samples.name_of(like) == ""
    with pytest.raises(StreamlitAPIException, match="session-scoped cache"):  # a test has no session
        compute.prepared(like)


def test_a_result_of_a_sample_is_computed_once_and_cannot_be_written_to():
    sample, settings = compute_samples.sample(NAME), ConformalSettings(repetitions=3)
    result = compute_samples.sample_result(NAME, settings, compute.training_task(sample, settings))
    assert compute.result(sample, settings) is result
    with pytest.raises(ValueError, match="read-only"):
        result.coverage[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        result.groups[0].coverage[0] = 0.0


def test_a_run_that_one_session_has_finished_is_there_for_the_next(open_app):
    first = ended(open_app("Budget", sample="Diabetes progression"), SEARCH)
    second = open_app("Budget", sample="Diabetes progression")
    asked, answer = second.session_state[f"_run_finished_{SEARCH}"]
    assert asked.digest == compute_samples.sample("diabetes").digest
    assert answer is first.session_state[f"_run_finished_{SEARCH}"][1]


def test_what_is_not_of_a_sample_is_never_shared_and_little_is_kept():
    sample = compute_samples.sample(NAME)
    like = Dataset.from_frame(sample.frame.iloc[1:], sample.schema, name=NAME)
    assert key_of("compare", like, "asked") is None
    few = KnownRuns(most=2)
    for number in range(3):
        few.keep(key_of("compare", sample, number), str(number))
    assert [few.recall(key_of("compare", sample, number)) for number in range(3)] == [None, "1", "2"]
