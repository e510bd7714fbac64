"""The About page: assumptions, promises, bounds, what is kept, where it comes from."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import streamlit as st

from dpcp_core import __version__
from dpcp_core.presentation.wording import about as words

_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "torch", "opacus", "dp-accounting", "plotly", "streamlit")


def show_promises() -> None:
    """Say what simulation, privacy and coverage mean, and on what each promise rests."""
    _section("Simulation and release", words.MODE)
    _section("What privacy means", words.PRIVACY)
    _section("What coverage means", words.COVERAGE)


def show_scope() -> None:
    """Say what is not protected and what the app keeps."""
    _section("What is not protected", words.LIMITS)
    _section("What this app keeps", words.STORAGE)


def show_sources() -> None:
    """Name the papers and the versions in use."""
    _section("Where it comes from", words.REFERENCES)
    parts = [f"DPCP Explorer {__version__}", f"Python {platform.python_version()}", *map(_version, _PACKAGES)]
    _section("Versions", " · ".join(parts))


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} (version unknown)"


def _section(title: str, body: str) -> None:
    st.header(title, anchor=False)
    st.markdown(body)
