"""A small FT-Transformer: every column of a table is a token, and tokens attend to each other."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dpcp_core.errors import InputError
from dpcp_core.training.protocol import ProblemSize

if TYPE_CHECKING:
    import torch

_WIDTH, _HEADS, _BLOCKS = 16, 4, 2
# Attention looks at every pair of columns for every row.
_MOST_COLUMNS = 256


def ft_transformer(size: ProblemSize) -> torch.nn.Module:
    """Return an untrained FT-Transformer over the columns of an encoded table.

    Parameters
    ----------
    size : ProblemSize
        Its first column is the constant, whose token collects what the others say.

    Returns
    -------
    torch module
        Rows (n, d) in, numbers or logits (n, outputs) out.

    Raises
    ------
    InputError
        More columns than attention can look at in bearable time.

    Notes
    -----
    Two blocks of width 16, no dropout: noise regularises enough, and every weight more costs accuracy.

    References
    ----------
    Gorishniy et al. (2021), "Revisiting deep learning models for tabular data", section 3.3.

    Examples
    --------
    >>> network = ft_transformer(ProblemSize(4000, 11))
    >>> sum(weight.numel() for weight in network.parameters())
    4849
    """
    from torch import nn

    if size.n_features > _MOST_COLUMNS:
        raise InputError(
            f"trainer 'ft_transformer' looks at every pair of columns, and the encoded table has {size.n_features:,}; "
            f"it takes at most {_MOST_COLUMNS}, so choose 'mlp', or leave out columns or categories."
        )
    layers = _layers()
    return nn.Sequential(
        layers["tokens"](size.n_features, _WIDTH),
        *(layers["block"](_WIDTH, _HEADS) for _ in range(_BLOCKS)),
        layers["first"](),
        nn.LayerNorm(_WIDTH),
        nn.ReLU(),
        nn.Linear(_WIDTH, size.n_outputs),
    )


@lru_cache(maxsize=1)
def _layers() -> dict[str, Any]:
    """Return the classes of layers; they can only be made once torch is there."""
    return {"tokens": _tokens_class(), "block": _block_class(), "first": _first_class()}


def _tokens_class() -> Any:
    import torch
    from opacus.grad_sample import register_grad_sampler
    from torch import nn

    class Tokens(nn.Module):
        """A token for each column: its value times a vector of its own, plus another."""

        def __init__(self, n_features: int, width: int) -> None:
            super().__init__()
            limit = 1 / math.sqrt(width)
            # Rows have norm at most 1, so their values are of this size.
            self.scale = math.sqrt(n_features)
            self.weight = nn.Parameter(torch.empty(n_features, width).uniform_(-limit, limit))
            self.bias = nn.Parameter(torch.empty(n_features, width).uniform_(-limit, limit))

        def forward(self, rows: torch.Tensor) -> torch.Tensor:
            """Return tokens of shape (n, d, width)."""
            return self.scale * rows[:, :, None] * self.weight + self.bias

    @register_grad_sampler(Tokens)  # type: ignore[untyped-decorator]
    def _tokens_gradient(layer: Any, inputs: list[torch.Tensor], outputs: torch.Tensor) -> dict[Any, torch.Tensor]:
        return {layer.weight: layer.scale * inputs[0][:, :, None] * outputs, layer.bias: outputs}

    return Tokens


def _block_class() -> Any:
    from torch import nn

    class Block(nn.Module):
        """Attention among the tokens, then a small dense network on each; both add to what is there."""

        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.before_attention, self.before_dense = nn.LayerNorm(width), nn.LayerNorm(width)
            self.ask, self.answer = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.dense = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            """Return tokens of the same shape."""
            tokens = tokens + self.answer(self._attended(self.before_attention(tokens)))
            changed: torch.Tensor = tokens + self.dense(self.before_dense(tokens))
            return changed

        def _attended(self, tokens: torch.Tensor) -> torch.Tensor:
            split = self.ask(tokens).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            mixed = nn.functional.scaled_dot_product_attention(split[0], split[1], split[2])
            return mixed.transpose(1, 2).flatten(2)

    return Block


def _first_class() -> Any:
    from torch import nn

    class First(nn.Module):
        """The token of the constant column."""

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            """Return it, shape (n, width)."""
            return tokens[:, 0]

    return First
