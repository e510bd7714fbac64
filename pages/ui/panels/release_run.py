"""A release as it is made: its cost, the word that has to be typed, progress, a stop before the first draw."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from dpcp_core.errors import BudgetExceededError
from dpcp_core.presentation.wording import release as words
from dpcp_core.presentation.wording.on_page import on_page
from dpcp_core.presentation.wording.progress import duration
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Account, Ledger
from dpcp_core.release import Released, ReleasePlan, release
from pages.ui import release_controls, release_ledger, runs, state, turns
from pages.ui.text import escaped

NAME = "release"
"""Of the run in the session."""

_NOTE, _LAST, _MADE = "_release_note", "_release_last", "_release_made"
_SAID = {"reserving": words.RESERVING, "drawing": words.DRAWING, "packing": words.PACKING, "done": words.PACKING}
_REHEARSALS_KEPT = 3


@dataclass(frozen=True)
class Asked:
    """What a release was asked for.

    Attributes
    ----------
    rows : str
        Digest of the table's rows.
    table, title : str
        What the table is called, and what is published.
    cost : PrivacyBudget
    kind : str
        ``intervals`` or ``table``.
    ledger : str, optional
        Address of the ledger; None for that of this computer.
    told : list of str
        What was being done, as far as it got.
    """

    rows: str
    table: str
    title: str
    cost: PrivacyBudget
    kind: str
    ledger: str | None
    told: list[str] = field(default_factory=list, compare=False)

    @property
    def is_rehearsal(self) -> bool:
        """Whether it was made from a public sample."""
        return self.ledger is not None


@dataclass(frozen=True)
class Made:
    """A release that is out, kept until it is forgotten."""

    asked: Asked
    released: Released


def collect() -> None:
    """Take in a release that has ended."""
    runs.collect(NAME)
    held = runs.finished(NAME)
    if held is None or any(made.released is held[1] for made in made_so_far()):
        return
    rehearsed = [made for made in made_so_far() if made.asked.is_rehearsal]
    # What was paid for is never dropped.
    dropped = rehearsed[: max(0, len(rehearsed) - _REHEARSALS_KEPT + 1)]
    kept = [made for made in made_so_far() if made not in dropped]
    st.session_state[_MADE] = (*kept, Made(held[0], held[1]))  # type: ignore[arg-type]


def made_so_far() -> tuple[Made, ...]:
    """Return the releases of this session, the newest last."""
    return tuple(st.session_state.get(_MADE, ()))


def show_run(plan: ReleasePlan | None, account: Account | None) -> None:
    """Show the release that goes on, or state the cost of the next one and ask for the word."""
    if runs.current(NAME) is not None:
        _watch()
        return
    _say_what_became_of_the_last()
    if plan is None or account is None or account.budget is None:
        return
    st.header(words.COSTS, anchor=False)
    try:
        account.require_room(plan.cost)
    except BudgetExceededError as problem:
        st.error(f"{escaped(on_page(str(problem)))} {words.NOTHING_SPENT}", icon=":material/block:")
        return
    _ask(plan, account)


def _say_what_became_of_the_last() -> None:
    if note := st.session_state.pop(_NOTE, ""):
        st.warning(escaped(note), icon=":material/front_hand:")
    last = st.session_state.get(_LAST)
    if last is not None and (problem := runs.problem(NAME, last)):
        st.error(escaped(problem), icon=":material/error:")


def _ask(plan: ReleasePlan, account: Account) -> None:
    assert account.budget is not None
    key = _word_key(plan)
    with st.form(f"{key}_form"):
        said = words.cost_words(plan.title, plan.cost.total, account.after(plan.cost), account.budget)
        st.markdown(f"**{escaped(said)}**")
        st.text_input(words.TYPE_IT, key=key, max_chars=20, autocomplete="off")
        # What is released is what was shown with its cost, whatever is moved in the meantime.
        asked = Asked(
            plan.data.rows_digest,
            state.title_of(plan.data.name),
            plan.title,
            plan.cost.total,
            release_controls.kind(),
            release_ledger.url(),
        )
        st.form_submit_button(
            "Release", type="primary", icon=":material/publish:", on_click=_confirmed, args=(plan, asked)
        )


def _word_key(plan: ReleasePlan) -> str:
    return f"release_of_{plan.data.rows_digest[:12]}_word"


def _confirmed(plan: ReleasePlan, asked: Asked) -> None:
    typed = str(st.session_state.get(_word_key(plan), "")).strip().lower()
    if runs.current(NAME) is not None:
        return
    st.session_state[_word_key(plan)] = ""
    if typed != words.WORD:
        st.session_state[_NOTE] = words.NOT_TYPED
        return
    st.session_state[_LAST] = asked
    runs.start(NAME, asked, lambda watch: _make(plan, asked, watch))


def _make(plan: ReleasePlan, asked: Asked, watch: runs.Watch) -> Released:
    with Ledger(asked.ledger) as ledger:
        return release(plan, ledger, on_progress=asked.told.append, should_stop=watch.stopped)


def _stop() -> None:
    runs.cancel(NAME)
    if runs.current(NAME) is None:
        st.session_state[_NOTE] = words.STOPPED


@st.fragment(run_every="1s")
def _watch() -> None:
    job = runs.current(NAME)
    if job is None or job.is_done:
        # The whole page has news.
        st.rerun()
    told = job.about.told
    is_drawing = len(told) > 1
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.button(
            "Stop",
            key="stop_release",
            on_click=_stop,
            icon=":material/stop:",
            disabled=is_drawing or job.is_stopping,
            help=words.STOP_HELP,
        )
        said = _SAID[told[-1]] if told else f"{turns.waiting_words(job.future)}. {words.NOT_YET_SPENT}"
        so_far = words.SO_FAR.format(duration(job.seconds)) if job.has_begun else ""
        st.markdown(f"{said} :small[{so_far}]" if so_far else said, width="stretch")
    if job.about.rows != state.current().rows_digest:
        st.caption(words.OF_ANOTHER)
