"""Rows that cannot be: public rules, written or put together, and how many rows each of them dropped."""

from __future__ import annotations

import streamlit as st

from dpcp_core.data.column import Column
from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.synthesis import SynthesisResult
from dpcp_core.presentation.wording.synthesis_page import (
    CONTROLS,
    RULES_SENTENCE,
    dropped_sentence,
    example_rule,
    rule_text,
)
from pages.ui import state
from pages.ui.layout import halves
from pages.ui.synthesis_controls import rules_key
from pages.ui.text import escaped

_SIGNS = (">=", "<=", ">", "<", "==", "!=")
_OF_CATEGORIES = ("!=", "==")


def show_rules(data: Dataset, result: SynthesisResult | None) -> None:
    """Draw the editor, and what the rules in use did to the table on screen."""
    st.markdown("**Rows that cannot be**")
    left, right = halves()
    with left:
        words = CONTROLS["rules"]
        st.text_area(
            words.label,
            key=rules_key(data),
            placeholder=f"such as {example_rule(data.schema)}",
            height=104,
            persist_state="session",
            help=words.help,
        )
    with right:
        _put_together(data)
    if result is not None:
        _dropped(result)
    else:
        st.caption(RULES_SENTENCE)


def _put_together(data: Dataset) -> None:
    """Let a rule be chosen part by part."""
    columns = {column.name: column for column in data.schema.columns if column.role != "ignore" and column.is_complete}
    if not columns:
        return
    of = rules_key(data)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Column", list(columns), format_func=lambda each: columns[each].title, key=f"{of}_column", width=190
        )
        column = columns[name]
        signs = _SIGNS if column.is_numeric else _OF_CATEGORIES
        sign = st.selectbox("must be", signs, key=f"{of}_sign_{column.is_numeric}", width=100)
        value = _value(column, f"{of}_value_{name}")
        st.button(
            "Add", key=f"{of}_add", icon=":material/add:", on_click=_add, args=(of, rule_text(column, sign, value))
        )


def _value(column: Column, key: str) -> str:
    if not column.is_numeric:
        return str(st.selectbox("value", column.categories, key=key, width=150))
    low = (column.bounds or (0.0, 1.0))[0]
    whole = column.kind == "integer"
    first, step = (round(low), 1) if whole else (float(low), None)
    typed = st.number_input("value", value=first, step=step, key=key, width=150)
    return f"{typed:d}" if whole else f"{typed:.12g}"


def _add(key: str, rule: str) -> None:
    text = str(st.session_state.get(key, "")).rstrip()
    state.put({key: f"{text}\n{rule}".lstrip()})


def _dropped(result: SynthesisResult) -> None:
    report = result.report
    said = dropped_sentence(report.n_drawn, report.dropped_by, report.n_dropped)
    st.caption(escaped(said or RULES_SENTENCE))
    if len(report.dropped_by) > 1:
        st.markdown("\n".join(f"- {escaped(rule)}: {broken:,} rows" for rule, broken in report.dropped_by))
