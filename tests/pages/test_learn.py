"""The Learn page: five lessons, each to be finished or skipped, scenarios for a class, and the glossary."""

from __future__ import annotations

import re
import time

import pytest
from streamlit.testing.v1 import AppTest

from dpcp_core.presentation.wording import learn as words
from dpcp_core.presentation.wording.glossary import GLOSSARY
from dpcp_core.presentation.wording.lessons import LESSONS
from dpcp_core.presentation.wording.scenarios import SCENARIO_WORDS
from pages.ui.lessons import SHOWS
from pages.ui.panels.learn_tabs import TAB
from pages.ui.panels.lesson import LESSON
from tests.pages.conftest import APP, plain, problems, shown_text

LEARN = "pages/learn.py"


def opened(**state: object) -> AppTest:
    """Open the page as a link to it does, without the Start page first."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    for key, value in state.items():
        app.session_state[key] = value
    return app.switch_page(LEARN).run()


def open_lesson(name: str) -> AppTest:
    return opened(**{LESSON: name})


def reply(app: AppTest, name: str, step: str, place: int | None) -> AppTest:
    """Choose an answer, if any, and send it."""
    if place is not None:
        app.radio(key=f"learn_{name}_{step}_radio").set_value(place)
    return app.button(key=f"learn_{name}_{step}_{'skip' if place is None else 'answer'}").click().run()


def said(app: AppTest) -> str:
    return plain(" ".join(str(part.value) for part in [*app.info, *app.success]))


def progress(app: AppTest) -> str:
    return app.get("progress")[0].proto.text


def alts(app: AppTest) -> list[str]:
    return [plain(chart.proto.alt) for chart in app.get("plotly_chart")]


def test_every_lesson_has_something_to_move():
    assert list(SHOWS) == list(LESSONS)


def test_all_five_show_nothing_before_a_guess_are_finished_in_a_row_and_started_again():
    app = open_lesson("noise")
    for place, name in enumerate(LESSONS):
        assert app.session_state[LESSON] == name
        assert progress(app).startswith(f"{place} of 5 finished")
        assert alts(app) == []
        assert plain(LESSONS[name].story) in shown_text(app)
        reply(app, name, "guess", 0)
        assert problems(app) == []
        assert LESSONS[name].guess.options[0].reply in said(app)
        assert len(alts(app)) == 1
        assert any(letter.isdigit() for letter in alts(app)[0])
        reply(app, name, "check", LESSONS[name].check.right)
        if place < len(LESSONS) - 1:
            app.button(key="learn_next").click().run()
    assert progress(app) == "5 of 5 finished: Noise, Odds, Misses, Budget, Copies"
    assert words.ALL_FINISHED in said(app)
    app.button(key="learn_again").click().run()
    assert progress(app) == "0 of 5 finished"
    assert (app.session_state[LESSON], alts(app)) == ("noise", [])
    assert problems(app) == []


def test_everything_can_be_skipped_but_is_not_finished_then():
    app = open_lesson("odds")
    reply(app, "odds", "guess", None)
    assert "Skipped." in said(app)
    reply(app, "odds", "check", None)
    assert LESSONS["odds"].check.answer.reply in said(app)
    assert progress(app) == "0 of 5 finished"


def test_an_answer_is_asked_for_a_wrong_one_is_explained_and_a_right_one_finishes():
    app = open_lesson("noise")
    app.button(key="learn_noise_guess_answer").click().run()
    assert words.CHOOSE_ONE in shown_text(app)
    assert alts(app) == []
    reply(app, "noise", "guess", 1)
    reply(app, "noise", "check", 0)
    assert words.TRY_AGAIN in said(app)
    assert progress(app) == "0 of 5 finished"
    reply(app, "noise", "check", 1)
    assert progress(app) == "1 of 5 finished: Noise"
    reply(app, "noise", "check", 2)
    assert progress(app) == "1 of 5 finished: Noise"


def test_progress_lasts_while_other_pages_are_looked_at_and_their_settings_stay():
    app = open_lesson("odds")
    reply(app, "odds", "guess", 0)
    app.select_slider(key="learn_odds_epsilon").set_value(10.0).run()
    reply(app, "odds", "check", LESSONS["odds"].check.right)
    app.switch_page("pages/coverage.py").run()
    assert app.select_slider(key="epsilon").value == 1.0
    app.switch_page(LEARN).run()
    assert progress(app) == "1 of 5 finished: Odds"


MOVES = [
    ("noise", [("select_slider", "epsilon", 4.0, "right 98 times in 100")]),
    ("odds", [("select_slider", "prior", 0.01, "2.7 in 100"), ("select_slider", "epsilon", 5.0, "60 in 100")]),
    ("coverage", [("slider", "level", 60, "You allow 40 % of misses")]),
    ("budget", [("slider", "share", 50, "With 50 % for the model")]),
    ("synthetic", [("radio", "maker", "marginals", "ε = 1 limits it")]),
]


@pytest.mark.parametrize(("name", "moves"), MOVES)
def test_a_move_changes_picture_and_sentence_at_once(name, moves):
    app = open_lesson(name)
    reply(app, name, "guess", 0)
    for kind, control, value, sentence in moves:
        before = alts(app)
        assert sentence not in shown_text(app)
        begun = time.process_time()
        getattr(app, kind)(key=f"learn_{name}_{control}").set_value(value).run()
        # Processor time: a busy machine makes the clock on the wall several times as long.
        assert time.process_time() - begun < 1.4
        assert problems(app) == []
        assert sentence in shown_text(app)
        assert alts(app) != before


def test_drawing_again_moves_the_counts_and_not_the_curves():
    app = open_lesson("noise")
    reply(app, "noise", "guess", 2)
    sentence = "right 62 times in 100"
    before = alts(app)
    app.button(key="learn_noise_draw").click().run()
    assert sentence in shown_text(app)
    assert alts(app) != before


def test_the_picture_and_the_sentence_agree_on_how_many_are_missed():
    app = open_lesson("coverage")
    reply(app, "coverage", "guess", 0)
    sentence = re.search(r"Of these 100 patients, (\d+) (?:is|are) missed", shown_text(app))
    assert f"{sentence[1]} true values fall outside" in alts(app)[0]


def test_a_link_opens_a_lesson():
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params["lesson"] = "Budget"
    app.switch_page(LEARN).run()
    assert LESSONS["budget"].title in shown_text(app)


def test_the_scenarios_are_asked_before_they_are_opened():
    app = opened(**{TAB: words.TABS[1]})
    text = shown_text(app)
    for scenario in SCENARIO_WORDS.values():
        assert scenario.question in text
    assert len(app.get("link_button")) == len(SCENARIO_WORDS)


def test_the_glossary_is_listed_and_searched():
    app = opened(**{TAB: words.TABS[2]})
    assert all(term.sentence in shown_text(app) for term in GLOSSARY.values())
    app.text_input(key="learn_find").set_value("Odds").run()
    assert GLOSSARY["odds"].sentence in shown_text(app)
    assert GLOSSARY["receipt"].sentence not in shown_text(app)
    app.text_input(key="learn_find").set_value("xyzzy").run()
    assert words.NOTHING_FOUND in shown_text(app)
    assert problems(app) == []
