"""The Attack page: four attacks, each with its story, its numbers and what to do about it."""

from __future__ import annotations

import time
from concurrent.futures import wait

import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.subtraction import subtraction_attack
from dpcp_core.experiments.membership import membership_attack
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.row_out import likeliest_place, ranked_rows, take_row_out
from dpcp_core.presentation.wording.attack import READ_OFF, STORIES
from dpcp_core.presentation.wording.attack_cells import CELLS_CURATOR
from pages.ui import frame
from pages.ui.attack_controls import AuditAsked
from pages.ui.panels import attack_audit, synthesis
from pages.ui.panels.attack_tabs import ATTACKS, TAB
from pages.ui.runs import Watch
from tests.pages.conftest import plain, problems, shown_text
from tests.pages.tables import clinic_csv, wide_csv
from tests.pages.test_upload import choose_target, upload, use


def opened(open_app, attack: str = "row", sample: str = "diabetes", **query: str):
    app = open_app(**query)
    app.selectbox(key="sample").set_value(sample).run()
    app.session_state[TAB] = STORIES[attack].name
    return app.switch_page("pages/attack.py").run()


def alts(app) -> dict[str, str]:
    return {chart.key: plain(chart.proto.alt) for chart in app.get("plotly_chart")}


def test_every_attack_has_its_story_and_closed_headings_compute_nothing(open_app, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a closed heading computed something")

    for module in ("attack_cells.compute_attack.subtraction", "attack_member.compute_attack.membership"):
        monkeypatch.setattr(f"pages.ui.panels.{module}", refuse)
    app = opened(open_app)
    assert problems(app) == []
    assert list(alts(app)) == ["chart_attack_grid", "chart_attack_scores"]
    assert [tab.label for tab in app.tabs] == [STORIES[name].name for name in ATTACKS]
    assert list(ATTACKS) == list(STORIES) == ["row", "subtract", "member", "audit"]
    words = shown_text(app)
    assert STORIES["row"].plot in words
    assert f"What to do about it.** {STORIES['row'].remedy}" in words


def test_a_row_taken_out_is_shown_as_the_library_says(open_app):
    app = opened(open_app, epsilon="2")
    assert problems(app) == []
    assert app.select_slider(key="epsilon").value == 2.0
    assert "epsilon" in app.query_params
    rows = ranked_rows(prepare(load_sample("diabetes")), n=400)
    out = take_row_out(rows, place=likeliest_place(rows, epsilon=2.0), epsilon=2.0)
    words = shown_text(app)
    assert f"the patient of rank {out.place} of 354 patients" in words
    assert "ε allows 7.39 times" in words
    assert f"comes out with a chance of {100 * out.among_scores.telltale:.1f} %, and never without the row" in words
    assert "For any patient in any table, ε = 2 allows 88.1 in 100." in words
    assert "curator's view" in words


def test_every_move_and_every_way_to_choose_the_row_answers(open_app):
    app = opened(open_app)
    before = alts(app)
    app.select_slider(key="epsilon").set_value(4.0).run()
    assert alts(app)["chart_attack_grid"] != before["chart_attack_grid"]
    app.selectbox(key="attack_which").set_value("farthest").run()
    assert "rank 1 of 354" in shown_text(app)
    app.selectbox(key="attack_which").set_value("rank").run()
    app.number_input(key="attack_place").set_value(300).run()
    assert "rank 300 of 354" in shown_text(app)
    app.selectbox(key="attack_rows").set_value(100).run()
    assert "rank 100 of 100" in shown_text(app)
    app.slider(key="coverage").set_value(95).run()
    assert problems(app) == []


def test_a_budget_that_certifies_nothing_says_so(open_app):
    app = opened(open_app)
    app.selectbox(key="attack_rows").set_value(100).run()
    app.select_slider(key="epsilon").set_value(0.25).run()
    assert problems(app) == []
    assert "Public grid (private): the widest threshold comes out" in shown_text(app)
    assert any("can be certified" in part.value for part in app.info)


def test_classes_are_attacked_too(open_app):
    app = opened(open_app, sample="breast_cancer")
    assert problems(app) == []
    assert "never without the row" in shown_text(app)


def test_shuffled_columns_give_the_row_away_and_noise_leaves_guesses(open_app):
    app = opened(open_app, "subtract")
    assert problems(app) == []
    words = shown_text(app)
    assert "Shuffled columns (not private): all 11 cells right, the whole row" in words
    noisy = subtraction_attack(load_sample("diabetes"), "marginals", 1.0, 1e-5, row=0, trials=100)
    assert f"Noisy histograms, ε = 1: {noisy.n_right} of 11 cells right" in words
    assert "This noise allows at most 3.8 in 100" in words
    before = alts(app)
    app.number_input(key="attack_hidden").set_value(7).run()
    after = alts(app)
    assert after["chart_attack_shuffle"] != before["chart_attack_shuffle"]
    app.select_slider(key="epsilon").set_value(8.0).run()
    assert alts(app)["chart_attack_shuffle"] == after["chart_attack_shuffle"]
    assert "Noisy histograms, ε = 8" in shown_text(app)
    assert problems(app) == []


def test_membership_stays_under_its_bound_as_epsilon_moves(open_app):
    app = opened(open_app, "member")
    assert problems(app) == []
    found = membership_attack(prepare(load_sample("diabetes")), epsilon=1.0, delta=1e-5)
    words = shown_text(app)
    assert f"the budget allows at most {100 * found.largest_advantage:.0f} percentage points" in words
    assert "From ε = 1 alone it would be 73.2 in 100" in words
    low, high = (
        100 * value for value in (found.likelihood.tpr_at_1_percent.low, found.likelihood.tpr_at_1_percent.high)
    )
    assert f"95 % interval {low:.1f} to {high:.1f}" in words
    app.select_slider(key="epsilon").set_value(4.0).run()
    assert problems(app) == []
    assert "From ε = 4 alone it would be 98.3 in 100" in shown_text(app)


@pytest.fixture
def two_claims(monkeypatch):
    """Attack two claims, which takes a moment."""

    def claims_of(_kinds: tuple[str, ...]) -> tuple[str, ...]:
        return "noisy_count", "exponential"

    monkeypatch.setattr(attack_audit, "claims_of", claims_of)


def ended(app):
    if "_run_attack_audit" in app.session_state:
        wait([app.session_state["_run_attack_audit"].future], timeout=120)
    return app.run()


@pytest.mark.usefixtures("two_claims")
def test_an_audit_runs_beside_the_page_and_shows_its_verdicts(open_app):
    app = opened(open_app, "audit")
    app.toggle(key="attack_faults").set_value(False).run()
    app.button(key="attack_start").click().run()
    app = ended(app)
    assert problems(app) == []
    words = shown_text(app)
    assert "No attack broke a claim: 6 attacks on 2 claims." in words
    assert "no row of yours was read" in words
    assert "It cannot prove a claim right" in words
    assert "nearest is that on" in alts(app)["chart_attack_audit"]
    app.segmented_control(key="attack_effort").set_value("long").run()
    assert "settings changed since" in " ".join(part.proto.body for part in app.get("markdown")).lower()


@pytest.mark.usefixtures("two_claims")
def test_an_audit_that_is_stopped_at_once_says_so():
    watch = Watch()
    watch.stop()
    with pytest.raises(InputError, match="stopped before it had attacked anything"):
        attack_audit._audit(AuditAsked(("mechanism",), (1.0,), "quick", faults=False, seed=0), watch)


def test_where_nothing_is_chosen_nothing_can_be_started(open_app):
    app = opened(open_app, "audit")
    app.pills(key="attack_kinds").set_value([]).run()
    assert app.button(key="attack_start").disabled
    assert "Choose at least one kind of claim" in shown_text(app)


def test_a_move_answers_quickly_once_warm(open_app):
    app = opened(open_app)
    for attack in ("row", "subtract", "member"):
        app.session_state[TAB] = STORIES[attack].name
        app.run()
        spent = []
        for epsilon in (0.5, 2.0, 5.0):
            before = time.process_time()
            app.select_slider(key="epsilon").set_value(epsilon).run()
            spent.append(time.process_time() - before)
        # Wall time is for a machine with nothing else to do; work done is not.
        assert sorted(spent)[1] < 0.7, attack


def test_an_own_table_is_attacked_and_forgotten(open_app):
    app = open_app()
    upload(app, clinic_csv())
    choose_target(app, "pain")
    use(app)
    for attack in ("row", "subtract", "member"):
        app.session_state[TAB] = STORIES[attack].name
        app.switch_page("pages/attack.py").run()
        assert problems(app) == []
        assert alts(app)
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "predicts **Systolic" in shown_text(app)


def test_limits_that_rest_on_bounds_from_the_file_say_so(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    for attack in ("row", "subtract", "member"):
        app.session_state[TAB] = STORIES[attack].name
        app.switch_page("pages/attack.py").run()
        assert READ_OFF in shown_text(app), attack
    app = opened(open_app)
    assert READ_OFF not in shown_text(app)


def test_a_table_too_small_for_noise_is_still_shuffled(open_app):
    app = use(choose_target(upload(open_app(), wide_csv(120, 60)), "m5"))
    app.session_state[TAB] = STORIES["subtract"].name
    app.switch_page("pages/attack.py").run()
    assert list(alts(app)) == ["chart_attack_shuffle"]
    assert ["too few" in words for words in problems(app)] == [True]
    assert CELLS_CURATOR in shown_text(app)


def test_shuffled_columns_on_the_synthesis_page_lead_here():
    assert synthesis._ATTACK in [script for script, *_ in frame.PAGES]
