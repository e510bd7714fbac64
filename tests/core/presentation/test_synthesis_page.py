"""Pictures and sentences about synthetic tables, from real runs on small tables."""

from __future__ import annotations

import dataclasses
import io
import re
import zipfile

import numpy as np
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Schema
from dpcp_core.errors import PrivacyLeakWarning
from dpcp_core.evaluation.utility import ClassScores
from dpcp_core.experiments.synthesis import ColumnShares, PairShares, SynthesisResult, simulate_synthesis
from dpcp_core.presentation.figures.synthesis_columns import column
from dpcp_core.presentation.figures.synthesis_pairs import pair
from dpcp_core.presentation.figures.synthesis_utility import utility
from dpcp_core.presentation.synthesis_files import archive, archive_name
from dpcp_core.presentation.wording.synthesis_answer import (
    default_measure,
    label_hint,
    label_sentence,
    leak_sentence,
    margin,
    synthesis_answer,
)
from dpcp_core.presentation.wording.synthesis_measures import MEASURE_SENTENCES, MEASURES
from dpcp_core.presentation.wording.synthesis_page import dropped_sentence, example_rule, rule_text
from dpcp_core.synthesis.rules import Rule
from dpcp_core.synthesis.settings import SynthesisSettings

LINEAR = SynthesisSettings(task_model="auto")


@pytest.fixture(scope="module")
def numbers() -> SynthesisResult:
    return simulate_synthesis(load_sample("diabetes"), LINEAR, models=("logistic", "svm"))


@pytest.fixture(scope="module")
def classes() -> SynthesisResult:
    return simulate_synthesis(load_sample("breast_cancer"), LINEAR, models=("logistic", "svm"))


@pytest.fixture(scope="module")
def rare() -> SynthesisResult:
    return simulate_synthesis(load_sample("readmission"), LINEAR, models=("logistic",))


def scored(result: SynthesisResult, synthetic: float, real: float = 0.9, guess: float = 0.5) -> SynthesisResult:
    """Return the result with other accuracies."""
    run = result.runs[0]
    assert run.scores.utility is not None

    def of(value: float) -> ClassScores:
        return ClassScores(value, value, value, value)

    (first, *_) = run.scores.utility.models
    model = dataclasses.replace(first, on_synthetic=of(synthetic), on_real=of(real))
    told = dataclasses.replace(run.scores.utility, models=(model,), majority=of(guess))
    changed = dataclasses.replace(run, n_test=1000, scores=dataclasses.replace(run.scores, utility=told))
    return dataclasses.replace(result, runs=(changed,))


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_cannot_be_dragged_and_says_itself_in_a_sentence_with_numbers(numbers, classes, dark):
    for result in (numbers, classes):
        shares = result.shares
        both = shares.pairs[0]
        pictures = [utility(result, measure, dark=dark) for measure in result.measures]
        pictures += [column(each, dark=dark) for each in shares.columns]
        pictures.append(pair(both, shares.column(both.first), shares.column(both.second), dark=dark))
        for picture in pictures:
            assert picture.figure.layout.dragmode is False
            assert re.search(r"\d", picture.alt)
            assert len(picture.table) > 0


def test_bars_begin_at_zero_and_are_as_long_as_the_scores(numbers, classes):
    for result, measure in ((numbers, "rmse"), (classes, "accuracy")):
        figure = utility(result, measure).figure
        assert figure.layout.xaxis.range[0] == 0
        made, real = (
            [result.score(model, measure, of).mean for model in result.models] for of in ("synthetic", "real")
        )
        assert list(figure.data[0].x) == [*made, *real, result.task_model(measure).mean]
        assert len(set(figure.data[0].marker.color)) == 3
        assert figure.layout.shapes[0].x0 == result.majority(measure).mean


def test_an_r2_below_a_guess_stays_inside_the_picture(numbers):
    run = numbers.runs[0]
    told = run.scores.utility
    model = dataclasses.replace(told.models[0], on_synthetic=dataclasses.replace(told.models[0].on_synthetic, r2=-7.0))
    scores = dataclasses.replace(run.scores, utility=dataclasses.replace(told, models=(model,)))
    figure = utility(dataclasses.replace(numbers, runs=(dataclasses.replace(run, scores=scores),)), "r2").figure
    assert figure.layout.xaxis.range[0] == figure.data[0].x[0] == -0.5
    assert "\u22127.000" in [note.text for note in figure.layout.annotations]


def test_the_table_beside_the_bars_has_all_measures_and_the_guess(classes):
    table = utility(classes, "f1").table
    assert list(table.columns) == ["learnt_from", "model", "accuracy", "f1", "auc", "balanced_accuracy"]
    assert table["learnt_from"].tolist() == ["synthetic table"] * 2 + ["real rows"] * 3 + ["nothing"]


def test_steps_of_a_number_enclose_what_is_not_empty(numbers):
    shares = numbers.shares.column("age")
    for trace, values in zip(column(shares).figure.data, (shares.synthetic, shares.real), strict=True):
        area = np.trapezoid(trace.y, trace.x)
        assert area == pytest.approx(values[: shares.n_cells].sum())


def test_many_categories_keep_the_largest_and_add_the_rest_up():
    share = np.array([*np.arange(20.0, 0, -1), 0.0, 0.0])
    share /= share.sum()
    names = tuple(f"c{place}" for place in range(20))
    shares = ColumnShares("job", "Job", "", "category", names, (), share, share, 0.0)
    figure = column(shares).figure
    assert list(figure.data[0].y) == [*names[:12], "8 others"]
    assert sum(figure.data[0].x) == pytest.approx(100)


