"""Descent of classifiers: gradients as torch forms them, what one row can do, how far a coupled run strays."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dpcp_core.training import class_rows
from dpcp_core.training.class_descent import descend
from dpcp_core.training.class_losses import ClassLoss, LogisticLoss, SmoothedHinge, SoftmaxLoss
from dpcp_core.training.class_plan import ClassPlan, coupling_radius
from dpcp_core.training.class_rows import ClassRows, bounded_gradient_sum

Floats = npt.NDArray[np.float64]
CASES = [(LogisticLoss(), 2), (SoftmaxLoss(), 2), (SoftmaxLoss(), 7), (SmoothedHinge(), 2), (SmoothedHinge(0.5), 5)]


def table(rng: np.random.Generator, n: int, d: int, n_classes: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Rows of norms up to 1, most of them close to it, and classes."""
    x = rng.normal(size=(n, d))
    x *= rng.uniform(0.6, 1.0, size=(n, 1)) / np.linalg.norm(x, axis=1, keepdims=True)
    return x, rng.integers(0, n_classes, n)


def plan_for(loss: ClassLoss, n: int, n_classes: int, clip: float = math.inf, **changes: float) -> ClassPlan:
    bound = min(clip, loss.longest_residual(n_classes))
    return dataclasses.replace(ClassPlan(n, n_classes, 60, 1.4 / loss.smoothness, bound), **changes)


def row_gradients_of_torch(loss: ClassLoss, x: Floats, codes: npt.NDArray[np.int64], weights: Floats) -> Floats:
    """Per-row gradients by automatic differentiation, shape (n, outputs, d)."""
    torch = pytest.importorskip("torch")

    def value(w: Any, row: Any, code: Any) -> Any:
        margins = w @ row
        if isinstance(loss, SoftmaxLoss):
            return torch.nn.functional.cross_entropy(margins[None], code[None])
        if isinstance(loss, LogisticLoss):
            return torch.nn.functional.softplus(-(2 * code - 1) * margins).sum()
        hot = torch.nn.functional.one_hot(code, len(margins)) if len(margins) > 1 else code[None]
        share = 1 / max(1, len(margins) - 1)
        short = torch.clamp(1 - (2 * hot - 1) * margins, min=0)
        width = loss.width
        hinge = torch.where(short < width, short**2 / (2 * width), short - width / 2)
        return (hinge * (hot + (1 - hot) * share if len(margins) > 1 else 1)).sum()

    gradient, w = torch.func.grad(value), torch.from_numpy(weights)
    pairs = zip(torch.from_numpy(x), torch.from_numpy(codes), strict=True)
    return np.stack([gradient(w, row, code).numpy() for row, code in pairs])


def cut_gradients(
    loss: ClassLoss, gradients: Floats, x: Floats, codes: npt.NDArray[np.int64], weights: Floats, clip: float
) -> Floats:
    """What the losses say of cutting, row by row: softmax at 1 - p_y, the others at each residual."""
    cut = gradients.copy()
    norms = np.linalg.norm(x, axis=1)
    for i in np.flatnonzero(norms):
        if isinstance(loss, SoftmaxLoss):
            odds = np.exp(weights @ x[i])
            missing = 1 - odds[codes[i]] / odds.sum()
            cut[i] *= min(1.0, clip / math.sqrt(2) / norms[i] / missing)
            continue
        n_outputs = len(weights)
        for k in range(n_outputs):
            largest = 1.0 if n_outputs == 1 or k == codes[i] else 1 / (n_outputs - 1)
            longest = 1.0 if n_outputs == 1 else math.sqrt(1 + 1 / (n_outputs - 1))
            length = np.linalg.norm(gradients[i, k])
            cut[i, k] *= min(1.0, clip / longest * largest / max(length, 1e-300))
    return cut


@pytest.mark.parametrize(("loss", "n_classes"), CASES)
@pytest.mark.parametrize("clip", [0.6, math.inf])
def test_the_bounded_sum_is_that_of_clipped_gradients_from_torch(loss: ClassLoss, n_classes: int, clip: float) -> None:
    rng = np.random.default_rng(0)
    x, codes = table(rng, 200, 6, n_classes)
    x[0] = 0.0
    weights = 2 * rng.normal(size=(loss.n_outputs(n_classes), 3, 6))
    included = rng.integers(0, 2, size=(200, 3)).astype(float)
    rows = ClassRows.of(x, codes, loss, plan_for(loss, 200, n_classes, clip), included)
    ours = bounded_gradient_sum(rows, weights, loss)
    for model in range(3):
        gradients = row_gradients_of_torch(loss, x, codes, weights[:, model].copy())
        norms = np.linalg.norm(gradients, axis=(1, 2))
        assert norms.max() <= loss.longest_residual(n_classes)
        cut = cut_gradients(loss, gradients, x, codes, weights[:, model], clip)
        if clip < 1:
            assert 0.05 < (cut != gradients).any(axis=2).mean() < 0.95
            assert np.linalg.norm(cut, axis=(1, 2)).max() <= clip * (1 + 1e-9)
        expected = np.einsum("i,ikd->kd", included[:, model], cut)
        assert np.abs(ours[:, model] - expected).max() / 200 <= 1e-6


