"""Attributes from a private autoencoder: for tables without a target, whose columns hang together in many ways."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcp_core._arrays import Floats
from dpcp_core.data.column import Column
from dpcp_core.data.encoding import encode
from dpcp_core.data.schema import Schema
from dpcp_core.privacy.noisy_marginals import CountsPlan, noisy_counts, projected
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.marginals import refuse_few_rows
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.attributes.public import EvenlySpread
from dpcp_core.synthesis.blocks import blocks_of, drawn_cells
from dpcp_core.synthesis.codes import LatentCells, encoded_rows, forward
from dpcp_core.synthesis.domain import Domain
from dpcp_core.synthesis.parts import Part
from dpcp_core.training.dense_descent import DenseData, descend
from dpcp_core.training.dense_engine import DenseNetwork
from dpcp_core.training.descent_plan import DescentPlan, descent_profile
from dpcp_core.training.linear_models import descent_note
from dpcp_core.training.mlp_plan import MlpDefaults
from dpcp_core.training.protocol import Weights

_HIDDEN, _LATENT = 32, 4
_LATENT_CELLS = 24
# Of mu squared, for the histograms of the codes.
_LATENT_SHARE = 0.3
_PROBES = 2000


@dataclass(frozen=True, eq=False)
class AutoencoderPlan:
    """The public side.

    Attributes
    ----------
    schema : Schema
        Its features are what is made.
    columns : tuple of str
    network : DenseNetwork
    descent : DescentPlan
    counts : CountsPlan
        One histogram per code.
    """

    schema: Schema
    columns: tuple[str, ...]
    network: DenseNetwork
    descent: DescentPlan
    counts: CountsPlan


@dataclass(frozen=True, eq=False)
class AutoencoderAttributes:
    """A released network and histograms of its codes.

    Attributes
    ----------
    plan : AutoencoderPlan
    weights : Weights
    latent : tuple of LatentCells
    released : tuple of arrays
    """

    plan: AutoencoderPlan
    weights: Weights
    latent: tuple[LatentCells, ...]
    released: tuple[Floats, ...]

    @property
    def cells(self) -> Mapping[str, int]:
        """None: numbers come out of the network as they are."""
        return {}

    def draw(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Draw codes independently, decode them, and draw categories from what the network says."""
        codes = np.empty((n, _LATENT), dtype=np.float32)
        for place, (cells, counts) in enumerate(zip(self.latent, self.released, strict=True)):
            codes[:, place] = cells.decode(drawn_cells(counts, n, rng), rng)
        outputs = forward(codes, self.weights[4:], 1.0, last_is_linear=True).astype(np.float64)
        made, start = {}, 1
        for name in self.plan.columns:
            column = self.plan.schema.column(name)
            width = _width(column)
            made[name] = _decoded(column, outputs[:, start : start + width], rng)
            start += width
        return pd.DataFrame(made)


