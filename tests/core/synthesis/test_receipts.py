"""The receipt alone says what every part adds; what that comes to is worked out here a second time."""

from __future__ import annotations

import re

import pytest
from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant

from dpcp_core import DPDSyn, PrivacyReceipt
from dpcp_core.privacy.receipt import ReceiptEntry
from dpcp_core.privacy.shared_budget import joint_epsilon
from dpcp_core.synthesis.attributes import marginals
from dpcp_core.synthesis.plan import plan_synthesis
from dpcp_core.synthesis.settings import SynthesisSettings
from tests.core.synthesis.tables import PEOPLE, people

FRAME = people()
NUMBER = r"([0-9.,]+(?:e-?[0-9]+)?)"


def numbers(pattern: str, text: str) -> list[float]:
    found = re.findall(pattern.replace("NUMBER", NUMBER), text)
    return [float(part.replace(",", "").rstrip(".")) for part in found]


def events(entry: ReceiptEntry) -> list[object]:
    """Return what a line of a receipt says was done, in an accountant's words; noise over sensitivity."""
    if "histogram" in entry.mechanism:
        assert entry.sensitivity == "1 row in one count of each histogram"
        return [GaussianDpEvent(noise) for noise in numbers("(?:deviation|,) NUMBER on each", entry.detail)]
    if "scores of pairs" in entry.mechanism:
        score, joint = numbers("deviation NUMBER on", entry.detail) + numbers("and NUMBER on each count", entry.detail)
        n_scores, n_pairs = numbers("of NUMBER scores", entry.detail) + numbers("most NUMBER pairs", entry.detail)
        return [GaussianDpEvent(score / n_scores**0.5), GaussianDpEvent(joint / n_pairs**0.5)]
    if "mean square" in entry.mechanism:
        (noise,), (moved,) = numbers("deviation NUMBER", entry.detail), numbers("^NUMBER", entry.sensitivity)
        return [GaussianDpEvent(noise / moved)]
    (steps,), (noise,) = numbers("^NUMBER steps", entry.detail), numbers("noise of NUMBER times", entry.detail)
    step = GaussianDpEvent(noise)
    rate = numbers("with chance NUMBER", entry.detail)
    return [SelfComposedDpEvent(PoissonSampledDpEvent(rate[0], step) if rate else step, int(steps))]


def total_epsilon(receipt: PrivacyReceipt, halved: str = "") -> float:
    """Return what the receipt's own words come to at its delta; parts with this word have half of their noise."""
    accountant = PLDAccountant()
    for entry in receipt.entries:
        for event in events(entry):
            if halved and halved in entry.mechanism:
                event = GaussianDpEvent(event.noise_multiplier / 2)
            accountant.compose(event)
    return float(accountant.get_epsilon(receipt.total.delta))


RUNS = {
    "two Gaussian parts": {"task_model": "logistic"},
    "batches beside histograms": {"task_model": "mlp"},
    "a group": {"task_model": "logistic", "groups": [("age", "years_employed")], "epsilon": 0.5},
    "a tree": {"task_model": "mlp", "attributes": "tree"},
    "two targets": {"task_model": "mlp", "target": ["smoker", "ill"], "epsilon": 2.0},
    "a drawn number": {"task_model": "mlp", "labels": "sample", "target": "years_employed"},
    "labels at a bought rate": {"task_model": "mlp", "labels": "rate"},
    "nothing but the model": {"task_model": "linear_svm", "attributes": "public"},
    "an autoencoder": {"task_model": "logistic", "attributes": "autoencoder", "epsilon": 2.0},
    "an autoencoder beside batches": {"task_model": "mlp", "attributes": "autoencoder", "epsilon": 2.0},
}


@pytest.mark.parametrize("run", RUNS)
def test_the_receipts_own_words_come_to_its_total(run):
    receipt = DPDSyn(schema=PEOPLE, random_state=0, **RUNS[run]).fit(FRAME).receipt_
    # Noise is written with four digits.
    assert total_epsilon(receipt) == pytest.approx(receipt.total.epsilon, rel=0.01)
    assert total_epsilon(receipt) <= receipt.total.epsilon * 1.003


@pytest.mark.parametrize("run", ["two Gaussian parts", "batches beside histograms"])
def test_half_of_the_noise_of_the_histograms_is_found_out(run):
    receipt = DPDSyn(schema=PEOPLE, random_state=0, **RUNS[run]).fit(FRAME).receipt_
    assert total_epsilon(receipt, halved="histogram") > receipt.total.epsilon * 1.2


def test_no_line_costs_more_than_the_whole_and_each_names_one_row():
    receipt = DPDSyn(schema=PEOPLE, task_model="mlp", random_state=0).fit(FRAME).receipt_
    for entry in receipt.entries:
        assert 0 < entry.epsilon < receipt.total.epsilon
        assert entry.neighbours.startswith("one row is there")
        assert "4,000 rows" in entry.reads
    assert PrivacyReceipt.from_json(receipt.to_json()) == receipt
    text = receipt.to_text()
    assert "One row stands for: one patient" in text
    assert "synthetic table may teach something" in " ".join(text.split())


def test_the_shares_of_the_budget_are_those_that_were_asked_for():
    for share in (0.3, 0.9):
        plan = plan_synthesis(SynthesisSettings(task_model="logistic", training_share=share), PEOPLE, 4000)
        attributes, training = (profile.mu**2 for profile in plan.profiles)
        assert training / (attributes + training) == pytest.approx(share, rel=1e-6)


def test_the_noise_that_is_drawn_is_the_noise_on_the_receipt(monkeypatch):
    """The counts that leave the mechanism, minus the true ones, spread as the receipt says."""
    seen = []
    original = marginals.noisy_counts

    def watched(counts, plan, rng):
        noisy = original(counts, plan, rng)
        seen.append([(after - before) / noise for after, before, noise in zip(noisy, counts, plan.noise, strict=True)])
        return noisy

    monkeypatch.setattr(marginals, "noisy_counts", watched)
    for seed in range(15):
        made = DPDSyn(schema=PEOPLE, task_model="logistic", random_state=seed).fit(FRAME)
    noises = numbers("(?:deviation|,) NUMBER on each", made.receipt_.entries[0].detail)
    assert noises == pytest.approx(made._source.attributes and list(_planned(made)), rel=1e-3)
    spread = [float((sum(float((part**2).sum()) for part in block) / sum(map(len, block))) ** 0.5)
              for block in zip(*seen, strict=True)]  # fmt: skip
    assert spread == pytest.approx([1.0] * len(spread), abs=0.15)


def _planned(made: DPDSyn) -> tuple[float, ...]:
    settings = SynthesisSettings(task_model="logistic")
    return plan_synthesis(settings, made.schema_, len(FRAME)).attributes.counts.noise


@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_a_model_whose_cost_can_only_be_added_leaves_room_for_the_scale_of_its_errors(epsilon):
    settings = SynthesisSettings(epsilon=epsilon, task_model="objective_perturbation", labels="sample")
    plan = plan_synthesis(settings, PEOPLE.with_target("years_employed"), 4000)
    assert len(plan.profiles) == 3
    assert joint_epsilon(plan.profiles, settings.delta) <= epsilon * (1 + 1e-6)
