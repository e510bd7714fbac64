"""Pictures for paper: dots of one person and the hundred dots of privacy as plain SVG, from the same numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from dpcp_core.presentation.figures.axes import nice_step
from dpcp_core.presentation.figures.class_dots import dot_places, shown_classes
from dpcp_core.presentation.figures.dots import COLUMNS, stacked, window
from dpcp_core.presentation.figures.hundred import BEFORE, after_dots
from dpcp_core.presentation.figures.theme import LIGHT
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.odds import BEFORE_WORDS, after_words
from dpcp_core.presentation.wording.patient import amount
from dpcp_core.presentation.wording.plain import axis_title

if TYPE_CHECKING:
    from dpcp_core.experiments.person import ClassAnswer, NumberAnswer, PersonModel

_WIDTH, _LEFT = 700.0, 20.0
_ROW, _BASE = 15.0, 150.0
_TICKS = 8
_LONGEST = 30


def dots_svg(model: PersonModel, told: NumberAnswer, threshold: float) -> str:
    """Return the fifty dots over their interval; squares lie above the threshold."""
    start, end = window(model, told)
    scale = (_WIDTH - 2 * _LEFT) / (end - start)

    def at(value: float) -> float:
        return _LEFT + scale * (value - start)

    parts = [_axis(model, start, end, scale)]
    if told.dots is not None:
        x, level = stacked(told.dots, (end - start) / COLUMNS, start)
        step = min(_ROW, (_BASE - 24) / max(level.max(), 1))
        for place, value in enumerate(told.dots):
            parts.append(_dot(at(x[place]), _BASE - step * (level[place] - 0.5), 0.42 * step, above=value > threshold))
    low, high = at(told.lower), at(told.upper)
    parts.append(f'<rect x="{low:.1f}" y="158" width="{high - low:.1f}" height="14" rx="2" fill="{LIGHT.band}"/>')
    parts.append(_diamond(at(told.predicted)))
    if told.truth is not None:
        parts.append(_cross(at(told.truth), 165.0, held=bool(told.covered)))
    if start <= threshold <= end:
        parts.append(_limit(at(threshold), amount(threshold, model.result.target)))
    parts.append(_text(_WIDTH / 2, 218, axis_title(model.result.target), "middle", LIGHT.muted))
    return _svg(parts, 222)


def class_svg(told: ClassAnswer) -> str:
    """Return a row of dots for each class; filled where the set holds it."""
    parts, codes = [], shown_classes(told)
    for row, code in enumerate(codes):
        y = 22.0 + 36.0 * row
        parts.append(_text(_LEFT + 190, y + 5, shortened(told.classes[code], _LONGEST), "end", LIGHT.ink))
        if told.truth == code:
            parts.append(_cross(_LEFT + 204, y, held=bool(told.covered)))
        for x, lift in dot_places(int(told.dots[code])):
            parts.append(_ring(_LEFT + 222 + 18 * x, y + 44 * lift, 6.2, filled=bool(told.members[code])))
    return _svg(parts, 20 + 36 * len(codes))


def hundred_svg(epsilon: float) -> str:
    """Return two grids of a hundred dots: before, and after, at most."""
    grids = ((0.0, BEFORE, BEFORE_WORDS), (170.0, after_dots(epsilon), after_words(epsilon)))
    parts = []
    for left, filled, words in grids:
        parts.append(_text(left + 4, 12, words, "start", LIGHT.ink))
        for i in range(100):
            parts.append(_ring(left + 10 + 13 * (i % 10), 26 + 13 * (i // 10), 4.4, filled=i < filled))
    return _svg(parts, 154, 372)


def _svg(parts: Iterable[str], height: float, width: float = _WIDTH) -> str:
    return f'<svg viewBox="0 0 {width:g} {height:g}" aria-hidden="true">{"".join(parts)}</svg>'


def _text(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="13" fill="{colour}">{escape(words)}</text>'


def _axis(model: PersonModel, start: float, end: float, scale: float) -> str:
    step, ticks = nice_step((end - start) / _TICKS), []
    value = step * -(-start // step)
    while value <= end + 1e-9 * step:
        x, words = _LEFT + scale * (value - start), amount(value, model.result.target).partition("\u00a0")[0]
        ticks.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="24" y2="180" stroke="{LIGHT.grid}"/>')
        ticks.append(_text(x, 196, words.rstrip("%\u202f"), "middle", LIGHT.muted))
        value += step
    return "".join(ticks)


def _dot(x: float, y: float, radius: float, *, above: bool) -> str:
    if not above:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{LIGHT.result}"/>'
    side = 1.8 * radius
    return (
        f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.1f}" height="{side:.1f}" '
        f'fill="{LIGHT.miss}" stroke="{LIGHT.miss_edge}"/>'
    )


def _ring(x: float, y: float, radius: float, *, filled: bool) -> str:
    surface = LIGHT.result if filled else "none"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{surface}" stroke="{LIGHT.result}"/>'


def _diamond(x: float) -> str:
    return f'<path d="M {x:.1f} 157 l 7 8 l -7 8 l -7 -8 z" fill="{LIGHT.ink}"/>'


def _cross(x: float, y: float, *, held: bool) -> str:
    colour = LIGHT.result if held else LIGHT.miss_edge
    return f'<path d="M {x - 5:.1f} {y - 5:.1f} l 10 10 m 0 -10 l -10 10" stroke="{colour}" stroke-width="3"/>'


def _limit(x: float, words: str) -> str:
    line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="18" y2="178" stroke="{LIGHT.ink}" stroke-dasharray="6 4"/>'
    return line + _text(x, 13, words, "middle", LIGHT.ink)
