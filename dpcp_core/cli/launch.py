"""``dpcp app``: start the browser app."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from dpcp_core import _validate as check
from dpcp_core.errors import InputError


def app_command(
    port: Annotated[str, typer.Option(metavar="NUMBER", help="Port of the local address.")] = "",
) -> None:
    """Start the app in the browser."""
    extra = ["--server.port", str(_checked_port(port))] if port else []
    script = app_script()
    if find_spec("streamlit") is None:
        raise InputError("The app needs the package streamlit: install it with pip install streamlit.")
    # The app's theme and limits lie in .streamlit beside it, which Streamlit looks for where it is started.
    line = [sys.executable, "-m", "streamlit", "run", str(script), *extra]
    raise typer.Exit(_run(line, script.parent))


def _run(line: list[str], folder: Path) -> int:
    if os.name == "posix":
        # In our place instead of below us: whoever ends this process ends the app, and its port is free again.
        os.chdir(folder)
        os.execv(line[0], line)
    return subprocess.call(line, cwd=folder)


def app_script() -> Path:
    """Return the app's script: beside the package in a source tree, inside it when installed from a wheel."""
    package = Path(__file__).resolve().parents[1]
    for script in (package.parent / "app.py", package / "app" / "app.py"):
        if script.is_file() and (script.parent / "pages").is_dir():
            return script
    raise InputError("The app's files are not installed: reinstall dpcp-core, or start it from its source folder.")


def _checked_port(port: str) -> int:
    number = check.whole(port=port)
    if number > 65535:
        raise InputError(f"port is {number} but must be at most 65535.")
    with socket.socket() as probe:
        # As the server does: a port whose last connection is just closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", number))
        except OSError:
            raise InputError(f"Port {number} cannot be used, perhaps because it is taken; choose another.") from None
    return number
