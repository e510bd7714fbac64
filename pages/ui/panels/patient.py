"""What one person is told: the answer and its dots, what it means, at what privacy, and what it cannot know."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.person import PersonAnswer, PersonModel
from dpcp_core.experiments.person import answer as answer_of
from dpcp_core.presentation.figures.dots import dots
from dpcp_core.presentation.figures.hundred import hundred
from dpcp_core.presentation.patient_sheet import sheet, sheet_name
from dpcp_core.presentation.wording import patient, patient_context
from dpcp_core.presentation.wording import patient_page as words
from dpcp_core.presentation.wording.plain import certificate_sentence, noun_of
from dpcp_core.presentation.wording.readouts import Readout
from pages.ui import compute_patient, patient_controls, patient_form, training
from pages.ui.answer import Answer
from pages.ui.layout import answer_box, cards, halves
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.text import escaped, narrow

_KEPT = "_patient_model"


@dataclass(frozen=True, eq=False)
class Told:
    """What is on screen: the table, the model that was asked, the answer, and what it is held against.

    Attributes
    ----------
    data : Dataset
    model : PersonModel
    given : PersonAnswer
    threshold, difference : float
        In target units; 0 for classes, which have none.
    """

    data: Dataset
    model: PersonModel
    given: PersonAnswer
    threshold: float = 0.0
    difference: float = 0.0


def person_model_of(latest: Answer) -> PersonModel | None:
    """Return the model that is asked, that of the previous result where need be; None if it is slow to train."""
    if latest.result is None or latest.data is None:
        return None
    if latest.is_old or latest.question is None:
        kept: PersonModel | None = st.session_state.get(_KEPT)
        if kept is not None and kept.result is latest.result:
            return kept
        # A result of another page, with as many repetitions as that page wants.
        settings = latest.result.settings.replace(repetitions=1)
        if training.expected(latest.data, settings) is not None:
            return None
        return compute_patient.model(latest.data, settings, patient_controls.wants_dots())
    model = compute_patient.model(latest.data, latest.question.settings, patient_controls.wants_dots())
    st.session_state[_KEPT] = model
    return model


def ask(data: Dataset, model: PersonModel) -> Told:
    """Draw the choice of a person and of what matters, and return what this person is told."""
    given = answer_of(model, patient_form.person(data, model))
    if given.number is None:
        return Told(data, model, given)
    target = model.result.target
    with st.container(border=True):
        st.markdown(f"**{words.MATTERS}**")
        told = Told(
            data, model, given, patient_controls.threshold(data, target), patient_controls.difference(data, target)
        )
        st.markdown(escaped(patient_context.difference_sentence(model, given.number, told.difference)))
    return told


def show_cards(told: Told) -> None:
    """Draw what a person takes away."""
    readouts = (*patient.cards(told.model, told.given, told.threshold), patient_context.privacy_card(told.model))
    if patient_controls.is_large():
        for place, readout in zip(halves() + halves(), readouts, strict=False):
            place.markdown(f"#### {escaped(readout.label)}\n# {escaped(readout.value)}", anchors=False)
    else:
        with answer_box():
            places = cards(len(readouts))
        for card, readout in zip(places, readouts, strict=True):
            with card:
                _card(readout)
    if nothing := patient_context.nothing_sentence(told.model, told.given):
        st.warning(escaped(nothing), icon=":material/open_in_full:")


def show_dots(told: Told) -> None:
    """Draw the dots, and say what a dot is."""
    large, classes = patient_controls.is_large(), told.given.classes is not None
    picture = dots(told.model, told.given, told.threshold, dark=is_dark(), large=large)
    show_picture(picture, "patient_dots")
    st.caption(escaped(patient.class_dots_sentence(told.model) if classes else patient.dots_sentence(told.model)))


def show_meaning(told: Told) -> None:
    """Say what the answer means for people like this one, and what is promised."""
    sentences = [patient_context.promise_sentences(told.model), patient_context.truth_sentence(told.model, told.given)]
    if told.given.subgroup is not None:
        sentences.append(patient_context.subgroup_sentence(told.model, told.given.subgroup))
    with st.container(border=True):
        st.markdown(f"**{words.PLAIN_TITLE}**")
        for sentence in filter(None, sentences):
            st.markdown(f"{'### ' if patient_controls.is_large() else ''}{escaped(sentence)}", anchors=False)
        st.markdown(f":small[{escaped(certificate_sentence(told.model.result))}]")


def show_privacy(told: Told) -> None:
    """Draw privacy in odds, as a hundred dots, for everything on the page together."""
    total, noun = told.model.receipt.total, noun_of(told.model.result)
    picture = hundred(total.epsilon, noun, dark=is_dark(), large=patient_controls.is_large())
    show_picture(picture, "patient_hundred")
    st.caption(escaped(patient_context.privacy_sentences(told.model)))


def show_unknowns(told: Told) -> None:
    """Say what the answer does not know."""
    with st.container(border=True):
        st.markdown(f"**{words.UNKNOWN_TITLE}**")
        st.markdown("\n".join(f"- {escaped(line)}" for line in patient_context.unknowns(told.model)))


def show_take(told: Told) -> None:
    """Offer the answer as a sheet to print, and fold the receipt away."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            words.SHEET,
            lambda: sheet(told.model, told.given, told.threshold, told.difference),
            sheet_name(told.model),
            "text/html",
            key="download_patient_sheet",
            on_click="ignore",
            icon=":material/print:",
        )
        st.caption(words.SHEET_NOTE, width="stretch")
    fold = st.expander(words.RECEIPT, key="fold_patient_receipt", on_change="rerun", icon=":material/receipt_long:")
    if fold.open:
        fold.code(narrow(told.model.receipt.to_text()), language=None, wrap_lines=True)


def _card(readout: Readout) -> None:
    hint = "\n\n".join(escaped(part) for part in (readout.sentence, readout.hint) if part)
    st.caption(escaped(readout.label), help=hint)
    st.markdown(f"## {escaped(readout.value)}", anchors=False)
    st.markdown(f":small[{escaped(readout.comparison)}]")
