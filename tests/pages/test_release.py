"""The Release page: a budget set, a cost confirmed, a bundle made and used, and everything else refused."""

from __future__ import annotations

import io
import threading
from concurrent.futures import wait
from pathlib import Path

import pandas as pd
import pytest

from dpcp_core.presentation.wording import release as words
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, ReleaseCost
from dpcp_core.release import open_bundle, release
from pages.ui.panels import release_run
from tests.pages.conftest import choose, problems, shown_text
from tests.pages.tables import SCHEMA, clinic_csv
from tests.pages.test_upload import choose_target, upload, uploader, use

SAMPLE = "Diabetes progression"


def widget(app, part: str):
    """Return the widget of this table whose key ends so."""
    found = [*app.number_input, *app.selectbox, *app.text_input, *app.button]
    return next(one for one in found if str(one.key).startswith("release_of_") and str(one.key).endswith(part))


def button(app, label: str):
    return next(one for one in app.button if one.label == label)


def labels(app) -> list[str]:
    return [one.label for one in [*app.button, *app.get("download_button")]]


def with_budget(app, epsilon: float = 3.0):
    """Set a budget as the owner."""
    widget(app, "budget_epsilon").set_value(epsilon)
    button(app, words.SET_BUDGET).click().run()
    assert f"ε = {epsilon:g}" in shown_text(app)
    return app


def released(app):
    """Type the word, press the button, wait for the end, and look again."""
    widget(app, "_word").set_value("release")
    button(app, "Release").click().run()
    return ended(app)


def give(app, what: str, content: bytes):
    """Upload a bundle or new rows."""
    name = "bundle.zip" if what == "bundle" else "new.csv"
    next(one for one in app.file_uploader if f"release_{what}" in str(one.key)).upload(name, content)
    return app.run()


def ended(app):
    if "_run_release" in app.session_state:
        wait([app.session_state["_run_release"].future], timeout=60)
    return app.run()


def informed(app) -> str:
    return " ".join(str(part.value) for part in app.info)


def save_schema(app):
    """Do what the download of the schema does; a browser clicks it in a test of its own."""
    app.session_state["_release_schema"] = app.session_state["_own_table"].schema.to_toml()
    return app.run()


def made(app):
    if "_release_made" not in app.session_state:
        return ()
    return app.session_state["_release_made"]


def own_table(open_app, schema: bytes | None = SCHEMA):
    """Bring a table of one's own, with its schema file or without, and open the page."""
    app = open_app()
    if schema:
        uploader(app, "schema").upload("clinic.toml", schema)
        use(upload(app, clinic_csv()))
    else:
        use(choose_target(upload(app, clinic_csv()), "pain"))
    assert problems(app) == []
    return app.switch_page("pages/release.py").run()


def test_a_budget_a_release_a_bundle_and_its_use(open_app, own_ledger):
    app = with_budget(own_table(open_app))
    assert "Nothing was released from this table so far." in shown_text(app)
    choose(app, "epsilon", 2.0)
    assert "It costs ε = 2, δ = 1 in 100,000; then ε = 2, δ = 1 in 100,000 of ε = 3" in shown_text(app)
    app = released(app)
    (refused,) = problems(app)
    (one,) = made(app)
    data = app.session_state["_own_table"]
    with Ledger(own_ledger) as ledger:
        account = ledger.account(data.rows_digest)
        assert ledger.verify().is_whole
    assert [spending.published for spending in account.spendings] == [one.released.digest]
    assert one.released.promise in shown_text(app)
    assert "Download the bundle (ZIP)" in labels(app)
    # The next one is refused before anybody can type a word, and says what to do.
    assert "above its budget of ε = 3" in refused
    assert "Release" not in labels(app)


def test_a_bundle_made_here_predicts_new_rows_and_what_is_wrong_is_one_sentence(open_app):
    app = released(with_budget(own_table(open_app)))
    (one,) = made(app)
    give(app, "rows", clinic_csv(30))
    assert problems(app) == []
    found = app.session_state["_release_used"].predictions.table
    rows = pd.read_csv(io.BytesIO(clinic_csv(30)))
    assert found.equals(open_bundle(one.released.bundle).predict(rows).table)
    assert "30 rows predicted." in shown_text(app)
    assert "Predictions (CSV)" in labels(app)
    give(app, "rows", b"weight,height\n1,2\n")
    assert "has no column 'age'" in "".join(problems(app))
    give(app, "bundle", b"no zip at all")
    assert "not a whole bundle" in "".join(problems(app))
    # Nothing is lost by it.
    assert made(app) == (one,)


def test_without_a_budget_nothing_is_offered(open_app, own_ledger):
    app = own_table(open_app)
    assert problems(app) == []
    assert "Nobody has set a budget for this table yet." in shown_text(app)
    assert "Release" not in labels(app)
    # Whoever only looks leaves no ledger behind.
    assert not Path(own_ledger.removeprefix("sqlite:///")).exists()


