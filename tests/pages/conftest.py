"""The app, opened as a browser would, on any of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages.ui.controls.rows import FOLD, HEADINGS, MORE
from pages.ui.known_runs import KNOWN
from pages.ui.panels import compare_run

APP = Path(__file__).resolve().parents[2] / "app.py"
PAGES = {
    "Start": "app.py",
    "Coverage": "pages/coverage.py",
    "Compare": "pages/compare.py",
    "Budget": "pages/budget.py",
    "Synthesis": "pages/synthesis.py",
    "Patient": "pages/patient.py",
    "Attack": "pages/attack.py",
    "Learn": "pages/learn.py",
    "Release": "pages/release.py",
    "About": "pages/about.py",
}


@pytest.fixture(scope="session", autouse=True)
def components() -> Iterator[None]:
    """Look once for components among the installed packages: Streamlit does so whenever a test opens an app."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give every test a ledger of its own, so that none touches the user's, and return its address."""
    url = f"sqlite:///{(tmp_path / 'ledger.sqlite').as_posix()}"
    monkeypatch.setenv("DPCP_LEDGER_URL", url)
    return url


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    """Let no test find what a run of another has left for all sessions."""
    KNOWN.clear()


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Return a function that opens the app on a page, with a query string if wanted."""

    def open_on(page: str = "Start", **query: str) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        # A comparison that begins by itself would run beside what a test starts; one test lets it.
        app.session_state[compare_run.BEGUN] = True
        return (app if page == "Start" else app.switch_page(PAGES[page])).run()

    return open_on


def under(app: AppTest, key: str) -> AppTest:
    """Open the heading of the folded controls under which a widget stands."""
    heading = next((name for name, fields in MORE.items() if key.removeprefix("set_") in fields), None)
    if heading:
        app.session_state[FOLD] = True
        app.session_state[HEADINGS] = heading
        app.run()
    return app


def choose(app: AppTest, key: str, value: object) -> AppTest:
    """Set a control, wherever it stands."""
    under(app, key).get_by_key(key).set_value(value).run()
    return app


def shown(app: AppTest):
    """Return the result that is on screen."""
    return app.session_state["_shown"][0]


def shown_text(app: AppTest) -> str:
    """Return all words on the page, sidebar included, as a person reads them."""
    parts = [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption, *app.error, *app.warning]
    return plain("\n".join(str(part.value) for part in parts))


def plain(text: str) -> str:
    """Return Markdown without its escapes, every space an ordinary one."""
    return text.replace("\\", "").replace("\u2060", "").replace("\u202f", " ").replace("\u00a0", " ")


def problems(app: AppTest) -> list[str]:
    """Return the sentences that say what went wrong."""
    assert not app.exception, app.exception[0].message
    return [plain(str(part.value)) for part in [*app.error, *app.warning]]
