"""Which room may import which, how long things may be, and what the project never says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Every arrow goes to a lower number. Rooms of one level know nothing of each other, unless it is said below.
LEVELS = {
    "app": 7, "pages": 7, "cli": 7,
    "pages.ui": 6,
    "release": 5, "presentation": 5,
    "experiments": 4,
    "evaluation": 3, "synthesis": 3, "conformal": 3,
    "training": 2,
    "privacy": 1, "data": 1,
    "base": 0,
}  # fmt: skip
# What any module of the library may take from the package itself; the rest of it is a shop window.
FROM_PACKAGE = {"_validate", "_words", "errors", "__version__"}
HEAVY = {"torch", "opacus", "dp_accounting", "mbi", "streamlit"}
LONGEST_PAGE, LONGEST_FILE, LONGEST_FUNCTION = 80, 300, 40
# Put together here, so that this file passes its own test.
NEVER_SAID = ["/" + "work/", "shared" + "/tools", "." + "library", "helper" + " session"]
NOT_OURS = {".git", ".venv", ".hypothesis", "build", "dist"}
TEXT = {".py", ".md", ".toml", ".txt", ".csv", ".yml", ".yaml", ".json", ".svg", ""}


def python_files(*folders: str) -> list[Path]:
    """Return the project's Python files below these folders."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "__pycache__" not in path.parts]


def names(paths: list[Path]) -> list[str]:
    """Return paths as text, relative to the project."""
    return [str(path.relative_to(ROOT)) for path in paths]


APP = [path for path in [ROOT / "app.py"] if path.exists()]
PAGES = APP + sorted((ROOT / "pages").glob("*.py"))
LIBRARY = python_files("dpcp_core")
# The package's front door names everything, lazily.
DOOR = ROOT / "dpcp_core" / "__init__.py"
EVERYTHING = APP + python_files("dpcp_core", "pages", "benchmarks", "docs", "tests", "sample_data")


def room_of(module: str) -> str | None:
    """Return the room of a module of the project, or None for somebody else's."""
    parts = module.split(".")
    if parts[0] == "app":
        return "app"
    if parts[0] == "pages":
        return "pages.ui" if parts[1:2] == ["ui"] else "pages"
    if parts[0] != "dpcp_core":
        return None
    inside = parts[1] if len(parts) > 1 else "base"
    return "cli" if inside == "__main__" else inside if inside in LEVELS else "base"


def module_of(path: Path) -> str:
    """Return a file's dotted name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every imported module with its line, wherever in the file it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: import by the full name"
            # ``from dpcp_core.data import schema`` may name a module: keep both readings.
            yield node.module or "", node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


@cache
def parsed(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def imported_by(path: Path) -> tuple[tuple[str, int], ...]:
    """Return every import of a file; looked for once, as several tests ask."""
    return tuple(imports(parsed(path)))


def wrong_arrows(path: Path) -> list[str]:
    """Return the imports of one file that do not point down."""
    here = room_of(module_of(path))
    wrong = []
    for module, line in imported_by(path):
        there = room_of(module)
        if there is None or here is None or there == here:
            continue
        if LEVELS[there] >= LEVELS[here]:
            wrong.append(f"{path.relative_to(ROOT)}:{line} {here} imports {module} ({there})")
    return wrong


@pytest.mark.parametrize("path", names([path for path in APP + LIBRARY + python_files("pages") if path != DOOR]))
def test_imports_point_down(path):
    assert wrong_arrows(ROOT / path) == []


def test_an_arrow_that_points_up_is_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    bad = tmp_path / "dpcp_core" / "data" / "bad.py"
    bad.parent.mkdir(parents=True)
    bad.write_text("def f():\n    from dpcp_core.conformal import methods\n")
    assert len(wrong_arrows(bad)) == 2


def test_every_room_of_the_library_has_a_level():
    rooms = {path.relative_to(ROOT / "dpcp_core").parts[0] for path in LIBRARY if path.parent != ROOT / "dpcp_core"}
    assert rooms <= set(LEVELS)


def test_the_front_door_tells_type_checkers_where_everything_comes_from():
    import dpcp_core

    told = {
        alias.name: node.module
        for node in ast.walk(parsed(DOOR))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("dpcp_core.")
        for alias in node.names
    }
    assert told == dpcp_core._HOMES


@pytest.mark.parametrize("path", names(LIBRARY))
def test_the_library_takes_only_its_foundations_from_the_package_itself(path):
    taken = {module for module, _ in imported_by(ROOT / path) if module.count(".") == 1}
    own = {module.removeprefix("dpcp_core.") for module in taken if module.startswith("dpcp_core.")}
    rooms = {folder.name for folder in (ROOT / "dpcp_core").iterdir()} | {path.stem for path in LIBRARY}
    assert own <= FROM_PACKAGE | rooms


@pytest.mark.parametrize("path", names(LIBRARY))
def test_nothing_heavy_is_imported_at_the_top_of_the_library(path):
    tree = parsed(ROOT / path)
    loaded = {name.partition(".")[0] for node in _run_on_import(tree) for name in _names(node)}
    assert not loaded & HEAVY


def _run_on_import(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported: nothing in functions, nothing for type checkers alone."""
    for inner in ast.iter_child_nodes(node):
        is_function = isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))
        if is_function or (isinstance(inner, ast.If) and ast.unparse(inner.test) == "TYPE_CHECKING"):
            continue
        yield inner
        yield from _run_on_import(inner)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


@pytest.mark.parametrize("path", names(LIBRARY))
def test_the_library_never_imports_streamlit_or_pages(path):
    imported = {module.partition(".")[0] for module, _ in imported_by(ROOT / path)}
    assert not imported & {"streamlit", "pages", "app"}


@pytest.mark.parametrize("path", names(PAGES))
def test_a_page_is_short_and_computes_nothing(path):
    page = ROOT / path
    assert len(page.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE
    imported = {module.partition(".")[0] for module, _ in imported_by(page)}
    assert imported <= {"__future__", "streamlit", "pages"}


@pytest.mark.parametrize("path", names(EVERYTHING))
def test_files_and_functions_fit_their_limits(path):
    source = ROOT / path
    assert len(source.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    for node in ast.walk(parsed(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            doc = ast.get_docstring(node, clean=False)
            lines = node.end_lineno - node.lineno + 1 - (doc.count("\n") + 1 if doc else 0)
            assert lines <= LONGEST_FUNCTION, f"{node.name} in line {node.lineno} has {lines} lines"


def test_the_project_speaks_only_of_itself():
    said = []
    for path in project_texts():
        text = path.read_text(encoding="utf-8", errors="replace")
        said += [f"{path.relative_to(ROOT)} says {words}" for words in NEVER_SAID if words in text]
    assert said == []


def project_texts() -> Iterator[Path]:
    """Yield the project's own text files: no environment, no caches, nothing that was built."""
    for entry in sorted(ROOT.iterdir()):
        if entry.name in NOT_OURS or entry.name.endswith("_cache"):
            continue
        inside = sorted(entry.rglob("*")) if entry.is_dir() else [entry]
        for path in inside:
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
                yield path
