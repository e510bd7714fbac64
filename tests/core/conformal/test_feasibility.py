"""What public numbers say about a procedure is what its runs say."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcp_core import (
    ConformalSettings,
    Dataset,
    InputError,
    Schema,
    certified_feasibility,
    feasibility_map,
    load_sample,
    simulate,
)
from dpcp_core.conformal.choices import GRIDS, ConformalChoices
from dpcp_core.conformal.feasibility import OBSTACLES, Feasibility
from dpcp_core.conformal.methods import METHODS
from dpcp_core.conformal.public_run import PublicFacts
from dpcp_core.conformal.scores import SCORES
from dpcp_core.conformal.stability import STABILITIES
from dpcp_core.privacy.grid import BIN_RULES
from dpcp_core.privacy.losses import GUARANTEES, LOSSES
from dpcp_core.privacy.targets import smallest_epsilon, smallest_n

WITHOUT_TARGET = Schema.from_dict({"x": {"kind": "number", "bounds": [0, 1]}})


@pytest.fixture(scope="module")
def patients() -> Dataset:
    return load_sample("diabetes")


@pytest.fixture(scope="module")
def stays() -> Dataset:
    return first_rows(load_sample("readmission"), 400)


def first_rows(data: Dataset, n_rows: int) -> Dataset:
    return Dataset.from_frame(data.frame.iloc[:n_rows].reset_index(drop=True), data.schema, data.name)


def told_at(n: int, **settings: Any) -> Feasibility:
    """Return what public numbers say without a search for the n and the epsilons that would do."""
    facts = PublicFacts.of(None, None, settings=settings)
    return Feasibility(facts.choices, n, facts.run(n))


def agrees(data: Dataset, **settings: Any) -> None:
    """Check that a run's certificate is the one that was foretold."""
    chosen = ConformalSettings(repetitions=1, **settings)
    ran = simulate(data, chosen)
    told = PublicFacts.of(chosen, data.schema).run(ran.n)
    assert told.certificate == ran.certificate
    assert (told.n_train, told.n_ranked) == (ran.n_train, ran.n_calibration)
    if ran.certificate.nothing_narrower:
        assert not told.narrows
        assert ran.top_share == 1.0
    if told.narrows:
        assert float(ran.thresholds.min()) >= told.narrowest * (1 - 1e-12)


@pytest.mark.parametrize("stability", STABILITIES)
@pytest.mark.parametrize("loss", list(LOSSES))
@pytest.mark.parametrize("epsilon", [0.2, 4.0])
def test_it_foretells_the_certificate_of_every_stability_and_loss(
    patients: Dataset, stability: str, loss: str, epsilon: float
) -> None:
    agrees(patients, stability=stability, loss=loss, epsilon=epsilon)


@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_it_foretells_the_certificate_of_every_method_for_numbers(
    patients: Dataset, method: str, epsilon: float
) -> None:
    agrees(patients, method=method, epsilon=epsilon)


@pytest.mark.parametrize("method", list(METHODS))
def test_it_foretells_the_certificate_of_every_method_for_classes(stays: Dataset, method: str) -> None:
    agrees(stays, method=method, epsilon=0.5)


@pytest.mark.parametrize(("stability", "loss"), list(itertools.product(STABILITIES, ["one_sided", "paper"])))
def test_it_foretells_the_certificate_for_classes(stays: Dataset, stability: str, loss: str) -> None:
    agrees(stays, stability=stability, loss=loss, epsilon=1.0)


@pytest.mark.parametrize(
    "settings",
    [
        *({"guarantee": name} for name in GUARANTEES),
        *({"bins": rule} for rule in BIN_RULES),
        *({"grid": name, "loss": "bracket"} for name in GRIDS),
        *({"composition": name} for name in ("tight", "basic", "parallel")),
        {"composition": "basic", "stability": "split", "row_share": 0.3},
        {"training_share": 0.9, "epsilon": 0.5},
        {"confidence_level": 0.99, "epsilon": 8.0},
        {"bound_share": 0.3},
        {"bounds_epsilon": 0.3},
        {"score": "normalized"},
        {"trainer": "adassp", "stability": "profile"},
        {"trainer": "output_perturbation"},
        {"max_grad_norm": 0.1, "steps": 10},
    ],
    ids=str,
)
def test_it_foretells_the_certificate_of_other_choices(patients: Dataset, settings: dict[str, Any]) -> None:
    agrees(patients, **settings)


