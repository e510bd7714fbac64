"""Three accountants side by side: what each says that training on random batches costs."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.result import SimulationResult
from dpcp_core.presentation.wording import accountants as words
from dpcp_core.presentation.wording.numbers import one_in, short
from dpcp_core.privacy.profile import SubsampledGaussianProfile
from pages.ui import compute
from pages.ui.text import escaped

_ASKED = "_accountants_asked"
_SAYS = {
    "PLD": words.PLD,
    "PRV": words.PRV,
    "RDP": words.RDP,
}


def show_accountants(result: SimulationResult, data: Dataset) -> None:
    """Fold away the comparison; nothing where training pays nothing."""
    if not result.settings.recipe.private_training:
        return
    fold = st.expander(
        words.TITLE,
        key="fold_accountants",
        on_change="rerun",
        icon=":material/balance:",
    )
    if fold.open:
        with fold:
            _compare(result, data)


def _compare(result: SimulationResult, data: Dataset) -> None:
    profile = compute.training_profile(data, result.settings)
    if not isinstance(profile, SubsampledGaussianProfile) or profile.sampling_rate >= 1:
        st.markdown(words.ALL_ROWS)
        return
    st.caption(
        words.BATCHES.format(
            profile.steps,
            short(profile.sampling_rate),
            short(profile.noise_multiplier),
            escaped(one_in(result.settings.delta)),
        )
    )
    asked = (profile, result.settings.delta)
    st.button(
        "Compare PLD, PRV and RDP",
        key="compare_accountants",
        on_click=_ask,
        args=(asked,),
        icon=":material/calculate:",
    )
    # One click is for one training: the next slider move must not wait for three accountants.
    if st.session_state.get(_ASKED) == asked:
        with st.spinner("Three accountants at work", show_time=True):
            costs = compute.accountants(profile, result.settings.delta)
        rows = [(name, costs[name], _SAYS.get(name, "")) for name in costs if math.isfinite(costs[name])]
        st.dataframe(
            pd.DataFrame(rows, columns=["accountant", "ε of training", "what it is"]),
            hide_index=True,
            column_config={"ε of training": st.column_config.NumberColumn(format="%.4g")},
            key="accountants",
            alt="; ".join(f"{name}: ε = {short(value)}" for name, value, _ in rows),
        )


def _ask(about: tuple[SubsampledGaussianProfile, float]) -> None:
    st.session_state[_ASKED] = about
