"""Everything that a session has computed, to be dropped at once."""

from __future__ import annotations

from importlib import import_module
from typing import Any

HOLDERS = ("compute", "compute_attack", "compute_lessons", "compute_patient", "compute_release")
"""Modules with caches of a session; each has a function ``clear``."""


def clear() -> None:
    """Drop what this session has computed."""
    for name in HOLDERS:
        # Loaded here, as most sessions never forget, and the first page need not wait for what it does not use.
        holder: Any = import_module(f"pages.ui.{name}")
        holder.clear()
