"""Attacks on synthetic tables: they succeed on shuffled columns and keep to the bounds of noisy counts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.samples import load_sample
from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.guesses import EMPTY
from dpcp_core.experiments.audit.planted import planted_value
from dpcp_core.experiments.audit.releases import KnownRows, whole_budget_plan
from dpcp_core.experiments.audit.subtraction import subtraction_attack
from dpcp_core.experiments.audit.synthesis import SYNTHESIS, SYNTHESIS_FAULTS, attacked_table
from dpcp_core.experiments.audit.synthetic_risks import synthetic_risks
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.noisy_marginals import CountsPlan
from dpcp_core.privacy.profile import GaussianProfile
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.synthesis.attributes.pairs import released_pairs
from tests.core.synthesis.tables import PEOPLE, people

DATA = Dataset.from_frame(people(900), PEOPLE)


@pytest.mark.parametrize("row", [0, 7, 899])
def test_shuffled_columns_give_away_the_whole_of_any_row(row):
    found = subtraction_attack(DATA, "shuffle", row=row, trials=100)
    assert found.is_whole_row
    assert (found.hits, found.trials, found.success.value) == (2, 2, 1.0)
    assert (found.epsilon, found.allowed, found.allowed_by_noise) == (math.inf, 1.0, 1.0)
    frame = DATA.frame.drop(columns="note").iloc[row]
    for guess in found.columns:
        cell = frame[guess.column]
        assert guess.guess == (EMPTY if cell is None or cell != cell else str(cell).removesuffix(".0"))


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_noisy_counts_give_away_no_more_than_their_bound(epsilon):
    found = subtraction_attack(DATA, "marginals", epsilon=epsilon, trials=600)
    assert found.is_within
    assert found.blind == 1 / 50
    assert found.blind < found.allowed_by_noise <= found.allowed < 1
    assert found.allowed_by_noise < (0.03 if epsilon == 0.5 else 0.14)
    assert not found.is_whole_row
    assert 0 < max(guess.chance for guess in found.columns) < 1


def test_with_hardly_any_noise_the_attack_reads_off_who_it_was():
    assert subtraction_attack(DATA, "marginals", epsilon=60.0, trials=100).success.value > 0.9
    certain = subtraction_attack(DATA, "marginals", epsilon=5000.0, trials=1)
    assert certain.is_whole_row
    assert min(guess.chance for guess in certain.columns) > 0.99


def test_the_same_attack_breaks_histograms_with_a_quarter_of_their_noise():
    plan = whole_budget_plan(DATA, "marginals", epsilon=4.0, delta=1e-5).attributes
    less = CountsPlan(plan.counts.names, plan.counts.sizes, tuple(noise / 4 for noise in plan.counts.noise))
    known, rng = KnownRows.planned(replace(plan, counts=less), DATA.frame), simulation_generator(0)
    candidates = known.candidates(50, rng)
    hits = 0
    for place in rng.integers(50, size=200):
        hits += int(np.argmax(known.release(candidates[place], rng).log_likelihoods(candidates))) == place
    assert hits / 200 > 2 * subtraction_attack(DATA, "marginals", epsilon=4.0, trials=20).allowed_by_noise


def test_all_of_the_budget_goes_to_what_is_attacked():
    plan = whole_budget_plan(DATA, "marginals", epsilon=1.0, delta=1e-5)
    assert plan.labels == ()
    assert plan.attributes.counts.mu == pytest.approx(gaussian_mu(1.0, 1e-5), rel=1e-6)
    tree = whole_budget_plan(DATA, "tree", epsilon=1.0, delta=1e-5).attributes
    both = math.hypot(tree.single.counts.mu, tree.pairs.mu)
    assert GaussianProfile(both).delta(1.0) <= 1e-5 * (1 + 1e-6)


def test_the_noise_on_scores_and_pairs_is_the_noise_of_the_plan():
    known = KnownRows.of(DATA, "tree", epsilon=8.0, delta=1e-5)
    plan, rng = known.pairs, simulation_generator(3)
    assert plan is not None
    left = []
    for _ in range(20):
        released = released_pairs(known.codes, plan, rng)
        for (one, other), joint in released.joints.items():
            true = known.plan.blocks[one].beside(known.plan.blocks[other]).counts(known.codes)
            left.append((joint.ravel() - true) / plan.pairs.count_noise)
    assert np.concatenate(left).std() == pytest.approx(1.0, abs=0.03)


def test_a_planted_value_is_always_shown_by_shuffling():
    found = planted_value(DATA, "job", "pilot", attributes="shuffle", runs=20)
    assert (found.shown.value, found.shown_without.value, found.epsilon) == (1.0, 0.0, math.inf)


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_a_planted_value_is_shown_by_noisy_counts_as_often_as_noise_explains(epsilon):
    found = planted_value(DATA, "job", epsilon=epsilon, runs=400)
    assert found.is_explained
    assert found.is_within
    assert found.explained_without < found.explained <= found.allowed < 1
    assert found.shown_without.value > 0.1


def test_only_a_category_can_be_planted():
    with pytest.raises(InputError, match="'age' has no two categories"):
        planted_value(DATA, "age")
    with pytest.raises(InputError, match="value is 'CEO'"):
        planted_value(DATA, "job", "CEO")


def test_rows_that_are_all_the_same_are_nobody_to_attack():
    frame = DATA.frame.iloc[[0] * 300].reset_index(drop=True)
    alike = Dataset.from_frame(frame, PEOPLE.with_role("ill", "feature"))
    with pytest.raises(InputError, match="look the same"):
        subtraction_attack(alike, epsilon=4.0)
    with pytest.raises(InputError, match="row is 900"):
        subtraction_attack(DATA, row=900)


@pytest.mark.parametrize("attributes", ["shuffle", "marginals"])
def test_rows_that_are_the_same_count_as_one_candidate(attributes):
    few = DATA.frame.drop_duplicates("job").iloc[:3]
    frame = few.loc[few.index.repeat(100)].reset_index(drop=True)
    twins = Dataset.from_frame(frame, PEOPLE.with_role("ill", "feature"))
    attack = subtraction_attack(twins, attributes, epsilon=4.0, trials=50)
    assert attack.n_candidates == 3
    assert attack.blind == pytest.approx(1 / 3)


def test_an_attack_repeats_with_its_seed():
    one, two, other = (subtraction_attack(DATA, trials=30, seed=seed) for seed in (5, 5, 6))
    assert one == two
    assert one.columns != other.columns


@pytest.mark.parametrize("name", ["synthetic_residuals", "randomised_response"])
def test_an_audit_says_what_was_tried_and_proves_nearly_all_that_is_claimed(name):
    audited = next(each for each in SYNTHESIS if each.name == name)
    finding = audited.run(2.0, 1e-5, simulation_generator(11), "quick")
    assert 1.5 < finding.bound < 2.0
    assert not finding.is_broken
    assert (finding.claim, finding.epsilon, finding.confidence, finding.fault) == (name, 2.0, 0.95, "")
    assert finding.attack.endswith(".")


def test_every_fault_names_a_claim_that_is_audited():
    assert {fault.claim for fault in SYNTHESIS_FAULTS} <= {audited.name for audited in SYNTHESIS}


def test_the_attacked_row_is_one_of_a_kind():
    frame = attacked_table().frame
    assert (frame["level"] == frame["level"].iloc[0]).sum() == 1
    assert (frame["number"] == frame["number"].iloc[0]).sum() == 1


def test_risks_of_a_table_come_as_one_row_each():
    frame = load_sample("readmission").frame
    found = synthetic_risks(
        frame.iloc[:500], frame.iloc[500:1000], frame.iloc[1000:1500], load_sample("readmission").schema, n_attacks=60
    )
    table = found.table()
    assert table["risk"].tolist() == ["singling_out", "linkability", "inference"]
    assert found.secret == "readmitted"
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()
    with pytest.raises(InputError, match="control table has 5 rows"):
        synthetic_risks(frame, frame, frame.iloc[:5], load_sample("readmission").schema)
