"""The README is short, cites right and counts right, and what the project says of itself agrees with what it is."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from joblib import parallel_config

import dpcp_core
from dpcp_core import load_sample, sweep
from dpcp_core.experiments.presets import COMPARED, COMPARED_EPSILONS
from dpcp_core.experiments.scenarios import SCENARIOS
from dpcp_core.presentation.wording.lessons import LESSONS
from pages.ui.frame import PAGES
from tests.documents import ROOT, inline_code

README = (ROOT / "README.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
NUMBERS_IN_WORDS = {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}
MOST_WORDS = 2200
"""About three minutes for somebody who skips the tables and the code."""


def test_the_readme_is_short():
    assert len(README.split()) < MOST_WORDS


def test_every_guide_is_named_in_the_readme():
    guides = {path.name for path in (ROOT / "docs").glob("*.md")}
    # The audit's page leads to its table.
    assert {name for name in guides if f"(docs/{name}" not in README} <= {"audit_table.md"}


def test_counts_in_words_are_those_of_the_app():
    said = {
        what: NUMBERS_IN_WORDS[number.lower()]
        for number, what in re.findall(r"\b(\w+) (methods|epsilons|lessons|scenarios)\b", README)
        if number.lower() in NUMBERS_IN_WORDS
    }
    assert said == {
        "methods": len(COMPARED),
        "epsilons": len(COMPARED_EPSILONS),
        "lessons": len(LESSONS),
        "scenarios": len(SCENARIOS),
    }
    table = README.partition("## In the browser")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    assert [line.split("|")[1].strip() for line in table] == [name for _, name, _ in PAGES]


def test_the_citation_is_of_this_version_and_of_the_papers_that_the_readme_names():
    assert CITATION["version"] == dpcp_core.__version__
    assert f"\n## {CITATION['version']} ({CITATION['date-released']})\n" in (ROOT / "CHANGELOG.md").read_text(
        encoding="utf-8"
    )
    named = README.partition("## Citing")[2].partition("## Licence")[0]
    for paper in CITATION["references"]:
        assert " ".join(paper["title"].split()) in " ".join(named.split())
        assert paper["url"] in named
        assert all(person["family-names"] in named for person in paper["authors"])
    assert "CITATION.cff" in inline_code(ROOT / "README.md")


ROWS_OF_WHAT_TO_EXPECT = {
    "`pscp`": {"methods": ["pscp"]},
    "`dpcp_paper`": {"methods": ["dpcp_paper"]},
    '`dpcp`, `stability="profile"`': {"methods": ["dpcp"], "stability": ["profile"]},
    "`dpcp` as it is by default": {"methods": ["dpcp"]},
    '`dpcp`, `stability="split"`': {"methods": ["dpcp"], "stability": ["split"]},
}


def test_what_to_expect_is_what_is_measured():
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8").partition("## What to expect")[2]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    assert [row[0] for row in rows] == list(ROWS_OF_WHAT_TO_EXPECT)
    data, epsilons = load_sample("blood_pressure"), [float(cell) for cell in head[1:]]
    with parallel_config(backend="sequential"):
        for name, *cells in rows:
            found = sweep(data, epsilons=epsilons, repetitions=20, **ROWS_OF_WHAT_TO_EXPECT[name]).frame()
            assert [float(cell) for cell in cells] == pytest.approx(found["size_ratio"].to_list(), rel=0.02), name


def test_constraints_pin_every_dependency_without_places_or_build_tags():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    names = {re.match(r"[A-Za-z0-9._-]+", text).group().lower().replace("_", "-") for text in wanted}
    assert names <= set(pins)
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in pins.values())
