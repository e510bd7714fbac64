"""Calls that run side by side wherever the caller's ``joblib.parallel_config`` says; nothing here names a backend."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeAlias, TypeVar

from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

Result = TypeVar("Result")
Call: TypeAlias = tuple[Callable[..., Result], tuple[Any, ...]]

# Where results only come back all together, this many calls per worker go out at a time.
_AT_A_TIME = 2


def side_by_side(calls: Iterable[Call[Result]], n_jobs: int | None) -> Generator[Result, None, None]:
    """Yield the results of calls as they come, in any order; close it to cancel those under way.

    Parameters
    ----------
    calls : iterable of (function, arguments)
        Taken one by one as workers get free, maybe in another thread; ending it early ends the work.
    n_jobs : int or None
        Calls at a time; None takes what ``joblib.parallel_config`` says, which else is one.
    """
    backend, configured = get_active_backend()
    wanted = (delayed(function)(*arguments) for function, arguments in calls)
    options: dict[str, Any] = {"n_jobs": n_jobs, "batch_size": 1, "pre_dispatch": "n_jobs"}
    if backend.supports_return_generator:
        yield from _closed_quietly(Parallel(return_as="generator_unordered", **options)(wanted))
        return
    at_a_time = _AT_A_TIME * backend.effective_n_jobs(n_jobs or configured)
    # Workers that take seconds to start are kept from one round to the next.
    with Parallel(**options) as parallel:
        while some := list(itertools.islice(wanted, at_a_time)):
            yield from parallel(some)


def _closed_quietly(results: Generator[Result, None, None]) -> Generator[Result, None, None]:
    try:
        # No "yield from", which would close them before anything here is asked.
        for result in results:  # noqa: UP028
            yield result
    finally:
        # joblib warns of what it cancels; whoever stops in the middle means it.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()
