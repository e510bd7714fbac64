"""A run as code that repeats it: Python, and one command line.

>>> from dpcp_core.experiments.settings import ConformalSettings
>>> from dpcp_core.data.samples import load_sample
>>> print(python_snippet(ConformalSettings(epsilon=0.5), load_sample("blood_pressure")))
from dpcp_core import ConformalSettings, load_sample, simulate
<BLANKLINE>
data = load_sample("blood_pressure")
settings = ConformalSettings(method="dpcp", epsilon=0.5, delta=1e-05, confidence_level=0.9, repetitions=20, seed=0)
result = simulate(data, settings)
print(result.summary())
>>> print(command_line(ConformalSettings(epsilon=0.5), load_sample("blood_pressure")))
dpcp simulate sample:blood_pressure --epsilon 0.5 --repetitions 20
"""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.data.schema import Schema
    from dpcp_core.experiments.settings import ConformalSettings

ALWAYS = ("method", "epsilon", "delta", "confidence_level", "repetitions", "seed")
"""Settings that a snippet names even where they are at their default: they are what a run is about."""

LINE = 120
"""Where a line of the snippet is broken."""

_ENDINGS = re.compile(r"(?i)(\.(csv|tsv|txt|tab|dat))?(\.gz)?$")


def python_snippet(settings: ConformalSettings, data: Dataset) -> str:
    """Return Python that repeats a run, exactly.

    Parameters
    ----------
    settings
        The run's settings.
    data
        The run's table. A sample is loaded by name; another table is read from the file it came from,
        under the schema it has now, which is written out.

    Returns
    -------
    str
        Runnable code; it holds no row of the table, but all of its schema if that is not a sample's own.
    """
    schema = schema_lines(data)
    names = ["ConformalSettings", *(["Schema"] if schema else []), reader(data), "simulate"]
    lines = [
        f"from dpcp_core import {', '.join(sorted(names))}",
        "",
        *schema,
        f"data = {reading(data, bool(schema))}",
        call_lines("settings = ConformalSettings", _choices(settings)),
        "result = simulate(data, settings)",
        "print(result.summary())",
    ]
    return "\n".join(lines)


def command_line(settings: ConformalSettings, data: Dataset, schema_file: str = "") -> str:
    """Return the command that repeats a run.

    Every setting has an option of its name; only coverage is told as the miss rate, ``--alpha``.

    Parameters
    ----------
    settings
        The run's settings.
    data
        The run's table.
    schema_file
        Where its schema lies; for a sample with its own schema not needed, for another table derived from
        the table's name if empty.
    """
    words = ["dpcp", "simulate", source_word(data)]
    if not is_plain_sample(data):
        words += ["--schema", as_path(schema_file or schema_file_name(data))]
    words += [word for name, value in _chosen(settings).items() for word in option_words(name, value)]
    words += ["--repetitions", str(settings.repetitions)]
    return shlex.join(words)


def _chosen(settings: ConformalSettings) -> dict[str, Any]:
    """Return the settings that are not at the command line's own default, the miss rate in place of coverage."""
    defaults = type(settings)()
    names = [field.name for field in dataclasses.fields(settings) if field.name != "repetitions"]
    chosen = {name: getattr(settings, name) for name in names if getattr(settings, name) != getattr(defaults, name)}
    if chosen.pop("confidence_level", None) is not None:
        chosen["alpha"] = settings.alpha
    return chosen


def option_words(name: str, value: object) -> list[str]:
    """Return an option of a command and its value; the option alone where it is a switch."""
    option = f"--{name.replace('_', '-')}"
    return [option] if value is True else [option, _number(value)]


def schema_file_name(data: Dataset) -> str:
    """Return what the file with a table's schema is called, in commands as in downloads: ``abalone.toml``."""
    from dpcp_core.data.samples import SAMPLES

    is_sample = data.name in {sample.name for sample in SAMPLES}
    name = data.name if is_sample else _ENDINGS.sub("", PurePath(_file(data)).name)
    return f"{name or 'schema'}.toml"


def as_path(name: str) -> str:
    """Return a file's name so that no command takes it for an option."""
    return f"./{name}" if name.startswith("-") else name


def _number(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _choices(settings: ConformalSettings) -> dict[str, Any]:
    defaults = type(settings)()
    fields = [field.name for field in dataclasses.fields(settings)]
    chosen = {name: getattr(settings, name) for name in fields}
    return {n: value for n, value in chosen.items() if n in ALWAYS or value != getattr(defaults, n)}


def call_lines(start: str, arguments: dict[str, Any]) -> str:
    """Return a call, one argument a line where it is long."""
    written = [f"{name}={literal(value)}" for name, value in arguments.items()]
    one_line = f"{start}({', '.join(written)})"
    if len(one_line) <= LINE:
        return one_line
    return "\n".join([f"{start}(", *(f"    {argument}," for argument in written), ")"])


def literal(value: object) -> str:
    """Return a value as Python writes it, text in double quotes."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return repr(value)


def _sample(data: Dataset) -> Dataset | None:
    """Return the sample that this table's rows come from, if any."""
    from dpcp_core.data.samples import SAMPLES, load_sample

    if data.name not in {sample.name for sample in SAMPLES}:
        return None
    sample = load_sample(data.name)
    try:
        described_alike = sample.with_schema(data.schema)
    except InputError:  # somebody's own table of the same name
        return None
    return sample if described_alike.digest == data.digest else None


def is_plain_sample(data: Dataset) -> bool:
    """Whether a table is a sample with its own schema."""
    sample = _sample(data)
    return sample is not None and sample.digest == data.digest


def reader(data: Dataset) -> str:
    """Return the function that reads a table."""
    return "read_csv" if _sample(data) is None else "load_sample"


def reading(data: Dataset, with_schema: bool) -> str:
    """Return the call that reads a table, under ``schema`` where that is written out."""
    if _sample(data) is not None:
        changed = ".with_schema(schema)" if with_schema else ""
        return f"load_sample({literal(data.name)}){changed}"
    return f"read_csv({literal(_file(data))}, schema=schema)"


def _file(data: Dataset) -> str:
    name = data.report.source or data.name or "data"
    return name if PurePath(name).suffix else f"{name}.csv"


def source_word(data: Dataset) -> str:
    """Return what a command is told to read."""
    return as_path(_file(data)) if _sample(data) is None else f"sample:{data.name}"


def schema_lines(data: Dataset) -> list[str]:
    """Return the schema as code; nothing for a sample with its own."""
    return [] if is_plain_sample(data) else [f"schema = Schema.from_toml({_text_block(data.schema)})"]


def _text_block(schema: Schema) -> str:
    """Write a schema's TOML as a literal: raw and readable where that is possible, escaped where not."""
    text = schema.to_toml().strip()
    if '"""' not in text:
        return f'r"""\n{text}\n"""' if "\\" in text else f'"""\n{text}\n"""'
    return repr(text)
