"""Attacks on synthetic tables: they must succeed on shuffled columns and fail on noisy histograms.

Somebody knows every row but one, and the whole mechanism. What they can tell about the missing row is bounded by the
mechanism's mu; with half of the noise the same attack goes beyond that bound.
"""

from __future__ import annotations

import dataclasses
import math
import os
import warnings
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binom, norm

from dpcp_core import DPDSyn, PrivacyLeakWarning
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.audit.synthesis import SYNTHESIS, SYNTHESIS_FAULTS
from dpcp_core.privacy.noisy_marginals import CountsPlan
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.privacy.shared_budget import SharedBudget
from dpcp_core.synthesis.attributes.marginals import Marginals, MarginalsPlan, released_counts
from dpcp_core.synthesis.attributes.pairs import released_pairs
from dpcp_core.synthesis.attributes.protocol import AttributeTask
from dpcp_core.synthesis.attributes.tree import Tree

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
RUNS = 6000 if LONG else 800
EPSILONS = (0.5, 1.0, 4.0) if LONG else (0.5, 4.0)
LEVELS = tuple(f"level {i}" for i in range(12))
SCHEMA = Schema(
    (
        Column("a", "category", categories=LEVELS, missing="refuse"),
        Column("b", "integer", bounds=(0, 9), missing="refuse"),
        Column("c", "boolean", missing="refuse"),
    ),
    one_row_is="one patient",
)
N_ROWS = 600


def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    c = rng.choice(["no", "yes"], N_ROWS)
    return pd.DataFrame({"a": rng.choice(LEVELS, N_ROWS), "b": np.where(c == "yes", 3, 6), "c": c})