def test_both_tables_of_a_pair_have_one_colour_scale_and_empty_cells_only_where_there_are_some():
    one = np.zeros((4, 5), np.float32)
    one[0, 0], one[1, 2] = 0.64, 0.36
    other = np.zeros((4, 5), np.float32)
    other[0, 0], other[2, 0] = 0.5, 0.5
    across = ColumnShares("a", "A", "", "category", ("x", "y"), (), one.sum(axis=1), other.sum(axis=1), 0.5)
    up = ColumnShares("b", "B", "", "category", ("p", "q", "r"), (), one.sum(axis=0), other.sum(axis=0), 0.5)
    left, right = pair(PairShares("a", "b", one, other, 0.5), across, up).figure.data
    assert left.zmax == right.zmax == pytest.approx(0.8)
    # Across: x, y and empty cells; up: the three categories alone.
    assert np.shape(left.z) == (3, 3)
    assert right.z[0][2] == pytest.approx(np.sqrt(0.5))


@pytest.mark.parametrize(
    ("synthetic", "verdict"), [(0.9, "yes"), (0.865, "yes"), (0.75, "partly"), (0.6, "no"), (0.5, "no"), (0.3, "no")]
)
def test_the_verdict_is_how_much_of_what_real_rows_teach_is_kept(classes, synthetic, verdict):
    assert synthesis_answer(scored(classes, synthetic), "accuracy").verdict == verdict


def test_nothing_is_said_where_real_rows_teach_no_more_than_a_guess(classes):
    answer = synthesis_answer(scored(classes, 0.9, real=0.9, guess=0.89), "accuracy")
    assert answer.verdict == "open"
    assert answer.headline.startswith("Cannot be told here")
    assert "hardly more than a guess" in answer.detail


def test_accuracy_gives_way_to_auc_where_a_guess_reaches_it(rare, classes, numbers):
    assert default_measure(rare) == "auc"
    assert default_measure(classes) == "accuracy"
    assert default_measure(numbers) == "rmse"


def test_more_tables_leave_less_to_chance(classes):
    twice = dataclasses.replace(classes, runs=classes.runs * 4)
    assert margin(twice, "accuracy") == pytest.approx(margin(classes, "accuracy") / 2)


def test_errors_are_in_the_targets_unit(numbers):
    answer = synthesis_answer(numbers, "rmse")
    assert re.search(r"typically off by \d+\.\d points for held-out patients", plain(answer.headline))


def test_the_rare_class_and_what_brings_it_back_are_named(rare):
    assert plain(label_sentence(rare)).endswith("of the synthetic rows and in 14.2 % of the real ones.")
    assert "drawn by chance" in label_hint(rare)
    sampled = dataclasses.replace(rare, settings=rare.settings.replace(labels="sample"))
    assert "noisy count" in label_hint(sampled)
    put_right = dataclasses.replace(rare, settings=rare.settings.replace(labels="rate"))
    assert "independently" in label_hint(put_right)


def test_a_class_that_is_too_frequent_is_not_called_left_out(classes):
    assert label_hint(classes) == ""


def test_only_shuffling_gives_columns_away():
    with pytest.warns(PrivacyLeakWarning):
        shuffled = simulate_synthesis(
            load_sample("diabetes"), LINEAR.replace(attributes="shuffle"), models=("logistic",)
        )
    assert "subtracts what they know" in leak_sentence(shuffled)
    assert not shuffled.receipt.total.is_finite


def test_every_measure_has_a_name_and_a_sentence(numbers, classes):
    assert set(MEASURES) == set(MEASURE_SENTENCES) == {*numbers.measures, *classes.measures}


@pytest.mark.parametrize("name", ["blood_pressure", "length_of_stay", "readmission", "diabetes", "breast_cancer"])
def test_the_example_of_a_rule_is_a_rule(name):
    schema = load_sample(name).schema
    assert Rule.of(example_rule(schema), schema).text == example_rule(schema)


def test_rules_from_the_lists_can_be_read_whatever_columns_are_called():
    described = (
        '["job title"]\nkind = "category"\ncategories = ["it\'s", "b"]\n[in]\nkind = "number"\nbounds = [0, 1]\n'
    )
    schema = Schema.from_toml(described)
    for name, sign, value in (("job title", "!=", "it's"), ("in", ">=", "0.5")):
        text = rule_text(schema.column(name), sign, value)
        assert Rule.of(text, schema).text == text


def test_dropped_rows_are_counted_in_words():
    assert dropped_sentence(100, (), 0) == ""
    assert plain(dropped_sentence(100, (("age > 3", 0),), 0)) == "None of 100 drawn rows breaks a rule."
    assert plain(dropped_sentence(1000, (("age > 3", 250),), 250)).startswith("250 rows of 1,000 drawn (25.0 %)")


def test_the_archive_is_the_same_each_time_and_holds_nothing_measured_on_real_rows(numbers):
    assert archive(numbers) == archive(numbers)
    assert archive_name(numbers) == "diabetes-synthetic-epsilon-1.zip"
    with zipfile.ZipFile(io.BytesIO(archive(numbers))) as packed:
        assert "do not publish it" in packed.read("README.txt").decode()
        assert len(packed.read("synthetic.csv").decode().splitlines()) == len(numbers.table) + 1
        everything = b"".join(packed.read(name) for name in packed.namelist())
    assert str(numbers.score("logistic", "rmse").mean).encode()[:8] not in everything
