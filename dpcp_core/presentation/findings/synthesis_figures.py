"""A page of figures for each table: accuracy over epsilon, accuracy against time, and the share of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import pandas as pd

from dpcp_core.evaluation.utility import DOWNSTREAM
from dpcp_core.experiments.reproduce_synthesis.evidence import Group, TableCells
from dpcp_core.experiments.reproduce_synthesis.measurement import Measurement
from dpcp_core.experiments.reproduce_synthesis.methods import METHODS
from dpcp_core.experiments.reproduce_synthesis.plan import USUAL_EPSILON
from dpcp_core.presentation.figures.picture import Picture, picture_config
from dpcp_core.presentation.figures.theme import LIGHT, axis, base_layout, figure_of, legend_above, plotly_text
from dpcp_core.presentation.html_parts import document, picture_section
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.compare import KEEP
from dpcp_core.presentation.wording.plain import SIMULATION

_SYMBOLS = ("square", "circle", "circle-open", "diamond", "x-thin-open", "cross-thin-open", "star", "triangle-up",
            "triangle-down")  # fmt: skip
_SHOWN = ("svm", "mlp")
REAL, GUESS = "real rows", "most frequent class"


def synthesis_figures(run: TableCells) -> str:
    """Return the figures of one table as one page that opens anywhere."""
    title = f"{run.title}: what synthetic tables are worth"
    parts = [f"<h1>{escape(title)}</h1>", f'<p><span class="badge">{escape(SIMULATION)}.</span> {escape(KEEP)}</p>']
    for place, (name, picture) in enumerate(_pictures(run)):
        # The plotly library goes in once, with the first picture.
        parts.append(picture_section(picture, with_library=place == 0, config=picture_config(f"{run.name}-{name}")))
    return document(title, "\n".join(parts))


def _pictures(run: TableCells) -> Iterator[tuple[str, Picture]]:
    for model in _SHOWN:
        yield f"accuracy-{model}", accuracy_over_epsilon(run, model)
    if any(run.group(name, USUAL_EPSILON).has_tables for name in run.methods):
        yield "time", accuracy_over_time(run, _SHOWN[-1])
    yield "labels", labels_over_epsilon(run)


def accuracy_over_epsilon(run: TableCells, model: str) -> Picture:
    """Draw the accuracy of one model on held-out rows, a line for each table that it was trained on."""
    table = _by_epsilon(run, "accuracy", _accuracy(model, "on_synthetic"))
    first = _first(run)
    table = _with(table, REAL, "accuracy", first, _accuracy(model, "on_real"), run.epsilons)
    table = _with(table, GUESS, "accuracy", first, lambda one: one.guess.accuracy if one.guess else 0.0, run.epsilons)
    title = f"Accuracy of a {DOWNSTREAM[model].titled(2)} trained on each table"
    return _lines(table, "accuracy", title)


def labels_over_epsilon(run: TableCells) -> Picture:
    """Draw the share of the labels that F1 is about, a line for each method."""
    table = _by_epsilon(run, "share", lambda one: one.label_rate)
    table = _with(table, REAL, "share", _first(run), lambda one: one.real_label_rate, run.epsilons)
    return _lines(table, "share", f"Share of “{run.positive}” among the labels")


def accuracy_over_time(run: TableCells, model: str) -> Picture:
    """Draw accuracy against the time that a table takes, a mark for each method; up and left is better."""
    groups = {name: run.group(name, USUAL_EPSILON) for name in run.methods}
    rows = [
        {
            "method": METHODS[name].title,
            "seconds": float(group.seconds().mean()),
            "accuracy": float(group.values(_accuracy(model, "on_synthetic")).mean()),
        }
        for name, group in groups.items()
        if group.has_tables
    ]
    table = pd.DataFrame(rows)
    traces = [
        _trace(line["method"], [line["seconds"]], [100 * line["accuracy"]], "markers")
        for line in table.to_dict("records")
    ]
    layout = base_layout(
        LIGHT, height=420, margin={"l": 8, "r": 12, "t": 90, "b": 8, "pad": 0}, legend=legend_above(LIGHT),
        xaxis=axis(LIGHT, "seconds from the rows to the table (log scale)", type="log"),
        yaxis=axis(LIGHT, "accuracy, %"),
    )  # fmt: skip
    title = f"Accuracy of a {DOWNSTREAM[model].titled(2)} and time, epsilon {say.short(USUAL_EPSILON)}"
    said = "; ".join(
        f"{line['method']} {say.percent(line['accuracy'])} in {say.number(line['seconds'])} s"
        for line in table.to_dict("records")
    )
    return Picture(figure_of(traces, layout), f"{title} (up and left is better)", f"{title}: {said}.", table)


def _lines(table: pd.DataFrame, value: str, title: str) -> Picture:
    traces = [
        _trace(str(name), part["epsilon"].tolist(), (100 * part[value]).tolist(), "lines+markers")
        for name, part in table.groupby("method", sort=False)
    ]
    layout = base_layout(
        LIGHT, height=440, margin={"l": 8, "r": 12, "t": 110, "b": 8, "pad": 0}, legend=legend_above(LIGHT),
        xaxis=axis(LIGHT, "epsilon (log scale)", type="log", tickvals=sorted(set(table["epsilon"])),
                   ticktext=[say.short(epsilon) for epsilon in sorted(set(table["epsilon"]))]),
        yaxis=axis(LIGHT, f"{value}, %"),
    )  # fmt: skip
    last = table[table["epsilon"] == table["epsilon"].max()]
    said = "; ".join(f"{line['method']} {say.percent(line[value])}" for line in last.to_dict("records"))
    alt = f"{title}, at epsilon {say.short(float(table['epsilon'].max()))}: {said}."
    return Picture(figure_of(traces, layout), title, alt, table)


def _trace(title: str, x: list[float], y: list[float], mode: str) -> dict[str, Any]:
    titles = [method.title for method in METHODS.values()]
    place = titles.index(title) if title in titles else -1
    is_line = place < 0
    colours = {"shuffle": LIGHT.miss_text, "marginals": LIGHT.result, "sample": LIGHT.result, "tree": LIGHT.result}
    colour = LIGHT.reference if is_line else colours.get(list(METHODS)[place], LIGHT.muted)
    return {
        "type": "scatter",
        "mode": "lines" if is_line and len(x) > 1 else mode,
        "name": plotly_text(title),
        "x": x,
        "y": y,
        "line": {"color": colour, "width": 2, "dash": {REAL: "dash", GUESS: "dot"}.get(title, "solid")},
        "marker": {
            "symbol": "line-ew-open" if is_line else _SYMBOLS[place % len(_SYMBOLS)], "size": 11, "color": colour,
            "line": {"color": colour, "width": 2},
        },
        "hovertemplate": "%{x:.3g}: %{y:.1f} %<extra>%{fullData.name}</extra>",
    }  # fmt: skip


def _by_epsilon(run: TableCells, value: str, of: Callable[[Measurement], float]) -> pd.DataFrame:
    groups = [(name, epsilon, run.group(name, epsilon)) for name in run.methods for epsilon in run.epsilons]
    rows = [
        {"method": METHODS[name].title, "epsilon": epsilon, **_spread(group, value, of)}
        for name, epsilon, group in groups
        if group.has_tables
    ]
    return pd.DataFrame(rows, columns=["method", "epsilon", value, f"{value}_sd"])


def _with(
    table: pd.DataFrame,
    name: str,
    value: str,
    group: Group,
    of: Callable[[Measurement], float],
    epsilons: tuple[float, ...],
) -> pd.DataFrame:
    """Return the table with lines that no budget changes."""
    if not group.has_tables:
        return table
    rows = [{"method": name, "epsilon": epsilon, **_spread(group, value, of)} for epsilon in epsilons]
    return pd.concat([table, pd.DataFrame(rows)], ignore_index=True)


def _spread(group: Group, value: str, of: Callable[[Measurement], float]) -> dict[str, float]:
    found = group.values(of)
    return {value: float(found.mean()), f"{value}_sd": float(found.std(ddof=1)) if len(found) > 1 else 0.0}


def _first(run: TableCells) -> Group:
    """Return the repetitions of some cell that gave tables."""
    groups = (run.group(name, epsilon) for name in run.methods for epsilon in run.epsilons)
    return next((group for group in groups if group.has_tables), Group(()))


def _accuracy(model: str, where: str) -> Callable[[Measurement], float]:
    def of(found: Measurement) -> float:
        scores = found.model(model)
        return float(getattr(scores, where).accuracy) if scores else float("nan")

    return of
