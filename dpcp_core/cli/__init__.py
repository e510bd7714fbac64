"""The command line, ``dpcp`` or ``python -m dpcp_core``: the library's work without a line of Python.

Where does it start?  ``main(["simulate", "sample:blood_pressure"])``, in :mod:`dpcp_core.cli.entry`.
What does it print?   The answer on standard output; progress, notes and errors on standard error.
How does it end?      0: done; 2: something given cannot be used, one sentence says what; 1: our fault; 130: Ctrl-C.
"""

from __future__ import annotations

from dpcp_core.cli.entry import main

__all__ = ["main"]
