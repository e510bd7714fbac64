"""Linear algebra in one thread: within, nested, in other threads, and as before afterwards."""

from __future__ import annotations

from threading import Thread

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from dpcp_core._threads import one_thread


def threads() -> list[int]:
    np.linalg.norm(np.ones(3))
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_inside_there_is_one_and_afterwards_as_many_as_before() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with one_thread():
            with one_thread():
                assert set(threads()) == {1}
            assert set(threads()) == {1}
        assert threads() == before


def test_threads_started_within_do_not_lift_the_limit() -> None:
    seen = []

    def work() -> None:
        with one_thread():
            pass
        seen.append(set(threads()))

    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        with one_thread():
            workers = [Thread(target=work) for _ in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        assert seen == [{1}] * 4
        assert threads() == before


def test_a_failure_inside_gives_the_threads_back() -> None:
    before = threads()
    try:
        with one_thread():
            raise RuntimeError
    except RuntimeError:
        pass
    assert threads() == before
