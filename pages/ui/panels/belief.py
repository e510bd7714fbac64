"""The About page: assumptions, promises, limits, what is kept, where it comes from."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import streamlit as st

from dpcp_core import __version__
from dpcp_core.presentation.wording.plain import SIMULATION_MEANING

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "plotly", "streamlit")


def show_mode() -> None:
    """Say what simulation means."""
    _section(
        "Everything here is a simulation",
        f"{SIMULATION_MEANING}\n\n"
        "What a release of the same procedure would cost and promise is on each result's receipt.",
    )


def show_privacy() -> None:
    """Say what differential privacy promises, and on what it rests."""
    _section(
        "What privacy means",
        "Take one row of the table and replace it by an empty one. Whatever leaves the procedure would have come out almost "
        "as likely: the odds of any conclusion change by a factor of at most e to the power of **ε**, except with a chance of at "
        "most **δ**. That holds for an attacker with any other knowledge and any amount of computing.\n\n"
        "It rests on this:\n"
        "- One row is one person. If somebody has several rows, protection is weaker in proportion.\n"
        "- The number of rows is public, and so are the limits and categories in the schema. They come from a code book or "
        "plain knowledge; limits read off the file are not public, and the receipt then says that ε is infinite.\n"
        "- ε, δ, the coverage and all other settings were not chosen by looking at the rows. In a simulation you do look, "
        "which is one more reason why it is no release.",
    )


def show_coverage() -> None:
    """Say what the certificate promises, and on what it rests."""
    _section(
        "What coverage means",
        "A **certified** interval contains the true value of a new person with at least the chance you asked for. This is proved "
        "for every number of rows and every distribution, with the noise and the reuse of rows counted in.\n\n"
        "It rests on this:\n"
        "- The new person comes from where the rows came from, drawn at random (rows and newcomer are exchangeable).\n"
        "- The chance is an average over people. Among the very old or the very ill it may be lower, and nobody can say which "
        "of the intervals miss.\n"
        "- It speaks of the target within its public limits; a value beyond a limit counts as the limit.\n\n"
        "Methods named “as published” keep the promise of their paper, which is argued under more assumptions; the page says "
        "“not certified” then. The share that you see on screen is measured on held-out rows and has its own uncertainty.",
    )


def show_limits() -> None:
    """Say what is not protected."""
    _section(
        "What is not protected",
        "- The person whose interval is shown: what they tell the model is theirs to share, privacy is for the people in the table.\n"
        "- Facts about everybody. If smoking raises blood pressure, the model says so about each smoker, in the table or not.\n"
        "- Whatever else is published from the same rows: budgets add up over releases.\n"
        "- What is on screen here. Pictures and measured coverage come from real rows.",
    )


def show_storage() -> None:
    """Say what the app keeps."""
    _section(
        "What this app keeps",
        "- A table that you upload, and what is computed from it: in the memory of this session, on the computer that runs the app. "
        "Nothing is written to disk. “Forget my data” drops it at once; closing the page drops it within minutes.\n"
        "- Other sessions never see it: each has its own store.\n"
        "- The address of the page carries ε, coverage, budget share, bins and the name of a sample, so that a link can be shared. "
        "It never carries anything of an uploaded table.\n"
        "- No usage statistics, no fonts or scripts from elsewhere: the page works without the internet.",
    )


def show_references() -> None:
    """Name the sources."""
    _section(
        "Where it comes from",
        "- Differentially private conformal prediction: arXiv 2604.14621 (“DPCP as published”)\n"
        "- Private prediction sets: Angelopoulos, Bates, Zrnic and Jordan, arXiv 2102.06202 (private split)\n"
        "- Conformal prediction: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005; "
        "Papadopoulos and others, 2002 (split)\n"
        "- Exponential mechanism: McSherry and Talwar, 2007; its bounded range: Dong, Durfee and Rogers, 2020\n"
        "- Gaussian differential privacy: Dong, Roth and Su, 2022\n"
        "- Privacy in odds: Nanayakkara and others, USENIX Security 2023",
    )


def show_versions() -> None:
    """Name the versions in use."""
    parts = [f"DPCP Explorer {__version__}", f"Python {platform.python_version()}", *(_version(name) for name in _PACKAGES)]
    _section("Versions", " · ".join(parts))


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} (version unknown)"


def _section(title: str, body: str) -> None:
    st.subheader(title, anchor=False)
    st.markdown(body)
