"""Caches are bounded; those of all sessions see no rows, and those of one session are emptied when it is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.ui import computed

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "dpcp_core").rglob("*.py"))]

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


def session_caches(tree: ast.Module) -> dict[str, int]:
    """Return the caches of one session in a module, by the name of their function."""
    return {
        node.name: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if "scope='session'" in ast.unparse(mark)
    }


def test_whoever_wants_to_be_forgotten_empties_every_cache_of_the_session(programs):
    found = {}
    for path, tree in programs.items():
        if caches := session_caches(tree):
            clear = next((node for node in tree.body if getattr(node, "name", "") == "clear"), None)
            kept = [name for name in caches if clear is None or name not in _words(clear)]
            found |= {Path(path).stem: kept} if kept or Path(path).stem not in computed.HOLDERS else {}
    # Whether a session is open is nothing of a table.
    assert found == {"closing": ["_open_page"]}


def _words(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


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
