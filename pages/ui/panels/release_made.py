"""What was released in this session: promise, cost, what remains, the bundle, its receipt, and how to use it."""

from __future__ import annotations

import streamlit as st

from dpcp_core.errors import InputError
from dpcp_core.presentation.wording import release as words
from dpcp_core.privacy.ledger import Account
from pages.ui import release_ledger
from pages.ui.panels.release_run import Made, made_so_far
from pages.ui.text import escaped, narrow


def bundle_name(made: Made) -> str:
    """Return the name of a bundle's file, which says nothing of the table."""
    return f"{'synthetic-' if made.asked.kind == 'table' else ''}bundle-{made.released.release[:6]}.zip"


def show_made() -> None:
    """Draw the releases of this session, the newest first."""
    if not made_so_far():
        return
    st.header(words.MADE, anchor=False)
    for made in reversed(made_so_far()):
        with st.container(border=True):
            _show(made)


def _show(made: Made) -> None:
    asked, released = made.asked, made.released
    said = words.made_words(asked.title, asked.table, released.receipt.total, _account(made))
    st.markdown(f":material/check_circle: **{escaped(said)}**")
    st.markdown(escaped(released.promise))
    if released.warning:
        st.warning(escaped(released.warning))
    st.download_button(
        "Download the bundle (ZIP)",
        released.bundle,
        bundle_name(made),
        "application/zip",
        key=f"download_{released.release}",
        on_click="ignore",
        type="primary",
        icon=":material/download:",
    )
    st.caption(words.REHEARSED if asked.is_rehearsal else words.KEEP_IT)
    _receipt(made)
    _how_to_use(made)


def _account(made: Made) -> Account | None:
    try:
        return release_ledger.account_after(made.asked.ledger, made.asked.rows)
    except InputError:
        # The bundle must stay at hand, whatever became of the ledger.
        return None


def _receipt(made: Made) -> None:
    key = f"fold_receipt_{made.released.release}"
    fold = st.expander("Receipt and checksum", key=key, on_change="rerun", icon=":material/receipt_long:")
    if fold.open:
        text = narrow(made.released.receipt.to_text())
        fold.code(f"{text}\n\nSHA-256 {made.released.digest}", language=None, wrap_lines=True)


def _how_to_use(made: Made) -> None:
    key = f"fold_use_{made.released.release}"
    fold = st.expander("How to use it", key=key, on_change="rerun", icon=":material/terminal:")
    if not fold.open:
        return
    if made.asked.kind == "table":
        fold.markdown(words.USE_TABLE)
        return
    fold.markdown(words.USE_INTERVALS)
    fold.code(words.INTERVALS_COMMANDS.format(bundle_name(made)), language="bash", wrap_lines=True)
