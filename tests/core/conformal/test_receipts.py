"""The receipt of each method: what it lists, what it adds up to, what it confesses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.fitting import plan_fitting
from dpcp_core.conformal.linter import unpaid_steps
from dpcp_core.conformal.methods import METHODS, ORDER_STATISTICS
from dpcp_core.conformal.receipts import write_receipt
from dpcp_core.conformal.thresholds import CalibrationPlan, draw_thresholds
from dpcp_core.data.schema import Column
from dpcp_core.data.target import NumericTarget
from dpcp_core.privacy.leaks import read_off_rows
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.training.protocol import ProblemSize

TARGET = Column("days", "number", role="target", bounds=(0, 60), typical=(2, 10), label="Length of stay")
N_TRAIN, N_RANKED = 700, 500


def receipt(from_file: tuple[str, ...] = (), **values: object) -> PrivacyReceipt:
    choices = ConformalChoices(**values).resolved("regression")
    goal = NumericTarget.of(TARGET)
    plan = plan_fitting(
        goal,
        ProblemSize(N_TRAIN, 5),
        choices.allocation.training,
        trainer=choices.trainer,
        score=choices.score,
        choices=choices.training_choices,
    )
    scores = np.sort(np.abs(np.random.default_rng(0).normal(size=(N_RANKED, 1))), axis=0)
    calibration = CalibrationPlan(choices, goal, plan.profile, 0.1, from_file)
    drawn = draw_thresholds(scores, calibration, np.random.default_rng(1))
    return write_receipt(
        choices.recipe,
        choices.budget,
        training=plan.receipt_entries(),
        quantile=drawn.notes,
        certificate=drawn.certificate,
        target=TARGET,
        one_row_is="one stay",
        from_file=from_file,
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_step_that_nobody_paid_for_is_a_leak_and_makes_the_total_infinite(method: str) -> None:
    written, entry = receipt(method=method), METHODS[method]
    unpaid = [not entry.private_training, not entry.private_quantile]
    assert [math.isinf(line.epsilon) for line in written.entries] == unpaid
    assert len(written.leaks) == sum(unpaid)
    assert written.total.is_finite == (not any(unpaid))


@pytest.mark.parametrize("method", ["pscp", "dpcp_paper", "dpcp", "laplace_histogram"])
def test_the_total_is_the_budget_that_was_asked_for(method: str) -> None:
    total = receipt(method=method, epsilon=2.0, delta=1e-6).total
    assert (total.epsilon, total.delta) == (2.0, 1e-6)


def test_a_rival_that_costs_more_than_its_share_says_so_in_the_total() -> None:
    written = receipt(method="pcoqs", epsilon=1.0, delta=1e-5)
    assert written.total.epsilon == max(line.epsilon for line in written.entries) > 1.5
    assert written.total.delta == 1e-5


def test_where_budgets_are_added_so_is_what_a_rival_really_costs() -> None:
    written = receipt(method="pcoqs", composition="basic", epsilon=1.0, delta=1e-5)
    assert written.total.epsilon == pytest.approx(sum(line.epsilon for line in written.entries))
    assert written.total.epsilon > 1.2
    assert written.total.delta == pytest.approx(2e-5)


@pytest.mark.parametrize("choices", [{"method": name} for name in METHODS] + [{"grid": ORDER_STATISTICS}])
def test_a_receipt_confesses_what_the_linter_finds(choices: dict[str, str]) -> None:
    recipe = ConformalChoices(**choices).recipe  # type: ignore[arg-type]
    assert receipt(**choices).leaks == tuple(leak.sentence for leak in unpaid_steps(recipe))


def test_candidates_that_are_scores_are_a_leak() -> None:
    written = receipt(grid="order_statistics")
    assert not written.is_private
    assert "exact residual" in written.leaks[0]


def test_a_bought_bound_has_its_own_line_and_its_own_part() -> None:
    bought, drawn = receipt(bound_share=0.25, epsilon=2.0).entries[1:]
    assert (bought.epsilon, drawn.epsilon) == (0.25, 0.75)


def test_each_line_says_how_many_rows_it_read() -> None:
    training, ranking = receipt().entries
    assert f"{N_TRAIN} rows" in training.reads
    assert f"{N_RANKED} rows" in ranking.reads


def test_a_threshold_that_reads_no_row_says_that_no_row_moves_it() -> None:
    assert "whatever the rows" in str(receipt(epsilon=0.01).entries[1].sensitivity)
    assert receipt(loss="bracket").entries[1].sensitivity == "1 (in the utility of a candidate)"


def test_columns_that_were_read_off_the_rows_are_a_leak_by_name() -> None:
    written = receipt(from_file=("age", "dose"))
    assert written.leaks == (
        "The bounds or categories of age, dose were read off the rows; replace them by public ones.",
    )
    assert not written.is_private


def test_many_columns_are_named_by_the_first_five_and_a_number() -> None:
    assert read_off_rows([f"x{i}" for i in range(7)]).endswith(
        "of x0, x1, x2, x3, x4 and 2 more were read off the rows"
    )


def test_a_new_row_of_the_same_population_is_assumed_only_where_coverage_is_promised() -> None:
    assert any("same population" in line for line in receipt().assumptions)
    assert not any("same population" in line for line in receipt(method="naive").assumptions)


def test_values_beyond_the_public_bounds_of_the_target_are_named() -> None:
    assert any("Length of stay" in line for line in receipt().assumptions)
