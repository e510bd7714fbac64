"""The commands put together, and every way of ending: one sentence and an exit code, never a traceback.

>>> run(["--version"])
dpcp 0.6.0
0
"""

from __future__ import annotations

import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from dpcp_core import __version__
from dpcp_core.cli import aside
from dpcp_core.cli.audit import audit_command
from dpcp_core.cli.launch import app_command
from dpcp_core.cli.ledger import commands as ledger_commands
from dpcp_core.cli.names import NamingCommand
from dpcp_core.cli.predict import predict_command
from dpcp_core.cli.release import release_command, release_table_command
from dpcp_core.cli.reproduce import reproduce_command
from dpcp_core.cli.schema import schema_command
from dpcp_core.cli.simulate import simulate_command
from dpcp_core.cli.sweep import sweep_command
from dpcp_core.cli.synthesize import synthesize_command
from dpcp_core.errors import InputError

DEBUG = "--debug"
BAD_INPUT, FAULT, STOPPED = 2, 1, 130

commands = typer.Typer(
    name="dpcp",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
commands.command("app")(app_command)
commands.command("audit", cls=NamingCommand)(audit_command)
commands.command("predict")(predict_command)
commands.command("release", cls=NamingCommand)(release_command)
commands.command("release-table", cls=NamingCommand)(release_table_command)
commands.command("reproduce")(reproduce_command)
commands.command("schema")(schema_command)
commands.command("simulate", cls=NamingCommand)(simulate_command)
commands.command("sweep", cls=NamingCommand)(sweep_command)
commands.command("synthesize", cls=NamingCommand)(synthesize_command)
commands.add_typer(ledger_commands, name="ledger")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dpcp {__version__}")
        raise typer.Exit


@commands.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option(DEBUG, help="Show the details of an unexpected error.")] = False,
) -> None:
    """Intervals that say how sure they are, without exposing a person.

    Differentially private conformal prediction.
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A column's name may hold letters that this terminal's encoding has not.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:] if args is None else args))


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0 done, 2 bad input, 1 a fault of the program.

    Parameters
    ----------
    args : sequence of str
        What stands after ``dpcp``; nothing shows the help, ``--debug`` is understood anywhere.
    """
    words = [arg for arg in args if arg != DEBUG] or ["--help"]
    try:
        # standalone_mode off: the endings below are ours, not Typer's usage box.
        code = typer.main.get_command(commands).main(args=words, prog_name="dpcp", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("Stopped.", STOPPED)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _end_of(error, debug=DEBUG in args)


def _end_of(error: Exception, *, debug: bool) -> int:
    # Typer's usage errors are its own class or click's, depending on its version; both format themselves.
    if hasattr(error, "format_message"):
        where = getattr(getattr(error, "ctx", None), "command_path", "dpcp")
        return _fail(plain_usage(error.format_message(), where), BAD_INPUT)
    if debug:
        traceback.print_exception(error)
    return _fail(
        f"Something went wrong inside dpcp ({type(error).__name__}), which is a fault of the program "
        f"and not of your input; the same command with {DEBUG} shows the details.",
        FAULT,
    )


def _fail(sentence: str, code: int) -> int:
    typer.echo(aside.printable(sentence), err=True)
    return code


def plain_usage(message: str, where: str = "dpcp") -> str:
    """Turn a parser's complaint into one plain sentence that says where to look.

    >>> plain_usage("No such option: --epsilom (Possible options: --epsilon)", "dpcp simulate")
    'No such option: --epsilom (did you mean --epsilon?); dpcp simulate --help lists what there is.'
    """
    message = " ".join(message.split())
    message = re.sub(r"\.? \(?(?:Did you mean|Possible options:) (.+?)\??\)?$", r" (did you mean \1?)", message)
    return f"{message.rstrip('.')}; {where} --help lists what there is."
