"""Linear algebra in one thread.

Products of the thin matrices here lose several times over when a library shares each of them among threads; work is
shared among cores in larger pieces, if at all.

>>> with one_thread():
...     pass
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra use one thread for a while, in the whole process; may be nested.

    Threads that are started within find the limit set, and do not lift it.
    """
    with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:  # noqa: ARG001 - a key
    """Find the libraries; that takes milliseconds, and only an import can bring a new one."""
    return ThreadpoolController()
