"""``dpcp app``: it starts in our place, and says in one sentence why it cannot."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from dpcp_core.cli import launch
from dpcp_core.cli.entry import run
from dpcp_core.errors import InputError

# Tells who it is and where, and ends with a code of its own.
TELLS = "import os, sys; print(os.getpid(), os.getcwd(), flush=True); sys.exit(7)"
REPLACES = (
    "import sys; from pathlib import Path; from dpcp_core.cli.launch import _run; _run(sys.argv[2:], Path(sys.argv[1]))"
)


@pytest.fixture
def _nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where the app would start, which would take the place of the tests themselves."""
    monkeypatch.setattr(launch, "_run", lambda line, _: pytest.fail(f"started {line}"))


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must be refused before anything starts; return its one sentence."""
    assert run(["app", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err.strip()


@pytest.mark.skipif(os.name != "posix", reason="only there can a process take another's place")
def test_the_app_takes_our_place_so_that_whoever_ends_us_ends_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", REPLACES, str(tmp_path), sys.executable, "-c", TELLS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        said, _ = started.communicate(timeout=60)
    assert said.split() == [str(started.pid), str(tmp_path)]
    assert started.returncode == 7


def test_where_no_process_can_take_another_s_place_the_app_s_own_code_is_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "name", "nt")
        code = launch._run([sys.executable, "-c", TELLS], tmp_path)
    pid, folder = capfd.readouterr().out.split()
    assert (code, folder) == (7, str(tmp_path))
    assert pid != str(os.getpid())


@pytest.mark.usefixtures("_nothing_starts")
def test_a_port_that_cannot_be_used_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "--port", "65536") == "port is 65536 but must be at most 65535."
    assert refused(capsys, "--port", "many").startswith("port is 'many'")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(capsys, "--port", str(port))
    assert said == f"Port {port} cannot be used, perhaps because it is taken; choose another."


@pytest.mark.usefixtures("_nothing_starts")
def test_without_streamlit_the_way_to_install_it_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # How Python itself marks a package that cannot be imported.
    monkeypatch.setitem(sys.modules, "streamlit", None)
    assert refused(capsys) == "The app needs the package streamlit: install it with pip install streamlit."


def placed(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package lie in another folder."""
    monkeypatch.setattr(launch, "__file__", str(package / "cli" / "launch.py"))


def test_an_installed_app_lies_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "dpcp_core"
    (package / "app" / "pages").mkdir(parents=True)
    (package / "app" / "app.py").touch()
    # Somebody else's app beside the package is none of ours: it has no pages.
    (tmp_path / "app.py").touch()
    placed(package, monkeypatch)
    assert launch.app_script() == package / "app" / "app.py"


def test_a_package_without_the_app_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    placed(tmp_path / "dpcp_core", monkeypatch)
    with pytest.raises(InputError, match=r"^The app's files are not installed: reinstall dpcp-core, or start it from"):
        launch.app_script()
