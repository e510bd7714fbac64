"""A real server and a real Chromium; skipped, with the reason, where one of them is missing."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    """Start the app on a free port and return its address."""
    # A ledger of its own, so that no test touches the user's.
    ledger = tmp_path_factory.mktemp("ledger") / "ledger.sqlite"
    with serving({"DPCP_LEDGER_URL": f"sqlite:///{ledger.as_posix()}"}, subprocess.DEVNULL) as at:
        yield at


@contextmanager
def serving(settings: dict[str, str], log: int | IO[bytes]) -> Iterator[str]:
    """Run the app on a free port with these variables, what it says going to a log."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=15)


@pytest.fixture(scope="session")
def browser():
    """Return a headless Chromium."""
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def new_page(browser, address) -> Iterator[Callable[..., object]]:
    """Return a function that opens the app as somebody new, and collects requests to other hosts."""
    with visitors(browser, address) as open_as_somebody:
        yield open_as_somebody


@contextmanager
def visitors(browser, address: str) -> Iterator[Callable[..., object]]:
    """Give a function that opens the app at an address as somebody new; all of them leave at the end."""
    contexts = []

    def open_as_somebody(path: str = "", **options):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)
        contexts.append(context)
        # A busy machine may take longer than a page's usual 30 seconds to say anything.
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.foreign = []
        page.on(
            "request", lambda request: page.foreign.append(request.url) if _is_foreign(request.url, address) else None
        )
        page.goto(f"{address}/{path}")
        settle(page)
        return page

    yield open_as_somebody
    for context in contexts:
        context.close()


def settle(page, limit_s: float = 60) -> None:
    """Wait until the app has been quiet for a moment."""
    page.wait_for_selector('[data-testid="stApp"]', timeout=limit_s * 1000)
    end, quiet_since = time.monotonic() + limit_s, None
    while time.monotonic() < end:
        state = page.get_attribute('[data-testid="stApp"]', "data-test-script-state")
        quiet_since = (quiet_since or time.monotonic()) if state == "notRunning" else None
        if quiet_since and time.monotonic() - quiet_since > 0.7:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the app was still busy after {limit_s} s")


def words(page, part: str = "stApp") -> str:
    """Return what a person reads on the page, every space an ordinary one."""
    return page.locator(f'[data-testid="{part}"]').inner_text().replace("\u202f", " ").replace("\u00a0", " ")


def wait_until(page, holds: Callable[[], bool], what: str, limit_s: float = 60) -> None:
    """Wait until something holds: on a busy machine the app may begin to answer later than any fixed pause."""
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end, f"{what} did not come about within {limit_s:g} s"
        page.wait_for_timeout(100)
    settle(page)


def see(page, text: str) -> None:
    """Wait until a person reads this text on the page."""
    wait_until(page, lambda: text in words(page), f"the text {text!r}")


def until_seen(page, text: str, attempt: Callable[[], None], attempts: int = 4) -> None:
    """Repeat what a person would repeat: on a busy machine a grid that is being redrawn may lose keys."""
    for left in reversed(range(attempts)):
        attempt()
        try:
            wait_until(page, lambda: text in words(page), f"the text {text!r}", limit_s=60 if left == 0 else 10)
            return
        except AssertionError:
            if left == 0:
                raise


def _is_foreign(url: str, address: str) -> bool:
    return url.startswith(("http", "ws")) and not url.startswith((address, address.replace("http", "ws")))


def _wait_for(url: str, server: subprocess.Popen) -> None:
    for _ in range(240):
        assert server.poll() is None, "the app ended while it started"
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.25)
    raise AssertionError("the app did not answer within a minute")
