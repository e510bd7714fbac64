"""How does the app bear many visitors at once, each with a table of their own?"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from common import leave, parser, table_text, verdicts, write_json
from visitor import Answer, Visitor

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("", "coverage", "budget", "patient", "learn")
SLIDERS = ("epsilon", "coverage", "share", "bins")
LIMIT_S, MEMORY_SHARE = 1.5, 0.2
_PAUSE_S = (3.0, 8.0)
_ROWS = 600
_PATIENCE_S = 60.0
_SCHEMA = """one_row_is = "one visitor of {marker}"
[age]
kind = "integer"
bounds = [18, 90]
typical = [30, 70]
unit = "years"
label = "Age"
[dose]
kind = "number"
bounds = [0, 10]
typical = [2, 8]
unit = "mg"
label = "Dose"
[{marker}]
kind = "number"
role = "target"
bounds = [0, 300]
typical = [80, 180]
unit = "mmHg"
label = "{marker}"
"""


@dataclass
class Log:
    """What all visitors saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sizes: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    foreign: int = 0
    without_own: int = 0
    answers: int = 0

    def note(self, action: str, answer: Answer, marker: str, *, own: bool = True) -> None:
        """Keep one answer, and count what is wrong with it."""
        self.seconds[action].append(answer.seconds)
        self.sizes[action].append(answer.size)
        self.errors.update(f"{action}: {error}" for error in answer.errors)
        self.foreign += bool(answer.markers - {marker})
        self.without_own += own and marker not in answer.markers
        self.answers += 1


@dataclass(frozen=True)
class Server:
    """A running app; ``process`` is 0 where somebody else runs it."""

    url: str
    process: int

    def memory_mb(self) -> float:
        """Return how much of the server lies in memory."""
        if not self.process:
            return float("nan")
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def processor_seconds(self) -> float:
        """Return how long the processor has worked for the server."""
        if not self.process:
            return float("nan")
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table_of(marker: str, chance: random.Random) -> bytes:
    """Return a small table whose outcome has the marker for its name."""
    lines = [f"age,dose,{marker}"]
    for _ in range(_ROWS):
        age, dose = chance.randint(18, 90), chance.uniform(0, 10)
        lines.append(f"{age},{dose:.2f},{90 + 0.6 * age - 2 * dose + chance.gauss(0, 12):.1f}")
    return "\n".join(lines).encode()


async def bring_a_table(visitor: Visitor, log: Log, chance: random.Random) -> None:
    """Open the first page, upload a table with its schema, and take it into use."""
    log.note("open", await visitor.open(), visitor.marker, own=False)
    schema = _SCHEMA.format(marker=visitor.marker).encode()
    files = {"upload_table": ("mine.csv", table_of(visitor.marker, chance)), "upload_schema": ("mine.toml", schema)}
    log.note("upload", await visitor.upload(files), visitor.marker)
    use = next(key for key in visitor.seen.widgets if key.startswith("schema_use"))
    log.note("use table", await visitor.press(use), visitor.marker)


async def act(visitor: Visitor, log: Log, chance: random.Random) -> None:
    """Move a slider, or go to another page where there is none or it has been seen enough."""
    sliders = [name for name in visitor.seen.widgets if name in SLIDERS and not visitor.seen.widgets[name].disabled]
    if not sliders or chance.random() < 0.2:
        page = chance.choice(PAGES)
        log.note(f"page {page or 'start'}", await visitor.go(page), visitor.marker)
    else:
        name = chance.choice(sliders)
        log.note(f"slider {name}", await visitor.move(name, chance), visitor.marker)


async def visit(url: str, log: Log, number: int, seconds: float, hurry: float) -> None:
    """Come, bring a table, look around for some time at a person's pace, and leave."""
    chance, visitor = random.Random(number), Visitor(url)
    end = time.perf_counter() + seconds
    await asyncio.sleep(chance.uniform(0, min(10.0, seconds / 4)))
    try:
        async with asyncio.timeout(_PATIENCE_S + seconds):
            await bring_a_table(visitor, log, chance)
            while time.perf_counter() < end:
                for answer in await visitor.look(chance.uniform(*_PAUSE_S) / hurry):
                    log.note("refresh", answer, visitor.marker, own=answer.whole)
                await act(visitor, log, chance)
    except Exception as problem:  # whatever ends a visit is what we want to know
        log.errors[f"visit ended: {type(problem).__name__}: {problem}"] += 1
    finally:
        await visitor.close()


async def warm_up(url: str) -> None:
    """See every page and move its sliders, so that what the server loads once is there before memory is measured."""
    log, visitor, chance = Log(), Visitor(url), random.Random(0)
    await bring_a_table(visitor, log, chance)
    for page in PAGES:
        await visitor.go(page)
        for name in SLIDERS:
            if name in visitor.seen.widgets and not visitor.seen.widgets[name].disabled:
                await visitor.move(name, chance)
    await visitor.close()


