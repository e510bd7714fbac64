"""The audit: shipped mechanisms hold, broken ones do not, and what it says of both is what it found."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest

from dpcp_core import audit
from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.exact_mechanisms import histogram_cases, search_cases
from dpcp_core.experiments.audit.exactly import exact_finding
from dpcp_core.experiments.audit.faults import FAULTS, MECHANISM_FAULTS
from dpcp_core.experiments.audit.mechanisms import MECHANISMS
from dpcp_core.experiments.audit.registry import AUDITED
from dpcp_core.experiments.audit.report import AuditReport, Finding
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.quantile_mechanisms import QUANTILES
from dpcp_core.privacy.randomness import simulation_generator
from dpcp_core.training.registry import TRAINERS

SIX = {"noise_halved", "sensitivity_halved", "clipping_off", "row_counted_twice", "shuffle", "order_statistics"}
# Mechanisms of which an attack is expected to find nearly all of what is claimed.
TIGHT = {
    "quantile_bracket", "quantile_one_sided", "binary_search", "histogram", "exponential", "private_typical",
    "private_bounds", "planned_marginals", "planned_pairs", "planned_mean_square", "drawn_histogram", "noisy_count",
    "federated",
}  # fmt: skip


def finding(bound=0.9, *, is_exact=False, fault="", claim="a", epsilon=1.0):
    return Finding(claim, "A", "How.", epsilon, 0.0, bound, 0.95, is_exact, fault=fault)


@pytest.mark.slow
@pytest.mark.parametrize("audited", MECHANISMS, ids=lambda each: each.name)
def test_no_attack_breaks_a_mechanism_and_it_is_no_blunt_one(audited):
    found = audit([audited.name], epsilons=(1.0,)).findings[0]
    assert not found.is_broken, found
    assert found.bound > (0.88 if audited.name in TIGHT else 0.25)
    assert (found.claim, found.title, found.epsilon) == (audited.name, audited.title, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("fault", MECHANISM_FAULTS, ids=lambda each: each.name)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_a_planted_mistake_is_caught(fault, epsilon):
    found = fault.run(epsilon, 1e-5, simulation_generator(1), "quick")
    assert found.is_broken
    assert (found.fault, found.claim) == (fault.name, fault.claim)


def test_the_audit_catches_half_of_the_noise_of_every_exact_quantile():
    for cases, cost in (
        (histogram_cases(2.0), (1.0, 0.0)),
        (search_cases(4 * gaussian_mu(1.0, 1e-5)), (1.0, 1e-5)),
    ):
        assert exact_finding(("a", "A"), cost, cases, simulation_generator(0), "quick").is_broken


def test_everything_that_is_registered_is_attacked():
    assert {f"quantile_{loss}" for loss in LOSSES} | {f"drawn_{name}" for name in QUANTILES} <= set(AUDITED)
    assert set(TRAINERS) <= set(AUDITED)
    assert set(FAULTS) >= SIX
    assert all(fault.claim in AUDITED for fault in FAULTS.values())
    everything = {**AUDITED, **FAULTS}
    assert all(name == entry.name for name, entry in everything.items())
    assert len({entry.title for entry in everything.values()}) == len(everything)


def test_the_same_seed_gives_the_same_bounds_whatever_else_is_attacked():
    one = audit(["drawn_histogram"], epsilons=(1.0,), seed=3).findings[0]
    others = audit(["exponential", "drawn_histogram"], epsilons=(0.5, 1.0), seed=3).findings
    assert dataclasses.replace(one, seconds=0) == dataclasses.replace(others[-1], seconds=0)
    assert one.bound != audit(["drawn_histogram"], epsilons=(1.0,), seed=4).findings[0].bound


def test_an_audit_tells_how_far_it_is_and_stops_when_asked():
    heard = []
    report = audit(
        ["exponential"],
        epsilons=(0.5, 1.0, 2.0),
        on_progress=lambda progress, new: heard.append((progress.done, progress.total, new[0].epsilon)),
        should_stop=lambda: len(heard) == 2,
    )
    assert heard == [(1, 3, 0.5), (2, 3, 1.0)]
    assert report.stopped
    assert len(report.findings) == 2


def test_a_bound_above_a_claim_is_looked_at_again_until_one_is_not(monkeypatch):
    looks, n_above = [], 0

    def run(epsilon, _delta, _rng, _effort):
        looks.append(epsilon)
        return finding(1.2 if len(looks) < n_above + 1 else 0.8, claim="odd", epsilon=epsilon)

    entry = dataclasses.replace(AUDITED["noisy_count"], name="odd", run=run)
    monkeypatch.setattr("dpcp_core.experiments.audit.run.AUDITED", {"odd": entry})
    for n_above, n_looks, bound in ((0, 1, 0.8), (1, 2, 0.8), (2, 3, 0.8), (3, 3, 1.2)):
        looks.clear()
        report = audit(["odd"], epsilons=(1.0,))
        assert [found.bound for found in report.findings] == [bound]
        assert len(looks) == n_looks
        assert bool(report.broken) == (n_above == 3)
    looks.clear()
    assert [found.bound for found in audit(["odd"], epsilons=(1.0,), seeds=4).findings] == [1.2, 1.2, 1.2, 0.8]


def test_many_seeds_break_a_claim_only_where_chance_does_not_explain_them():
    below, above = [finding(0.9)] * 20, [finding(1.1)]
    assert AuditReport(tuple(below[:-3] + 3 * above)).broken == ()
    assert [found.bound for found in AuditReport(tuple(below[:-5] + 5 * above)).broken] == [1.1]
    exact = [finding(0.9, is_exact=True)] * 19 + [finding(1.1, is_exact=True)]
    assert len(AuditReport(tuple(exact)).broken) == 1


def test_a_report_keeps_planted_mistakes_apart():
    report = AuditReport((finding(), finding(math.inf, fault="shuffle"), finding(0.5, fault="clipping_off")))
    assert report.broken == ()
    assert report.missed_faults == ("clipping_off",)
    plain = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert [row["bound"] for row in plain["findings"]] == [0.9, "infinity", 0.5]
    assert list(report.table().is_broken) == [False, True, False]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"claims": ["noisy_cuont"]}, "claims is 'noisy_cuont'"),
        ({"claims": []}, "claims is empty"),
        ({"epsilons": []}, "epsilons is empty"),
        ({"epsilons": (0.0,)}, "epsilon is 0.0"),
        ({"epsilons": (50,)}, "epsilon is 50 but must be from 0.01 to 20"),
        ({"seed": -1}, "seed is -1"),
        ({"seeds": 0}, "seeds is 0"),
        ({"delta": 0}, "delta is 0"),
        ({"effort": "slow"}, "effort is 'slow'"),
    ],
)
def test_what_cannot_be_audited_is_refused_before_anything_runs(asked, words):
    with pytest.raises(InputError, match=words):
        audit(**asked)
