"""How training went: loss, clipped rows and the length of gradients, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from dpcp_core.errors import InputError
from dpcp_core.presentation.figures.axes import window
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, theme_of, wrapped
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.titles import training_sentence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dpcp_core.experiments.result import SimulationResult
    from dpcp_core.training.protocol import TrainingTrace

NOT_PRIVATE = "Not private: for simulations only"

_DOMAINS = ([0.72, 1.0], [0.36, 0.64], [0.0, 0.28])


def training(result: SimulationResult, *, dark: bool = False) -> Picture:
    """Draw the course of training in the first repetition.

    Parameters
    ----------
    result
        A finished simulation with a trace.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per recorded step.

    Raises
    ------
    InputError
        Training was not recorded: the model is found in one go, or without noise.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    trace = result.trace
    if trace is None or not len(trace.step):
        raise InputError("There is no course of training to draw: this model is not found step by step with noise.")
    theme, panels = theme_of(dark), _panels(trace)
    traces = [_line(number, trace, values, theme) for number, (_, values, _) in enumerate(panels, 1)]
    layout = base_layout(
        theme, height=440, showlegend=False, margin={"l": 8, "r": 16, "t": 12, "b": 8, "pad": 4}, **_axes(trace, theme)
    )
    title = training_sentence(trace)
    return Picture(figure_of(traces, layout), title, _alt(trace, title), _table(trace))


def _panels(trace: TrainingTrace) -> list[tuple[str, NDArray[np.float64], tuple[float, float]]]:
    """Return title, values and range of each panel, from the top."""
    return [
        ("Mean loss", trace.loss, _around(trace.loss)),
        ("Rows clipped", 100 * trace.clipped_share, (-2.0, 102.0)),
        ("Gradient length", trace.gradient_norm, _around(trace.gradient_norm)),
    ]


def _around(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return a window from zero, in coarse steps, so that it stays still while a slider moves a little."""
    top = float(np.nanmax(values))
    return window(min(0.0, float(np.nanmin(values))), top, min(0.0, float(np.nanmin(values)) * 2), 2 * top or 1.0)


def _axes(trace: TrainingTrace, theme: Theme) -> dict[str, Any]:
    last = float(trace.step[-1])
    steps = {"range": [1 - 0.02 * last, 1.02 * last], "showgrid": False}
    axes: dict[str, Any] = {}
    for number, ((title, _, (low, high)), domain) in enumerate(zip(_panels(trace), _DOMAINS, strict=True), 1):
        suffix = "" if number == 1 else str(number)
        bottom = number == len(_DOMAINS)
        axes[f"xaxis{suffix}"] = axis(
            theme,
            f"Step of training ({NOT_PRIVATE[0].lower()}{NOT_PRIVATE[1:]})" if bottom else "",
            anchor=f"y{suffix}",
            showticklabels=bottom,
            nticks=6,
            **steps,
        )
        axes[f"yaxis{suffix}"] = axis(
            theme,
            wrapped(title, 14),
            range=[low, high],
            domain=domain,
            anchor=f"x{suffix}",
            nticks=4,
            ticksuffix=f"{say.NARROW}%" if title == "Rows clipped" else "",
        )
    return axes


def _line(number: int, trace: TrainingTrace, values: NDArray[np.float64], theme: Theme) -> dict[str, Any]:
    suffix = "" if number == 1 else str(number)
    unit = f"{say.NARROW}%" if number == 2 else ""
    return {
        "type": "scatter",
        "mode": "lines+markers" if len(trace.step) < 20 else "lines",
        "x": trace.step,
        "y": values,
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
        "line": {"color": theme.result, "width": 2},
        "hovertext": [
            f"step {say.whole(float(step))}: {say.number(float(value), 3)}{unit}"
            for step, value in zip(trace.step, values, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _alt(trace: TrainingTrace, title: str) -> str:
    return (
        f"{title}. The middle length of a row's gradient before clipping went from "
        f"{say.number(float(trace.gradient_norm[0]), 3)} to {say.number(float(trace.gradient_norm[-1]), 3)}. "
        f"{NOT_PRIVATE}."
    )


def _table(trace: TrainingTrace) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "step": trace.step,
            "loss": trace.loss,
            "clipped_share": trace.clipped_share,
            "gradient_length": trace.gradient_norm,
        }
    )
