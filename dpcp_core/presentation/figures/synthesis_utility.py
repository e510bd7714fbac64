"""What models reach on held-out rows that learnt from a synthetic table, from real rows, from a rival's table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from dpcp_core.presentation.figures.axes import nice_step
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.figures.theme import (
    TRANSPARENT,
    Theme,
    axis,
    base_layout,
    figure_of,
    plotly_text,
    theme_of,
)
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.synthesis_answer import synthesis_answer
from dpcp_core.presentation.wording.synthesis_measures import MEASURE_TITLES, score_words

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import Measured, SynthesisResult

SYNTHETIC, REAL, OWN = "synthetic table", "real rows", "private model itself"

_ROW, _FRAME = 18, 88
"""Pixels of a bar or of a heading; of what is around them."""


@dataclass(frozen=True)
class _Lane:
    """Bars of one colour: what was learnt from, and what each model made of it."""

    name: str
    colour: str
    scores: dict[str, Callable[[str], Measured]]


def utility(result: SynthesisResult, measure: str, *, dark: bool = False) -> Picture:
    """Draw what each model reached, a bar for each, under what it learnt from; the guess is a dotted line.

    Parameters
    ----------
    result
        With at least one model that was measured.
    measure
        One of ``result.measures``.
    dark
        Colours for dark paper.

    Returns
    -------
    Picture
        The table has one line per bar.

    Privacy
    -------
    Measured on real rows: the curator's view, never part of a release.
    """
    theme = theme_of(dark)
    rows = _rows(_lanes(result, theme))
    values = [row.score(measure) for row in rows if row.score is not None]
    guess = result.majority(measure).mean
    ends = _ends([*(value.mean for value in values), guess], measure)
    bars = [place for place, row in enumerate(rows) if row.score is not None]
    layout = base_layout(
        theme,
        height=_FRAME + _ROW * len(rows),
        showlegend=False,
        margin={"l": 8, "r": 90, "t": 26, "b": 8, "pad": 4},
        xaxis=axis(theme, _axis_title(result, measure), range=list(ends), nticks=6),
        yaxis=axis(
            theme,
            "",
            showgrid=False,
            range=[len(rows) - 0.4, -0.6],
            tickvals=bars,
            ticktext=[plotly_text(_model_title(result, rows[place].model)) for place in bars],
        ),
        shapes=_guess_line(guess, theme),
        annotations=[
            *_headings(rows, theme),
            *_scores_beside(result, measure, bars, values, theme),
            *_guess_label(result, measure, guess, ends, theme),
        ],
    )
    layout["bargap"] = 0.14
    answer = synthesis_answer(result, measure)
    return Picture(
        figure_of([_bars(rows, bars, values, ends[0], theme)], layout),
        _title(measure),
        f"{answer.headline}. {answer.detail}",
        _table(result),
    )


@dataclass(frozen=True)
class _Row:
    """One line of the picture: a heading, which has no score, or a bar."""

    name: str
    colour: str
    model: str = ""
    score: Callable[[str], Measured] | None = None


def _rows(lanes: list[_Lane]) -> list[_Row]:
    rows = []
    for lane in lanes:
        rows.append(_Row(lane.name, lane.colour))
        rows += [_Row(lane.name, lane.colour, model, score) for model, score in lane.scores.items()]
    return rows


def _lanes(result: SynthesisResult, theme: Theme) -> list[_Lane]:
    models = result.models
    lanes = [
        _Lane(SYNTHETIC, theme.result, {m: partial(result.score, m) for m in models}),
        _Lane(REAL, theme.reference, {m: partial(result.score, m, of="real") for m in models}),
    ]
    lanes += [
        _Lane(f"rival: {rival.title}", theme.muted, {m: partial(rival.score, m) for m in models})
        for rival in result.rivals
        if rival.scores
    ]
    return [*lanes, _Lane(OWN, theme.band, {OWN: result.task_model})]


def _model_title(result: SynthesisResult, model: str) -> str:
    return " " if model == OWN else result.model_title(model)


def _bars(rows: list[_Row], bars: list[int], values: list[Measured], low: float, theme: Theme) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "y": bars,
        # What is far below a guess leaves the picture at its edge.
        "x": [max(each.mean, low) if math.isfinite(each.mean) else None for each in values],
        "marker": {"color": [rows[place].colour for place in bars], "line": {"width": 0}},
        "error_x": {
            "type": "data", "visible": any(each.n > 1 for each in values), "array": [each.sd for each in values],
            "color": theme.ink, "thickness": 1.2, "width": 3,
        },
        "hoverinfo": "skip",
    }  # fmt: skip


def _headings(rows: list[_Row], theme: Theme) -> list[dict[str, Any]]:
    return [
        {
            "xref": "paper", "yref": "y", "x": 0, "y": place, "xanchor": "left", "yanchor": "middle",
            "text": f"<b>{plotly_text(row.name)}</b>", "showarrow": False,
            "font": {"size": 13, "color": theme.ink}, "bgcolor": theme.paper,
        }
        for place, row in enumerate(rows)
        if row.score is None
    ]  # fmt: skip


def _scores_beside(
    result: SynthesisResult, measure: str, bars: list[int], values: list[Measured], theme: Theme
) -> list[dict[str, Any]]:
    """Write all scores in a column of their own, where they meet neither bars nor lines."""
    return [
        {
            "xref": "paper", "yref": "y", "x": 1.02, "y": place, "xanchor": "left", "yanchor": "middle",
            "text": plotly_text(score_words(result, measure, value.mean)), "showarrow": False,
            "font": {"size": 13, "color": theme.ink},
        }
        for place, value in zip(bars, values, strict=True)
    ]  # fmt: skip


def _ends(values: list[float], measure: str) -> tuple[float, float]:
    """Return a range that begins at 0, so that bars are as long as what they stand for."""
    known = [value for value in values if math.isfinite(value)]
    if measure == "rmse":
        most = max(known, default=1.0) or 1.0
        step = nice_step(most / 5)
        return 0.0, step * math.ceil(most / step)
    return (max(-0.5, min(0.0, *known)) if measure == "r2" and known else 0.0), 1.0


def _axis_title(result: SynthesisResult, measure: str) -> str:
    unit = result.target.unit if result.target and measure == "rmse" else ""
    return plotly_text(say.axis(f"{MEASURE_TITLES[measure]} on held-out rows", unit))


def _title(measure: str) -> str:
    better = "shorter is better" if measure == "rmse" else "longer is better"
    return f"What models reach that learn from it ({better})"


def _guess_line(guess: float, theme: Theme) -> list[dict[str, Any]]:
    if not math.isfinite(guess):
        return []
    return [
        {
            "type": "line", "xref": "x", "yref": "paper", "x0": guess, "x1": guess, "y0": 0, "y1": 1,
            "line": {"color": theme.ink, "width": 1.5, "dash": "dot"},
        }
    ]  # fmt: skip


def _guess_label(
    result: SynthesisResult, measure: str, guess: float, ends: tuple[float, float], theme: Theme
) -> list[dict[str, Any]]:
    if not math.isfinite(guess):
        return []
    right = guess > sum(ends) / 2
    return [
        {
            "xref": "x", "yref": "paper", "x": guess, "y": 1, "xanchor": "right" if right else "left",
            "yanchor": "bottom", "text": f" guess {plotly_text(score_words(result, measure, guess))} ",
            "showarrow": False, "font": {"size": 13, "color": theme.ink}, "bgcolor": TRANSPARENT,
        }
    ]  # fmt: skip


def _table(result: SynthesisResult) -> pd.DataFrame:
    """Return a line for each bar, all measures beside each other."""
    rows = [
        {
            "learnt_from": REAL if lane.name == OWN else lane.name,
            "model": OWN if model == OWN else _model_title(result, model),
            **{measure: score(measure).mean for measure in result.measures},
            **({f"{measure}_sd": score(measure).sd for measure in result.measures} if len(result.runs) > 1 else {}),
        }
        for lane in _lanes(result, theme_of(False))
        for model, score in lane.scores.items()
    ]
    guess = {measure: result.majority(measure).mean for measure in result.measures}
    return pd.DataFrame([*rows, {"learnt_from": "nothing", "model": "guess", **guess}])
