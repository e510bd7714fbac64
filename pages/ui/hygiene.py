"""What the process itself must not do: write rows to its log or to a disk, or ask another host.

Messages of errors and warnings can hold cells of a table. Streamlit and its server log them with a traceback, Python
prints them; here the log gets the type and the line instead. An upload of more than a megabyte would be put into a
temporary file while it comes in; here it stays in memory, as its size is bounded. Where a page of another site calls,
Streamlit would ask a host of Amazon for this computer's address, in order to compare; here it has none.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import types
import warnings
from typing import Any, TextIO

from starlette.formparsers import MultiPartParser
from streamlit import net_util, runtime
from streamlit.runtime import Runtime

_log = logging.getLogger("dpcp.app")


def begin() -> None:
    """Keep rows in where a server runs; a test or a script that looks at a page keeps its own habits."""
    if runtime.exists() and type(runtime.get_instance()) is Runtime:
        keep_rows_in()


def keep_rows_in() -> None:
    """Keep cells out of the log, files off the disk and other hosts out of it; calling it again changes nothing."""
    if isinstance(logging.getLogRecordFactory(), _Factory):
        return
    logging.setLogRecordFactory(_Factory(logging.getLogRecordFactory()))
    warnings.showwarning = _show_warning
    threading.excepthook = _in_thread
    sys.unraisablehook = _unraisable
    MultiPartParser.spool_max_size = sys.maxsize
    net_util.get_external_ip = _no_address


def _no_address() -> None:
    return None


class _Factory:
    """Makes records of the log in which an exception is a type and a place."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._inner(*args, **kwargs)
        if record.exc_info and record.exc_info[0] is not None:
            where = place(record.exc_info[0], record.exc_info[2])
            # Arguments of such a message are often the exception itself.
            text = record.msg if isinstance(record.msg, str) and not record.args else "Something failed"
            record.msg, record.args, record.exc_info = f"{text} ({where})", (), None
        elif _names_exception(record):
            record.msg, record.args = f"{_types_of(record)} in {record.module}, line {record.lineno}", ()
        return record


def place(kind: type[BaseException], trace: types.TracebackType | None) -> str:
    """Return an exception's type and the line that raised it, without its message."""
    frames = traceback.extract_tb(trace)
    return f"{kind.__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else kind.__name__


def _names_exception(record: logging.LogRecord) -> bool:
    return any(isinstance(part, BaseException) for part in _parts(record))


def _types_of(record: logging.LogRecord) -> str:
    return ", ".join(type(part).__name__ for part in _parts(record) if isinstance(part, BaseException))


def _parts(record: logging.LogRecord) -> tuple[object, ...]:
    given = record.args.values() if isinstance(record.args, dict) else record.args or ()
    return (record.msg, *given)


def _show_warning(
    message: Warning | str,  # noqa: ARG001 - may hold cells
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 - as Python calls it
    line: str | None = None,  # noqa: ARG001
) -> None:
    _log.warning("%s at %s:%s", category.__name__, filename, lineno)


def _in_thread(problem: threading.ExceptHookArgs) -> None:
    _log.error("A thread ended: %s", place(problem.exc_type, problem.exc_traceback))


def _unraisable(problem: Any) -> None:
    _log.error("Something failed: %s", place(problem.exc_type, problem.exc_traceback))
