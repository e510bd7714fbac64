"""A server that many share: what one brings never reaches another, the log, or another site."""

from __future__ import annotations

import http.client
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import see, serving, settle, visitors, words
from tests.browser.test_flow import readout
from tests.pages.tables import clinic_csv

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELL = "zebrafinch4711"


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("shared") / "server.log"


@pytest.fixture(scope="module")
def shared(log) -> str:
    """The app as a server runs it, its log in a file."""
    ledger = log.parent / "ledger.sqlite"
    settings = {"DPCP_SHARED": "1", "DPCP_MAX_ROWS": "500", "DPCP_LEDGER_URL": f"sqlite:///{ledger.as_posix()}"}
    with log.open("wb") as said, serving(settings, said) as at:
        yield at


def table(n: int = 400) -> bytes:
    """Return a table with a mark in its cells."""
    return clinic_csv(n).replace(b",f,", f",{CELL},".encode())


def bring(page, tmp_path: Path, name: str, content: bytes, answer: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    page.locator('input[type="file"]').first.set_input_files(str(path))
    see(page, answer)


def test_two_people_share_nothing_and_the_log_knows_no_cell(browser, shared, log, tmp_path):
    with visitors(browser, shared) as new_page:
        one, other = new_page(), new_page("coverage")
        see(other, "In plain words")
        before = readout(other, "Interval width")
        bring(one, tmp_path, "long.csv", table(600), "600 rows but this server takes at most 500")
        bring(one, tmp_path, "broken.csv", table() + f'\n"{CELL},1,2\n'.encode(), "broken.csv")
        bring(one, tmp_path, "mine.csv", table(), "mine.csv: read")
        one.get_by_role("combobox", name="Which column is to be predicted?").click()
        one.keyboard.type("pain")
        one.keyboard.press("Enter")
        settle(one)
        one.get_by_role("button", name="Explore now").click()
        see(one, "predicts pain")
        one.goto(f"{shared}/coverage?epsilon=4&coverage=80")
        settle(one)
        other.reload()
        see(other, "In plain words")
        assert readout(other, "Interval width") == before
        assert "epsilon=4" not in other.url
        # Nor does a link tell who is given it.
        third = new_page(one.url.split("/", 3)[3])
        for page in (other, third):
            assert not any(told in words(page) for told in ("Your table", "mine.csv", "predicts pain", CELL))
        for page in (one, other, third):
            assert CELL not in page.url
            assert page.foreign == []
            assert page.locator('[data-testid="stException"]').count() == 0
    said = log.read_text(encoding="utf-8", errors="replace")
    assert said
    assert CELL not in said
    assert "mine.csv" not in said


def ask(address: str, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Return the status of an answer, and whose pages may read it."""
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)) as connection:
        connection.request(method, path, headers=headers)
        with connection.getresponse() as answer:
            return answer.status, answer.headers.get("Access-Control-Allow-Origin", "")


def test_another_site_can_neither_send_a_file_nor_open_a_session(shared):
    file = "/_stcore/upload_file/somebody/file"
    evil = {"Origin": "https://evil.example"}
    assert ask(shared, "PUT", file, **evil)[0] == 403
    _, readers = ask(shared, "OPTIONS", file, **evil, **{"Access-Control-Request-Method": "PUT"})
    assert readers not in ("*", "https://evil.example")
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    assert ask(shared, "GET", "/_stcore/stream", **upgrade, **evil)[0] == 403
    assert ask(shared, "GET", "/_stcore/stream", **upgrade, Origin=shared)[0] == 101
