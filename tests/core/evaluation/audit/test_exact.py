"""The search finds worst tables that are known, and an exact loss is the largest over all sets of outputs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.evaluation.audit.exact import privacy_loss, worst_table
from dpcp_core.evaluation.audit.lattice import crossing_probabilities
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.noisy_histogram import noisy_crossing


def over_all_sets(one, other, delta):
    """Return the smallest epsilon over every set of outputs, both ways."""
    found = 0.0
    for size in range(1, len(one) + 1):
        for some in itertools.combinations(range(len(one)), size):
            for p, q in ((one, other), (other, one)):
                told, hidden = p[list(some)].sum() - delta, q[list(some)].sum()
                if told > 0:
                    found = max(found, math.log(told / hidden) if hidden else math.inf)
    return found


@pytest.mark.parametrize("delta", [0.0, 0.01, 0.2])
def test_the_loss_is_the_largest_over_all_sets_of_outputs(delta):
    rng = np.random.default_rng(0)
    for _ in range(30):
        one, other = rng.dirichlet(np.full(5, 0.5), 2)
        with np.errstate(divide="ignore"):
            assert privacy_loss(np.log(one), np.log(other), delta) == pytest.approx(over_all_sets(one, other, delta))


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_an_output_of_one_table_alone_is_an_infinite_loss_unless_delta_covers_it(delta):
    with np.errstate(divide="ignore"):
        one, other = np.log([0.05, 0.95, 0.0]), np.log([0.0, 1.0, 0.0])
    assert float(privacy_loss(one, other, delta)) == (0 if delta else math.inf)


def fullest(scale):
    """Return the mechanism that picks the fullest of five places, with weights ``scale`` times those of epsilon 1."""
    return lambda tables: exponential_log_probabilities(tables.astype(float), 1.0, scale, 1.0)


def test_the_search_finds_nearly_all_of_epsilon_and_never_more():
    found = worst_table(fullest(1.0), 40, 5, rng=np.random.default_rng(0))
    assert 0.99 < found.epsilon <= 1 + 1e-12
    assert found.table[found.emptied] > 0


def test_the_search_catches_twice_the_weight():
    assert worst_table(fullest(2.0), 40, 5, rng=np.random.default_rng(0)).epsilon > 1.9


def test_the_loss_of_the_pair_it_names_is_the_loss_it_states():
    found = worst_table(fullest(1.0), 40, 5, rng=np.random.default_rng(1), n_steps=5)
    table = np.array([found.table])
    without = table - (np.arange(5) == found.emptied)
    assert found.epsilon == pytest.approx(float(privacy_loss(fullest(1.0)(table), fullest(1.0)(without))[0]))


def test_climbing_finds_no_less_than_its_starts():
    start = np.array([0, 0, 0, 0, 30])
    alone = worst_table(fullest(1.0), 3, 5, rng=np.random.default_rng(0), n_climbers=0, n_steps=0, starts=[start])
    assert worst_table(fullest(1.0), 3, 5, rng=np.random.default_rng(0), n_steps=20, starts=[start]).epsilon >= (
        alone.epsilon
    )


@pytest.mark.parametrize("start", [[1, 2], [0] * 5, [-1, 1, 0, 0, 1]])
def test_a_start_of_another_shape_or_without_a_row_is_refused(start):
    with pytest.raises(InputError, match="a start must hold"):
        worst_table(fullest(1.0), 3, 5, rng=np.random.default_rng(0), starts=[start])


def test_many_tables_at_once_have_the_distributions_of_each_alone():
    tables = np.array([[9, 5, 1, 0], [4, 4, 0, 0]])
    together = crossing_probabilities(tables, 3.0, 0.8)
    assert together.sum(axis=1) == pytest.approx([1, 1])
    for table, chances in zip(tables, together, strict=True):
        assert chances == pytest.approx(crossing_probabilities(table, 3.0, 0.8))
    drawn = noisy_crossing(np.tile(tables[0], (40_000, 1)), 3.0, 0.8, np.random.default_rng(0))
    assert np.bincount(drawn, minlength=4) / 40_000 == pytest.approx(together[0], abs=0.01)
