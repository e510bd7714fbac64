"""How long does the app take to its first picture, and each page until it has settled? Is its answer in sight?"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from common import leave, parser, table_text, verdicts, write_json

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("", "coverage", "compare", "budget", "synthesis", "patient", "attack", "learn", "release", "about")
HEADING_ONLY = {"release", "about"}
"""Pages whose answer is their first paragraphs."""

WIDTH, HEIGHT = 1440, 900
WARM_S, SETTLED_S = 3.0, 2.0
_QUIET_S, _PATIENCE_S = 0.5, 600.0
_APP = '[data-testid="stApp"]'
_PICTURE = ".js-plotly-plot .main-svg"


# What any app of these libraries takes here, whatever it does.
_BARE = """
import numpy, pandas, scipy.special, streamlit as st
import plotly.graph_objects as go
st.plotly_chart(go.Figure(go.Scatter(x=[1, 2], y=[1, 2])))
"""


@contextmanager
def app(python: str, script: str = "app.py") -> Iterator[str]:
    """Start an app on a free port with a ledger of its own; its address comes at once, whether it answers or not."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        ledger = f"sqlite:///{(Path(folder) / 'ledger.sqlite').as_posix()}"
        command = [python, "-m", "streamlit", "run", script, "--server.port", str(port), "--server.headless", "true"]
        quiet = subprocess.DEVNULL
        server = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "DPCP_LEDGER_URL": ledger}, stdout=quiet, stderr=quiet
        )
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=15)


def wait_for(address: str) -> None:
    """Wait until the server answers."""
    end = time.perf_counter() + _PATIENCE_S
    while time.perf_counter() < end:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    leave(f"the app did not answer within {_PATIENCE_S:g} seconds")


def first_picture(browser: Any, address: str) -> None:
    """Open the Start page as somebody new and wait for its picture."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    context.set_default_timeout(1000 * _PATIENCE_S)
    page = context.new_page()
    page.goto(address)
    page.locator(_PICTURE).first.wait_for()
    context.close()


def settled(page: Any) -> float:
    """Wait until nothing has run for a moment; return when that moment began."""
    began = since = time.perf_counter()
    while time.perf_counter() - since < _QUIET_S:
        if page.locator(_APP).get_attribute("data-test-script-state") != "notRunning":
            since = time.perf_counter()
        if since - began > _PATIENCE_S:
            leave(f"a page did not settle within {_PATIENCE_S:g} seconds")
        page.wait_for_timeout(20)
    return since


def look_at(browser: Any, address: str, name: str, runs: int) -> dict[str, Any]:
    """Open a page as somebody new, several times; return the median second at which it rested, and its answer's end."""
    seconds, bottom = [], 0.0
    answer = f'[data-testid="stMain"] {"h2" if name in HEADING_ONLY else ".st-key-answer"}'
    for _ in range(runs):
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        context.set_default_timeout(1000 * _PATIENCE_S)
        page = context.new_page()
        began = time.perf_counter()
        page.goto(f"{address}/{name}")
        place = page.locator(answer).first
        place.wait_for()
        seconds.append(settled(page) - began)
        box = place.bounding_box()
        bottom = max(bottom, box["y"] + box["height"])
        context.close()
    return {"page": name or "start", "settled_s": sorted(seconds)[len(seconds) // 2], "answer_ends_px": round(bottom)}


def clicked(browser: Any, address: str) -> dict[str, float]:
    """Go through all pages by their links as one visitor; return the seconds until each has settled."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    context.set_default_timeout(1000 * _PATIENCE_S)
    page = context.new_page()
    page.goto(address)
    page.locator(_PICTURE).first.wait_for()
    settled(page)
    seconds = {}
    for name in [*PAGES[1:], PAGES[0]]:
        began = time.perf_counter()
        page.locator('[data-testid="stSidebar"]').get_by_role("link", name=name or "start").click()
        page.wait_for_url(f"{address}/{name}*")
        seconds[name or "start"] = settled(page) - began
    context.close()
    return seconds


def installed(source: Path) -> tuple[float, str]:
    """Install a fresh clone as `make app` does, without starting it; return the seconds and the Python it made."""
    began = time.perf_counter()
    subprocess.run(["make", ".venv/.installed"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began, str(source / ".venv" / "bin" / "python")


def starts(browser: Any, python: str, script: str = "app.py") -> tuple[float, float]:
    """Return the seconds from the start of the process to the first picture, and to that of the next visitor."""
    began = time.perf_counter()
    with app(python, script) as address:
        wait_for(address)
        first_picture(browser, address)
        cold = time.perf_counter() - began
        began = time.perf_counter()
        first_picture(browser, address)
        return cold, time.perf_counter() - began


def chosen() -> argparse.Namespace:
    """Return what was asked for."""
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--runs", type=int, default=3, help="how often each page is opened; the median is told")
    options.add_argument("--clone", action="store_true", help="install and start a fresh clone first: takes minutes")
    return options.parse_args()


def main() -> int:
    choice = chosen()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        leave("it needs the package playwright")
    if not chromium:
        leave("it needs Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        report = (of_a_clone(browser) if choice.clone else {}) | all_starts(browser)
        rows = all_pages(browser, choice.runs)
    print(table_text([{"what": name, "seconds": seconds} for name, seconds in report.items()]), "\n")
    print(table_text(rows), "\n")
    checks = {
        f"a warm start takes at most {WARM_S:g} s to the first picture": report["start_s"] <= WARM_S,
        f"a next visitor sees it within {WARM_S:g} s": report["next_visitor_s"] <= WARM_S,
        f"every page settles within {SETTLED_S:g} s of opening it in a new browser": _all_within(rows, "settled_s"),
        f"every page settles within {SETTLED_S:g} s of a click": _all_within(rows, "clicked_s"),
        f"every answer ends above {HEIGHT} pixels": all(row["answer_ends_px"] <= HEIGHT for row in rows),
    }
    write_json(choice.json, "pages", rows=rows, starts=report, met=all(checks.values()))
    return 0 if verdicts(checks) else 1


def all_starts(browser: Any) -> dict[str, float]:
    """Return how long this app takes to start, and beside it an app of the same libraries that does nothing."""
    cold, warm = starts(browser, sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(_BARE)
        cold_bare, warm_bare = starts(browser, sys.executable, str(bare))
    return {
        "start_s": cold,
        "next_visitor_s": warm,
        "bare_start_s": cold_bare,
        "bare_next_visitor_s": warm_bare,
    }


def all_pages(browser: Any, runs: int) -> list[dict[str, Any]]:
    """Return a row for each page: how long until it rests when opened and when clicked, and where its answer ends."""
    with app(sys.executable) as address:
        wait_for(address)
        # What the first visitor loads is not any page's own time.
        first_picture(browser, address)
        rows = []
        for name in PAGES:
            rows.append(look_at(browser, address, name, runs))
            print(rows[-1], file=sys.stderr, flush=True)
        seconds = clicked(browser, address)
    return [{**row, "clicked_s": seconds[row["page"]]} for row in rows]


def _all_within(rows: list[dict[str, Any]], column: str) -> bool:
    return all(row[column] <= SETTLED_S for row in rows)


def of_a_clone(browser: Any) -> dict[str, float]:
    """Return how long a fresh clone takes to install, and then to its first picture."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
        install, python = installed(source)
        cold, _ = starts(browser, python)
    return {"install_of_a_clone_s": install, "first_start_of_a_clone_s": cold}


if __name__ == "__main__":
    raise SystemExit(main())
