"""A picture with the same numbers as a small table and as a file."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.figures import PLOTLY_CONFIG, Picture
from pages.ui.text import escaped


def is_dark() -> bool:
    """Whether the page has dark paper."""
    return st.context.theme.type == "dark"


def show_picture(picture: Picture, key: str, file_name: str, *, titled: bool = True) -> None:
    """Draw a picture, its sentence above, its table folded below, and the table as a file."""
    if titled:
        st.markdown(f"**{escaped(picture.title)}**")
    height = picture.figure.layout.height
    st.plotly_chart(
        picture.figure, theme=None, height=height, key=f"chart_{key}", config=PLOTLY_CONFIG, alt=picture.alt
    )
    with st.container(horizontal=True, vertical_alignment="top"):
        fold = st.expander(
            "The same as a table", key=f"fold_table_{key}", on_change="rerun", type="compact", width="stretch"
        )
        st.download_button(
            "CSV",
            lambda: picture.table.to_csv(index=False),
            file_name,
            "text/csv",
            key=f"download_{key}",
            on_click="ignore",
            icon=":material/download:",
            help="The table as a file. Where it was measured on real rows, keep it as safe as the table itself.",
        )
    if fold.open:
        short = {name: st.column_config.NumberColumn(format="%.4g") for name in picture.table.select_dtypes("float")}
        fold.dataframe(picture.table, hide_index=True, height=240, column_config=short, alt=picture.alt)
