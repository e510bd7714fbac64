"""A shared server: what one person brings is bounded, stays in memory, and leaves nothing in logs or caches."""

from __future__ import annotations

import ast
import gc
import logging
import subprocess
import sys
import time
import tomllib
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.runtime.caching import clear_session_resource_cache

from dpcp_core.errors import InputError
from pages.ui import closing, sharing
from tests.pages.conftest import plain, problems
from tests.pages.tables import clinic_csv, wide_csv
from tests.pages.test_upload import choose_target, upload, use

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "dpcp_core").rglob("*.py"))]
CELL = "Zebrafinch-4711"
SESSION = "test session id"

# Caches of all sessions: a sample's name or public numbers in, nothing of a person's table.
OF_ALL = {
    *("accountants", "lighten_collections", "share_curve"),
    *("sample_prepared", "sample_runs", "sample_reference", "sample_result", "sample_synthesis"),
}
# What a module keeps and changes: the sessions that were closed a moment ago.
KEPT = {("pages/ui/closing.py", "_waiting")}
OF_ROWS = ("Dataset", "DataFrame", "Series", "NDArray", "ArrayLike", "Prepared", "TrainedRuns", "Tensor", "bytes")
MAKES = {"dict", "list", "set", "deque", "defaultdict", "OrderedDict", "WeakKeyDictionary", "WeakValueDictionary"}
CHANGES = {"append", "add", "update", "pop", "setdefault", "extend", "insert", "clear", "popitem", "discard", "remove"}


@pytest.fixture(scope="module")
def programs() -> dict[str, ast.Module]:
    """Return every program of the app and the library, by its path."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def caching(tree: ast.Module) -> Iterator[str]:
    """Yield what is wrong with the caches of a program: unbounded, of all sessions, or of rows."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for mark in node.decorator_list:
                yield from (f"{node.name}: {fault}" for fault in _faults(node, mark))
        elif isinstance(node, ast.Call) and _called(node) in {"cache", "lru_cache"} and node.args:
            yield f"{ast.unparse(node)}: a cache that is not above its function"


def _called(node: ast.AST) -> str:
    called = node.func if isinstance(node, ast.Call) else None
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _faults(node: ast.FunctionDef | ast.AsyncFunctionDef, mark: ast.expr) -> Iterator[str]:
    call = mark if isinstance(mark, ast.Call) else None
    name = ast.unparse(call.func if call else mark).rpartition(".")[2]
    given = {part.arg: ast.unparse(part.value) for part in call.keywords} if call else {}
    if name in {"cache_data", "cache_resource"}:
        bounded = "max_entries" in given or not node.args.args
        if not bounded:
            yield "without max_entries"
        if given.get("scope") != "'session'" and node.name not in OF_ALL:
            yield "shared by all sessions"
        if any(part.arg.startswith("_") for part in node.args.args):
            yield "does not look at an argument"
    elif name in {"cache", "lru_cache"}:
        if name == "cache" or given.get("maxsize", "None") == "None":
            yield "unbounded"
        taken = " ".join(ast.unparse(part.annotation) for part in _arguments(node) if part.annotation)
        if any(kind in taken for kind in OF_ROWS):
            yield "a cache of all sessions that is given rows"
    elif name == "cached_property" and "Dataset" in ast.unparse(node):
        yield "keeps a table"


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def changed_globals(tree: ast.Module) -> set[str]:
    """Return the collections of a module that its functions change: what would be shared by all sessions."""
    inside = [top for top in tree.body if isinstance(top, ast.FunctionDef | ast.ClassDef)]
    found, rebound = set(), set()
    for node in (inner for top in inside for inner in ast.walk(top)):
        if isinstance(node, ast.Global):
            rebound.update(node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            found.update(_name(node.func.value))
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            found.update(name for part in targets if isinstance(part, ast.Subscript) for name in _name(part.value))
    return rebound | found & {name for top in tree.body for name in _collections(top)}


def _collections(node: ast.stmt) -> set[str]:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return set()
    value = node.value
    if not (isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp) or _called(value) in MAKES):
        return set()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {name for part in targets for name in _name(part)}


def _name(node: ast.expr) -> set[str]:
    return {node.id} if isinstance(node, ast.Name) else set()


def test_every_cache_is_bounded_and_none_of_all_sessions_is_given_rows(programs):
    found = {path: list(caching(tree)) for path, tree in programs.items()}
    assert {path: faults for path, faults in found.items() if faults} == {}


def test_no_module_keeps_what_a_session_brought(programs):
    found = {(path, name) for path, tree in programs.items() for name in changed_globals(tree)}
    assert found - KEPT == set()


@pytest.mark.parametrize(
    "source",
    [
        "@st.cache_data(max_entries=3)\ndef f(data): ...",
        "@st.cache_data\ndef sample_result(name): ...",
        "@st.cache_resource(scope='session')\ndef f(data): ...",
        "@st.cache_resource(scope='session', max_entries=3)\ndef f(_data): ...",
        "@cache\ndef f(x): ...",
        "@lru_cache(maxsize=None)\ndef f(x): ...",
        "@lru_cache(maxsize=8)\ndef f(scores: NDArray[np.float64]): ...",
        "f = lru_cache(g)",
    ],
)
def test_a_careless_cache_is_found(source):
    assert len(list(caching(ast.parse(source)))) == 1


def test_a_careless_global_is_found():
    source = "seen = {}\nkept: list = []\ndef f(x):\n    seen[x] = 1\n    kept.append(x)"
    assert changed_globals(ast.parse(source)) == {"seen", "kept"}


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
