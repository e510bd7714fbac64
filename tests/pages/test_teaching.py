"""The teacher's notes agree with the lessons and scenarios of the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpcp_core.experiments.scenarios import SCENARIOS
from dpcp_core.presentation.wording.lessons import LESSONS
from dpcp_core.presentation.wording.scenarios import SCENARIO_WORDS
from pages.ui.scenario_links import address_of

NOTES = (Path(__file__).resolve().parents[2] / "docs" / "teaching.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_a_note_with_its_time_and_its_questions(name):
    place, lesson = list(LESSONS).index(name) + 1, LESSONS[name]
    note = NOTES.partition(f"### {place}. {lesson.title} ({lesson.minutes} minutes)")[2].partition("\n#")[0]
    for part in ("**Goal.**", "**Guesses to expect.**", "**What to move.**", "**What to say.**", "**Follow-up.**"):
        assert part in note
    for part, question in (("Ask first", lesson.guess), ("Check", lesson.check)):
        assert f"**{part}.** {question.text} *{question.answer.text.rstrip('.')}.*" in " ".join(note.split())


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_stands_in_the_notes_with_its_link(name):
    place, words = list(SCENARIOS).index(name) + 1, SCENARIO_WORDS[name]
    link = f"`/{address_of(SCENARIOS[name])}`"
    assert f"| {place} | {words.title}: {link} | {words.question} | {words.notice} |" in NOTES
