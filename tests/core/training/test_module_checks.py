"""Which torch modules are taken: rows stay apart, outputs have the right shape, tables suit the built-in ones."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.spending import TrainingBudget
from dpcp_core.training.opacus_modules import CNN, FT_TRANSFORMER, OpacusTrainer
from dpcp_core.training.protocol import ProblemSize, Task, TrainingChoices

torch = pytest.importorskip("torch")
pytest.importorskip("opacus")

BUDGET = TrainingBudget(2.0, 1e-5)


def of_layers(size: ProblemSize, *layers: Any) -> Any:
    return torch.nn.Sequential(torch.nn.Linear(size.n_features, 4), *layers, torch.nn.Linear(4, size.n_outputs))


def with_batch_norm(size: ProblemSize) -> Any:
    return of_layers(size, torch.nn.BatchNorm1d(4))


def with_frozen_batch_norm(size: ProblemSize) -> Any:
    return of_layers(size, torch.nn.BatchNorm1d(4, affine=False, track_running_stats=False))


def with_a_wrong_shape(size: ProblemSize) -> Any:
    return torch.nn.Linear(size.n_features, size.n_outputs + 1)


def with_idle_weights(size: ProblemSize) -> Any:
    module = of_layers(size)
    module.idle = torch.nn.Linear(1, 1)
    module.forward = lambda rows: module[1](module[0](rows))
    return module


def own(make_module: Any) -> OpacusTrainer:
    both: frozenset[Task] = frozenset({"regression", "classification"})
    return OpacusTrainer("own", "own network", "A network of one's own.", both, make_module)


@pytest.mark.parametrize(
    ("make_module", "says"),
    [
        (with_batch_norm, "mixes the rows of a batch"),
        (with_frozen_batch_norm, "mixes the rows of a batch"),
        (with_a_wrong_shape, r"has shape \(2, 3\); it must be \(2, 2\)"),
        (with_idle_weights, "weights that its output does not depend on"),
    ],
)
def test_a_module_that_cannot_be_trained_row_by_row_is_refused(make_module: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        own(make_module).plan(ProblemSize(400, 17, 2), BUDGET, TrainingChoices())


def test_columns_that_make_no_square_are_no_image() -> None:
    with pytest.raises(InputError, match=r"^trainer 'cnn' reads square images, but the table has 15 columns"):
        CNN.plan(ProblemSize(400, 16, 2), BUDGET, TrainingChoices())


def test_more_columns_than_attention_can_bear_are_refused() -> None:
    with pytest.raises(InputError, match=r"^trainer 'ft_transformer' looks at .* has 785"):
        FT_TRANSFORMER.plan(ProblemSize(60_000, 785, 10), BUDGET, TrainingChoices())


@pytest.mark.parametrize("side", [4, 15, 32])
def test_images_in_colour_keep_their_channels_apart(side: int) -> None:
    n_values = 3 * side * side
    network = CNN.make_module(ProblemSize(400, n_values + 1, 3))
    assert network(torch.zeros(2, n_values + 1)).shape == (2, 3)
    planes = network[0](torch.arange(n_values + 1.0)[None])
    assert planes.shape == (1, 3, side, side)
    # All red values come first, then all green, then all blue ones.
    scale = math.sqrt(n_values + 1)
    firsts = [1.0, 1.0 + side * side, 1.0 + 2 * side * side]
    assert torch.allclose(planes[0, :, 0, 0], torch.tensor(firsts) * scale)


@pytest.mark.parametrize("side", [4, 5, 8, 15, 16, 28, 33])
def test_images_of_any_size_from_four_by_four_fit(side: int) -> None:
    network = CNN.make_module(ProblemSize(400, side * side + 1, 3))
    assert network(torch.zeros(2, side * side + 1)).shape == (2, 3)


def test_a_trainer_for_classes_refuses_numbers() -> None:
    trainer = OpacusTrainer("own", "own network", "A network.", frozenset({"classification"}), with_batch_norm)
    with pytest.raises(InputError, match="predicts classes, but the target holds numbers"):
        trainer.plan(ProblemSize(400, 17), BUDGET, TrainingChoices())
