"""What a person reads on a page stands in the library's wording, and a small epsilon is no cause for alarm."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import APP, problems

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
FEWEST_WORDS = 6
"""A text of so many words is a sentence; shorter ones are labels."""


def sentences(source: str) -> Iterator[str]:
    """Yield the texts of a program that are long enough for a sentence; docstrings and what is guarded are not read."""
    tree = ast.parse(source)
    skipped = {id(part) for node in ast.walk(tree) for part in _unread(node)}
    for node in ast.walk(tree):
        text = "" if id(node) in skipped else _text(node)
        # A module's dotted path is one word.
        if " " in text and len(re.findall(r"[^\W\d_’']{2,}", text)) >= FEWEST_WORDS:
            yield text


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from node.values
    # A guarded block says what it was doing as half a sentence; a page is called by its question.
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("guarded", "open_page"):
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else " " for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sentences_live_in_wording(path: Path):
    assert list(sentences(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "n"),
    [
        ('st.markdown("This sentence is long enough to be found.")', 1),
        ('st.markdown(f"This one has {n} numbers in it and is found.")', 1),
        ('with guarded("drawing the picture that is long enough to count"): pass', 0),
        ('def f():\n    """A docstring is read by nobody who uses the app."""', 0),
        ('st.button("Start again")', 0),
    ],
)
def test_a_sentence_in_a_page_is_found(source, n):
    assert len(list(sentences(source))) == n


def alarms(app: AppTest) -> list[str]:
    """Return what a page shows in the colours of a warning."""
    assert problems(app) == []
    marked = re.compile(r":(orange|red)(-badge|-background)?\[[^\]]*\]")
    texts = " ".join(part.proto.body for part in app.get("markdown"))
    return [found[0] for found in marked.finditer(texts)]


def test_a_small_epsilon_is_never_coloured_as_a_warning():
    shown = {}
    for epsilon in ("0.1", "1"):
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.query_params["epsilon"] = epsilon
        shown[epsilon] = alarms(app.switch_page("pages/coverage.py").run())
        assert app.select_slider(key="epsilon").value == float(epsilon)
    assert shown["0.1"] == shown["1"] == [":orange-badge[:material/science: Simulation: not a private release]"]
