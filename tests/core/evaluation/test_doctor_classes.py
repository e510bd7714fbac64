"""What the doctor says of sets of classes and of groups."""

from __future__ import annotations

import dataclasses
import math

import pandas as pd
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Column, Schema
from dpcp_core.evaluation.doctor import ClassSigns, Symptoms, examine
from tests.core.evaluation.runs import CLASSES, classes, clicked, codes, finding_of, line, run, said

SIGNS = ClassSigns(
    counts={"no": 700, "yes": 300},
    predicted="no",
    predicted_share=0.75,
    reference_share=0.72,
    true_share=0.7,
    others_coverage=0.8,
    full_share=0.2,
    reference_full_share=0.15,
)
FINE = Symptoms(
    alpha=0.1, epsilon=1.0, quantile_epsilon=0.5, n_calibration=4000, bins=100, level=0.1, classes=SIGNS,
)  # fmt: skip


def found(**changes: object) -> list[str]:
    signs = dataclasses.replace(SIGNS, **changes)  # type: ignore[arg-type]
    return [finding.code for finding in examine(dataclasses.replace(FINE, classes=signs))]


def test_nothing_ails_classes_that_are_told_apart() -> None:
    assert found() == []
    assert codes(run(classes(700, 500), {"epsilon": 2.0})) == []


def test_one_class_for_all_is_named_with_what_guessing_would_get() -> None:
    finding = finding_of(run(CLASSES, {}), "one_class")
    assert "“no”" in finding.symptom
    assert "without privacy" in finding.cause
    assert "have their class in the set" in finding.remedy
    assert finding.change == {}


def test_one_class_for_all_is_laid_at_the_door_of_noise_where_there_would_be_more() -> None:
    assert found(predicted_share=0.98) == []
    assert found(predicted_share=0.995) == ["one_class"]
    data = classes(820, 180, pull=2.5)
    before = run(data, {"epsilon": 0.1, "training_share": 0.3})
    finding = finding_of(before, "one_class")
    assert "noise drowns the rest" in finding.cause
    assert float(str(finding.change["epsilon"])) >= 0.2


def test_sets_of_every_class_are_told_apart_by_whether_privacy_is_to_blame() -> None:
    noisy, hard = (
        examine(
            dataclasses.replace(FINE, classes=dataclasses.replace(SIGNS, full_share=0.8, reference_full_share=share))
        )
        for share in (0.1, 0.7)
    )
    assert [finding.code for finding in (*noisy, *hard)] == ["sets_of_everything"] * 2
    assert noisy[0].change == {"stability": "split"}
    assert hard[0].change == {}
    assert "Without privacy 70" in hard[0].cause


def test_sets_of_every_class_lead_to_the_default_trainer_then_to_a_split_then_to_more_budget() -> None:
    full = dataclasses.replace(FINE, classes=dataclasses.replace(SIGNS, full_share=0.8))
    changes = [
        dict(examine(sick)[0].change)
        for sick in (
            dataclasses.replace(full, default_trainer=False),
            full,
            dataclasses.replace(full, splits_rows=True, composition="parallel"),
            dataclasses.replace(full, splits_rows=True, composition="parallel", epsilon=10.0),
        )
    ]
    assert changes == [{"trainer": "auto"}, {"stability": "split"}, {"epsilon": 2.0}, {}]


def test_a_method_without_privacy_is_not_told_to_spend_more_on_it() -> None:
    open_method = dataclasses.replace(FINE, quantile_epsilon=None, bins=None, level=None, method="split")
    for change in ({"full_share": 0.8}, {"predicted_share": 0.995}):
        signs = dataclasses.replace(SIGNS, **change)  # type: ignore[arg-type]
        assert examine(dataclasses.replace(open_method, classes=signs)) == ()


def test_a_change_of_trainer_makes_sets_smaller() -> None:
    data = classes(300, 200, pull=2.0)
    before = run(data, {"trainer": "objective_perturbation", "epsilon": 0.5})
    after = clicked(data, before, "sets_of_everything")
    assert after.settings.trainer == "logistic"
    assert after.size_mean < before.size_mean


def test_sets_are_not_blamed_for_scores_that_reach_one() -> None:
    result = run(CLASSES, {"score": "aps"})
    assert result.scores_clipped_share > 0
    assert "scores_clipped" not in codes(result)


def test_what_is_said_of_sets_speaks_of_sets() -> None:
    for finding in run(CLASSES, {"confidence_level": 0.99, "epsilon": 0.1}).findings:
        for sentence in said(finding):
            assert "interval" not in sentence
            assert "bounds of" not in sentence


def test_rare_classes_are_named_with_their_counts() -> None:
    finding = finding_of(run(classes(300, 300, 12), {"repetitions": 3}), "rare_class")
    assert finding.symptom == "Few rows are of the class “c” (12)."
    assert "taken together" in finding.cause
    assert "rare_class" not in codes(run(classes(300, 300, 20), {"repetitions": 3}))


def test_a_class_of_one_member_and_one_of_none_lose_nothing() -> None:
    data = classes(300, 300, 1)
    more = Column("kind", "category", role="target", categories=("a", "b", "c", "d"))
    data = data.with_schema(data.schema.with_column(more))
    result = run(data, {"repetitions": 3})
    assert finding_of(result, "rare_class").symptom == "Few rows are of the classes “d” (0), “c” (1)."
    assert result.coverage_mean > 0.85


def test_everybody_in_one_class_leaves_no_other_class_to_judge_by() -> None:
    signs = dataclasses.replace(SIGNS, predicted_share=1.0, reference_share=1.0, others_coverage=math.nan)
    (finding,) = examine(dataclasses.replace(FINE, classes=signs))
    assert "nan" not in finding.remedy


def grouped(*counts: int) -> Dataset:
    data, names = line(sum(counts)), [f"site {i}" for i in range(len(counts))]
    site = pd.Series(names).repeat(list(counts)).sample(frac=1, random_state=0).to_numpy()
    column = Column("site", "category", role="group", categories=tuple(names))
    return Dataset.from_frame(data.frame.assign(site=site), Schema((*data.schema.columns, column), "one patient"))


def test_groups_that_are_too_small_are_named_and_mended() -> None:
    data = grouped(2000, 60, 50, 40, 30)
    before = run(data, {"by_group": True, "repetitions": 3})
    finding = finding_of(before, "small_groups")
    assert finding.symptom.startswith("For “site 4” (")
    assert "and 1 more nothing narrower than the whole range can be promised" in finding.symptom
    assert "nothing_certified" not in codes(before)
    after = clicked(data, before, "small_groups")
    assert "small_groups" not in codes(after)
    assert after.width_mean < before.width_mean


def test_groups_that_share_a_threshold_are_never_too_small() -> None:
    assert "small_groups" not in codes(run(grouped(2000, 50), {"repetitions": 3}))


@pytest.mark.parametrize("sample", ["breast_cancer", "length_of_stay"])
def test_no_finding_at_the_defaults_calls_the_defaults_wrong(sample: str) -> None:
    assert codes(run(sample, {})) == []
