"""How size falls with epsilon, the goal across it, and every epsilon that was looked at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.presentation.figures.axes import nice_step, outward
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import Theme, axis, base_layout, figure_of, plotly_text, theme_of
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.goal import goal_alt, goal_headline
from dpcp_core.presentation.wording.regions import size_words

if TYPE_CHECKING:
    from dpcp_core.experiments.goal.answer import GoalAnswer
    from dpcp_core.experiments.goal.look import Look

_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_GOALS = 2.0
"""Sizes above so many times the goal are drawn at the upper edge."""


def goal(answer: GoalAnswer, *, noun: str = "row", dark: bool = False) -> Picture:
    """Draw mean size over the epsilons that were looked at, the goal as a line, and the answer.

    Parameters
    ----------
    answer
        Of :func:`dpcp_core.experiments.goal.find_epsilon`.
    noun
        What one row stands for.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per epsilon looked at.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme, looks = theme_of(dark), _shown(answer)
    low, high = _size_range(answer, looks)
    layout = base_layout(
        theme,
        height=360,
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 12, "b": 8, "pad": 0},
        xaxis=axis(theme, "Privacy budget ε (log scale)", showgrid=False, **_budgets(answer, looks)),
        yaxis=axis(theme, plotly_text(_title(answer)), range=[low, high], nticks=6),
        shapes=[*_band(answer, theme), _level(answer.goal.most, theme.ink, "dot"), *_without_privacy(answer, theme)],
        annotations=_labels(answer, theme),
    )
    traces = [*([_line(answer, looks, high, theme)] if looks else []), *_answer(answer, high, theme)]
    return Picture(figure_of(traces, layout), goal_headline(answer), goal_alt(answer, noun), _table(answer))


def is_cut(answer: GoalAnswer) -> bool:
    """Whether a size lies above the picture and is drawn as a triangle at its edge."""
    looks = _shown(answer)
    return any(look.size_mean > _size_range(answer, looks)[1] for look in looks)


def _shown(answer: GoalAnswer) -> list[Look]:
    """Return the looks at the answer's share of the budget, by epsilon."""
    same = [look for look in answer.looks if look.training_share == answer.training_share and not look.problem]
    return sorted(same, key=lambda look: look.epsilon)


def _title(answer: GoalAnswer) -> str:
    if answer.task == "classification":
        return "Mean classes in a set"
    return say.axis("Mean width", answer.target.unit)


def _budgets(answer: GoalAnswer, looks: list[Look]) -> dict[str, Any]:
    told = [look.epsilon for look in looks] or [0.1]
    low, high = min(told), max([*told, answer.largest_epsilon])
    ticks = [tick for tick in _TICKS if low * 0.9 <= tick <= high * 1.1]
    return {
        "range": [math.log10(low) - 0.08, math.log10(high) + 0.08],
        "tickvals": [math.log10(tick) for tick in ticks],
        "ticktext": [f"{tick:g}" for tick in ticks],
    }


def _size_range(answer: GoalAnswer, looks: list[Look]) -> tuple[float, float]:
    """Return a range that holds the goal and what is without privacy, and of the looks what is not far above both."""
    least = min([answer.goal.most, *_reference(answer), *(look.size_mean for look in looks)])
    near = max([answer.goal.most, *_reference(answer)])
    most = max([near, *(min(look.size_interval[1], _MOST_GOALS * near) for look in looks)])
    room = 0.08 * (most - least) or 0.1 * most or 1.0
    low, high = outward(max(least - room, 0.0), most + room, nice_step((most - least + 2 * room) / 10))
    return low, high


def _reference(answer: GoalAnswer) -> list[float]:
    return [answer.reference_size] if math.isfinite(answer.reference_size) else []


