"""Training that takes longer than a moment waits for a click, can be watched and cancelled, and holds nobody up."""

from __future__ import annotations

import threading
import time
from concurrent.futures import wait
from functools import partial

import pytest

from dpcp_core.presentation.wording.progress import duration
from pages.ui import trainers, training, turns
from tests.pages.conftest import choose, problems, shown, shown_text
from tests.pages.tables import clinic_csv
from tests.pages.test_upload import choose_target, upload, use


@pytest.fixture
def patient(monkeypatch):
    """Let every training with an odd number of steps be one that waits for a click."""
    honest = trainers.expected_seconds
    monkeypatch.setattr(
        trainers,
        "expected_seconds",
        lambda schema, n_rows, task: 30.0 if (task.choices.steps or 0) % 2 else honest(schema, n_rows, task),
    )


@pytest.fixture
def gate(monkeypatch):
    """Hold trainings in threads back until the returned event is set."""
    opened, honest = threading.Event(), training.train

    def hold(*parts):
        assert opened.wait(30)
        return honest(*parts)

    monkeypatch.setattr(training, "train", hold)
    yield opened
    opened.set()


def waiting(open_app, steps: int):
    """Open the Coverage page with settings whose training waits; each test has steps of its own."""
    return choose(open_app("Coverage"), "set_steps", steps)


def ended(app):
    """Wait until the thread has ended, and look again."""
    if "_training" in app.session_state:
        wait([app.session_state["_training"].future], timeout=30)
    return app.run()


def keys(app) -> list[str]:
    return [str(button.key) for button in app.button]


@pytest.mark.usefixtures("patient")
def test_a_slow_training_waits_for_a_click_and_the_old_result_stays(open_app):
    app = open_app("Coverage")
    before = shown(app)
    choose(app, "set_steps", 31)
    assert problems(app) == []
    assert shown(app) is before
    assert "train" in keys(app)
    assert "about 30 seconds" in shown_text(app)
    assert "Settings changed since" in shown_text(app)
    assert app.get("plotly_chart")
    app.button(key="train").click().run()
    ended(app)
    assert problems(app) == []
    assert shown(app).settings.steps == 31
    assert "Settings changed since" not in shown_text(app)
    assert "train" not in keys(app)


@pytest.mark.usefixtures("patient")
def test_what_training_does_not_read_is_live_once_it_is_trained(open_app):
    app = waiting(open_app, 33)
    ended(app.button(key="train").click().run())
    choose(app, "coverage", 81)
    choose(app, "set_loss", "paper")
    assert "train" not in keys(app)
    assert (shown(app).settings.steps, shown(app).settings.confidence_level) == (33, 0.81)
    choose(app, "epsilon", 3.0)
    assert "train" in keys(app)
    choose(app, "epsilon", 1.0)
    assert "train" not in keys(app)


@pytest.mark.usefixtures("patient")
def test_other_pages_and_quick_settings_work_while_something_is_trained(open_app, gate):
    app = waiting(open_app, 35)
    app.button(key="train").click().run()
    assert "cancel_training" in keys(app)
    app.switch_page("pages/about.py").run()
    assert problems(app) == []
    app.switch_page("app.py").run()
    assert problems(app) == []
    app.switch_page("pages/coverage.py").run()
    choose(app, "set_steps", 30)
    assert problems(app) == []
    assert shown(app).settings.steps == 30
    assert "cancel_training" in keys(app)
    gate.set()
    ended(app)
    choose(app, "set_steps", 35)
    assert "train" not in keys(app)
    assert shown(app).settings.steps == 35


@pytest.mark.usefixtures("patient")
def test_cancel_gives_the_page_back_at_once_and_nobody_sees_the_outcome(open_app, gate):
    app = waiting(open_app, 37)
    app.button(key="train").click().run()
    run = app.session_state["_training"]
    app.button(key="cancel_training").click().run()
    assert problems(app) == []
    assert "cancel_training" not in keys(app)
    assert "train" in keys(app)
    gate.set()
    run.future.result(30)
    app.run()
    assert shown(app).settings.steps != 37
    assert "train" in keys(app)


@pytest.mark.usefixtures("patient")
def test_a_training_for_settings_that_were_left_says_so(open_app, gate):
    app = waiting(open_app, 39)
    app.button(key="train").click().run()
    assert "you have changed since" not in shown_text(app)
    choose(app, "set_steps", 41)
    assert "you have changed since" in shown_text(app)
    gate.set()


@pytest.mark.usefixtures("patient")
def test_a_training_that_fails_is_one_sentence_and_can_be_tried_again(open_app, monkeypatch):
    app = waiting(open_app, 43)

    def fail(*_):
        raise RuntimeError("row 7 holds 123-45-6789")

    honest = training.train
    monkeypatch.setattr(training, "train", fail)
    ended(app.button(key="train").click().run())
    assert len(problems(app)) == 1
    assert "training the models" in problems(app)[0]
    assert "123-45-6789" not in shown_text(app)
    monkeypatch.setattr(training, "train", honest)
    ended(app.button(key="train").click().run())
    assert problems(app) == []
    assert shown(app).settings.steps == 43