def test_without_the_word_nothing_is_spent(open_app, own_ledger):
    app = with_budget(own_table(open_app))
    widget(app, "_word").set_value("yes")
    button(app, "Release").click().run()
    assert problems(app) == [words.NOT_TYPED]
    assert made(app) == ()
    with Ledger(own_ledger) as ledger:
        assert [entry.kind for entry in ledger.entries()] == ["budget"]


def test_a_schema_that_was_changed_since_has_to_be_saved_again(open_app):
    app = with_budget(own_table(open_app))
    assert words.SCHEMA_UPLOADED in shown_text(app)
    data = app.session_state["_own_table"]
    changed = data.schema.to_toml().replace("bounds = [18, 100]", "bounds = [0, 100]")
    app.session_state["_own_table"] = data.with_schema(type(data.schema).from_toml(changed))
    app.run()
    assert words.SCHEMA_MISSING in informed(app)
    assert "Release" not in labels(app)
    save_schema(app)
    assert words.SCHEMA_SAVED in shown_text(app)
    assert "Release" in labels(app)


def test_a_synthetic_table_is_paid_from_the_same_account(open_app):
    app = with_budget(own_table(open_app))
    app.session_state["synth_model_regression"] = "ridge"
    app.get_by_key("release_kind").set_value("table").run()
    app = released(app)
    assert problems(app) == []
    (one,) = made(app)
    assert one.asked.kind == "table"
    app.session_state["fold_earlier"] = True
    app.run()
    assert "a synthetic table of 400 rows" in app.dataframe[0].value["what"][0]


def test_a_sample_is_a_rehearsal_that_leaves_the_users_ledger_alone(open_app, own_ledger):
    app = released(with_budget(open_app("Release", sample=SAMPLE)))
    assert problems(app) == []
    assert "A rehearsal." in informed(app)
    (one,) = made(app)
    assert one.asked.is_rehearsal
    with Ledger(own_ledger) as ledger:
        assert ledger.entries() == ()


def test_forgetting_drops_bundles_saved_schemas_and_the_ledger_for_practice(open_app):
    app = released(with_budget(open_app("Release", sample=SAMPLE)))
    folder = app.session_state["_release_rehearsal"].path
    assert folder.exists()
    app.button(key="forget").click().run()
    assert made(app) == ()
    assert not folder.exists()
    assert "Nobody has set a budget" in shown_text(app)


def test_a_stop_before_the_first_draw_spends_nothing(open_app, own_ledger, monkeypatch):
    held, begun = threading.Event(), threading.Event()

    def slow(*parts, **more):
        begun.set()
        assert held.wait(30)
        return release(*parts, **more)

    monkeypatch.setattr(release_run, "release", slow)
    app = with_budget(own_table(open_app))
    widget(app, "_word").set_value("release")
    button(app, "Release").click().run()
    assert begun.wait(30)
    app.button(key="stop_release").click().run()
    held.set()
    app = ended(app)
    assert "stopped before anything was drawn; nothing is spent" in " ".join(problems(app))
    assert made(app) == ()
    with Ledger(own_ledger) as ledger:
        assert [entry.kind for entry in ledger.entries()] == ["budget", "reserve", "void"]


def test_a_near_copy_and_a_release_that_never_ended_are_told(open_app, own_ledger):
    app = with_budget(own_table(open_app))
    data = app.session_state["_own_table"]
    with Ledger(own_ledger) as ledger:
        ledger.reserve(data.rows_digest, ReleaseCost(PrivacyBudget(1.0)), "a release of yesterday")
    app.run()
    assert "was begun and never finished" in " ".join(problems(app))
    other = open_app()
    uploader(other, "schema").upload("clinic.toml", SCHEMA)
    use(upload(other, b"\n".join(clinic_csv().split(b"\n")[:-2])))
    other.switch_page("pages/release.py").run()
    assert "of the rows are in the table “clinic.csv” too" in " ".join(problems(other))


def test_where_the_app_is_shared_no_browser_sets_a_budget(open_app, monkeypatch):
    monkeypatch.setenv("DPCP_SHARED", "1")
    app = own_table(open_app)
    assert words.NO_BUDGET_SHARED in shown_text(app)
    assert words.SET_BUDGET not in labels(app)
    # A rehearsal spends nothing of anybody.
    assert words.SET_BUDGET in labels(open_app("Release", sample=SAMPLE))


def test_a_ledger_that_cannot_be_opened_is_one_sentence_and_the_rest_works(open_app, monkeypatch):
    monkeypatch.setenv("DPCP_LEDGER_URL", "sqlite:////nowhere/at/all/ledger.sqlite")
    app = own_table(open_app)
    (sentence,) = problems(app)
    assert "The ledger at sqlite:////nowhere/at/all/ledger.sqlite cannot be used" in sentence
    assert words.USE_TITLE in shown_text(app)


@pytest.mark.parametrize("sample", ["Readmission", "Blood pressure"])
def test_a_sample_can_be_planned_both_ways(open_app, sample):
    app = open_app("Release", sample=sample)
    assert problems(app) == []
    app.get_by_key("release_kind").set_value("table").run()
    assert problems(app) == []