@pytest.mark.parametrize(("loss", "n_classes"), CASES)
def test_emptying_a_row_moves_the_sum_by_at_most_the_bound(loss: ClassLoss, n_classes: int) -> None:
    for clip in (0.3, math.inf):
        plan = plan_for(loss, 30, n_classes, clip)
        for seed in range(20):
            rng = np.random.default_rng(seed)
            x, codes = table(rng, 30, 4, n_classes)
            x[7] *= 3  # a row that is too long counts as one of norm 1
            weights = 30 * rng.normal(size=(loss.n_outputs(n_classes), 2, 4))
            sums = []
            for keep in (1.0, 0.0):
                included = np.ones((30, 2))
                included[7] = keep
                sums.append(bounded_gradient_sum(ClassRows.of(x, codes, loss, plan, included), weights, loss))
            moved = np.linalg.norm(sums[0] - sums[1], axis=(0, 2))
            assert moved.max() <= plan.max_grad_norm * (1 + 1e-9)


@pytest.mark.parametrize(("loss", "n_classes"), CASES)
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_no_loss_curves_more_than_it_says(loss: ClassLoss, n_classes: int, share: float) -> None:
    rng = np.random.default_rng(2)
    margins = rng.normal(size=(loss.n_outputs(n_classes), 1, 2000)) * 2
    truth = loss.truth(rng.integers(0, n_classes, 2000), n_classes, float)[:, None]
    nudge = rng.normal(size=margins.shape) * 1e-3
    ends = [loss.residuals(margins + nudge, truth), loss.residuals(margins.copy(), truth)]
    for end in ends:
        loss.cap(end, truth, np.full(2000, share))
    change = ends[0] - ends[1]
    along = (change * nudge).sum(axis=0) / (nudge**2).sum(axis=0)
    assert along.min() >= -1e-9  # monotone: the loss is convex
    assert 0.4 * loss.smoothness * share <= along.max() <= loss.smoothness * (1 + 1e-6)


def test_blocks_and_threads_give_the_sum_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x, codes = table(rng, 3000, 4, 3)
    loss, weights = SoftmaxLoss(), rng.normal(size=(3, 2, 4))
    rows = ClassRows.of(x, codes, loss, plan_for(loss, 3000, 3))
    monkeypatch.setattr(class_rows, "_BLOCK", 1 << 12)
    alone = bounded_gradient_sum(rows, weights, loss)
    monkeypatch.setattr(class_rows, "_THREADS_FROM", 0)
    assert np.array_equal(bounded_gradient_sum(rows, weights, loss), alone)
    plan = plan_for(loss, 100, 3)
    whole = sum(
        bounded_gradient_sum(ClassRows.of(x[i : i + 100], codes[i : i + 100], loss, plan), weights, loss)
        for i in range(0, 3000, 100)
    )
    np.testing.assert_allclose(alone, whole, rtol=1e-10)


def test_noise_on_the_sum_has_the_standard_deviation_that_was_paid_for() -> None:
    loss, rng = SoftmaxLoss(), np.random.default_rng(0)
    plan = ClassPlan(10, 3, 1, 2.0, math.sqrt(2), noise_multiplier=3.0)
    rows = ClassRows.of(np.zeros((10, 2)), np.zeros(10, dtype=int), loss, plan)
    weights = descend(rows, plan, loss, start=np.zeros((3, 20_000, 2)), rng=rng)
    assert weights.std() * 10 / 2 == pytest.approx(3.0 * math.sqrt(2), rel=0.02)


def test_a_poisson_batch_draws_every_row_with_the_sampling_rate() -> None:
    loss = LogisticLoss()
    plan = ClassPlan(400, 2, 1, 1.0, 1.0, sampling_rate=0.25)
    x = np.ones((400, 1))
    rows = ClassRows.of(x, np.ones(400, dtype=int), loss, plan, included=np.repeat([[1.0]], 500, axis=1) * x)
    weights = descend(rows, plan, loss, start=np.zeros((1, 500, 1)), rng=np.random.default_rng(0))
    # Each drawn row pulls by 1/2; 100 rows are expected.
    drawn = weights.ravel() * 100 * 2
    assert drawn.mean() == pytest.approx(100, abs=4 * math.sqrt(75 / 500))
    assert drawn.var() == pytest.approx(75, rel=0.3)


