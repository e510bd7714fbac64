"""What somebody who watches a terminal is shown, and what Ctrl-C does; nobody else is shown or stopped anything."""

from __future__ import annotations

import io
import os
import select
import signal
import sys
import threading

import pytest

from dpcp_core.cli import aside
from dpcp_core.cli.entry import main
from dpcp_core.cli.sweep import _how_to_go_on
from dpcp_core.cli.watching import Watch
from dpcp_core.experiments.sweep.result import Progress

HALF = Progress(5, 10, 1.0, 1.0)


class Terminal(io.StringIO):
    """A screen that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("screen", "shown"), [(Terminal(), "Reading ...\r\x1b[K"), (io.StringIO(), "")])
def test_what_is_being_done_is_shown_to_whoever_watches_and_wiped_away_even_after_an_error(
    screen: io.StringIO, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(ZeroDivisionError), aside.stage("Reading"):
        raise ZeroDivisionError
    assert screen.getvalue() == shown


def interrupted_twice(watch: Watch) -> None:
    with watch.listening():
        assert not watch.stopped()
        signal.raise_signal(signal.SIGINT)
        assert watch.stopped()
        watch.progress(HALF, ())
        signal.raise_signal(signal.SIGINT)


def test_the_first_interrupt_asks_to_stop_and_the_second_stops_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupted_twice(Watch(what="work"))
    assert capfd.readouterr().err == "Stopping after the work under way; Ctrl-C once more stops at once.\n"
    assert signal.getsignal(signal.SIGINT) is before


def shown_on(terminal: int) -> str:
    """Return what has come to a terminal; it may come in pieces."""
    shown = b""
    while select.select([terminal], [], [], 1)[0]:
        shown += os.read(terminal, 4096)
    return shown.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal as POSIX has them")
def test_progress_stands_in_one_line_until_somebody_stops_it_and_is_wiped_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near, far = os.openpty()
    with os.fdopen(far, "w") as screen, os.fdopen(near, "rb", buffering=0):
        monkeypatch.setattr(sys, "stderr", screen)
        watch = Watch(what="work")
        watch.progress(HALF, ())
        with pytest.raises(KeyboardInterrupt):
            interrupted_twice(watch)
        first, stopping, last = shown_on(near).split("\r\x1b[K")[1:]
    assert first.startswith("5 of 10 cells")
    assert stopping == "Stopping after the work under way; Ctrl-C once more stops at once.\r\n"
    assert last == ""


def test_a_thread_leaves_interrupts_to_the_program_that_started_it() -> None:
    before, found = signal.getsignal(signal.SIGINT), []

    def listens() -> None:
        with Watch().listening():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=listens)
    thread.start()
    thread.join()
    assert found == [before]


def test_a_sweep_that_is_stopped_before_anything_was_finished_promises_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(KeyboardInterrupt), _how_to_go_on(Watch(), None):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == ""


def test_a_program_may_catch_the_answer_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    caught = io.StringIO()
    monkeypatch.setattr(sys, "stdout", caught)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert caught.getvalue().startswith("dpcp ")
