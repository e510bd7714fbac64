"""Who is it about: a row of a sample that was held out, or values typed into a form made from the schema."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.person import Person, PersonModel, held_out_person, typical_value
from dpcp_core.experiments.person.values import Value
from dpcp_core.presentation.figures.axes import nice_step
from dpcp_core.presentation.wording import patient_page as words
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.presentation.wording.patient import value_words
from dpcp_core.presentation.wording.plain import noun_of
from pages.ui import state
from pages.ui.patient_controls import key
from pages.ui.text import escaped

MOST_ROWS = 100
"""Held-out rows that can be picked."""

FEW_COLUMNS, FIRST_COLUMNS, MOST_COLUMNS = 12, 6, 30
"""Up to so many columns all have a field; of more, these have one at first, and so many can."""

_LARGEST_WHOLE = 2**53 - 1
_SAID = 12


def person(data: Dataset, model: PersonModel) -> Person:
    """Draw the choice of a person, and return the one that is chosen."""
    with st.container(border=True):
        st.markdown(f"**{words.WHO}**")
        if state.is_own():
            st.caption(words.OWN_NOTE)
        elif _source(data) == words.FROM_SAMPLE:
            return _picked(data, model)
        return _typed(data, model)


def columns_of(data: Dataset, schema: Schema) -> tuple[Column, ...]:
    """Return the columns that have a field: all of a few, those that were chosen of many."""
    if len(schema.features) <= FEW_COLUMNS:
        return schema.features
    first = [column.name for column in schema.features[:FIRST_COLUMNS]]
    chosen = st.session_state.get(key(data, "columns"), first)
    return tuple(column for column in schema.features if column.name in chosen)


def _source(data: Dataset) -> str:
    options = (words.FROM_SAMPLE, words.BY_HAND)
    chosen = st.segmented_control(
        words.WHO,
        options,
        default=words.FROM_SAMPLE,
        required=True,
        key=key(data, "source"),
        persist_state="session",
        label_visibility="collapsed",
    )
    return str(chosen)


def _picked(data: Dataset, model: PersonModel) -> Person:
    number, noun, place_key = min(len(model.rows), MOST_ROWS), noun_of(model.result), key(data, "row")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = st.selectbox(
            f"Which {noun}",
            range(number),
            format_func=lambda place: words.row_label(place, noun),
            key=place_key,
            persist_state="session",
            label_visibility="collapsed",
            width="stretch",
        )
        st.button(
            words.ANOTHER, key="patient_another", icon=":material/casino:", on_click=_next, args=(place_key, number)
        )
    chosen = held_out_person(data.frame, model.schema, int(model.rows[place]), int(place))
    st.markdown(f":small[{_listed(chosen, model.schema)}]")
    st.caption(words.ROW_NOTE)
    st.button(
        words.CHANGE,
        key="patient_change",
        icon=":material/edit:",
        on_click=_take_over,
        args=(data, model.schema, chosen),
    )
    return chosen


def _typed(data: Dataset, model: PersonModel) -> Person:
    schema = model.schema
    if len(schema.features) > FEW_COLUMNS:
        _choose_columns(data, schema)
    shown = columns_of(data, schema)
    grid, values = st.grid(3, min_column_width=135, gap="small"), {}
    for column in shown:
        with grid.cell():
            values[column.name] = _field(data, schema, column)
    group = ""
    if schema.group is not None:
        with grid.cell():
            group = _group(data, schema.group, needed=len(model.thresholds) > 1)
    notes = [words.others_note(len(schema.features) - len(shown), public=not schema.from_file), words.FORM_NOTE]
    if any(column.is_numeric and not column.typical for column in schema.features):
        notes.insert(1, words.NO_TYPICAL)
    st.caption(" ".join(note for note in notes if note))
    names = [column.name for column in schema.features]
    st.button(words.RESET, key="patient_reset", icon=":material/undo:", on_click=_reset, args=(data, names))
    return Person(values, group)


def _choose_columns(data: Dataset, schema: Schema) -> None:
    names = [column.name for column in schema.features]
    titles = {column.name: shortened(column.title) for column in schema.features}
    st.multiselect(
        words.COLUMNS_LABEL,
        names,
        names[:FIRST_COLUMNS],
        format_func=titles.__getitem__,
        max_selections=MOST_COLUMNS,
        key=key(data, "columns"),
        persist_state="session",
        help=words.COLUMNS_HELP,
    )


def _field(data: Dataset, schema: Schema, column: Column) -> Value:
    place = field_key(data, schema, column.name)
    if column.is_numeric:
        return _number(column, place)
    options: list[Value] = [*column.categories, *([] if column.missing == "refuse" else [None])]
    chosen: Value = st.selectbox(
        escaped(words.field_label(column)),
        options,
        options.index(typical_value(column)),
        format_func=lambda value: words.NOT_KNOWN if value is None else shortened(value),
        key=place,
        persist_state="session",
    )
    return chosen


def _number(column: Column, place: str) -> Value:
    low, high = column.bounds or column.scale_range
    start, end = column.scale_range
    step, start_value = nice_step((end - start) / 20), typical_value(column)
    as_whole = column.kind == "integer" and max(abs(low), abs(high)) <= _LARGEST_WHOLE
    kind = int if as_whole else float
    # A field without a default can be emptied; what stands there at first comes from the session.
    if column.missing != "refuse" and place not in st.session_state:
        st.session_state[place] = kind(start_value)  # type: ignore[arg-type]
    value = st.number_input(
        escaped(words.field_label(column)),
        kind(low),
        kind(high),
        kind(start_value) if column.missing == "refuse" else None,  # type: ignore[arg-type]
        max(1, round(step)) if as_whole else step,
        None if as_whole else "%.6g",
        key=place,
        persist_state="session",
        placeholder=words.NOT_KNOWN,
        help=escaped(words.field_help(column)),
    )
    return None if value is None else float(value)


def _group(data: Dataset, column: Column, *, needed: bool) -> str:
    options = column.categories if needed else ("", *column.categories)
    chosen = st.selectbox(
        escaped(words.field_label(column)),
        options,
        format_func=lambda name: shortened(name) if name else words.NOT_KNOWN,
        key=key(data, "group_needed" if needed else "group"),
        persist_state="session",
    )
    return str(chosen)


def field_key(data: Dataset, schema: Schema, name: str) -> str:
    """Return the key of a column's field; places and not names, which may be anything."""
    return key(data, f"field_{schema.names.index(name)}")


