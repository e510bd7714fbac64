"""What the README shows is what happens: its Python and its commands run, and their output has the shape shown."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from dpcp_core import ConformalSettings, Schema, load_sample, simulate
from dpcp_core.cli.entry import run

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LEFT_OUT = "..."
# Numbers differ between machines, and sentences are worded elsewhere; what stands where does not change by itself.
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?(e-?\d+)?")
WORDS_OF_PROSE = 6


def blocks(language: str) -> list[tuple[str, str]]:
    """Return the README's blocks of one language, each with the text block that follows it at once, if any."""
    found = re.findall(rf"```{language}\n(.*?)```\n(?:\n```text\n(.*?)```)?", README, flags=re.DOTALL)
    assert found, f"the README has no {language} block"
    return found


def shape(text: str) -> str:
    """Return what stands where: headings, labels and units as they are, ``#`` for numbers, ``¶`` for sentences."""
    kinds: list[str] = []
    inside = False
    for line in map(str.strip, text.splitlines()):
        if not line:
            inside = False
            continue
        prose = inside or line.endswith(".") or len(re.findall(r"[A-Za-z]{2,}", line)) >= WORDS_OF_PROSE
        inside = prose and not line.endswith(".")
        kinds.append("¶" if prose else " ".join(NUMBER.sub("#", line).split()))
    return re.sub(r"¶(\n¶)+", "¶", "\n".join(kinds))


def assert_same_shape(shown: str, printed: str) -> None:
    """Check that the output has the shape shown; ``...`` alone on a line stands for anything."""
    parts = re.split(rf"^{re.escape(LEFT_OUT)}$", shown, flags=re.MULTILINE)
    pattern = ".*".join(re.escape(shape(part)) for part in parts)
    assert re.fullmatch(pattern, shape(printed), flags=re.DOTALL), (
        f"the README shows:\n{shape(shown)}\nbut it prints:\n{shape(printed)}"
    )


def test_shape_forgives_numbers_and_wording_but_not_structure():
    shown = "For about 9 in 10 people like these\nit holds.\n\n  coverage  91.8 %\n"
    assert_same_shape(shown, "For about 92 in 100 of all the people it holds.\n  coverage  92 %\n")
    for other in ("  coverage  92 %\n", "It holds.\n  width  92 %\n", "It holds.\n  coverage  92 mmHg\n"):
        with pytest.raises(AssertionError):
            assert_same_shape(shown, other)


def test_python_examples_run_and_print_what_is_shown():
    names: dict[str, object] = {}
    for code, shown in blocks("python"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "README.md", "exec"), names)
        assert_same_shape(shown, out.getvalue())
        assert numbers(shown) == pytest.approx(numbers(out.getvalue()), rel=0.02)


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in order."""
    return [float(found.group().replace(",", "")) for found in NUMBER.finditer(text)]


ROWS_OF_WHAT_TO_EXPECT = {
    "`pscp`": {"method": "pscp"},
    "`dpcp_paper`": {"method": "dpcp_paper"},
    '`dpcp`, `stability="profile"`': {"stability": "profile"},
    "`dpcp` as it is by default": {},
    '`dpcp`, `stability="split"`': {"stability": "split"},
}


def test_what_to_expect_is_what_is_measured():
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8").partition("## What to expect")[2]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    assert [row[0] for row in rows] == list(ROWS_OF_WHAT_TO_EXPECT)
    data = load_sample("blood_pressure")
    for name, *cells in rows:
        for epsilon, cell in zip(head[1:], cells, strict=True):
            settings = ConformalSettings(epsilon=float(epsilon), repetitions=20, **ROWS_OF_WHAT_TO_EXPECT[name])
            assert float(cell) == pytest.approx(simulate(data, settings).width_ratio, rel=0.02), f"{name} at {epsilon}"


def commands() -> list[tuple[str, str]]:
    """Return the commands in the README's console blocks with the output shown below each."""
    parts = [part for block, _ in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    return [tuple(part.split("\n", 1)) for part in parts if part]


@pytest.mark.parametrize(("line", "shown"), commands())
def test_commands_run_and_print_what_is_shown(line, shown, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = shlex.split(line)
    assert words[0] == "dpcp"
    assert shown.strip(), "show what it prints"
    code = run(words[1:])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert_same_shape(shown, out)


def test_schema_example_is_a_schema():
    for text, _ in blocks("toml"):
        assert Schema.from_toml(text).incomplete == ()


def test_make_targets_that_are_named_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {target for path in GUIDES for target in re.findall(r"\bmake ([a-z]+)\b", _code(path))}
    assert {"app", "test"} <= named
    assert all(re.search(rf"^{target}:", makefile, flags=re.MULTILINE) for target in named)


def _code(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, flags=re.DOTALL))


@pytest.mark.parametrize("path", [str(path.relative_to(ROOT)) for path in GUIDES])
def test_links_inside_the_project_lead_somewhere(path):
    guide = ROOT / path
    for link in re.findall(r"\]\(([^)\s]+)\)", guide.read_text(encoding="utf-8")):
        if link.startswith(("http", "mailto:")):
            continue
        file, _, heading = link.partition("#")
        target = (guide.parent / file).resolve() if file else guide
        assert target.exists(), link
        if heading:
            assert heading in anchors(target), link


def anchors(guide: Path) -> set[str]:
    """Return the anchors that headings of a Markdown file get."""
    headings = re.findall(r"^#+ (.+)$", guide.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_version_in_the_changelog_is_the_library_s():
    import dpcp_core

    assert f"\n## {dpcp_core.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_constraints_pin_every_dependency_without_places_or_build_tags():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    names = {re.match(r"[A-Za-z0-9._-]+", text).group().lower().replace("_", "-") for text in wanted}
    assert names <= set(pins)
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in pins.values())
