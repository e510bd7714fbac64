"""What is to be published: which thing, with the settings of which page, under which saved schema."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.presentation.snippets import schema_file_name
from dpcp_core.presentation.wording import release as words
from dpcp_core.release import ReleasePlan
from pages.ui import compute_release, controls, state, synthesis_controls, upload
from pages.ui.controls.widgets import drawer

KIND = "release_kind"
"""Key of the choice between the things that can be published."""

_SAVED = "_release_schema"


@dataclass(frozen=True)
class SavedSchema:
    """A schema as it was written down.

    Attributes
    ----------
    text : str
        TOML; "" where it was not saved.
    said : str
        Where it is, in one sentence.
    """

    text: str = ""
    said: str = words.SCHEMA_MISSING


def kind() -> str:
    """Return what is to be published: ``intervals`` or ``table``."""
    chosen = st.session_state.get(KIND)
    return chosen if chosen in words.KINDS else "intervals"


def choose() -> None:
    """Draw the choice of what is published, and the two settings that may still be moved here."""
    what, epsilon, delta = (column.container() for column in st.columns([3, 3, 2], gap="medium"))
    with what:
        st.segmented_control(
            "What",
            list(words.KINDS),
            default="intervals",
            required=True,
            format_func=words.KINDS.__getitem__,
            key=KIND,
            persist_state="session",
        )
    with epsilon:
        drawer("epsilon")("epsilon", {})
    with delta:
        drawer("delta")("delta", {})


def lines(data: Dataset) -> tuple[tuple[str, str], ...]:
    """Return the settings that are taken over, label and value.

    Raises
    ------
    InputError
        If two of them contradict each other.
    """
    if kind() == "table":
        return words.table_lines(synthesis_controls.settings(data))
    return words.interval_lines(_choices().resolved(state.task(), state.n_classes()))


def plan(data: Dataset, schema: SavedSchema) -> ReleasePlan:
    """Return the plan of what is chosen; nothing is drawn.

    Raises
    ------
    InputError, NotPrivateError
        What cannot be released, in one sentence.
    """
    if kind() == "table":
        # The seed of the app's simulations stays behind.
        return compute_release.table(data, synthesis_controls.settings(data).replace(seed=0), schema.text)
    return compute_release.intervals(data, _choices(), schema.text)


def saved_schema(data: Dataset) -> SavedSchema:
    """Return the schema under which the table in use is read, as it was saved; an empty one if it was not."""
    if not state.is_own():
        return SavedSchema(data.schema.to_toml(), words.SCHEMA_OF_SAMPLE)
    here = st.session_state.get(_SAVED, "")
    for text, said in ((here, words.SCHEMA_SAVED), (upload.schema_text(), words.SCHEMA_UPLOADED)):
        if text and _says_the_same(text, data):
            return SavedSchema(text, said)
    return SavedSchema()


def offer_to_save(data: Dataset) -> None:
    """Offer the schema as a file; once it is taken, a release may go by it."""
    text = data.schema.to_toml()
    st.download_button(
        "Save the schema (TOML)",
        text,
        schema_file_name(data),
        "application/toml",
        key="release_save_schema",
        on_click=_save,
        args=(text,),
        icon=":material/download:",
    )


def _save(text: str) -> None:
    st.session_state[_SAVED] = text


def _says_the_same(text: str, data: Dataset) -> bool:
    try:
        return Schema.from_toml(text) == data.schema
    except InputError:
        return False


def _choices() -> ConformalChoices:
    """Return the settings of the Coverage page without those of a simulation."""
    settings = controls.settings()
    return ConformalChoices(**{name: getattr(settings, name) for name in ConformalChoices.__dataclass_fields__})
