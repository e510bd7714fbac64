"""Making torch modules, and refusing those whose rows cannot be trained on one by one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dpcp_core.errors import InputError
from dpcp_core.training._start import checked_start
from dpcp_core.training.protocol import ProblemSize, Weights

if TYPE_CHECKING:
    import torch

MakeModule: TypeAlias = "Callable[[ProblemSize], torch.nn.Module]"
"""From the public size of a problem to a fresh module: rows (n, d) in, numbers (n, outputs) out; classes as logits."""

# Torch draws from one generator for the whole process: two seeded trainings at once would draw from each other's.
_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def torch_on_its_own(seed: int) -> Iterator[None]:
    """Seed torch and keep it to one thread for a while, then leave both as they were.

    Parameters
    ----------
    seed : int
        For first weights and for layers that draw, such as dropout.

    Notes
    -----
    Batches are cut into parts too small for several threads to gain, and sums over threads would not repeat exactly.
    """
    import torch

    with _ONE_AT_A_TIME:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                yield
        finally:
            torch.set_num_threads(threads)


@lru_cache(maxsize=64)
def count_weights(name: str, make_module: MakeModule, size: ProblemSize) -> int:
    """Return how many numbers a module trains, or refuse the module.

    Parameters
    ----------
    name : str
        Of the trainer, for messages.
    make_module : function from ProblemSize to a torch module
    size : ProblemSize

    Raises
    ------
    InputError
        Outputs of another shape, weights that no output depends on, or rows that do not stay apart from each other.

    Notes
    -----
    **Privacy.** A row's gradient is bounded by clipping only if the row's output depends on no other row: batch
    normalisation, for instance, breaks that. It is tried out on made-up rows.
    """
    from opacus import GradSampleModule
    from opacus.validators import ModuleValidator

    with torch_on_its_own(0):
        module = make_module(size)
        _require_separate_rows(name, module, size)
        _require_every_weight(name, module, size)
        errors = ModuleValidator.validate(module, strict=False) or GradSampleModule.validate(module)
    if errors:
        reason = str(errors[0]).partition(".")[0]
        raise InputError(f"trainer {name!r} has a layer that Opacus cannot train row by row: {reason}.")
    return sum(weight.numel() for weight in module.parameters() if weight.requires_grad)


def _outputs(module: torch.nn.Module, size: ProblemSize, first: float, second: float) -> torch.Tensor:
    import torch

    rows = torch.full((2, size.n_features), size.n_features**-0.5) * torch.tensor([[first], [second]])
    torch.manual_seed(0)
    outputs: torch.Tensor = module(rows)
    return outputs


def _require_separate_rows(name: str, module: torch.nn.Module, size: ProblemSize) -> None:
    import torch

    module.train()
    before = [buffer.clone() for buffer in module.buffers()]
    one, other = _outputs(module, size, 0.5, 0.9), _outputs(module, size, 0.5, -0.7)
    if one.shape != (2, size.n_outputs):
        raise InputError(
            f"trainer {name!r} makes a module whose output for 2 rows has shape {tuple(one.shape)}; "
            f"it must be (2, {size.n_outputs}), one number for each output."
        )
    remembers = any(not torch.equal(old, new) for old, new in zip(before, module.buffers(), strict=True))
    if remembers or not torch.allclose(one[0], other[0], atol=1e-5):
        raise InputError(
            f"trainer {name!r} has a layer that mixes the rows of a batch; "
            "take GroupNorm or LayerNorm in place of batch normalisation."
        )


def _require_every_weight(name: str, module: torch.nn.Module, size: ProblemSize) -> None:
    _outputs(module, size, 0.5, 0.9).sum().backward()  # type: ignore[no-untyped-call]
    if any(weight.grad is None for weight in module.parameters() if weight.requires_grad):
        raise InputError(
            f"trainer {name!r} makes a module with weights that its output does not depend on; leave them out."
        )


def copied_weights(module: torch.nn.Module) -> Weights:
    """Return a module's weights as arrays, in the module's own order."""
    return tuple(weight.detach().numpy().copy() for weight in module.parameters())


def load_weights(module: torch.nn.Module, weights: Weights) -> None:
    """Overwrite a module's weights.

    Raises
    ------
    InputError
        Weights of other shapes, or not finite.
    """
    import torch

    places = list(module.parameters())
    given = checked_start(weights, [tuple(place.shape) for place in places])
    with torch.no_grad():
        for place, part in zip(places, given, strict=True):
            place.copy_(torch.from_numpy(np.array(part)))
