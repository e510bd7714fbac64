"""``python -m dpcp_core`` is the command line."""

from __future__ import annotations

from dpcp_core.cli import main

if __name__ == "__main__":
    main()
