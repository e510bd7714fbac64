"""What the lessons compute; all of it comes from samples, and what has no choices in it is shared by all sessions."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcp_core.experiments.lessons.copying import Traces, look_for_person
from dpcp_core.experiments.lessons.counting import HiddenPerson, count_of, hide_one
from dpcp_core.experiments.lessons.sharing import ShareCurve, widths_by_share
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.experiments.settings import ConformalSettings
from pages.ui import compute
from pages.ui.compute_samples import sample

PATIENTS, STAYS = "blood_pressure", "readmission"
"""The samples that lessons are about."""

SHARES = tuple(share / 10 for share in range(1, 10))
SMALL_BUDGET = 0.1


@st.cache_resource(scope="session", show_spinner=False, max_entries=16)
def hidden(epsilon: float, seed: int) -> HiddenPerson:
    """Return the noisy count of smokers, with one of them and without."""
    smokers = count_of(sample(PATIENTS).frame["smoker"].to_numpy(), "yes")
    return hide_one(smokers, epsilon, seed=seed)


@st.cache_resource(show_spinner=False, max_entries=1)
def share_curve() -> ShareCurve:
    """Return how wide intervals are for each share of a small budget."""
    return widths_by_share(sample(PATIENTS), ConformalSettings(epsilon=SMALL_BUDGET), SHARES)


@st.cache_resource(scope="session", show_spinner=False, max_entries=16)
def traces(maker: str, epsilon: float) -> Traces:
    """Return in which synthetic tables a rare value turns up."""
    return look_for_person(sample(STAYS), maker, epsilon)


def covered(confidence_level: float) -> SimulationResult:
    """Return intervals for patients at a coverage."""
    return compute.result(sample(PATIENTS), ConformalSettings(confidence_level=confidence_level))


def clear() -> None:
    """Drop what this session has computed for lessons."""
    cached: Any
    for cached in (hidden, traces):
        cached.clear()
