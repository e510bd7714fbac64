"""The same numbers wherever trainings run: in this process, in threads, in processes, on a cluster."""

from __future__ import annotations

import dataclasses
import logging

import numpy as np
import pytest
from joblib import parallel_config

from dpcp_core import ConformalSettings, load_sample, sweep

DIABETES = load_sample("diabetes")
# What the linear engine fits in columns, what torch fits, and a cell that cannot be computed.
PLANS = {
    "linear": {"methods": "all", "epsilons": [0.5, 2.0], "row_share": [0.5, 0.001], "repetitions": 4},
    "torch": {
        "settings": ConformalSettings(trainer="mlp", steps=15, epsilon=4.0),
        "methods": ["dpcp", "pscp", "split"],
        "repetitions": 2,
    },
}


@pytest.fixture(scope="module")
def alone():
    """Return the sweeps as this process runs them, one training after the other."""
    return {name: sweep(DIABETES, **plan) for name, plan in PLANS.items()}


@pytest.fixture(scope="module")
def dask_cluster():
    """Start two dask workers, each a process."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.ERROR
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def ray_cluster():
    """Start two ray workers, each a process."""
    ray = pytest.importorskip("ray", reason="the package ray is not installed: pip install ray")
    from ray.util.joblib import register_ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    register_ray()
    yield
    ray.shutdown()


def assert_same(first, second):
    """Check that two sweeps found the same in every cell, to the last bit."""
    assert len(first.cells) == len(second.cells)
    for mine, theirs in zip(first.cells, second.cells, strict=True):
        for field in dataclasses.fields(mine):
            values = getattr(mine, field.name), getattr(theirs, field.name)
            same = np.array_equal(*values) if isinstance(values[0], np.ndarray) else values[0] == values[1]
            assert same or field.name == "seconds", (field.name, mine.settings)
    assert [cell.problem for cell in first.failures] == [cell.problem for cell in second.failures]


@pytest.mark.parametrize("plan", PLANS)
def test_threads_find_the_same(alone, plan):
    with parallel_config("threading", n_jobs=2):
        assert_same(sweep(DIABETES, **PLANS[plan]), alone[plan])


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_processes_find_the_same(alone, plan):
    with parallel_config("loky", n_jobs=2):
        assert_same(sweep(DIABETES, **PLANS[plan]), alone[plan])


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
def test_a_dask_cluster_finds_the_same(alone, plan, dask_cluster, tmp_path):
    with parallel_config("dask", client=dask_cluster):
        assert_same(sweep(DIABETES, folder=tmp_path, **PLANS[plan]), alone[plan])
    # What one kind of worker has finished, another takes up; what failed is tried again.
    n_finished = sum(not cell.failed for cell in alone[plan].cells)
    assert sweep(DIABETES, folder=tmp_path, **PLANS[plan]).n_reused == n_finished


@pytest.mark.slow
@pytest.mark.usefixtures("ray_cluster")
@pytest.mark.parametrize("plan", PLANS)
def test_a_ray_cluster_finds_the_same(alone, plan):
    with parallel_config("ray", n_jobs=2):
        assert_same(sweep(DIABETES, **PLANS[plan]), alone[plan])
