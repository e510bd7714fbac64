from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.errors import InputError
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.synthesis.randomised import checked_columns, randomised_codes, randomised_frame, randomised_sentences
from tests.core.synthesis.tables import PEOPLE, people


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_no_output_is_more_than_e_to_the_epsilon_likelier_for_one_value_than_for_another(epsilon):
    times, n_values = 200_000, 4
    shares = np.stack(
        [
            np.bincount(
                randomised_codes(np.full(times, value), n_values, epsilon, simulation_generator(value + 1)),
                minlength=n_values,
            )
            / times
            for value in (-1, 0, 1, 2, 3)
        ]
    )
    ratios = shares[:, None] / shares[None]
    assert ratios.max() <= math.exp(epsilon) * 1.05
    assert ratios.max() >= math.exp(epsilon) * 0.95


def test_only_the_named_column_changes_and_its_empty_cells_take_part():
    frame = people(3000)
    changed = randomised_frame(frame, PEOPLE, (("job", 0.01),), simulation_generator(0))
    assert changed.drop(columns="job").equals(frame.drop(columns="job"))
    kept = (changed["job"].astype(object).fillna("-") == frame["job"].fillna("-")).mean()
    assert kept == pytest.approx(1 / 5, abs=0.03)


def test_the_receipt_says_what_it_costs_and_that_it_reads_the_input():
    (sentence,) = randomised_sentences(PEOPLE, (("job", 2.0),))
    assert "each cell of job is kept with a chance of 64.9" in sentence
    assert "epsilon = 2" in sentence
    assert "Before anything else reads the rows" in sentence


@pytest.mark.parametrize("name", ["age", "note"])
def test_numbers_and_ignored_columns_are_refused(name):
    with pytest.raises(InputError, match=f"randomised_response names '{name}'"):
        checked_columns(((name, 1.0),), PEOPLE)
