"""Each kind of claim about synthetic tables is tried on measurements whose answer is known."""

from __future__ import annotations

import pytest

from dpcp_core.experiments.reproduce.verdict import judge
from dpcp_core.experiments.reproduce_synthesis import checks
from dpcp_core.experiments.reproduce_synthesis.evidence import SynthesisEvidence
from tests.core.experiments.reproduce_synthesis.measurements import MODELS, measured, stopped, table_of


def status(check, *runs):
    return judge(check(SynthesisEvidence(runs, MODELS))).status


@pytest.mark.parametrize(("accuracy", "expected"), [(0.84, "holds"), (0.75, "does not hold")])
def test_a_published_figure_is_held_against_ours(accuracy, expected):
    check = checks.reaches("accuracy", 0.8398, "shuffle", table="adult", task_model="linear_svm", models=("svm",))
    run = table_of(measured(accuracy=accuracy, task_model="linear_svm"), measured(accuracy=0.2))
    assert status(check, run) == expected
    assert status(check, table_of(measured(accuracy=accuracy, task_model="linear_svm"), name="lpd")) == "not tried"


@pytest.mark.parametrize(("accuracy", "expected"), [(0.845, "holds"), (0.83, "does not hold")])
def test_models_of_real_rows_are_compared_split_by_split(accuracy, expected):
    """Splits differ by two points and the same way in both, so that only pairs can tell."""
    assert status(checks.close_to_real("shuffle", 0.01), table_of(measured(accuracy=accuracy, real=0.85))) == expected


def test_rivals_are_compared_seed_by_seed():
    run = table_of(measured(accuracy=0.83), measured("independent", accuracy=0.825))
    assert status(checks.better("accuracy", "shuffle", ("independent",)), run) == "holds"
    assert status(checks.better("accuracy", "independent", ("shuffle",)), run) == "does not hold"
    assert status(checks.better("accuracy", "independent", ("shuffle",), by=-0.006), run) == "holds"
    assert status(checks.better("accuracy", "shuffle", ("mst",)), run) == "not tried"


def test_a_seed_that_one_of_both_lacks_is_left_out():
    ours, theirs = measured(accuracy=0.83), measured("independent", accuracy=0.825)[1:]
    (contrast, *_) = checks.better("accuracy", "shuffle", ("independent",))(
        SynthesisEvidence([table_of(ours, theirs)], MODELS)
    )
    assert contrast.margin == pytest.approx([0.005, 0.005])


def test_gains_in_f1_are_held_against_those_in_accuracy():
    check = checks.gains_more_in_f1("shuffle", ("independent",))
    assert status(check, table_of(measured(f1=0.6), measured("independent", accuracy=0.82, f1=0.3))) == "holds"
    assert status(check, table_of(measured(f1=0.6), measured("independent", accuracy=0.73, f1=0.58))) == "does not hold"


@pytest.mark.parametrize(("f1", "expected"), [(0.827, "cannot be told"), (0.87, "holds"), (0.8245, "does not hold")])
def test_f1_on_lpd_is_held_against_calling_everybody_a_patient(f1, expected):
    assert status(checks.beats_the_guess("shuffle", "lpd"), table_of(measured(f1=f1, guess_f1=0.827), name="lpd")) == (
        expected
    )


def test_a_rival_that_was_stopped_took_at_least_until_then():
    run = table_of(measured(seconds=2), stopped("mst"), measured("independent", seconds=0.1))
    assert status(checks.quicker("shuffle", ("mst",), 10.0), run) == "holds"
    assert status(checks.quicker("shuffle", ("independent",)), run) == "does not hold"
    assert status(checks.quicker("shuffle", ("mst", "independent")), run) == "only where"


def test_who_is_beaten_in_accuracy_and_time_is_told_so():
    check = checks.never_beaten_in_both("shuffle", ("independent",))
    assert status(check, table_of(measured(), measured("independent", accuracy=0.85, seconds=0.1))) == "does not hold"
    assert status(check, table_of(measured(), measured("independent", accuracy=0.85, seconds=20.0))) == "holds"
    assert status(check, table_of(measured(), measured("independent", accuracy=0.80, seconds=0.1))) == "holds"


def test_rows_and_budget_are_varied_one_at_a_time():
    more = checks.holds_with_more_rows("shuffle", 0.005)
    assert status(more, table_of(measured(), measured(scale=2, accuracy=0.84))) == "holds"
    assert status(more, table_of(measured(), measured(scale=3, accuracy=0.80))) == "does not hold"
    tight = checks.holds_at_small_epsilon("shuffle", 0.01)
    assert status(tight, table_of(measured(), measured(epsilon=0.1, accuracy=0.825))) == "holds"
    assert status(tight, table_of(measured(), measured(epsilon=0.1, accuracy=0.70))) == "does not hold"


def test_likeness_is_held_against_the_real_rows():
    assert status(checks.close_in("feature_error", "shuffle", 0.01), table_of(measured())) == "holds"
    run = table_of(measured("marginals", two_way=0.09), measured("tree", two_way=0.05))
    assert status(checks.closer_in("two_way_error", "tree", "marginals"), run) == "holds"
    assert status(checks.closer_in("two_way_error", "marginals", "tree"), run) == "does not hold"


def test_label_rates_are_off_or_kept_in_either_direction():
    for rate, kept in ((0.09, False), (0.25, True), (0.40, False)):
        run = table_of(measured("sample", label_rate=rate))
        assert status(checks.label_rate_within("sample", 0.03), run) == ("holds" if kept else "does not hold")
        assert status(checks.label_rate_off("sample", 0.05), run) == ("does not hold" if kept else "holds")


def test_shuffled_columns_cost_no_finite_epsilon():
    assert status(checks.costs_a_finite_epsilon("shuffle"), table_of(measured())) == "does not hold"
    assert status(checks.costs_a_finite_epsilon("marginals"), table_of(measured("marginals"))) == "holds"


def test_copies_on_both_sides_flatter():
    run = table_of(measured("marginals"), measured("marginals", split="naive", real=0.95), name="lpd")
    assert status(checks.leaks_through_copies(("lpd",)), run) == "holds"
    assert status(checks.leaks_through_copies(("smoking",)), run) == "not tried"
