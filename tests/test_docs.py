"""What the guides say is so: their Python and their commands run as written, and print what is shown."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from typer.main import get_command

from dpcp_core import Schema, load_sample
from dpcp_core.cli.entry import commands, run
from dpcp_core.data.samples import SAMPLES
from dpcp_core.presentation.wording.lessons import LESSONS
from pages.ui import state
from pages.ui.controls import keys
from pages.ui.panels import budget_tabs
from pages.ui.panels.lesson import LESSON
from tests.documents import (
    GUIDES,
    ROOT,
    Command,
    anchors,
    assert_same_output,
    blocks_of,
    commands_of,
    inline_code,
    name_of,
)

BY_NAME = {name_of(guide): guide for guide in GUIDES}
WITH_PYTHON = [name for name, guide in BY_NAME.items() if any(block.language == "python" for block in blocks_of(guide))]
WITH_COMMANDS = [name for name, guide in BY_NAME.items() if commands_of(guide)]
TOO_LONG = {
    "dpcp audit": "takes minutes; tests/core/test_cli_audit.py runs small ones",
    "dpcp reproduce": "needs tables that are downloaded; tests/core/test_cli_reproduce.py runs it on small ones",
    "dpcp sweep patients.csv --schema patients.toml --backend dask": "needs a cluster",
    "dpcp synthesize patients.csv --schema patients.toml --epsilon 1 --evaluate --repetitions 5": "rivals take minutes",
    "python benchmarks/": "take minutes, and some need tables that are downloaded",
}
"""Commands that are parsed but not run, and why."""
SELDOM = {"simulate": ["--repetitions", "2"], "sweep": ["--repetitions", "2"]}
"""What makes a command quicker whose output is not shown."""
IN_LINKS = {state.SOURCE, keys.EPSILON, keys.COVERAGE, keys.SHARE, keys.BINS, LESSON, budget_tabs.TAB}
CONFIRMED = {"release": ["--yes"], "release-table": ["--yes"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that guides speak of, a reader's place to try them in; it has its own ledger."""
    sample = load_sample("blood_pressure")
    (tmp_path / "patients.toml").write_text(sample.schema.to_toml().replace("[systolic]", "[pressure]"))
    frame = sample.frame.rename(columns={"systolic": "pressure"})
    for name, rows in (("patients.csv", len(frame)), ("new_patients.csv", 3), ("new.csv", 3)):
        frame.head(rows).to_csv(tmp_path / name, index=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPCP_LEDGER_URL", f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    return tmp_path


@pytest.mark.parametrize("name", WITH_PYTHON)
@pytest.mark.usefixtures("folder")
def test_python_examples_run_and_print_what_is_shown(name):
    names: dict[str, object] = {}
    for block in blocks_of(BY_NAME[name]):
        if block.language != "python":
            continue
        code = block.code if block.shown else re.sub(r"repetitions=\d+", "repetitions=1", block.code)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, name, "exec"), names)
        if block.shown:
            assert_same_output(block.shown, out.getvalue())


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_commands_run_and_print_what_is_shown(name, folder, capsys):
    for command in commands_of(BY_NAME[name]):
        words = shlex.split(command.line)
        if why_not(command):
            assert_can_be_parsed(words)
        elif words[0] == "cp":
            shutil.copy(ROOT / words[1], folder / words[2])
        else:
            assert_runs(words, command.shown, capsys)


def why_not(command: Command) -> str:
    """Return why a command is not run here; empty for one that is."""
    return next((reason for start, reason in TOO_LONG.items() if command.line.startswith(start)), "")


