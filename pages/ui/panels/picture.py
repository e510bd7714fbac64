"""A picture with its sentence above and the same numbers as a small table, and as files where they are wanted."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcp_core.data.spreadsheet import csv_text, harmless
from dpcp_core.presentation.figures import PLOTLY_CONFIG, Picture
from dpcp_core.presentation.figures.picture import picture_config
from dpcp_core.presentation.wording.compare import KEEP_TABLE
from pages.ui.text import escaped


def is_dark() -> bool:
    """Whether the page has dark paper."""
    return st.context.theme.type == "dark"


def show_picture(
    picture: Picture, key: str, *, title: str | None = None, height: int | None = None, png: str = "", csv: str = ""
) -> None:
    """Draw a picture, its sentence above, its table folded below.

    Parameters
    ----------
    picture : Picture
    key : str
        Of the picture; its parts have keys that end in it.
    title : str, optional
        In place of the picture's own; "" for none.
    height : int, optional
        In pixels, in place of the figure's own.
    png, csv : str
        Names of files to save picture and table as, that of the picture without its ending; "" offers none.
    """
    if words := picture.title if title is None else title:
        st.markdown(f"**{escaped(words)}**")
    st.plotly_chart(
        picture.figure,
        theme=None,
        height=height or "content",
        key=f"chart_{key}",
        config=picture_config(png) if png else PLOTLY_CONFIG,
        alt=picture.alt,
    )
    with st.container(horizontal=True, vertical_alignment="top"):
        fold = st.expander(
            "The same as a table", key=f"fold_table_{key}", on_change="rerun", type="compact", width="stretch"
        )
        if csv:
            _offer_table(picture, key, csv)
    if fold.open:
        show_table(fold, picture.table, f"table_{key}", picture.alt, tallest=240)


def show_table(place: Any, frame: Any, key: str, alt: str, tallest: int = 460) -> None:
    """Show a table with short numbers, no taller than its rows need."""
    short = {name: st.column_config.NumberColumn(format="%.4g") for name in frame.select_dtypes("float")}
    # Streamlit offers every table as CSV as well.
    place.dataframe(
        harmless(frame),
        hide_index=True,
        height=min(38 + 35 * len(frame), tallest),
        column_config=short,
        key=key,
        alt=alt,
    )


def _offer_table(picture: Picture, key: str, file_name: str) -> None:
    st.download_button(
        "CSV",
        lambda: csv_text(picture.table),
        file_name,
        "text/csv",
        key=f"download_{key}",
        on_click="ignore",
        icon=":material/download:",
        help=KEEP_TABLE,
    )