@pytest.mark.parametrize("score", [name for name, score in SCORES.items() if score.task == "classification"])
def test_it_foretells_the_certificate_of_every_score_of_classes(stays: Dataset, score: str) -> None:
    agrees(stays, score=score)


def test_it_foretells_the_certificate_of_each_group() -> None:
    data = load_sample("diabetes")
    schema = data.schema.with_column(
        data.schema.column("sex").__class__("sex", "category", categories=("1", "2"), role="group")
    )
    frame = data.frame.assign(sex=data.frame["sex"].astype(str))
    settings = ConformalSettings(by_group=True, repetitions=1, epsilon=1.0)
    ran = simulate(Dataset.from_frame(frame, schema, "groups"), settings)
    for group in ran.groups:
        assert group.certificate is not None
        told = PublicFacts.of(settings, schema).run(ran.n, group.certificate.n)
        assert told.certificate == group.certificate


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loss": "paper"},
        {"stability": "dp"},
        {"stability": "profile", "bins": "sqrt"},
        {"stability": "split"},
        {"method": "pscp"},
        {"method": "dpcp_paper"},
        {"guarantee": "prediction_sets"},
        {"bound_share": 0.5},
        {"method": "laplace_histogram"},
        {"n_classes": 4},
    ],
    ids=str,
)
def test_the_smallest_n_and_epsilon_are_where_it_begins(settings: dict[str, Any]) -> None:
    told = certified_feasibility(200, epsilon=1.0, **settings)
    n_classes = settings.get("n_classes", 0)
    facts = PublicFacts.of(told.choices, None, n_classes=n_classes)
    assert told.run == facts.run(200)
    assert told.smallest_n is not None
    assert facts.run(told.smallest_n).narrows
    assert not facts.run(told.smallest_n - 1).narrows
    assert told.smallest_epsilon is not None
    assert facts.replace(epsilon=told.smallest_epsilon).run(200).narrows
    if told.smallest_epsilon > 1e-4:
        assert not facts.replace(epsilon=told.smallest_epsilon * (1 - 1e-5)).run(200).narrows


def test_the_smallest_n_is_that_of_the_known_formula() -> None:
    told = certified_feasibility(400, stability="split", composition="parallel", epsilon=0.4, loss="bracket")
    needed = smallest_n(0.1, 0.4, 100)
    assert needed is not None
    assert told.smallest_n == 2 * needed
    assert told.smallest_epsilon == pytest.approx(smallest_epsilon(200, 0.1, 100), rel=1e-5)


def test_a_budget_that_lowers_the_level_can_be_too_large() -> None:
    told = certified_feasibility(1000, stability="dp", epsilon=9.0)
    assert told.largest_epsilon is not None
    assert told.largest_epsilon < 9.0
    assert told.obstacle == "level"
    facts = PublicFacts.of(told.choices, None)
    assert facts.replace(epsilon=told.largest_epsilon).run(1000).narrows
    assert not facts.replace(epsilon=told.largest_epsilon * 1.001).run(1000).narrows
    assert certified_feasibility(1000, stability="coupling", epsilon=9.0).largest_epsilon is None


def test_more_rows_cost_less_coverage_and_widen_less() -> None:
    found = feasibility_map(n=[300, 1000, 10_000, 1_000_000], epsilons=[1.0], stability="coupling")
    costs = (found.aimed_coverage - 0.9)[:, 0]
    assert (np.diff(costs) < 0).all()
    assert 0 < costs[-1] < 1e-4
    assert (np.diff(found.widening[:, 0]) < 0).all()


@pytest.mark.parametrize("method", ["naive", "dpcp_paper", "pcoqs"])
def test_what_is_not_proved_is_not_certified(method: str) -> None:
    told = told_at(5000, method=method)
    assert told.narrows
    assert (told.certified, told.obstacle) == (False, "unproved")


