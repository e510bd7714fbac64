"""A synthetic table and what it is worth: at once where that is quick, else a run to watch and to stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError
from dpcp_core.experiments.synthesis import (
    QUICK_MODELS,
    RealReference,
    SynthesisResult,
    SynthesisStopped,
    simulate_synthesis,
)
from dpcp_core.presentation.wording import synthesis_run as words
from dpcp_core.presentation.wording.numbers import count
from dpcp_core.presentation.wording.progress import OF_OTHER_SETTINGS, changed_since
from dpcp_core.presentation.wording.synthesis_page import STOPPED, part_words, settings_line
from dpcp_core.synthesis.settings import SynthesisSettings
from dpcp_core.training.registry import TRAINERS
from pages.ui import compute, runs, synthesis_controls, trainers
from pages.ui.errors import guarded, sentence
from pages.ui.panels.progress import show_progress
from pages.ui.synthesis_model import trainer_of
from pages.ui.text import escaped

NAME = "synthesis"
"""Of the run in the session."""

LIVE_MODELS = ("logistic", "svm")
RIVALS = ("independent", "uniform", "naive_bayes")
TABLES = 3
"""What is trained at once; which rivals, and how many tables, a thorough look takes."""

_SHOWN, _SLOWER = "_synth_shown", "_synthesis_slower"
_RIVAL_S = 2.0
# Seconds of making columns, beside those of training: a network of its own; a graphical model.
_MAKING = {"autoencoder": 2.0, "graph": 20.0}


@dataclass(frozen=True)
class Asked:
    """What a run is asked for; two are the same if tables, settings and thoroughness are."""

    digest: str
    settings: SynthesisSettings
    thorough: bool
    data: Dataset = field(compare=False, repr=False)
    public: Dataset | None = field(default=None, repr=False)

    @classmethod
    def of(cls, data: Dataset, settings: SynthesisSettings, *, thorough: bool = False) -> Asked:
        """Return what is asked for, with the public table where columns are made from one."""
        return cls(data.digest, settings, thorough, data, synthesis_controls.public_table(data))

    def is_like(self, other: Asked) -> bool:
        """Whether both make the same table."""
        return (self.digest, self.settings, self.public) == (other.digest, other.settings, other.public)

    @property
    def seconds(self) -> float:
        """About how long it takes, from public numbers alone."""
        return expected_seconds(self.data, self.settings, thorough=self.thorough)


@dataclass(frozen=True)
class Latest:
    """What is on screen: a result, and whether it is of the settings in use."""

    result: SynthesisResult
    is_current: bool


def expected_seconds(data: Dataset, settings: SynthesisSettings, *, thorough: bool = False) -> float:
    """Return about how long a table and what is trained on it take on one core."""
    millions = data.n_rows * trainers.encoded_width(data.schema) / 1e6
    making = 0.2 + 2 * millions + _label_s(settings, data.n_rows, millions) + _MAKING.get(settings.attributes, 0.0)
    linear = 0.2 + 2 * millions
    if not thorough:
        return making + 2 * linear
    network = 2.0 + 2e-5 * data.n_rows
    n_tables = 2 + len(RIVALS)
    return TABLES * (making + n_tables * (linear + network) + len(RIVALS) * _RIVAL_S)


def show_run(data: Dataset) -> Latest | None:
    """Show what goes on or may be started; return what can be shown."""
    _collect()
    try:
        settings = synthesis_controls.settings(data)
        asked = Asked.of(data, settings)
        found = _found(asked)
    except Exception as problem:  # the last result must stay on screen
        st.error(escaped(sentence(problem, "making the table")), icon=":material/error:")
        return _last(data)
    if found is not None:
        st.session_state[_SHOWN] = found
    _run_or_offer(asked, found)
    return Latest(found, is_current=True) if found is not None else _last(data)


def show_thorough(data: Dataset, latest: Latest) -> None:
    """Offer to measure more: several tables, a network, rivals."""
    if runs.current(NAME) is not None or not latest.is_current or latest.result.repetitions > 1:
        return
    asked = Asked.of(data, latest.result.settings, thorough=True)
    _say_problem(asked)
    with guarded("reading the settings"), st.container(horizontal=True, vertical_alignment="center"):
        _button("Compare with rivals", "synth_thorough", asked)
        st.caption(words.thorough_offer(TABLES, len(RIVALS), asked.seconds * _slower()), width="stretch")


def show_notice(latest: Latest) -> None:
    """Say what the result is of where that is not what is asked for, and that it is partial."""
    result = latest.result
    if not result.is_complete:
        done = count(len(result.runs), "table")
        st.badge(f"Stopped: {done} of {result.repetitions}, in part", icon=":material/front_hand:", color="orange")
    if not latest.is_current:
        st.badge(changed_since("table"), icon=":material/history:", color="orange")
        st.caption(f"It shows {escaped(settings_line(result.settings))}.")


def is_slow(data: Dataset, settings: SynthesisSettings) -> bool:
    """Whether this takes too long to be done at once."""
    return expected_seconds(data, settings) > trainers.LIVE_S


def _label_s(settings: SynthesisSettings, n_rows: int, millions: float) -> float:
    name = trainer_of(settings.task_model)
    pace = TRAINERS[name].pace
    usual = 0.1 + 2 * millions if name == "mlp" else pace.fixed + pace.per_million * millions
    return max(usual, trainers.asked_for(settings.training_choices, n_rows, pace, millions))


def _found(asked: Asked) -> SynthesisResult | None:
    """Return the result of these settings: of a run that has ended, or computed now if that is quick."""
    held = runs.finished(NAME)
    if held is not None and isinstance(held[0], Asked) and held[0].is_like(asked):
        ended: SynthesisResult = held[1]
        return ended
    if is_slow(asked.data, asked.settings):
        return None
    with st.spinner(words.MAKING, show_time=True):
        return compute.synthesis(asked.data, asked.settings, LIVE_MODELS, asked.public)


def _last(data: Dataset) -> Latest | None:
    last: SynthesisResult | None = st.session_state.get(_SHOWN)
    return Latest(last, is_current=False) if last is not None and last.dataset_digest == data.digest else None


def _run_or_offer(asked: Asked, found: SynthesisResult | None) -> None:
    if runs.current(NAME) is not None:
        _watch(asked)
        return
    if found is not None:
        return
    _say_problem(asked)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        _button("Make the table", "synth_make", asked)
        st.markdown(words.offer(asked.seconds * _slower()), width="stretch")


def _button(label: str, key: str, asked: Asked) -> None:
    reference = compute.real_reference(asked.data)
    st.button(
        label,
        key=key,
        type="primary" if key == "synth_make" else "secondary",
        icon=":material/play_arrow:",
        on_click=runs.start,
        args=(NAME, asked, lambda watch: _work(asked, reference, watch)),
    )


def _work(asked: Asked, reference: RealReference | None, watch: runs.Watch) -> SynthesisResult:
    more: dict[str, Any] = {"models": LIVE_MODELS}
    if asked.thorough:
        more = {"models": QUICK_MODELS, "rivals": RIVALS, "repetitions": TABLES}
    try:
        return simulate_synthesis(
            asked.data,
            asked.settings,
            **more,
            public=None if asked.public is None else asked.public.frame,
            on_progress=lambda progress: watch.progress(progress, ()),
            should_stop=watch.stopped,
            reference=reference,
        )
    except SynthesisStopped:
        # No result of its own: the one before stays.
        raise InputError(STOPPED) from None


def _collect() -> None:
    """Take in a run that has ended; keep what it learnt of the real rows, and of how fast this computer is."""
    job = runs.current(NAME)
    runs.collect(NAME)
    held = runs.finished(NAME)
    if job is None or not job.is_done or held is None or held[0] != job.about:
        return
    asked, result = held
    compute.keep_reference(result.reference)
    if result.is_complete:
        st.session_state[_SLOWER] = result.seconds / asked.seconds


def _slower() -> float:
    """Return how much longer a run took here than was expected, the last time."""
    return float(st.session_state.get(_SLOWER, 1.0))


def _say_problem(asked: Asked) -> None:
    problem = runs.problem(NAME, asked)
    if problem == STOPPED:
        st.caption(problem)
    elif problem:
        st.error(escaped(problem), icon=":material/error:")


@st.fragment(run_every="1s")
def _watch(asked: Asked) -> None:
    job = runs.current(NAME)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    show_progress(job, "step")
    if not job.about.is_like(asked):
        st.caption(OF_OTHER_SETTINGS)
    elif job.latest is not None and job.latest.part:
        st.caption(f"Now {escaped(part_words(job.latest.part))}.")
