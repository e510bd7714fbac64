"""A shared server: what one person brings is bounded, stays in memory, and leaves nothing in logs or caches."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import time
import tomllib
import warnings
import weakref
from pathlib import Path

import pytest
from streamlit.runtime.caching import clear_session_resource_cache

from dpcp_core.errors import InputError
from pages.ui import closing, sharing
from tests.pages.conftest import plain, problems
from tests.pages.tables import clinic_csv, wide_csv
from tests.pages.test_upload import choose_target, upload, use

ROOT = Path(__file__).resolve().parents[2]
CELL = "Zebrafinch-4711"
SESSION = "test session id"


def test_one_person_has_no_limits_but_a_server_has_and_each_can_be_set(monkeypatch):
    assert sharing.limits() == sharing.ALONE
    monkeypatch.setenv("DPCP_SHARED", "1")
    assert sharing.limits() == sharing.SHARED
    monkeypatch.setenv("DPCP_MAX_ROWS", "7")
    monkeypatch.setenv("DPCP_MAX_RUN_SECONDS", "30")
    assert (sharing.limits().rows, sharing.limits().run_seconds) == (7, 30)
    assert sharing.limits().columns == sharing.SHARED.columns


@pytest.mark.parametrize("value", ["many", "0", "-3", "1.5"])
def test_a_limit_that_is_no_whole_number_is_one_sentence_on_the_page(open_app, monkeypatch, value):
    monkeypatch.setenv("DPCP_MAX_ROWS", value)
    with pytest.raises(InputError, match="DPCP_MAX_ROWS"):
        sharing.limits()
    assert "whole number" in "".join(problems(open_app()))


@pytest.mark.parametrize(
    ("name", "most", "content", "said"),
    [
        ("ROWS", "399", clinic_csv(), "400 rows but this server takes at most 399"),
        ("COLUMNS", "9", wide_csv(10), "10 columns but this server takes at most 9"),
        ("MEMORY_MB", "10", clinic_csv(), "memory of this server is full"),
    ],
)
def test_a_table_beyond_a_limit_is_one_sentence_and_is_not_kept(open_app, monkeypatch, name, most, content, said):
    monkeypatch.setenv(f"DPCP_MAX_{name}", most)
    app = upload(open_app(), content)
    assert said in plain("".join(problems(app)))
    assert "_draft" not in app.session_state


def test_a_table_dies_with_its_session(open_app, monkeypatch):
    monkeypatch.setattr(closing, "GRACE_S", 0.05)
    clear_session_resource_cache(SESSION)
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/coverage.py").run()
    assert problems(app) == []
    table = weakref.ref(app.session_state["_own_table"])
    assert table().name == "clinic.csv"
    clear_session_resource_cache(SESSION)
    assert _gone(table), gc.get_referrers(table())


def test_a_table_dies_when_its_owner_wants_it_forgotten(open_app):
    app = use(choose_target(upload(open_app(), clinic_csv()), "pain"))
    app.switch_page("pages/coverage.py").run()
    table = weakref.ref(app.session_state["_own_table"])
    app.button(key="forget").click().run()
    assert problems(app) == []
    assert _gone(table), gc.get_referrers(table())


def _gone(table: weakref.ref, limit_s: float = 5.0) -> bool:
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        gc.collect()
        if table() is None:
            return True
        time.sleep(0.05)
    return False


# A server's log in a process of its own: what it changes would last for all other tests.
TROUBLE = f"""
import logging, threading, warnings
from streamlit.error_util import handle_uncaught_app_exception
from streamlit.logger import get_logger
from starlette.formparsers import MultiPartParser
from pages.ui import hygiene
{{quiet}}
def fail(): raise ValueError("row 7 holds {CELL}")
try: fail()
except ValueError as problem:
    handle_uncaught_app_exception(problem)
    get_logger("streamlit.x").warning("Could not write: %s", problem)
    logging.getLogger("asyncio").error("Task exception was never retrieved", exc_info=problem)
thread = threading.Thread(target=fail); thread.start(); thread.join()
warnings.warn("unknown category {CELL}")
class Bad:
    def __del__(self): fail()
bad = Bad()
del bad
"""


def log_of(quiet: str) -> str:
    source = TROUBLE.format(quiet=quiet)
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout + done.stderr


def test_no_message_of_an_error_or_a_warning_reaches_the_log():
    said = log_of("hygiene.keep_rows_in()")
    assert CELL not in said
    assert said.count("ValueError") == 5, said
    assert "UserWarning" in said
    assert "at <string>:" in said


def test_without_it_they_would():
    assert log_of("").count(CELL) >= 5


def test_uploads_do_not_touch_the_disk_on_their_way_in():
    source = "from pages.ui import hygiene; hygiene.keep_rows_in(); hygiene.keep_rows_in()\n"
    source += "from starlette.formparsers import MultiPartParser; print(MultiPartParser.spool_max_size > 2**40)"
    assert subprocess.check_output([sys.executable, "-c", source], cwd=ROOT, text=True, timeout=60).strip() == "True"


def test_a_call_from_another_site_asks_no_third_host():
    source = "from pages.ui import hygiene; hygiene.keep_rows_in()\n"
    source += "from streamlit import net_util; net_util._make_blocking_http_get = lambda *a, **k: print('asked')\n"
    source += "from streamlit.web.server.server_util import is_url_from_allowed_origins as is_allowed\n"
    source += "print(is_allowed('https://evil.example'))"
    assert subprocess.check_output([sys.executable, "-c", source], cwd=ROOT, text=True, timeout=60).strip() == "False"


def test_pages_that_are_looked_at_by_tests_leave_the_log_alone(open_app):
    factory, show = logging.getLogRecordFactory(), warnings.showwarning
    open_app()
    assert logging.getLogRecordFactory() is factory
    assert warnings.showwarning is show


def test_the_configuration_is_that_of_a_careful_server():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["client"]["showErrorDetails"] == "none"
    assert config["server"]["enableXsrfProtection"] is True
    assert config["server"]["enableCORS"] is True
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["maxUploadSize"] <= sharing.ALONE.upload_mb
    assert config["browser"]["gatherUsageStats"] is False
    assert config["logger"]["enableRich"] is False