def test_a_widening_as_large_as_the_scores_is_an_obstacle() -> None:
    told = told_at(300, stability="coupling", epsilon=1000.0, max_grad_norm=1000.0, steps=300, step_size=0.9)
    assert told.widening > told.bound
    assert told.obstacle == "widening"
    assert set(OBSTACLES) >= {"widening", "rows", "level", "unproved"}


def test_too_few_rows_to_rank_are_no_widening() -> None:
    told = told_at(8, method="split")
    assert (told.narrows, told.widening, told.obstacle) == (False, 0.0, "rows")


def test_the_map_holds_what_each_point_says() -> None:
    rows, epsilons = [200, 3200], [0.05, 1.0]
    found = feasibility_map(n=rows, epsilons=epsilons, stability="profile")
    for (i, n), (j, epsilon) in itertools.product(enumerate(rows), enumerate(epsilons)):
        told = told_at(n, epsilon=epsilon, stability="profile")
        assert found.certified[i, j] == told.certified
        assert found.aimed_coverage[i, j] == told.aimed_coverage
        assert (found.level[i, j], found.widening[i, j]) == (told.level, told.widening)
    told = certified_feasibility(200, epsilon=1.0, stability="profile")
    assert found.smallest_n[1] == told.smallest_n


def test_where_a_procedure_cannot_be_run_the_map_has_no_numbers_and_certifies_nothing() -> None:
    # A part of 0.5 cannot be set aside from an epsilon of 0.3, and 2 rows cannot be split one to ten.
    choices = {"stability": "split", "row_share": 0.1, "bounds_epsilon": 0.5}
    found = feasibility_map(n=[2, 300], epsilons=[0.3, 1.0], **choices)
    assert found.certified.tolist() == [[False, False], [False, True]]
    assert np.isnan(found.level).tolist() == [[True, True], [True, False]]
    assert found.smallest_n == (None, certified_feasibility(300, **choices).smallest_n)


def test_the_map_is_monotone_where_nothing_lowers_the_level() -> None:
    found = feasibility_map(n=[20, 50, 100, 200, 400, 800], epsilons=[0.1, 0.3, 1.0, 3.0], stability="coupling")
    for axis in (0, 1):
        assert (np.diff(found.certified.astype(int), axis=axis) >= 0).all()
        assert (np.diff(found.aimed_coverage, axis=axis) <= 0).all()


def test_columns_described_from_the_file_certify_nothing() -> None:
    schema = Schema.from_dict(
        {
            "x": {"kind": "number"},
            "y": {"kind": "number", "bounds": [0, 10], "role": "target"},
        }
    )
    frame = pd.DataFrame({"x": np.linspace(0, 1, 200), "y": np.linspace(1, 9, 200)})
    filled = schema.filled_from(frame)
    told = certified_feasibility(2000, ConformalChoices(), filled)
    assert (told.certified, told.obstacle) == (False, "unproved")
    assert "read off the rows" in told.certificate.reason


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: certified_feasibility(1), "n is 1 but must be a whole number of at least 2"),
        (lambda: certified_feasibility("many"), "n is 'many' but must be"),
        (lambda: certified_feasibility(100, epsilon=0), "epsilon is 0 but must be a number above 0"),
        (lambda: certified_feasibility(100, epsilom=1), "There is no setting 'epsilom'"),
        (lambda: certified_feasibility(100, n_classes=1), "n_classes is 1 but must be"),
        (lambda: certified_feasibility(100, confidence_level=1 - 1e-10), "but must be at most 0.999999999"),
        (lambda: certified_feasibility(100, None, WITHOUT_TARGET), "No column is the target yet; name one"),
        (lambda: certified_feasibility(100, score="aps"), "does not suit a target of numbers"),
        (lambda: certified_feasibility(2, stability="split", row_share=0.1), "cannot be split with row_share = 0.1"),
        (lambda: feasibility_map(n=[], epsilons=[1.0]), "at least one n and at least one epsilon"),
        (lambda: feasibility_map(n=[100], epsilons=[-1.0]), "epsilon is -1.0 but must be a number above 0"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()


def test_candidates_for_each_of_a_milliard_rows_are_refused_before_they_fill_the_memory():
    with pytest.raises(InputError, match="take at most 1,000,000 rows, or another grid"):
        certified_feasibility(10**9, grid="order_statistics")
