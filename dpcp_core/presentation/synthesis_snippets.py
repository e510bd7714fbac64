"""A synthesis as code that repeats it: Python, and one command line.

>>> from dpcp_core.data.samples import load_sample
>>> from dpcp_core.synthesis.settings import SynthesisSettings
>>> made = Repeated(load_sample("diabetes"), SynthesisSettings(rules=("age >= 30",)), ("logistic",))
>>> print(synthesis_python(made))
from dpcp_core import SynthesisSettings, load_sample, simulate_synthesis
<BLANKLINE>
data = load_sample("diabetes")
settings = SynthesisSettings(
    epsilon=1.0,
    delta=1e-05,
    attributes="marginals",
    task_model="mlp",
    labels="argmax",
    rules=("age >= 30",),
    seed=0,
)
result = simulate_synthesis(data, settings, models=("logistic",))
print(result.summary())
result.table.to_csv("synthetic.csv", index=False)
>>> print(synthesis_command(made))
dpcp synthesize sample:diabetes --rule 'age >= 30' --evaluate --models logistic
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcp_core.errors import InputError
from dpcp_core.presentation.snippets import (
    as_path,
    call_lines,
    is_plain_sample,
    literal,
    option_words,
    reader,
    reading,
    schema_file_name,
    schema_lines,
    source_word,
)

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.synthesis.result import SynthesisResult
    from dpcp_core.synthesis.settings import SynthesisSettings

_ALWAYS = ("epsilon", "delta", "attributes", "task_model", "labels", "seed")
_RENAMED = {"n_rows": "rows"}


@dataclass(frozen=True, eq=False)
class Repeated:
    """What a run was made of.

    Attributes
    ----------
    data : Dataset
    settings : SynthesisSettings
    models, rivals : tuple of str
        What was trained, and what it was compared with.
    repetitions : int
    public : Dataset or None
        The public table, where columns were made from one.
    """

    data: Dataset
    settings: SynthesisSettings
    models: tuple[str, ...]
    rivals: tuple[str, ...] = ()
    repetitions: int = 1
    public: Dataset | None = None

    @classmethod
    def of(cls, result: SynthesisResult, data: Dataset, public: Dataset | None = None) -> Repeated:
        """Return what repeats a result."""
        rivals = tuple(rival.name for rival in result.rivals)
        return cls(data, result.settings, result.model_names, rivals, result.repetitions, public)


def synthesis_python(made: Repeated) -> str:
    """Return Python that repeats a run, exactly; it holds no row of a table, but all of its schema."""
    schema = schema_lines(made.data)
    names = {"SynthesisSettings", "simulate_synthesis", reader(made.data)}
    names |= ({"Schema"} if schema else set()) | ({"read_csv"} if made.public is not None else set())
    more: dict[str, Any] = {"models": made.models}
    more |= {"rivals": made.rivals} if made.rivals else {}
    more |= {"repetitions": made.repetitions} if made.repetitions > 1 else {}
    told = [f"{name}={literal(_with_texts(value))}" for name, value in more.items()]
    public = [] if made.public is None else [f"public = read_csv({literal(_file(made.public))}).frame"]
    told += ["public=public"] if public else []
    return "\n".join(
        [
            f"from dpcp_core import {', '.join(sorted(names))}",
            "",
            *schema,
            f"data = {reading(made.data, bool(schema))}",
            *public,
            call_lines("settings = SynthesisSettings", _chosen(made.settings, always=_ALWAYS)),
            f"result = simulate_synthesis(data, settings, {', '.join(told)})",
            "print(result.summary())",
            'result.table.to_csv("synthetic.csv", index=False)',
        ]
    )


def synthesis_command(made: Repeated) -> str:
    """Return the command that repeats the measurement of a run.

    Raises
    ------
    InputError
        A group of columns whose names a command cannot hold.
    """
    words = ["dpcp", "synthesize", source_word(made.data)]
    if not is_plain_sample(made.data):
        words += ["--schema", as_path(schema_file_name(made.data))]
    if made.public is not None:
        words += ["--public", as_path(_file(made.public))]
    for name, value in _chosen(made.settings).items():
        words += _options(name, value)
    words += ["--evaluate", "--models", ",".join(made.models)]
    words += ["--rivals", ",".join(made.rivals)] if made.rivals else []
    words += ["--repetitions", str(made.repetitions)] if made.repetitions > 1 else []
    return shlex.join(words)


def _chosen(settings: SynthesisSettings, always: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the settings that are not at their default, and those that a run is about."""
    defaults = type(settings)()
    values = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}
    chosen = {name: v for name, v in values.items() if name in always or v != getattr(defaults, name)}
    return {name: _with_texts(value) for name, value in chosen.items()} if always else chosen


def _with_texts(value: Any) -> Any:
    """Return a tuple of values so that its texts are written in double quotes, as all others are."""
    return _Tuple(value) if isinstance(value, tuple) else value


class _Tuple(tuple[Any, ...]):
    def __repr__(self) -> str:
        parts = ", ".join(literal(_with_texts(part)) for part in self)
        return f"({parts}{',' if len(self) == 1 else ''})"


def _options(name: str, value: Any) -> Iterator[str]:
    match name:
        case "rules":
            for rule in value:
                yield from option_words("rule", rule if isinstance(rule, str) else " ".join(map(str, rule)))
        case "groups":
            for group in value:
                if any("+" in column for column in group):
                    raise InputError(
                        f"The group {', '.join(group)} cannot be written as a command: a name holds a plus."
                    )
                yield from option_words("groups", "+".join(group))
        case "randomised_response" | "bins" if isinstance(value, tuple):
            for column, number in value:
                yield from option_words(name, f"{column}={number:.12g}")
        case _:
            yield from option_words(_RENAMED.get(name, name), value)


def _file(public: Dataset) -> str:
    return public.report.source or public.name or "public.csv"
