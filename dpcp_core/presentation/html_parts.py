"""Parts of a page that opens anywhere: one HTML file, pictures included, without any outside request."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Any

import pandas as pd

from dpcp_core.presentation.figures.picture import PLOTLY_CONFIG, Picture
from dpcp_core.presentation.figures.theme import LIGHT

_STYLE = f"""
body {{ font: 16px/1.5 "Source Sans 3", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif;
  color: {LIGHT.ink}; background: {LIGHT.paper}; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin-bottom: .3rem; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .3rem; }}
.badge {{ color: {LIGHT.miss_text}; font-weight: 600; }}
.readouts {{ display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }}
.readout {{ flex: 1 1 15rem; border: 1px solid {LIGHT.grid}; border-radius: .5rem; padding: .8rem 1rem; }}
.readout b {{ display: block; font-size: 1.6rem; font-weight: 600; }}
.muted, summary {{ color: {LIGHT.muted}; }}
table {{ border-collapse: collapse; font-size: .9rem; }}
th, td {{ text-align: right; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid {LIGHT.grid}; }}
th:first-child, td:first-child {{ text-align: left; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; background: {LIGHT.grid}66; padding: 1rem; }}
@media print {{ details {{ display: none; }} .plotly-graph-div, .readout {{ break-inside: avoid; }} }}
"""


def document(title: str, body: str) -> str:
    """Return a whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(title)}</title><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def section(title: str, body: str) -> str:
    """Return a part of the page under its heading."""
    return f"<h2>{escape(title)}</h2>\n{body}"


def paragraph(text: str) -> str:
    """Return a sentence or more."""
    return f"<p>{escape(text)}</p>"


def picture_section(
    picture: Picture, *, with_library: bool, config: Mapping[str, Any] = MappingProxyType(PLOTLY_CONFIG)
) -> str:
    """Return a figure under its sentence, with its alt sentence and its table.

    Parameters
    ----------
    picture
    with_library
        Whether plotly itself goes in; once in a document, with its first picture.
    config
        What to hand to plotly beside the figure.
    """
    drawn = picture.figure.to_html(
        full_html=False, include_plotlyjs=with_library, include_mathjax=False, config=dict(config)
    )
    body = (
        f'<div role="img" aria-label="{escape(picture.alt, quote=True)}">{drawn}</div>'
        f"<details><summary>The same as a table</summary><p>{escape(picture.alt)}</p>"
        f"{table_of(picture.table)}</details>"
    )
    return section(picture.title, body)


def table_of(frame: pd.DataFrame) -> str:
    """Return a table, numbers with four digits."""
    return frame.to_html(index=False, border=0, escape=True, na_rep="", float_format=lambda value: f"{value:.4g}")
