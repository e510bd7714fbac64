"""Shared by all tests: where the optional real data lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: machines that run tests are busy. Where a run decides whether a change lands, the same cases each time.
settings.register_profile("patient", deadline=None)
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "patient")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real public tables, or skip where ``DPCP_DATA`` does not name one."""
    folder = os.environ.get("DPCP_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("DPCP_DATA is not set to a folder with the real tables")
    return Path(folder)
