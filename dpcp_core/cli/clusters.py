"""Clusters that a sweep can run on, each from the package of its own; none of them is needed otherwise."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from dpcp_core import __version__
from dpcp_core.cli import aside
from dpcp_core.errors import InputError

_WAIT_S = 10


@contextmanager
def on_dask(n_jobs: int | None, scheduler: str) -> Iterator[None]:
    """Run on a dask cluster: the one with this address, or one of so many processes on this computer."""
    _require("dask", "distributed", 'pip install "dask[distributed]"')
    from distributed import Client, KilledWorker, LocalCluster
    from distributed.comm.core import CommClosedError
    from joblib import cpu_count, parallel_config

    with ExitStack() as stack:
        if scheduler:
            client = stack.enter_context(_dask_client(scheduler))
        else:
            with aside.stage("Starting the workers"), interrupts_left_alone():
                cluster = LocalCluster(
                    n_workers=n_jobs or cpu_count(), threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
                )
            client = stack.enter_context(Client(stack.enter_context(cluster)))
        stack.enter_context(parallel_config("dask", client=client))
        try:
            yield
        except (KilledWorker, CommClosedError):
            raise lost_worker() from None


def _dask_client(scheduler: str) -> Any:
    from distributed import Client

    try:
        client = Client(scheduler, timeout=_WAIT_S)
    except (OSError, ValueError):
        raise InputError(f"No dask scheduler answers at {scheduler}: start one, or mend the address.") from None
    try:
        _require_the_same(client.run(_version_there()))
    except InputError:
        client.close()
        raise
    return client


def _version_there() -> Callable[[], str]:
    def version() -> str:
        # Not known where the function runs, so it may import nothing from here but what it asks for.
        try:
            from dpcp_core import __version__ as there
        except ImportError:
            return ""
        return there

    return version


def _require_the_same(versions: Mapping[str, str]) -> None:
    """Refuse workers that would compute with another version: their cells would be kept under this one's name."""
    for worker, version in versions.items():
        if version != __version__:
            has = f"has version {version} of dpcp-core" if version else "has no dpcp-core"
            raise InputError(f"The worker {worker} {has}: install version {__version__} there.")


@contextmanager
def on_ray(n_jobs: int | None, scheduler: str) -> Iterator[None]:
    """Run on a ray cluster: the one with this address, or one of so many processes on this computer."""
    _require("ray", "ray", "pip install ray")
    import ray
    from joblib import cpu_count, parallel_config
    from ray.util.joblib import register_ray

    quiet = {"include_dashboard": False, "num_cpus": n_jobs or cpu_count()} if not scheduler else {}
    try:
        with aside.stage("Starting the workers"), interrupts_left_alone():
            ray.init(address=scheduler or "local", log_to_driver=False, logging_level="ERROR", **quiet)
    except (ConnectionError, ValueError):
        raise InputError(f"No ray cluster answers at {scheduler}: start one, or mend the address.") from None
    register_ray()
    try:
        with parallel_config("ray", n_jobs=n_jobs or -1):
            yield
    except ray.exceptions.RayActorError:
        raise lost_worker() from None
    finally:
        ray.shutdown()


CLUSTERS: Mapping[str, Callable[[int | None, str], AbstractContextManager[None]]] = MappingProxyType(
    {"dask": on_dask, "ray": on_ray}
)


def lost_worker() -> InputError:
    """Return what to say when a process that trained has gone."""
    return InputError(
        "A worker ended in the middle of a training, perhaps for want of memory: try fewer --jobs; with --folder, "
        "what was finished is not run again."
    )


def _require(backend: str, package: str, how: str) -> None:
    if find_spec(package) is None:
        raise InputError(f"The backend {backend} needs the package {package}: install it with {how}.")


@contextmanager
def interrupts_left_alone() -> Iterator[None]:
    """Let processes that start in here ignore Ctrl-C, which a terminal sends to all of them.

    How a sweep ends is for the process to say that was started first.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
