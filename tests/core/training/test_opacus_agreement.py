"""The closed-form clipped gradient sum is the one that Opacus forms from per-row gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dpcp_core.training.clipping import clipped_gradient_sum

torch = pytest.importorskip("torch")
pytest.importorskip("opacus")

pytestmark = pytest.mark.filterwarnings("ignore:Full backward hook is firing:UserWarning")

Floats = npt.NDArray[np.float64]
N_ROWS, N_FEATURES, MAX_GRAD_NORM = 500, 9, 0.3
# Opacus divides by the gradient's norm plus 1e-6, so a clipped row of gradient norm g is shorter than ours by
# a share of 1e-6 / g: sums agree to 1e-6 for each row that went in.
TOLERANCE = 1e-6


@pytest.fixture(scope="module")
def batch() -> tuple[Floats, Floats, Floats]:
    """Rows of norm at most 1, targets and weights such that about half of the gradients clip."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(N_ROWS, N_FEATURES))
    features *= rng.uniform(0.1, 1.0, size=(N_ROWS, 1)) / np.linalg.norm(features, axis=1, keepdims=True)
    return features, rng.normal(size=N_ROWS), rng.normal(size=N_FEATURES)


def row_gradients(features: Floats, targets: Floats, weights: Floats) -> tuple[Any, Any]:
    """Return an Opacus module after a backward pass, per-row gradients on its weight, and its optimiser."""
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    linear = torch.nn.Linear(features.shape[1], 1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        linear.weight.copy_(torch.from_numpy(weights[None, :]))
    module = GradSampleModule(linear, loss_reduction="sum")
    optimizer = DPOptimizer(
        torch.optim.SGD(module.parameters(), lr=1.0),
        noise_multiplier=0.0,
        max_grad_norm=MAX_GRAD_NORM,
        expected_batch_size=None,
        loss_reduction="sum",
    )
    residuals = module(torch.from_numpy(features))[:, 0] - torch.from_numpy(targets)
    (residuals**2 / 2).sum().backward()
    return module, optimizer


def opacus_sum(features: Floats, targets: Floats, weights: Floats) -> Floats:
    """Return the clipped gradient sum of Opacus's own optimiser, without noise."""
    module, optimizer = row_gradients(features, targets, weights)
    assert optimizer.pre_step()
    (weight,) = module.parameters()
    return weight.grad.numpy()[0]


def our_sum(features: Floats, targets: Floats, weights: Floats, max_grad_norm: float = MAX_GRAD_NORM) -> Floats:
    return clipped_gradient_sum(features, targets, weights[:, None], max_grad_norm)[:, 0]


def clips(features: Floats, targets: Floats, weights: Floats) -> npt.NDArray[np.bool_]:
    return np.abs(features @ weights - targets) * np.linalg.norm(features, axis=1) > MAX_GRAD_NORM


def test_the_batch_has_rows_that_clip_and_rows_that_do_not(batch: tuple[Floats, Floats, Floats]) -> None:
    assert 0.25 < clips(*batch).mean() < 0.75


def test_the_clipped_sum_is_that_of_opacus(batch: tuple[Floats, Floats, Floats]) -> None:
    assert np.abs(our_sum(*batch) - opacus_sum(*batch)).max() / N_ROWS <= TOLERANCE


@pytest.mark.parametrize("clipped", [True, False])
def test_rows_that_clip_and_rows_that_do_not_agree_alone(batch: tuple[Floats, Floats, Floats], clipped: bool) -> None:
    features, targets, weights = batch
    chosen = clips(*batch) == clipped
    part = features[chosen], targets[chosen], weights
    tolerance = TOLERANCE if clipped else 1e-12
    assert np.abs(our_sum(*part) - opacus_sum(*part)).max() / chosen.sum() <= tolerance


def test_the_comparison_notices_a_clip_norm_that_is_wrong_by_one_percent(
    batch: tuple[Floats, Floats, Floats],
) -> None:
    for wrong in (0.99 * MAX_GRAD_NORM, 1.01 * MAX_GRAD_NORM):
        difference = our_sum(*batch, max_grad_norm=wrong) - opacus_sum(*batch)
        assert np.abs(difference).max() / N_ROWS > 10 * TOLERANCE


def test_the_per_row_gradients_of_opacus_clipped_exactly_give_the_same_sum(
    batch: tuple[Floats, Floats, Floats],
) -> None:
    module, _ = row_gradients(*batch)
    (weight,) = module.parameters()
    gradients = weight.grad_sample.numpy()[:, 0, :]
    factors = np.minimum(1.0, MAX_GRAD_NORM / np.linalg.norm(gradients, axis=1))
    np.testing.assert_allclose(our_sum(*batch), factors @ gradients, rtol=0, atol=1e-10)


def test_many_columns_at_once_with_rows_left_out_agree_one_by_one(
    batch: tuple[Floats, Floats, Floats],
) -> None:
    features, targets, _ = batch
    rng = np.random.default_rng(8)
    weights = rng.normal(size=(N_FEATURES, 3))
    included = rng.integers(0, 2, size=(N_ROWS, 3)).astype(np.float64)
    together = clipped_gradient_sum(features, targets, weights, MAX_GRAD_NORM, included)
    for column in range(3):
        seen = included[:, column] == 1
        alone = opacus_sum(features[seen], targets[seen], weights[:, column])
        assert np.abs(together[:, column] - alone).max() / seen.sum() <= TOLERANCE