def assert_runs(words: list[str], shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command and hold its output against the one that is shown, if any."""
    assert words[0] == "dpcp"
    more = CONFIRMED.get(words[1], []) if shown else CONFIRMED.get(words[1], SELDOM.get(words[1], []))
    code = run([*words[1:], *more])
    out, err = capsys.readouterr()
    assert code == 0, f"{shlex.join(words)}: {err}"
    if shown:
        assert_same_output(shown, out)


def assert_can_be_parsed(words: list[str]) -> None:
    """Check names and options of a command without running it."""
    if words[0] == "python":
        options = [word for word in words[2:] if word.startswith("--")]
        read = "".join((ROOT / file).read_text(encoding="utf-8") for file in (words[1], "benchmarks/common.py"))
        assert [option for option in options if f'"{option}"' not in read] == []
        return
    # All options are looked at before help is shown.
    assert run([*words[1:], "--help"]) == 0


def test_every_reason_not_to_run_a_command_is_one_of_a_command_that_is_there():
    lines = [command.line for guide in GUIDES for command in commands_of(guide)]
    assert [start for start in TOO_LONG if not any(line.startswith(start) for line in lines)] == []


def test_a_wrong_option_or_a_wrong_number_is_found():
    with pytest.raises(AssertionError):
        assert_can_be_parsed(["dpcp", "audit", "--efort", "long"])
    assert_same_output("a table\n  width  31.8 mm\n...\nend\n", "a table\n  width  31.9 mm\nmuch more\nend\n")
    for wrong in ("a table\n  width  35.8 mm\n...\nend\n", "a table\n  height  31.8 mm\n...\nend\n"):
        with pytest.raises(AssertionError):
            assert_same_output(wrong, "a table\n  width  31.9 mm\nmuch more\nend\n")


def test_shape_forgives_wording_but_not_structure():
    shown = "For about 9 in 10 people like these\nit holds.\n\n  coverage  91.8 %\n"
    assert_same_output(shown, "It holds for about 9 of 10 people here.\n  coverage  92 %\n")
    for other in ("  coverage  92 %\n", "It holds.\n  width  92 %\n", "It holds.\n  coverage  92 mmHg\n"):
        with pytest.raises(AssertionError):
            assert_same_output(shown, other)


@pytest.mark.parametrize("name", BY_NAME)
def test_toml_that_is_shown_is_a_schema(name):
    for block in blocks_of(BY_NAME[name]):
        if block.language == "toml" and set(tomllib.loads(block.code)) != {"one_row_is"}:
            assert Schema.from_toml(block.code).incomplete == ()


@pytest.mark.parametrize("name", BY_NAME)
def test_links_inside_the_project_lead_somewhere(name):
    guide = BY_NAME[name]
    for link in re.findall(r"\]\(([^)\s]+)\)", guide.read_text(encoding="utf-8")):
        if link.startswith(("http", "mailto:")):
            continue
        file, _, heading = link.partition("#")
        target = (guide.parent / file).resolve() if file else guide
        assert target.exists(), link
        if heading:
            assert heading in anchors(target), link


def test_files_that_are_named_exist():
    folders = ("benchmarks", "docs", "dpcp_core", "pages", "sample_data", "tests")
    ours = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    tails = {tail for path in ours for tail in _tails(name_of(path))}
    pattern = r"[\w./-]+\.py|[a-z]\w+/[\w./-]+"
    for name, guide in BY_NAME.items():
        named = [code.rstrip("/") for code in inline_code(guide) if re.fullmatch(pattern, code)]
        of_ours = [code for code in named if code.endswith(".py") or code.partition("/")[0] in tails]
        # What a command writes, or a bundle holds, lies in no folder of ours.
        assert [code for code in of_ours if code not in tails | {"predict.py", "tables/cells.csv"}] == [], name


def _tails(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def test_options_that_are_named_exist():
    known = {"--head", "--pull", "--help"}  # of ray and docker, and of everything
    for command in _commands(get_command(commands)):
        known |= {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.py"))
    known |= set(re.findall(r'"(--[a-z-]+)"', scripts))
    for name, guide in BY_NAME.items():
        named = {option for code in inline_code(guide) for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", code)}
        assert named <= known, name


def _commands(command: Any) -> list[Any]:
    below = getattr(command, "commands", {}).values()
    return [command, *(each for child in below for each in _commands(child))]


@pytest.mark.parametrize("name", ["docs/demo.md", "docs/teaching.md"])
def test_links_into_the_app_name_pages_settings_and_samples_that_exist(name):
    links = [urlsplit(code) for code in inline_code(BY_NAME[name]) if re.match(r"/\w+($|\?)", code)]
    assert len(links) > 5
    for link in links:
        assert (ROOT / "pages" / f"{link.path.strip('/')}.py").exists()
        for key, value in parse_qsl(link.query):
            assert key in IN_LINKS
            assert key != state.SOURCE or value in {sample.title for sample in SAMPLES}
            assert key != budget_tabs.TAB or value in budget_tabs.QUESTIONS
            assert key != LESSON or value in {lesson.short for lesson in LESSONS.values()}


def test_controls_that_the_demonstration_names_are_on_the_pages():
    rooms = (ROOT / "pages", ROOT / "dpcp_core" / "presentation" / "wording")
    said = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    named = re.findall(r"\*\*(.+?)\*\*", BY_NAME["docs/demo.md"].read_text(encoding="utf-8"))
    assert len(named) > 5
    assert [control for control in named if f'"{control}"' not in said] == []


def test_make_targets_that_are_named_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    code = "\n".join(
        [*(block.code for guide in GUIDES for block in blocks_of(guide)), *(c for g in GUIDES for c in inline_code(g))]
    )
    named = set(re.findall(r"\bmake ([a-z]+)\b", code))
    assert {"app", "test"} <= named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, flags=re.MULTILINE)] == []
