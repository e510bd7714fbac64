"""Reads the project's Markdown: blocks of code, the commands in them, headings; compares outputs with what is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "benchmarks" / "README.md"]
LEFT_OUT = "..."
# Numbers differ between machines, and sentences are worded elsewhere; what stands where does not change by itself.
NUMBER = re.compile(r"-?(?<![\w.])\d[\d,]*(\.\d+)?(e-?\d+)?")
SECONDS = re.compile(r"\d[\d,.]* s\b")
WORDS_OF_PROSE = 6


@dataclass(frozen=True)
class Block:
    """A block of code, and the output that is shown in the ``text`` block right below it, if any."""

    language: str
    code: str
    shown: str


@dataclass(frozen=True)
class Command:
    """A line of a shell, put together where it goes on in the next, and the output that is shown below it, if any."""

    line: str
    shown: str


def name_of(guide: Path) -> str:
    """Return a guide's path as a person writes it."""
    return str(guide.relative_to(ROOT))


def blocks_of(guide: Path) -> list[Block]:
    """Return the blocks of code of a guide; the language is empty where none is named."""
    pattern = r"^```(\w*)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?"
    found = re.findall(pattern, guide.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [Block(*parts) for parts in found]


def commands_of(guide: Path) -> list[Command]:
    """Return the commands of a guide: behind ``$`` with their output, and lines that begin like a command elsewhere."""
    return [command for block in blocks_of(guide) for command in _commands_in(block)]


def _commands_in(block: Block) -> list[Command]:
    code = re.sub(r"\\\n\s*", "", block.code)
    if block.language == "console":
        parts = [part.partition("\n") for part in re.split(r"^\$ ", code, flags=re.MULTILINE) if part]
        return [Command(" ".join(_uncommented(line)), shown.strip("\n")) for line, _, shown in parts]
    if block.language not in ("", "sh", "bat"):
        return []
    lines = [" ".join(_uncommented(line)) for line in code.splitlines()]
    return [Command(line, "") for line in lines if re.match(r"(dpcp|cp|python benchmarks/\S+) ", line)]


def _uncommented(line: str) -> list[str]:
    """Return the words of a line up to a comment, or up to a wide gap behind which an explanation stands."""
    return re.split(r"\s+#\s|\s{4,}", line.strip())[0].split()


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


def assert_same_output(shown: str, printed: str) -> None:
    """Check that an output has the shape and the numbers shown; ``...`` alone on a line stands for anything."""
    parts = re.split(rf"^{re.escape(LEFT_OUT)}$", shown, flags=re.MULTILINE)
    pattern = ".*".join(re.escape(shape(part)) for part in parts)
    assert re.fullmatch(pattern, shape(printed), flags=re.DOTALL), (
        f"the guide shows:\n{shape(shown)}\nbut what comes is:\n{shape(printed)}"
    )
    rest = numbers(printed)
    for part in parts:
        wanted = numbers(part)
        place = next((at for at in range(len(rest) - len(wanted) + 1) if _close(rest[at:], wanted)), None)
        assert place is not None, f"the guide shows {wanted} in:\n{part}\nbut what comes is:\n{printed}"
        rest = rest[place + len(wanted) :]


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in order, seconds left out."""
    found = NUMBER.finditer(SECONDS.sub("", text))
    return [float(number.group().replace(",", "").rstrip(".")) for number in found]


def _close(found: list[float], wanted: list[float]) -> bool:
    return all(abs(one - other) <= 0.02 * abs(other) for one, other in zip(found, wanted, strict=False))


def anchors(guide: Path) -> set[str]:
    """Return the anchors that headings of a Markdown file get."""
    headings = re.findall(r"^#+ (.+)$", guide.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def inline_code(guide: Path) -> list[str]:
    """Return what stands between backticks in the sentences of a guide."""
    prose = re.sub(r"^```.*?^```", "", guide.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", prose)