def _line(answer: GoalAnswer, looks: list[Look], high: float, theme: Theme) -> dict[str, Any]:
    """Return what was measured, with its 95 % intervals; what is above the picture is a triangle at its edge."""
    sizes = [min(look.size_mean, high) for look in looks]
    inside = [look.size_mean <= high for look in looks]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [math.log10(look.epsilon) for look in looks],
        "y": sizes,
        "line": {"color": theme.result, "width": 2},
        "marker": {
            "color": theme.result, "size": [7 if within else 10 for within in inside],
            "symbol": ["circle" if within else "triangle-up" for within in inside],
        },
        "error_y": {
            "type": "data", "symmetric": False, "color": theme.result, "thickness": 1.5, "width": 3,
            "array": [max(min(look.size_interval[1], high) - size, 0) for look, size in zip(looks, sizes, strict=True)],
            "arrayminus": [
                max(size - min(look.size_interval[0], high), 0) for look, size in zip(looks, sizes, strict=True)
            ],
        },
        "hovertext": [plotly_text(_look_words(answer, look)) for look in looks],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }  # fmt: skip


def _look_words(answer: GoalAnswer, look: Look) -> str:
    size = size_words(answer.target, answer.task, look.size_mean)
    return f"ε = {say.short(look.epsilon, 3)}: {size}, coverage {say.percent(look.coverage_mean)}"


def _answer(answer: GoalAnswer, high: float, theme: Theme) -> list[dict[str, Any]]:
    if answer.epsilon is None or answer.best is None:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [math.log10(answer.epsilon)],
            "y": [min(answer.best.size_mean, high)],
            "marker": {
                "symbol": "diamond", "size": 17, "color": theme.miss, "line": {"color": theme.paper, "width": 2},
            },
            "hovertext": [plotly_text(f"{goal_headline(answer)}; {_look_words(answer, answer.best)}")],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "cliponaxis": False,
        }
    ]  # fmt: skip


def _band(answer: GoalAnswer, theme: Theme) -> list[dict[str, Any]]:
    """Shade where the least epsilon that does may lie."""
    if answer.low is None or answer.high is None or answer.low >= answer.high:
        return []
    return [
        {
            "type": "rect", "xref": "x", "yref": "paper", "x0": math.log10(answer.low), "x1": math.log10(answer.high),
            "y0": 0, "y1": 1, "fillcolor": theme.miss_band, "opacity": 0.45, "line": {"width": 0}, "layer": "below",
        }
    ]  # fmt: skip


def _level(size: float, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": size, "y1": size,
        "line": {"color": colour, "width": 2, "dash": dash}, "layer": "below",
    }  # fmt: skip


def _without_privacy(answer: GoalAnswer, theme: Theme) -> list[dict[str, Any]]:
    return [_level(size, theme.reference, "dash") for size in _reference(answer)]


def _labels(answer: GoalAnswer, theme: Theme) -> list[dict[str, Any]]:
    """Name both lines: the goal at its right end, the other at its left one, where the curve is far above."""
    goal_at, others = answer.goal.most, _reference(answer)
    text = f"goal {size_words(answer.target, answer.task, goal_at, 2)}"
    labels = [_label(text, goal_at, theme.ink, right=True, above=not others or goal_at >= others[0])]
    for size in others:
        text = f"without privacy {size_words(answer.target, answer.task, size)}"
        labels.append(_label(text, size, theme.reference, right=False, above=size > goal_at))
    return labels


def _label(text: str, at: float, colour: str, *, right: bool, above: bool) -> dict[str, Any]:
    return {
        "xref": "paper", "yref": "y", "x": 1 if right else 0.01, "y": at, "xanchor": "right" if right else "left",
        "yanchor": "bottom" if above else "top", "text": plotly_text(text), "showarrow": False,
        "font": {"size": 14, "color": colour},
    }  # fmt: skip


def _table(answer: GoalAnswer) -> pd.DataFrame:
    size = "set_size" if answer.task == "classification" else "width"
    columns = [
        "epsilon", "training_share", size, f"{size}_low", f"{size}_high", "coverage", "coverage_low", "coverage_high",
        "repetitions", "meets_goal",
    ]  # fmt: skip
    rows = [
        (
            look.epsilon, look.training_share, look.size_mean, *look.size_interval, look.coverage_mean,
            *look.coverage_interval, look.n_repetitions, look.meets,
        )
        for look in answer.looks
        if not look.problem
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)
