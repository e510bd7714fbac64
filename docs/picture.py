"""Take the picture of the README: ``python docs/picture.py`` writes docs/picture.png.

It needs Playwright and Chromium.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Start the app, wait for its coverage page, save what a visitor sees first."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    streamlit = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    server = subprocess.Popen([*streamlit, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health")
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": 1440, "height": 980})
            page.goto(f"http://127.0.0.1:{port}/coverage")
            page.get_by_text("In plain words").wait_for(timeout=60_000)
            for unfinished in ("stSkeleton", "stStatusWidget"):
                page.wait_for_function(
                    f"document.querySelectorAll('[data-testid={unfinished}]').length === 0", timeout=120_000
                )
            page.wait_for_timeout(1500)
            page.screenshot(path=ROOT / "docs" / "picture.png")
            chromium.close()
    finally:
        server.terminate()
        server.wait(timeout=15)


def _wait(address: str) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=1)
            return
        except OSError:
            time.sleep(0.25)
    sys.exit("The app did not answer within a minute.")


if __name__ == "__main__":
    main()
