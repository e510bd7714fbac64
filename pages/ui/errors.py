"""What a person sees when something cannot be done: one plain sentence, never a traceback."""

from __future__ import annotations

import logging
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpcp_core.errors import InputError, PrivacyLeakWarning
from dpcp_core.presentation.wording import page as words
from dpcp_core.presentation.wording.on_page import on_page

_log = logging.getLogger("dpcp.app")


def sentence(problem: BaseException, doing: str) -> str:
    """Return one plain sentence about a problem; a fault of ours is logged by place and type.

    Parameters
    ----------
    problem : BaseException
        What was raised; the message of an ``InputError`` is shown in the words of a page.
    doing : str
        What was tried, as it fits after "while", e.g. ``"reading the file"``.

    Notes
    -----
    The message of an unexpected error can hold cells of a person's table, so neither the screen nor the
    log gets it: only the type and the line.
    """
    if isinstance(problem, InputError):
        return on_page(str(problem))
    where = traceback.extract_tb(problem.__traceback__)[-1]
    _log.error("%s while %s, at %s:%s", type(problem).__name__, doing, where.filename, where.lineno)
    return words.FAILED.format(doing, type(problem).__name__)


@contextmanager
def guarded(doing: str) -> Iterator[None]:
    """Show a sentence in place of whatever the block could not draw."""
    try:
        yield
    except Exception as problem:  # a page must never show a traceback
        st.warning(sentence(problem, doing), icon=":material/build:")


@contextmanager
def without_leak_warnings() -> Iterator[None]:
    """Keep warnings of leaks out of the log: receipts list each of them, and pages show the receipts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        yield
