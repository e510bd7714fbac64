"""The clipped gradient sum of a dense network is the one that Opacus forms from per-row gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dpcp_core.training.dense_engine import DenseNetwork

torch = pytest.importorskip("torch")
pytest.importorskip("opacus")

pytestmark = pytest.mark.filterwarnings("ignore:Full backward hook is firing:UserWarning")

N_ROWS, TOLERANCE = 300, 1e-6
NETWORKS = {
    "classes": DenseNetwork((9, 16, 12, 3), "classification"),
    "numbers": DenseNetwork((9, 16, 1), "regression"),
    "scaled": DenseNetwork((9, 16, 12, 3), "classification", input_scale=4.0),
    "straight": DenseNetwork((9, 4), "classification"),
}
Batch = tuple[npt.NDArray[np.float64], npt.NDArray[Any], tuple[npt.NDArray[np.float64], ...]]


@pytest.fixture(params=list(NETWORKS))
def network(request: pytest.FixtureRequest) -> DenseNetwork:
    return NETWORKS[request.param]


@pytest.fixture
def batch(network: DenseNetwork) -> Batch:
    """Return rows, targets, and weights none of which is zero."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(N_ROWS, 9)) / 4
    targets = rng.normal(size=N_ROWS) if network.task == "regression" else rng.integers(0, network.widths[-1], N_ROWS)
    weights = tuple(part + 0.3 * rng.normal(size=part.shape) for part in network.initial(rng, np.float64))
    return x, targets, weights


def opacus_gradients(network: DenseNetwork, batch: Batch) -> list[npt.NDArray[np.float64]]:
    """Return Opacus's gradients of each row, for each of our weights (rows, *shape)."""
    from opacus import GradSampleModule

    x, targets, weights = batch
    layers: list[Any] = []
    for matrix, constants in zip(weights[::2], weights[1::2], strict=True):
        linear = torch.nn.Linear(*matrix.shape, dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(matrix.T))
            linear.bias.copy_(torch.from_numpy(constants))
        layers += [linear, torch.nn.ReLU()]
    module = GradSampleModule(torch.nn.Sequential(*layers[:-1]), loss_reduction="sum")
    raw = module(torch.from_numpy(x * network.input_scale))
    if network.task == "regression":
        ((raw[:, 0] - torch.from_numpy(targets)) ** 2 / 2).sum().backward()
    else:
        torch.nn.functional.cross_entropy(raw, torch.from_numpy(targets), reduction="sum").backward()
    found = [parameter.grad_sample.numpy() for parameter in module.parameters()]
    return [np.swapaxes(part, 1, 2) if part.ndim == 3 else part for part in found]


def lengths(gradients: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    return np.sqrt(sum((part.reshape(len(part), -1) ** 2).sum(axis=1) for part in gradients))


def test_the_length_of_each_row_s_gradient_is_that_of_opacus(network: DenseNetwork, batch: Batch) -> None:
    found = network.clipped_gradient_sum(*batch, 1.0)
    np.testing.assert_allclose(found.norms, lengths(opacus_gradients(network, batch)), rtol=1e-9)


def test_the_clipped_sum_is_that_of_opacus_gradients(network: DenseNetwork, batch: Batch) -> None:
    gradients = opacus_gradients(network, batch)
    clip = float(np.median(lengths(gradients)))
    factors = np.minimum(1, clip / lengths(gradients))
    assert 0.4 < (factors < 1).mean() < 0.6
    found = network.clipped_gradient_sum(*batch, clip)
    for ours, theirs in zip(found.total, gradients, strict=True):
        np.testing.assert_allclose(ours, np.einsum("i,i...->...", factors, theirs), rtol=0, atol=TOLERANCE)


def test_the_clipped_sum_is_that_of_opacus_optimiser(network: DenseNetwork, batch: Batch) -> None:
    from opacus.optimizers import DPOptimizer

    gradients = opacus_gradients(network, batch)
    parameters = [torch.nn.Parameter(torch.zeros(part.shape[1:], dtype=torch.float64)) for part in gradients]
    for parameter, part in zip(parameters, gradients, strict=True):
        parameter.grad_sample = torch.from_numpy(np.ascontiguousarray(part))
    clip = float(np.median(lengths(gradients)))
    optimizer = DPOptimizer(
        torch.optim.SGD(parameters, lr=1.0),
        noise_multiplier=0.0,
        max_grad_norm=clip,
        expected_batch_size=None,
        loss_reduction="sum",
    )
    assert optimizer.pre_step()
    found = network.clipped_gradient_sum(*batch, clip)
    for ours, parameter in zip(found.total, parameters, strict=True):
        # Opacus divides by a gradient's length plus 1e-6: sums agree to 1e-6 for each row that went in.
        assert np.abs(ours - parameter.grad.numpy()).max() / N_ROWS <= TOLERANCE


def test_the_comparison_notices_a_clip_norm_that_is_wrong_by_one_percent(network: DenseNetwork, batch: Batch) -> None:
    gradients = opacus_gradients(network, batch)
    clip = float(np.median(lengths(gradients)))
    total = np.einsum("i,i...->...", np.minimum(1, clip / lengths(gradients)), gradients[0])
    for wrong in (0.99 * clip, 1.01 * clip):
        assert np.abs(network.clipped_gradient_sum(*batch, wrong).total[0] - total).max() / N_ROWS > 10 * TOLERANCE


def test_without_clipping_the_sum_is_the_gradient_of_the_summed_loss(network: DenseNetwork, batch: Batch) -> None:
    gradients = opacus_gradients(network, batch)
    found = network.clipped_gradient_sum(*batch, math.inf)
    for ours, theirs in zip(found.total, gradients, strict=True):
        np.testing.assert_allclose(ours, theirs.sum(axis=0), atol=1e-9)


def test_single_precision_stays_within_a_millionth_of_the_clip_norm_per_row(
    network: DenseNetwork, batch: Batch
) -> None:
    x, targets, weights = batch
    exact = network.clipped_gradient_sum(*batch, 0.5)
    single = tuple(part.astype(np.float32) for part in weights)
    found = network.clipped_gradient_sum(x.astype(np.float32), targets, single, 0.5)
    for ours, theirs in zip(found.total, exact.total, strict=True):
        assert ours.dtype == np.float32
        assert np.abs(ours - theirs).max() / N_ROWS <= 0.5e-6