def distance(
    x: Floats, codes: npt.NDArray[np.int64], plan: ClassPlan, loss: ClassLoss, start: Floats | None = None
) -> float:
    """How far apart two runs with shared noise end, one of them with the last row more."""
    begin = np.zeros((loss.n_outputs(plan.n_classes), 1, x.shape[1])) if start is None else start
    ends = [
        descend(
            ClassRows.of(x[:m], codes[:m], loss, plan), plan, loss, start=begin, rng=np.random.default_rng(9)
        )
        for m in (len(x), len(x) - 1)
    ]  # fmt: skip
    return float(np.linalg.norm(ends[0] - ends[1]))


@pytest.mark.parametrize(("loss", "n_classes"), CASES)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"max_grad_norm": 0.3},
        {"max_grad_norm": 0.3, "noise_multiplier": 9.0},
        {"penalty": 0.05},
        {"noise_multiplier": 4.0, "warmup_share": 0.3, "decay": "cosine"},
    ],
)
def test_one_more_row_never_moves_the_weights_further_than_the_radius(
    loss: ClassLoss, n_classes: int, changes: dict[str, float]
) -> None:
    plan = plan_for(loss, 30, n_classes, **changes)
    radius = coupling_radius(plan, loss)
    assert radius is not None
    for seed in range(15):
        x, codes = table(np.random.default_rng(seed), 31, 5, n_classes)
        x[-1] /= np.linalg.norm(x[-1])
        assert distance(x, codes, plan, loss) <= radius * (1 + 1e-9)


def test_a_vector_of_residuals_merely_shortened_would_not_be_monotone() -> None:
    # Why softmax cuts 1 - p_y instead: there are two points between which the shortened field turns back.
    rng = np.random.default_rng(0)
    loss, truth = SoftmaxLoss(), np.eye(3)[:, :1, None]
    ends = 4 * rng.normal(size=(2, 3, 1, 200_000))
    ends[1] = ends[0] + 0.2 * rng.normal(size=ends[0].shape)

    def field(cap: bool) -> Floats:
        found = []
        for margins in ends:
            residuals = loss.residuals(margins.copy(), truth)
            if cap:
                loss.cap(residuals, truth, np.full(200_000, 0.2))
            else:
                residuals /= np.maximum(1, np.linalg.norm(residuals, axis=0) / 0.2 / math.sqrt(2))
            found.append(residuals)
        return ((found[1] - found[0]) * (ends[1] - ends[0])).sum(axis=0)

    assert field(cap=False).min() < -1e-6
    assert field(cap=True).min() >= -1e-12


@pytest.mark.parametrize(("loss", "n_classes"), CASES)
@pytest.mark.parametrize("penalty", [0.0, 0.01])
def test_the_radius_is_reached_where_nothing_pulls_back(loss: ClassLoss, n_classes: int, penalty: float) -> None:
    x, codes = np.zeros((11, 2)), np.zeros(11, dtype=np.int64)
    x[-1, 0] = 1.0
    start = np.zeros((loss.n_outputs(n_classes), 1, 2))
    start[:, 0, 0] = 1e4
    if len(start) > 1:
        start[0, 0, 0] = -1e4
        # Softmax pulls longest where one other class is certain, the hinge where all of them are.
        start[2:, 0, 0] = 0.0 if isinstance(loss, SoftmaxLoss) else 1e4
    plan = plan_for(loss, 10, n_classes, penalty=penalty)
    assert distance(x, codes, plan, loss, start) == pytest.approx(coupling_radius(plan, loss), rel=1e-6)


def test_with_batches_or_with_steps_too_long_there_is_no_radius() -> None:
    softmax = SoftmaxLoss()
    plan = plan_for(softmax, 100, 3)
    assert coupling_radius(plan, softmax) is not None
    assert coupling_radius(dataclasses.replace(plan, step_size=3.97), softmax) is None
    assert coupling_radius(dataclasses.replace(plan, step_size=3.9, penalty=0.1), softmax) is None
    assert coupling_radius(dataclasses.replace(plan, sampling_rate=0.5), softmax) is None


def test_a_penalty_bounds_the_radius_however_many_steps() -> None:
    plan = ClassPlan(1000, 3, 100_000, 1.0, math.sqrt(2), penalty=0.05)
    radius = coupling_radius(plan, SoftmaxLoss())
    assert radius is not None
    assert radius <= math.sqrt(2) / (0.05 * 1000) * (1 + 1e-9)