@pytest.mark.usefixtures("patient")
def test_forgetting_gives_up_the_training_of_a_table(open_app, gate):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/coverage.py").run()
    choose(app, "set_steps", 45)
    app.button(key="train").click().run()
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert "_training" not in app.session_state
    assert app.session_state["_kept_runs"] == {}
    assert "clinic" not in shown_text(app)
    gate.set()


@pytest.mark.usefixtures("patient")
def test_forgetting_drops_models_that_took_long(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/coverage.py").run()
    choose(app, "set_steps", 47)
    ended(app.button(key="train").click().run())
    assert [runs.prepared.name for runs in app.session_state["_kept_runs"].values()] == ["clinic.csv"]
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert app.session_state["_kept_runs"] == {}


def test_only_two_trainings_run_at_a_time_and_one_that_waits_can_be_cancelled(gate):
    from dpcp_core import ConformalSettings, load_sample
    from dpcp_core.experiments.run import prepare

    table = prepare(load_sample("diabetes"))
    task = ConformalSettings(repetitions=2).resolved("regression").training_key()
    runs = [training.Run("digest", task, 1.0) for _ in range(3)]
    for run in runs[:2]:
        turns.begin(run.future, partial(training._work, run, table))
    deadline = time.monotonic() + 10
    while not all(run.begun for run in runs[:2]) and time.monotonic() < deadline:
        time.sleep(0.01)
    turns.begin(runs[2].future, partial(training._work, runs[2], table))
    time.sleep(0.1)
    assert runs[2].begun == []
    assert runs[2].future.cancel()
    gate.set()
    wait([run.future for run in runs], timeout=30)
    assert [run.future.cancelled() for run in runs] == [False, False, True]
    assert runs[2].begun == []


def test_a_neural_network_waits_whatever_the_table_and_a_line_waits_for_a_large_one():
    from dpcp_core import ConformalSettings, load_sample

    schema = load_sample("breast_cancer").schema

    def seconds(trainer: str, n_rows: int) -> float:
        settings = ConformalSettings(trainer=trainer, score="probability")
        return trainers.expected_seconds(schema, n_rows, settings.training_key())

    assert seconds("mlp", 569) > trainers.LIVE_S
    assert seconds("softmax", 569) < trainers.LIVE_S < seconds("softmax", 1_000_000)


def test_a_penalty_that_shortens_the_steps_of_a_classifier_waits():
    from dpcp_core import ConformalSettings, load_sample

    schema = load_sample("readmission").schema

    def seconds(trainer: str, penalty: float) -> float:
        settings = ConformalSettings(trainer=trainer, score="probability", penalty=penalty)
        return trainers.expected_seconds(schema, 8000, settings.training_key())

    for trainer in ("logistic", "linear_svm"):
        assert seconds(trainer, 0) < trainers.LIVE_S < seconds(trainer, 50)
    # Many more steps than the others, and so a run of its own from the start.
    assert trainers.LIVE_S < seconds("softmax", 0) < seconds("softmax", 50)
    assert seconds("output_perturbation", 0) == seconds("output_perturbation", 50)


def test_images_that_are_none_are_refused_before_anybody_waits(open_app):
    app = open_app("Coverage")
    before = shown(app)
    choose(app, "set_trainer", "cnn")
    assert len(problems(app)) == 1
    assert "square images" in problems(app)[0]
    assert "train" not in keys(app)
    assert shown(app) is before


def test_very_many_steps_wait_and_the_usual_number_does_not():
    from dpcp_core import ConformalSettings, load_sample

    schema = load_sample("blood_pressure").schema

    def seconds(**choices: float) -> float:
        task = ConformalSettings(trainer="ridge", score="absolute", **choices).training_key()
        return trainers.expected_seconds(schema, 4000, task)

    assert seconds() == seconds(steps=50) < trainers.LIVE_S
    assert seconds(steps=100_000) > trainers.LIVE_S
    assert seconds(epochs=500, batch_size=40) > trainers.LIVE_S


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 second"), (12.1, "15 seconds"), (150, "2 minutes")])
def test_a_wait_is_told_in_round_numbers(seconds, said):
    assert duration(seconds) == said


@pytest.mark.slow
def test_a_neural_network_can_be_trained_and_its_accountants_compared(open_app):
    app = open_app("Coverage")
    app.selectbox(key="sample").set_value("breast_cancer").run()
    choose(app, "set_repetitions", 5)
    choose(app, "set_trainer", "mlp")
    ended(app.button(key="train").click().run())
    assert problems(app) == []
    assert shown(app).settings.trainer == "mlp"
    app.session_state["fold_accountants"] = True
    app.run()
    app.button(key="compare_accountants").click().run()
    assert problems(app) == []
    costs = next(frame.value for frame in app.dataframe if "accountant" in frame.value).set_index("accountant")
    told = costs["ε of training"]
    assert list(told.index) == ["PLD", "PRV", "RDP"]
    assert told["PLD"] <= told["PRV"] <= told["RDP"]