@dataclass(frozen=True)
class Autoencoder:
    """A small network that squeezes rows into a few codes and restores them, and noisy histograms of those codes.

    Notes
    -----
    **Privacy.** The network by private gradient descent on Poisson batches (clipped sums move by at most
    ``max_grad_norm`` when a row is emptied); its codes of the rows by noisy histograms, one count of each per row.
    Where the cells of a code end follows from the released network and made-up rows. An empty cell of a column that
    is imputed is not made.
    """

    name: str = "autoencoder"
    title: str = "autoencoder"
    sentence: str = "A private network squeezes rows into a few codes; rows are restored from noisy counts of those."
    leak: str = ""
    is_free: bool = False

    def plan(self, task: AttributeTask, spending: SharedBudget) -> AutoencoderPlan:
        """Return network, steps and noise."""
        blocks_of(task.columns, task.groups)
        schema = _as_features(task.schema, task.columns)
        width = encode(pd.DataFrame({name: pd.Series(dtype=object) for name in task.columns}), schema).features.shape[1]
        latent_mu = spending.mu * math.sqrt(_LATENT_SHARE)
        names = tuple(f"code {place + 1}" for place in range(_LATENT))
        counts = CountsPlan.of(names, (_LATENT_CELLS,) * _LATENT, latent_mu)
        refuse_few_rows(task.n_rows, counts)
        left = replace(spending, others=(*spending.others, GaussianProfile(latent_mu)))
        network = DenseNetwork((width, _HIDDEN, _LATENT, _HIDDEN, width), "regression", MlpDefaults().input_scale)
        return AutoencoderPlan(schema, task.columns, network, _descent(task.n_rows, left), counts)

    def parts(self, plan: AutoencoderPlan) -> tuple[Part, ...]:
        """Return the lines of the network and of the histograms of its codes."""
        note = descent_note("an autoencoder", plan.descent)
        return (
            Part(
                f"Attributes: {note.mechanism[0].lower()}{note.mechanism[1:]}",
                "features",
                note.sensitivity,
                note.detail,
                descent_profile(plan.descent),
            ),
            Part(
                f"Attributes: noisy histograms of {_LATENT} codes",
                "features",
                "1 row in one count of each histogram",
                plan.counts.detail,
                plan.counts.profile,
            ),
        )

    def fit(self, frame: pd.DataFrame, plan: AutoencoderPlan, rng: np.random.Generator) -> AutoencoderAttributes:
        """Train on all rows, then count their codes."""
        features, wanted = encoded_rows(frame, plan.schema)
        weights = descend(plan.network, DenseData(features, wanted), plan.descent, rng=rng, adam=MlpDefaults().adam)
        made_up = EvenlySpread(Domain.of(plan.schema, 1, plan.columns)).draw(_PROBES, rng)
        scale = plan.network.input_scale
        probes = forward(encoded_rows(made_up, plan.schema)[0], weights[:4], scale)
        latent = tuple(LatentCells.of(float(probes[:, place].max()), _LATENT_CELLS) for place in range(_LATENT))
        codes = forward(features, weights[:4], scale)
        counts = tuple(cells.counts(codes[:, place]) for place, cells in enumerate(latent))
        noisy = noisy_counts(counts, plan.counts, rng)
        released = tuple(projected(each, float(plan.descent.n_rows)) for each in noisy)
        return AutoencoderAttributes(plan, weights, latent, released)


def _as_features(schema: Schema, columns: tuple[str, ...]) -> Schema:
    return Schema(tuple(replace(schema.column(name), role="feature") for name in columns), schema.one_row_is)


def _descent(n_rows: int, spending: SharedBudget) -> DescentPlan:
    usual, mu = MlpDefaults(), spending.mu
    steps = usual.steps(n_rows, mu)
    rate = usual.sampling_rate(n_rows, mu, steps)
    return DescentPlan(
        n_rows=n_rows,
        steps=steps,
        step_size=usual.step_size(steps),
        max_grad_norm=usual.max_grad_norm(mu),
        noise_multiplier=spending.noise_multiplier(steps, rate),
        sampling_rate=rate,
        averaged_share=usual.averaged_share,
    )


def _width(column: Column) -> int:
    """Return how many columns of the encoded table stand for a column."""
    if column.is_numeric:
        return 2 if column.missing == "category" else 1
    if column.kind in ("ordinal", "boolean"):
        return 1
    return len(column.categories) + (column.missing == "category")


def _decoded(column: Column, outputs: Floats, rng: np.random.Generator) -> pd.Series:
    """Return values of a column from what the network restored of it."""
    if column.is_numeric:
        low, high = column.scale_range
        assert column.bounds is not None
        values = np.clip(outputs[:, 0] * (high - low) / 2 + (high + low) / 2, *column.bounds)
        values = np.rint(values) if column.kind == "integer" else values
        if column.missing == "category":
            values = np.where(rng.random(len(values)) < np.clip(outputs[:, 1], 0, 1), np.nan, values)
        return pd.Series(values)
    levels = len(column.categories)
    codes = _places(column, outputs, rng)
    places = np.where(codes < levels, codes, -1).astype(np.int64)
    return pd.Series(pd.Categorical.from_codes(places, categories=pd.Index(column.categories)))


def _places(column: Column, outputs: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    if column.kind == "boolean":
        return (rng.random(len(outputs)) < (outputs[:, 0] + 1) / 2).astype(np.int64)
    if column.kind == "ordinal":
        steps = max(len(column.categories) - 1, 1)
        place = (outputs[:, 0] / math.sqrt(3 * steps / (steps + 2)) + 1) / 2 * steps
        return np.clip(np.floor(place + rng.random(len(place))), 0, len(column.categories) - 1).astype(np.int64)
    size = outputs.shape[1]
    chances = np.clip(outputs / math.sqrt(size) + 1 / size, 1e-9, None)
    ends = np.cumsum(chances, axis=1)
    drawn = (ends <= rng.random(len(ends))[:, None] * ends[:, -1:]).sum(axis=1)
    places: NDArray[np.int64] = np.minimum(drawn, size - 1)
    return places