def _listed(chosen: Person, schema: Schema) -> str:
    parts = [
        f"{escaped(shortened(column.title))} **{escaped(value_words(chosen.values[column.name], column))}**"
        for column in schema.features[:_SAID]
    ]
    if schema.group is not None and chosen.group:
        parts.append(f"{escaped(shortened(schema.group.title))} **{escaped(chosen.group)}**")
    more = len(schema.features) - _SAID
    return " · ".join([*parts, *([f"and {more} more"] if more > 0 else [])])


def _next(place_key: str, number: int) -> None:
    st.session_state[place_key] = (st.session_state.get(place_key, 0) + 1) % number


def _take_over(data: Dataset, schema: Schema, chosen: Person) -> None:
    """Put a row's values into the fields; for callbacks only."""
    st.session_state[key(data, "source")] = words.BY_HAND
    for column in schema.features:
        value = chosen.values[column.name]
        if isinstance(value, float) and column.bounds is not None:
            value = min(max(value, column.bounds[0]), column.bounds[1])
            value = int(value) if column.kind == "integer" and abs(value) <= _LARGEST_WHOLE else value
        if value is not None or column.missing != "refuse":
            st.session_state[field_key(data, schema, column.name)] = value
    if schema.group is not None and chosen.group:
        for name in ("group", "group_needed"):
            st.session_state[key(data, name)] = chosen.group


def _reset(data: Dataset, names: Iterable[str]) -> None:
    """Empty the fields, so that they begin anew; for callbacks only."""
    for name in names:
        st.session_state.pop(field_key(data, data.schema, name), None)
