"""The language of the app: plain enough to read, and its terms explained."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from dpcp_core.presentation.wording.glossary import GLOSSARY

WORDING = Path(__file__).resolve().parents[3] / "dpcp_core" / "presentation" / "wording"
FILES = sorted(WORDING.rglob("*.py"))
FEWEST_WORDS = 8

MEAN_GRADE, HARDEST = 8.0, 16.0
"""School years that a file's sentences take on average, and any one of them (Flesch-Kincaid)."""

# As they are written where a person reads them.
TERMS = {
    r"coverage": "coverage",
    r"miss rate|misses": "miss rate",
    r"interval": "interval",
    r"\bsets?\b": "set",
    r"threshold": "threshold",
    r"\bscores?\b": "score",
    r"ε": "epsilon",
    r"δ": "delta",
    r"\bodds\b": "odds",
    r"mechanism": "mechanism",
    r"\bnoise\b": "noise",
    r"budget": "budget",
    r"receipt": "receipt",
    r"certif": "certified",
    r"exchangeable": "exchangeable",
    r"held.out": "held out",
    r"candidates|\bbins\b": "candidates",
    r"bounds": "public bounds",
    r"\bclip": "clipping",
    r"repetition": "repetition",
    r"\breleased?\b": "release",
    r"[Ss]imulation": "simulation",
    r"synthetic": "synthetic table",
    r"\blabels?\b": "label",
    r"audit": "audit",
    r"accountant": "accountant",
    r"schema": "schema",
    r"\btarget\b": "target",
    r"marginals?\b|histogram": "marginal",
    r"quantile": "quantile",
    r"curator": "curator's view",
}
ALWAYS = {"sensitivity", "neighbour", "composition", "conformal prediction", "membership attack", "subtraction attack"}


def sentences(path: Path) -> Iterator[str]:
    """Yield the texts of a file that are long enough to judge; a number stands where a value is put in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "it" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside | docs:
            text = node.value
        else:
            continue
        if len(words_of(text)) >= FEWEST_WORDS:
            yield text


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:[’'][a-z]+)?", text)


def syllables(word: str) -> int:
    found = len(re.findall(r"[aeiouyé]+", word.lower()))
    return max(1, found - (found > 1 and word.lower().endswith("e") and not word.lower().endswith("le")))


def grade(text: str) -> float:
    """Return the school years that a text takes: Flesch-Kincaid, with list items as sentences."""
    words = words_of(text)
    ends = len(re.findall(r"[.!?](?=\s|\*|$)|\n- ", text.strip()))
    return 0.39 * len(words) / max(1, ends) + 11.8 * mean(map(syllables, words)) - 15.59


@cache
def all_words() -> str:
    return " ".join(text for path in FILES for text in sentences(path))


def test_the_measure_tells_plain_from_hard():
    assert grade("The noise hides one person. The count stays useful.") < 4
    assert grade("Instantaneous generalisation necessitates considerable methodological sophistication.") > 25


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(WORDING)))
def test_sentences_are_plain(path: Path):
    grades = {text: grade(text) for text in sentences(path)}
    hard = [text for text, years in grades.items() if years > HARDEST]
    assert hard == []
    assert not grades or mean(grades.values()) <= MEAN_GRADE


@pytest.mark.parametrize(("written", "key"), TERMS.items())
def test_a_term_that_is_used_is_in_the_glossary(written: str, key: str):
    assert re.search(written, all_words()), "the term is used no longer"
    assert key in GLOSSARY


def test_the_ideas_behind_them_are_in_the_glossary_too():
    assert set(GLOSSARY) >= ALWAYS


def test_no_explanation_is_longer_than_two_sentences():
    assert all(len(re.findall(r"[.?!](?:\s|$)", term.sentence)) <= 2 for term in GLOSSARY.values())
