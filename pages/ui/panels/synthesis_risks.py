"""Could somebody be found in a synthetic table? Attacks on it, as a run to watch, and what they found."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.digest import frame_digest
from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks
from dpcp_core.experiments.audit.table_risks import table_risks
from dpcp_core.experiments.synthesis import SynthesisResult, SynthesisStopped
from dpcp_core.presentation.figures.table_risks import risks_picture
from dpcp_core.presentation.synthesis_snippets import Repeated
from dpcp_core.presentation.table_risk_snippets import table_risks_python
from dpcp_core.presentation.wording import table_risks as words
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS
from pages.ui import known_runs, runs, synthesis_controls, trainers
from pages.ui.panels.picture import is_dark, show_picture
from pages.ui.panels.progress import show_progress
from pages.ui.text import escaped

NAME = "table_risks"
"""Of the run in the session."""

_ICONS = {"yes": ":material/person_search:", "no": ":material/groups:", "open": ":material/help:"}
_PUBLIC = "public"


@dataclass(frozen=True)
class _Asked:
    """Which table is attacked: all that it was made of, and no row."""

    digest: str
    settings: str
    table: str = ""

    @classmethod
    def of(cls, result: SynthesisResult) -> _Asked:
        # Settings do not say which public rows a table was drawn from; the table does.
        table = frame_digest(result.table) if result.settings.attributes == _PUBLIC else ""
        return cls(result.dataset_digest, repr(result.settings), table)

    def shared(self, data: Dataset) -> Hashable | None:
        """Return under what all sessions share the answer: nothing of a public table that somebody brought."""
        return None if self.table else known_runs.key_of(NAME, data, self.settings)


def show_risks(data: Dataset, result: SynthesisResult) -> None:
    """Show what attacks on the table found, or offer to try them."""
    st.markdown(f"**{words.HEADING}**")
    asked = _Asked.of(result)
    runs.collect(NAME)
    found = _found(data, asked)
    if found is not None:
        _draw(found, data, result)
    elif runs.current(NAME) is not None:
        _watch(asked)
    else:
        _offer(data, result, asked)


def _found(data: Dataset, asked: _Asked) -> SyntheticRisks | None:
    held = runs.finished(NAME)
    if held is not None and held[0] == asked:
        ended: SyntheticRisks = held[1]
        return ended
    shared = asked.shared(data)
    known: SyntheticRisks | None = None if shared is None else known_runs.KNOWN.recall(shared)
    return known


def _draw(found: SyntheticRisks, data: Dataset, result: SynthesisResult) -> None:
    answer = words.risks_answer(found, result)
    st.markdown(f"{_ICONS[answer.verdict]} **{escaped(answer.headline)}**")
    st.caption(escaped(answer.detail))
    picture = risks_picture(found, result, dark=is_dark())
    show_picture(picture, "synth_risks", png="synthesis-attacks", csv="synthesis-attacks.csv")
    st.caption(escaped(words.caption(found, result)))
    fold = st.expander(words.IN_PYTHON, key="fold_risks_code", on_change="rerun", icon=":material/code:")
    if fold.open:
        repeated = Repeated.of(result, data, synthesis_controls.public_table(data))
        fold.code(table_risks_python(repeated), language="python", wrap_lines=True)


def _offer(data: Dataset, result: SynthesisResult, asked: _Asked) -> None:
    problem = runs.problem(NAME, asked)
    if problem == words.STOPPED:
        st.caption(problem)
    elif problem:
        st.error(escaped(problem), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            words.ATTACK,
            key="synth_risks",
            icon=":material/play_arrow:",
            on_click=runs.start,
            args=(NAME, asked, lambda watch: _work(data, result, watch), asked.shared(data)),
        )
        st.caption(escaped(words.offer(result.one_row_is, _expected_seconds(data))), width="stretch")


def _work(data: Dataset, result: SynthesisResult, watch: runs.Watch) -> SyntheticRisks:
    try:
        return table_risks(
            data,
            result,
            on_progress=lambda progress: watch.progress(progress, ()),
            should_stop=watch.stopped,
        )
    except SynthesisStopped:
        raise InputError(words.STOPPED) from None


def _expected_seconds(data: Dataset) -> float:
    """Return about how long the attacks take on one core, from public numbers alone."""
    return 0.5 + 1.4e-5 * data.n_rows * trainers.encoded_width(data.schema)


@st.fragment(run_every="1s")
def _watch(asked: _Asked) -> None:
    job = runs.current(NAME)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job, "attack")
    if job.about != asked:
        st.caption(OF_OTHER_SETTINGS)
