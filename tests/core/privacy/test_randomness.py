from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from randomgen import ChaCha
from scipy.stats import kstest

from dpcp_core.errors import InputError
from dpcp_core.privacy.randomness import (
    ReleaseGenerator,
    estimator_generator,
    refuse_seed,
    release_generator,
    simulation_generator,
)


def test_a_simulation_can_be_repeated_exactly() -> None:
    assert np.array_equal(simulation_generator(5, 1, 2).random(100), simulation_generator(5, 1, 2).random(100))


def test_streams_are_independent_of_each_other() -> None:
    names: list[tuple[int, ...]] = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (2**40,)]
    draws = np.array([simulation_generator(0, *name).standard_normal(20_000) for name in names])
    assert np.unique(draws[:, 0]).size == len(names)
    correlation = np.corrcoef(draws) - np.eye(len(names))
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)


def test_streams_of_different_seeds_do_not_meet() -> None:
    # Adding the stream to the seed would make these two the same.
    assert simulation_generator(0, 1).random() != simulation_generator(1, 0).random()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", None, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(InputError, match="seed"):
        simulation_generator(seed)  # type: ignore[arg-type]


def test_a_release_takes_no_seed_and_never_repeats() -> None:
    assert not inspect.signature(release_generator).parameters
    with pytest.raises(TypeError):
        release_generator(0)  # type: ignore[call-arg]
    first, second = release_generator(), release_generator()
    assert not np.array_equal(first.random(8), second.random(8))


def test_a_release_ignores_the_global_seed() -> None:
    np.random.seed(0)  # noqa: NPY002 - the global state is what must not matter
    first = release_generator().random(8)
    np.random.seed(0)  # noqa: NPY002 - the global state is what must not matter
    assert not np.array_equal(first, release_generator().random(8))


def test_a_release_draws_from_chacha_with_twenty_rounds() -> None:
    generator = release_generator()
    assert isinstance(generator.bit_generator, ChaCha)
    assert generator.bit_generator.state["state"]["rounds"] == 20
    key = generator.bit_generator.state["state"]["keysetup"]
    assert np.unique(key).size > 4
    assert not np.array_equal(key, release_generator().bit_generator.state["state"]["keysetup"])


def test_release_draws_look_uniform() -> None:
    draws = release_generator().random(100_000)
    assert abs(draws.mean() - 0.5) < 6 * np.sqrt(1 / 12 / 100_000)
    assert abs(draws.var() - 1 / 12) < 0.003


def test_a_seed_is_refused_in_a_release_and_welcome_in_a_simulation() -> None:
    refuse_seed("simulation", 7)
    refuse_seed("simulation", None)
    refuse_seed("release", None)
    for seed in (0, 7, np.random.default_rng(0), False):
        with pytest.raises(InputError, match="takes no seed"):
            refuse_seed("release", seed)
    with pytest.raises(InputError, match="mode"):
        refuse_seed("both", None)


def test_a_normal_number_of_a_release_is_half_the_sum_of_four() -> None:
    key = 2**200 + 7
    summed, plain = ReleaseGenerator(ChaCha(key=key)), np.random.Generator(ChaCha(key=key))
    assert np.array_equal(summed.standard_normal((5, 2)), sum(plain.standard_normal((5, 2)) for _ in range(4)) / 2)
    assert isinstance(release_generator(), ReleaseGenerator)


def test_normal_numbers_of_a_release_are_normal() -> None:
    assert kstest(release_generator().standard_normal(200_000), "norm").pvalue > 1e-6
    assert kstest(release_generator().normal(3.0, 2.0, 200_000), "norm", (3.0, 2.0)).pvalue > 1e-6
    assert release_generator().normal([0.0, 1.0, 2.0], 0.0).tolist() == [0.0, 1.0, 2.0]
    assert release_generator().standard_normal(3, dtype=np.float32).dtype == np.float32


def test_normal_numbers_of_a_release_are_never_written_over_others() -> None:
    with pytest.raises(InputError, match="out must be left out"):
        release_generator().standard_normal(3, out=np.empty(3))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_release_generator_cannot_be_copied(copied: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="cannot be copied"):
        copied(release_generator())


def test_an_estimator_repeats_itself_only_in_a_simulation_with_a_seed() -> None:
    def drawn(mode: str, seed: int | None, stream: int = 0) -> list[float]:
        return estimator_generator(mode, seed, stream).random(4).tolist()

    assert drawn("simulation", 1) == drawn("simulation", 1)
    assert drawn("simulation", 1) != drawn("simulation", 1, stream=1)
    assert drawn("simulation", None) != drawn("simulation", None)
    assert drawn("release", None) != drawn("release", None)
    assert isinstance(estimator_generator("release", None, 0), ReleaseGenerator)