async def watch(server: Server, peak: list[float]) -> None:
    """Note the largest memory, once a second."""
    while True:
        peak.append(server.memory_mb())
        await asyncio.sleep(1)


async def run(server: Server, choice: argparse.Namespace) -> tuple[Log, dict[str, float]]:
    """Let all visitors come and leave; return what they saw, and what it took."""
    await warm_up(server.url)
    await asyncio.sleep(choice.leave)
    log, peak, begun = Log(), [server.memory_mb()], server.processor_seconds()
    watching = asyncio.create_task(watch(server, peak))
    await asyncio.gather(
        *(visit(server.url, log, number, choice.seconds, choice.hurry) for number in range(choice.visitors))
    )
    worked = server.processor_seconds() - begun
    await asyncio.sleep(choice.leave)
    watching.cancel()
    taken = {"start_mb": peak[0], "peak_mb": max(peak), "left_mb": server.memory_mb(), "processor_s": worked}
    return log, taken


@contextmanager
def serving(url: str) -> Iterator[Server]:
    """Start the app on a free port, or take the one at an address."""
    if url:
        yield Server(url, 0)
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w+") as said:
        # As docs/server.md starts it.
        ledger = {"DPCP_LEDGER_URL": f"sqlite:///{folder}/ledger.sqlite", "MALLOC_ARENA_MAX": "2"}
        with subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said, env=os.environ | ledger) as process:
            try:
                asyncio.run(wait_for(f"http://127.0.0.1:{port}"))
                yield Server(f"http://127.0.0.1:{port}", process.pid)
            finally:
                process.terminate()
                process.wait(20)
                said.seek(0)
                print(_last_lines(said.read()), file=sys.stderr)


def _last_lines(text: str) -> str:
    return "\n".join(line for line in text.splitlines()[-15:] if "URL" not in line and line.strip())


async def wait_for(url: str, seconds: float = 60.0) -> None:
    """Wait until the app answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        visitor = Visitor(url)
        try:
            await visitor.open()
        except OSError:
            await asyncio.sleep(0.3)
        else:
            await visitor.close()
            return
    leave(f"The app at {url} did not answer within {seconds:g} seconds.")


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that at least this share does not exceed."""
    return sorted(values)[max(0, -(-len(values) * round(100 * share) // 100) - 1)] if values else float("nan")


def latencies(log: Log) -> list[dict[str, object]]:
    """Return a line for each action, and one for all sliders."""
    groups = dict(sorted(log.seconds.items()))
    groups["all sliders"] = [each for name, some in log.seconds.items() if name.startswith("slider") for each in some]
    return [
        {
            "action": name,
            "n": len(some),
            **{f"p{share:.0%}".replace("%", ""): round(percentile(some, share), 3) for share in (0.5, 0.9, 0.95)},
            "longest": round(max(some, default=float("nan")), 3),
            "kB": round(sum(log.sizes[name]) / len(log.sizes[name]) / 1024) if log.sizes[name] else "",
        }
        for name, some in groups.items()
    ]


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--visitors", type=int, default=30)
    options.add_argument("--seconds", type=float, default=180.0, help="how long each stays")
    options.add_argument("--leave", type=float, default=150.0, help="seconds to wait after the last has left")
    options.add_argument("--hurry", type=float, default=1.0, help="how many times faster than a person they act")
    options.add_argument("--url", default="", help="an app that runs already; its memory is not measured")
    choice = options.parse_args()
    with serving(choice.url) as server:
        log, taken = asyncio.run(run(server, choice))
    rows = latencies(log)
    print(table_text(rows), "\n")
    print(", ".join(f"{name} {value:.4g}" for name, value in taken.items()))
    load = os.getloadavg()
    print(
        f"{log.answers} answers, processor {taken['processor_s'] / max(log.answers, 1):.3f} s each; load {load[0]:.1f}"
    )
    for error, times in log.errors.most_common(10):
        print(f"{times} x {error}")
    slow = percentile([each for name, some in log.seconds.items() if name.startswith("slider") for each in some], 0.95)
    checks = {
        f"95th percentile of slider to result is {slow:.2f} s, below {LIMIT_S} s": slow < LIMIT_S,
        f"{log.errors.total()} errors": not log.errors,
        f"{log.foreign} of {log.answers} answers held another visitor's marker": not log.foreign,
        f"{log.without_own} answers lacked the visitor's own": not log.without_own,
    }
    if server.process and choice.leave:
        grown = taken["left_mb"] / taken["start_mb"] - 1
        checks[f"memory after all left is {grown:+.0%} of the start, at most {MEMORY_SHARE:.0%}"] = (
            grown <= MEMORY_SHARE
        )
    met = verdicts(checks)
    mixed = {"answers": log.answers, "foreign": log.foreign, "without_own": log.without_own}
    write_json(choice.json, "load", rows=rows, taken=taken, load=load[0], errors=log.errors, markers=mixed, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
