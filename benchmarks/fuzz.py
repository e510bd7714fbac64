"""Damaged files for some minutes: each ends in an answer or in one sentence, soon and within bounds of memory.

`csv` damages tables, `bundle` what a release wrote: half of them as it lies on the disk, half inside, with checksums
that fit again. What is read is used as well. A file that breaks a rule is kept in the folder `--keep`.
"""

from __future__ import annotations

import io
import random
import re
import signal
import sys
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from common import parser, table_text, verdicts, write_json
from memory import peak_mb

MOST_SECONDS, MOST_MB, LARGEST = 10.0, 300.0, 60_000
PIECES: Sequence[bytes] = (
    *(b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b'"', b'""', b"'", b" ", b"\x00", b"\\", b"=", b"#", b"%", b"$"),
    *(b"\xa0", b"\xc3\xa9", b"\xe9", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\x85", b"\x1a", b"\x1f\x8b"),
    *(b"NA", b"?", b"inf", b"nan", b"None", b"1,234", b"1.234", b"007", b"1e5", b"1e999", b"-0", b"9" * 20, b"(3)"),
    *(b"Total", b"Source: x", b"sep=;", b"2010", b"20240101", b"true", b"ja", b'="1"', b"[", b"{", b"<", b"-", b"5-"),
    *(b"[]", b"{}", b"null", b"PK\x03\x04"),
)  # fmt: skip
TABLES: Sequence[bytes] = (
    b"id;name;dose\n" + b"".join(b"%d;Zo\xc3\xab %d;%d,5\n" % (i, i, i) for i in range(30)) + b"\nSource: ward\n",
    b"age,sex,cost\n" + b"".join(b'%d,%s,"$1,%03d.50"\n' % (i + 20, b"mf"[i % 2 :][:1], i) for i in range(30)),
    b"Ward 7\n\nPatient,,Pressure,\nid,age,high,low\n" + b"".join(b"%d,%d,%d,?\n" % (i, i, i) for i in range(20)),
    b"sector\tn\tv\n" + b"".join(b"s%d\t%d\t1.%03d\n" % (i, i, i) for i in range(12)) + b"Total\t66\t12.066\n",
)


@dataclass
class Found:
    """What became of the files so far."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    most_mb: float = 0.0

    @property
    def row(self) -> dict[str, object]:
        """The outcomes as a row of a table."""
        counts = {name: self.outcomes[name] for name in ("answered", "refused")}
        broken = sum(self.faults.values())
        return {"files": sum(self.outcomes.values()), **counts, "broken": broken} | {
            "slowest s": self.slowest,
            "most MB in one": self.most_mb,
        }


class TooLong(BaseException):
    """Raised by the alarm clock; no reader of ours catches it."""


def damaged(data: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """Return the bytes with one to six wounds, mostly few."""
    held = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        place, length = draw.randrange(len(held) + 1), draw.choice((0, 1, 1, 2, 8, 40, 400))
        kind = draw.randrange(7)
        if kind == 0 and place < len(held):
            held[place] = draw.randrange(256)
        elif kind == 1:
            held[place : place + length] = draw.choice(PIECES)
        elif kind == 2:
            held[place : place + length] = draw.randbytes(draw.randint(0, 4))
        elif kind == 3:
            held[place:place] = held[place : place + length] * draw.choice((1, 2, 30))
        elif kind == 4:
            other = draw.choice(others)
            begins = draw.randrange(len(other) + 1)
            held[place : place + length] = other[begins : begins + draw.choice((3, 30, 300))]
        elif kind == 5:
            del held[draw.choice((place, len(held) // 2)) :]
        else:
            old, new = draw.choice(PIECES), draw.choice(PIECES)
            held = held.replace(old, new, draw.choice((1, 5, -1)))
    return bytes(held[:LARGEST])


def table(draw: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a damaged table."""
    data = draw.choice(seeds)
    if draw.random() < 0.1:
        data = data.decode("utf-8", "replace").encode(
            draw.choice(("utf-16", "utf-16-le", "utf-32", "cp1252")), "replace"
        )
    return damaged(data, seeds, draw)


def use_table(data: bytes) -> None:
    """Read a table, describe it, and read the description again."""
    from dpcp_core import InputError, Schema, read_csv

    read = read_csv(data, max_bytes=64 << 20)
    told = [*read.report.notes, read.schema.to_toml()]
    assert read.n_rows > 0
    assert all(map(str.strip, told))
    assert Schema.from_toml(read.schema.to_toml()) == read.schema
    filled = read.schema.filled_from(read.frame)
    filled.check(read.frame)
    with suppress(InputError):
        filled.with_target(filled.names[-1]).filled_from(read.frame)


@cache
def released(name: str) -> tuple[bytes, Any]:
    """Return a bundle of a sample, and rows for it."""
    from dpcp_core import load_sample
    from dpcp_core.conformal.choices import ConformalChoices
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.privacy.budget import PrivacyBudget
    from dpcp_core.privacy.ledger import Ledger
    from dpcp_core.release import plan_intervals, release

    whole = load_sample(name)
    data = Dataset.from_frame(whole.frame.head(300), whole.schema, name=name)
    choices = ConformalChoices(epsilon=5.0)
    ledger = Ledger("sqlite://")
    ledger.set_budget(data.rows_digest, PrivacyBudget(100.0, 0.1), composition="basic")
    return release(plan_intervals(data, choices, data.schema.to_toml()), ledger).bundle, data.frame.head(5)


def bundle(draw: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a damaged bundle: the file itself, or a part of it under checksums that fit."""
    from dpcp_core.release.archive import SUMS, packed

    whole = draw.choice(seeds)
    if draw.random() < 0.5:
        return damaged(whole, seeds, draw)
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name != SUMS}
    names = draw.sample(sorted(files), draw.choice((1, 1, 1, 2)))
    for name in names:
        change = numbers_changed if name.endswith((".json", ".toml")) and draw.random() < 0.5 else damaged
        files[name] = change(files[name], [*files.values()], draw)
    return packed(files)


def numbers_changed(data: bytes, _: Sequence[bytes], draw: random.Random) -> bytes:
    """Return a text with one of its numbers, words or lists changed for something of another kind."""
    values = [*re.finditer(rb'-?\d[\d.e+-]*|true|false|null|"[^"\n]*"|\[[^\[\]]*\]', data)]
    if not values:
        return data
    place = draw.choice(values)
    new = (
        b"0",
        b"-1",
        b"1e308",
        b"-1e308",
        b"NaN",
        b"Infinity",
        b"null",
        b"[]",
        b"{}",
        b'""',
        b'"x"',
        b"true",
        b"1" + b"0" * 400,
    )
    return data[: place.start()] + draw.choice((*new, draw.choice(values)[0])) + data[place.end() :]


def use_bundle(data: bytes) -> None:
    """Open a bundle and predict the rows of both samples."""
    from dpcp_core import InputError
    from dpcp_core.release import open_bundle

    opened = open_bundle(data)
    for name in SAMPLES:
        with suppress(InputError):
            opened.predict(released(name)[1])


SAMPLES = ("blood_pressure", "readmission")


def once(data: bytes, use: Callable[[bytes], None], found: Found) -> str:
    """Use one file; return what rule it broke, or ""."""
    from dpcp_core import InputError

    before, begun = peak_mb(), time.process_time()
    # By the processor's clock: what else runs on the machine does not count.
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    fault, outcome = "", "answered"
    try:
        use(data)
    except InputError as refusal:
        outcome = "refused"
        fault = "" if str(refusal).endswith(".") and "\n" not in str(refusal) else "a refusal that is no sentence"
    except TooLong:
        fault = f"longer than {MOST_SECONDS:g} s"
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        fault = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    found.slowest = max(found.slowest, time.process_time() - begun)
    grown = peak_mb() - before
    found.most_mb = max(found.most_mb, grown)
    found.outcomes["broken" if fault else outcome] += 1
    return fault or (f"more than {MOST_MB:g} MB" if grown > MOST_MB else "")


def fuzzed(what: str, minutes: float, seed: int, seeds: Sequence[bytes], keep: Path | None) -> Found:
    """Use damaged files until the time is over."""
    make, use = {"csv": (table, use_table), "bundle": (bundle, use_bundle)}[what]
    draw, found, ends = random.Random(seed), Found(), time.monotonic() + 60 * minutes
    for data in seeds:
        once(data, use, Found())  # what loads only now is not the first file's growth
    while time.monotonic() < ends:
        data = make(draw, seeds)
        fault = once(data, use, found)
        if fault:
            found.faults[fault] += 1
            if keep is not None and found.faults[fault] <= 3:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{what}-{len(found.faults)}-{found.faults[fault]}").write_bytes(data)
    return found


def seeds_of(what: str, folder: Path | None) -> list[bytes]:
    """Return the files to damage: the real ones too where there are any."""
    if what == "bundle":
        return [released(name)[0] for name in SAMPLES]
    real = sorted((folder / "messy").glob("*.csv")) if folder is not None else []
    return [*TABLES, *(path.read_bytes()[:20_000] for path in real)]


def rung(*_: object) -> None:
    raise TooLong


def main() -> int:
    options = parser(__doc__ or "")
    options.add_argument("--what", choices=("csv", "bundle"), default="csv")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=Path, metavar="FOLDER", help="takes the files that break a rule")
    choice = options.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, rung)
    found = fuzzed(choice.what, choice.minutes, choice.seed, seeds_of(choice.what, choice.data), choice.keep)
    print(table_text([{"what": choice.what, **found.row}]))
    if found.faults:
        print("\n" + table_text([{"fault": fault, "files": count} for fault, count in found.faults.most_common()]))
    met = verdicts({"every file ends in an answer or in one sentence, soon, within bounds of memory": not found.faults})
    write_json(choice.json, "fuzz", what=choice.what, found=found.row, faults=dict(found.faults), met=met)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
