"""One lesson at a time: guess, move and see, check. Progress lasts as long as the session."""

from __future__ import annotations

import streamlit as st

from dpcp_core.presentation.wording import learn as words
from dpcp_core.presentation.wording.lessons import LESSONS, Lesson, Question
from pages.ui.errors import guarded
from pages.ui.layout import answer_box
from pages.ui.lessons import SHOWS
from pages.ui.text import escaped

LESSON = "lesson"
"""Key of the list of lessons, and its name in the URL; there it has the lesson's one word."""

_SKIPPED = "skipped"
_WIDTH = 860


def show_lessons() -> None:
    """Draw the list of lessons and the one that is chosen."""
    with st.container(width=_WIDTH):
        st.markdown(words.INTRODUCTION)
        lesson = LESSONS[_choose()]
        _show_progress()
        st.header(lesson.title, anchor=False)
        st.caption(words.about(lesson))
        st.markdown(escaped(lesson.story))
        _step(words.GUESS)
        with answer_box():
            guessed = _guessed(lesson)
        if not guessed:
            return
        _step(words.MOVE)
        st.markdown(escaped(lesson.move))
        with guarded("drawing the lesson"):
            SHOWS[lesson.name]()
        _step(words.CHECK)
        _checked(lesson)
        _go_on(lesson)


def finished() -> list[str]:
    """Return the lessons whose last question has been answered rightly once."""
    return [name for name in LESSONS if st.session_state.get(_key(name, "done"))]


def _choose() -> str:
    names = list(LESSONS)
    chosen = st.segmented_control(
        words.CHOOSE,
        names,
        default=names[0],
        required=True,
        format_func=lambda name: LESSONS[name].short,
        key=LESSON,
        bind="query-params",
        wrap=True,
    )
    return chosen if chosen in LESSONS else names[0]


def _show_progress() -> None:
    done = finished()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(len(done) / len(LESSONS), words.progress([LESSONS[name].short for name in done], len(LESSONS)))
        st.button(
            words.START_AGAIN,
            key="learn_again",
            on_click=_start_again,
            icon=":material/restart_alt:",
            help=words.START_AGAIN_HELP,
        )


def _step(heading: str) -> None:
    st.markdown(f"### {heading}", anchors=False)


def _guessed(lesson: Lesson) -> bool:
    """Ask for the guess; return whether there is one, or it was skipped."""
    answer = _ask(lesson.name, "guess", lesson.guess)
    if answer is None:
        return False
    st.info(escaped(words.reply_to_guess(lesson.guess, _place(answer))), icon=":material/lightbulb:")
    return True


def _checked(lesson: Lesson) -> None:
    answer = _ask(lesson.name, "check", lesson.check)
    if answer is None:
        return
    reply = escaped(words.reply_to_check(lesson.check, _place(answer)))
    if answer != lesson.check.right:
        st.info(reply, icon=":material/school:")
        return
    st.success(reply, icon=":material/check_circle:")
    st.markdown(f"**{escaped(lesson.idea)}**")


def _ask(name: str, step: str, question: Question) -> int | str | None:
    """Draw a question; return the place of what was answered, ``skipped``, or None so far."""
    with st.form(f"learn_{name}_{step}_form"):
        st.radio(
            escaped(question.text),
            range(len(question.options)),
            None,
            format_func=lambda place: escaped(question.options[place].text),
            key=f"learn_{name}_{step}_radio",
            persist_state="session",
        )
        # Both stay where they are whatever was answered, so that a keyboard does not lose its place.
        with st.container(horizontal=True):
            for label, callback in ((words.ANSWER, _keep), (words.SKIP, _skip)):
                st.form_submit_button(
                    label,
                    on_click=callback,
                    args=(name, step),
                    key=f"learn_{name}_{step}_{label.lower()}",
                    type="primary" if label == words.ANSWER else "tertiary",
                )
    if st.session_state.pop(_key(name, "empty"), None) == step:
        st.caption(words.CHOOSE_ONE)
    return _answer(name, step)


def _go_on(lesson: Lesson) -> None:
    names, done = list(LESSONS), finished()
    if len(done) == len(names):
        st.success(words.ALL_FINISHED, icon=":material/celebration:")
        return
    place = names.index(lesson.name)
    others = [name for name in names[place + 1 :] + names[:place] if name not in done]
    following = others[0] if others else lesson.name
    st.button(
        words.way_on(LESSONS[following]),
        key="learn_next",
        on_click=st.session_state.__setitem__,
        args=(LESSON, following),
        disabled=following == lesson.name,
        icon=":material/arrow_forward:",
    )


def _key(name: str, step: str) -> str:
    return f"learn_{name}_{step}"


def _answer(name: str, step: str) -> int | str | None:
    held: int | str | None = st.session_state.get(_key(name, step))
    return held


def _place(answer: int | str) -> int | None:
    return answer if isinstance(answer, int) else None


def _keep(name: str, step: str) -> None:
    chosen = st.session_state.get(f"{_key(name, step)}_radio")
    if chosen is None:
        st.session_state[_key(name, "empty")] = step
    else:
        st.session_state[_key(name, step)] = chosen
    if step == "check" and chosen == LESSONS[name].check.right:
        st.session_state[_key(name, "done")] = True


def _skip(name: str, step: str) -> None:
    st.session_state.setdefault(_key(name, step), _SKIPPED)


def _start_again() -> None:
    for name in LESSONS:
        for step in ("guess", "check"):
            st.session_state.pop(_key(name, step), None)
            st.session_state[f"{_key(name, step)}_radio"] = None
        st.session_state.pop(_key(name, "done"), None)
    st.session_state[LESSON] = next(iter(LESSONS))