def emptied(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with its first row empty: it lies in no cell."""
    without = frame.astype(object).copy()
    without.iloc[0] = None
    return without


def plan(epsilon: float = 3.0) -> MarginalsPlan:
    task = AttributeTask(SCHEMA, ("a", "b", "c"), N_ROWS)
    return Marginals().plan(task, SharedBudget(epsilon, 1e-5))


@lru_cache(maxsize=8)
def evidence(is_there: bool, factor: float = 1.0) -> np.ndarray:
    """Return for each run how much the released counts speak for the first row: its counts, weighed by their noise.

    The noise is ``factor`` times what it is planned to be.
    """
    whole, planned = rows(), with_noise(plan(), factor)
    codes = planned.domain.read(whole if is_there else emptied(whole)).codes
    counts = tuple(block.counts(codes) for block in planned.blocks)
    cells = [planned.domain.part(block.names[0]).read(whole[block.names[0]]).codes[0] for block in planned.blocks]
    weights = [1 / noise**2 for noise in plan().counts.noise]
    found = np.empty(RUNS)
    for run in range(RUNS):
        released = released_counts(counts, planned, simulation_generator(run, int(is_there)))
        found[run] = sum(w * part[cell] for w, part, cell in zip(weights, released, cells, strict=True))
    return found


def least_delta(there: np.ndarray, empty: np.ndarray, epsilon: float) -> float:
    """Return a lower bound of delta at epsilon from samples, 99.9 % sure: half of them choose the threshold."""
    half = len(there) // 2
    limits = np.quantile(there[:half], np.linspace(0.02, 0.98, 49))
    gains = [(there[:half] > t).mean() - math.exp(epsilon) * (empty[:half] > t).mean() for t in limits]
    limit = limits[int(np.argmax(gains))]
    hits, alarms, n = int((there[half:] > limit).sum()), int((empty[half:] > limit).sum()), len(there) - half
    least = beta.ppf(0.0005, hits, n - hits + 1) if hits else 0.0
    most = beta.ppf(0.9995, alarms + 1, n - alarms) if alarms < n else 1.0
    return float(least - math.exp(epsilon) * most)


def with_noise(planned: MarginalsPlan, factor: float) -> MarginalsPlan:
    counts = planned.counts
    halved = CountsPlan(counts.names, counts.sizes, tuple(factor * noise for noise in counts.noise))
    return dataclasses.replace(planned, counts=halved)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_nobody_tells_a_row_from_an_empty_one_better_than_the_histograms_promise(epsilon):
    allowed = GaussianProfile(plan().counts.mu).delta(epsilon)
    assert least_delta(evidence(True), evidence(False), epsilon) <= allowed


def test_the_same_attack_finds_half_of_the_noise_out():
    allowed = GaussianProfile(plan().counts.mu).delta(0.0)
    assert least_delta(evidence(True, 0.5), evidence(False, 0.5), 0.0) > allowed


def test_the_evidence_is_as_strong_as_mu_says_so_the_attack_is_the_best_there_is():
    mu, there, empty = plan().counts.mu, evidence(True), evidence(False)
    seen = (there.mean() - empty.mean()) / math.sqrt((there.var() + empty.var()) / 2)
    error = math.sqrt(2 / RUNS)
    assert 0.7 * mu < seen + 3 * error
    assert seen < mu + 3 * error


def test_scores_and_joint_counts_of_a_tree_promise_no_less():
    planned = Tree().plan(AttributeTask(SCHEMA, ("a", "b", "c"), N_ROWS), SharedBudget(3.0, 1e-5))
    mu = math.hypot(planned.single.counts.mu, planned.pairs.mu)
    scores = []
    for frame in (rows(), emptied(rows())):
        places = [planned.single.domain.part(name).read(rows()[name]).codes[0] for name in ("a", "b", "c")]
        drawn, codes = [], planned.single.domain.read(frame).codes
        for run in range(RUNS // 4):
            released = released_pairs(codes, planned, simulation_generator(run, len(frame.dropna())))
            singles = sum(part[cell] for part, cell in zip(released.singles, places, strict=True))
            joints = sum(joint[places[one], places[other]] for (one, other), joint in released.joints.items())
            drawn.append(singles + joints)
        scores.append(np.array(drawn))
    assert least_delta(scores[0], scores[1], 0.0) <= GaussianProfile(mu).delta(0.0)


def made(attributes: str, seed: int, frame: pd.DataFrame) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyLeakWarning)
        return DPDSyn(schema=SCHEMA, attributes=attributes, random_state=seed).fit(frame).sample()


def subtracted(table: pd.DataFrame, known: pd.DataFrame) -> dict[str, object]:
    """Return the attacker's guess of the missing row: in each column the value that is there most too often."""
    guess = {}
    for name in known.columns:
        left = table[name].astype(str).value_counts().sub(known[name].astype(str).value_counts(), fill_value=0)
        guess[name] = left.idxmax()
    return guess


def hits(attributes: str, runs: int) -> float:
    """Return how often the attacker finds all of the missing row."""
    found = 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        frame = rows()
        frame.loc[0] = [LEVELS[rng.integers(12)], int(rng.choice([3, 6])), str(rng.choice(["no", "yes"]))]
        guess = subtracted(made(attributes, run, frame), frame.iloc[1:])
        found += all(str(guess[name]) == str(frame.loc[0, name]) for name in frame.columns)
    return found / runs


def test_the_subtraction_attack_always_succeeds_on_shuffled_columns():
    assert hits("shuffle", 20) == 1.0


def test_the_subtraction_attack_does_no_better_on_noisy_histograms_than_their_bound_allows():
    runs = 400 if LONG else 120
    # Blind guessing finds one row of 12 * 2 * 2; the trade-off curve of a mu-GDP mechanism bounds what is found.
    blind, mu = 1 / 48, GaussianProfile(SharedBudget(1.0, 1e-5).mu).mu
    allowed = float(norm.cdf(norm.ppf(blind) + mu))
    seen = hits("marginals", runs)
    assert seen <= allowed + 3 * math.sqrt(allowed * (1 - allowed) / runs)


def planted() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a table in which one row holds a value, and one in which nobody does."""
    without = rows()
    without.loc[without["a"] == "level 11", "a"] = "level 10"
    with_value = without.copy()
    with_value.loc[0, "a"] = "level 11"
    return with_value, without


def test_a_planted_rare_value_is_always_published_by_shuffling():
    assert all("level 11" in set(made("shuffle", seed, planted()[0])["a"]) for seed in range(5))


def test_a_planted_rare_value_shows_up_in_histograms_as_often_as_domain_and_noise_explain():
    runs = 400 if LONG else 60
    shown = [sum("level 11" in set(made("marginals", seed, table)["a"]) for seed in range(runs)) for table in planted()]
    # Worked out from the counts and the noise on the receipt, by other code than draws the table.
    noise, chances = plan(1.0).counts.noise[0], []
    for table in planted():
        counts = table["a"].value_counts().reindex(LEVELS, fill_value=0).to_numpy()
        drawn = np.rint(counts + noise * np.random.default_rng(1).standard_normal((4000, len(LEVELS))))
        chances.append(np.mean([min(nearest_counts(each)[LEVELS.index("level 11")], 1.0) for each in drawn]))
    for count, chance in zip(shown, chances, strict=True):
        assert abs(count / runs - chance) <= 3 * math.sqrt(chance * (1 - chance) / runs) + 0.02
    mu = SharedBudget(1.0, 1e-5).mu
    assert chances[1] < chances[0] <= norm.cdf(norm.ppf(chances[1]) + mu)


def nearest_counts(noisy: np.ndarray) -> np.ndarray:
    """Return the nearest counts of 0 or more that add up to the number of rows, by bisection."""
    low, high = noisy.min() - N_ROWS, noisy.max()
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(noisy - middle, 0).sum() > N_ROWS else (low, middle)
    return np.maximum(noisy - high, 0)


@pytest.mark.parametrize("audited", SYNTHESIS, ids=lambda audited: audited.name)
def test_no_claim_is_broken_more_often_than_the_confidence_of_its_bound_says(audited):
    seeds = 20 if LONG else 1
    broken = sum(
        audited.run(epsilon, 1e-5, simulation_generator(seed, 9), "quick").is_broken
        for seed in range(seeds)
        for epsilon in EPSILONS
    )
    # Each run is wrong with 5 % at most: more than so many come up once in ten thousand times.
    assert broken <= binom.ppf(0.9999, len(EPSILONS) * seeds, 0.05)


@pytest.mark.parametrize("fault", SYNTHESIS_FAULTS, ids=lambda audited: audited.name)
def test_planted_faults_are_caught_at_every_epsilon(fault):
    for epsilon in EPSILONS:
        assert fault.run(epsilon, 1e-5, simulation_generator(3), "quick").is_broken
