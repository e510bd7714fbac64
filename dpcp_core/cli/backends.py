"""Where a sweep's trainings run: on this computer's cores, or on the workers of a cluster.

The library names none of these: it asks joblib, and joblib does what is set here.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from dpcp_core import _validate as check
from dpcp_core.cli.clusters import CLUSTERS, lost_worker
from dpcp_core.errors import InputError

HERE = ("loky", "threading")
BACKENDS = (*HERE, *CLUSTERS)

_MOST_HERE, _MOST_PER_CORE = 64, 4
"""Processes that one computer is asked for; each takes memory before it does anything."""


@contextmanager
def running_on(backend: str, jobs: str | None, scheduler: str) -> Iterator[None]:
    """Let whatever asks joblib run there.

    Parameters
    ----------
    backend : str
        One of ``BACKENDS``.
    jobs : str or None
        Trainings at a time; None is as many as there are cores, here or in the cluster.
    scheduler : str
        Address of a cluster; "" starts one of ``jobs`` workers on this computer.

    Raises
    ------
    InputError
        No such backend, one that is not installed, or a scheduler that does not answer.
    """
    check.one_of(BACKENDS, backend=backend)
    n_jobs = None if jobs is None else check.whole(at_most=_most_jobs(), jobs=jobs)
    if scheduler and backend in HERE:
        raise InputError(f"--scheduler is for --backend {' and '.join(CLUSTERS)}, not for {backend}; leave it out.")
    with _here(backend, n_jobs) if backend in HERE else CLUSTERS[backend](n_jobs, scheduler):
        yield


def _most_jobs() -> int:
    from joblib import cpu_count

    n_cores: int = cpu_count()
    return max(_MOST_HERE, _MOST_PER_CORE * n_cores)


@contextmanager
def _here(backend: str, n_jobs: int | None) -> Iterator[None]:
    from joblib import cpu_count, parallel_config

    wanted = n_jobs or cpu_count()
    # A terminal sends Ctrl-C to every process; how a sweep ends is for the first of them to say.
    options = {"initializer": _leave_interrupts_alone} if backend == "loky" and wanted > 1 else {}
    with parallel_config(backend, n_jobs=wanted, **options):
        try:
            yield
        except BrokenProcessPool:
            raise lost_worker() from None


def _leave_interrupts_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
