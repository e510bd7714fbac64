"""A sweep is many simulations, each the same as alone, each training done once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpcp_core import ConformalSettings, InputError, PrivacyLeakWarning, load_sample, simulate, sweep
from dpcp_core.data.dataset import Dataset
from dpcp_core.experiments.presets import COMPARED
from dpcp_core.experiments.sweep import running
from dpcp_core.experiments.sweep.plan import SweepPlan
from dpcp_core.experiments.sweep.unit import units_of

DIABETES = load_sample("diabetes")


def same(cell, result):
    """Whether a cell holds the numbers of a simulation."""
    names = ("coverage", "size", "size_median", "thresholds", "reference_coverage", "reference_size")
    return all(np.array_equal(getattr(cell, name), getattr(result, name)) for name in names)


@pytest.mark.parametrize("method", [*COMPARED, "clip_only"])
def test_a_cell_is_what_simulate_says(method):
    settings = ConformalSettings(repetitions=4, bins=30)
    swept = sweep(DIABETES, settings, methods=[method], epsilons=[0.5, 2.0])
    for cell in swept.cells:
        alone = simulate(DIABETES, settings.replace(method=method, epsilon=cell.settings.epsilon))
        assert same(cell, alone)
        assert cell.settings == alone.settings
        assert cell.receipt == alone.receipt.to_dict()
        assert (cell.certified, cell.n_test) == (alone.certificate.holds, alone.n_test)


def test_a_cell_of_classes_is_what_simulate_says():
    data = load_sample("readmission")
    swept = sweep(data, methods=["dpcp", "pscp"], epsilons=[1.0], repetitions=2)
    for cell in swept.cells:
        assert same(cell, simulate(data, ConformalSettings(method=cell.settings.method, repetitions=2)))
        assert "set_size_mean" in cell.summary()


def test_cells_come_in_the_plans_order_whatever_finishes_first():
    swept = sweep(DIABETES, methods=["pscp", "oracle"], epsilons=[4.0, 1.0], bins=[20, 40], repetitions=2, n_jobs=2)
    assert [(c.settings.method, c.settings.bins, c.settings.epsilon) for c in swept.cells] == [
        (method, bins, epsilon) for method in ("pscp", "oracle") for bins in (20, 40) for epsilon in (4.0, 1.0)
    ]


def test_cells_that_share_a_training_are_trained_once():
    plan = SweepPlan.of(methods=["dpcp"], epsilons=[1.0], bins=[20, 50, 100], confidence_level=[0.8, 0.9])
    assert len(units_of(plan.cells)) == 1
    # Without privacy epsilon changes nothing in training; with it, it does.
    assert len(units_of(SweepPlan.of(methods=["split"], epsilons=[1.0, 2.0]).cells)) == 1
    assert len(units_of(SweepPlan.of(methods=["dpcp"], epsilons=[1.0, 2.0]).cells)) == 2


def test_the_models_without_privacy_are_trained_once_for_all_methods(monkeypatch):
    asked = []
    original = running.run_reference
    monkeypatch.setattr(running, "run_reference", lambda *given: asked.append(given[1]) or original(*given))
    sweep(DIABETES, methods="all", epsilons=[0.5, 2.0], repetitions=2)
    assert len(asked) == 1


def test_another_seed_gives_other_numbers():
    first, second = sweep(DIABETES, methods=["dpcp"], seed=[0, 1], repetitions=3).cells
    assert not np.array_equal(first.coverage, second.coverage)
    assert (first.settings.seed, second.settings.seed) == (0, 1)


def test_a_cell_that_cannot_be_computed_says_why_and_the_others_go_on():
    swept = sweep(DIABETES, ConformalSettings(repetitions=2), row_share=[0.001, 0.5], methods=["pscp"])
    failed, fine = swept.cells
    assert "choose less extreme shares" in failed.problem
    assert swept.failures == (failed,)
    assert np.isnan(failed.coverage_mean)
    assert not fine.failed
    assert swept.frame().loc[0, "problem"] == failed.problem
    assert failed.summary()["problem"] == failed.problem


def test_a_score_of_classes_for_a_number_is_a_problem_of_its_cells_only():
    swept = sweep(DIABETES, ConformalSettings(repetitions=2), score=["absolute", "aps"])
    assert [cell.failed for cell in swept.cells] == [False, True]
    assert "does not suit" in swept.cells[1].problem


def test_progress_ends_at_all_cells_and_hands_out_each_cell_once():
    heard, handed = [], []
    swept = sweep(
        DIABETES,
        methods=["oracle", "dpcp"],
        epsilons=[1.0, 2.0],
        repetitions=2,
        on_progress=lambda progress, new: (heard.append(progress), handed.extend(new)),
    )
    assert (heard[0].done, heard[0].left_s) == (0, None)
    assert (heard[-1].done, heard[-1].total, heard[-1].left_s, heard[-1].share) == (4, 4, 0.0, 1.0)
    assert sorted(map(id, handed)) == sorted(map(id, swept.cells))


@pytest.mark.parametrize("backend", ["sequential", "threading"])
def test_a_stopped_sweep_keeps_what_is_finished(backend):
    from joblib import parallel_config

    done = []
    with parallel_config(backend=backend, n_jobs=2 if backend == "threading" else 1):
        swept = sweep(
            DIABETES,
            methods=["dpcp"],
            epsilons=[0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            repetitions=2,
            on_progress=lambda _progress, new: done.extend(new),
            should_stop=lambda: len(done) >= 2,
        )
    assert not swept.is_complete
    assert 2 <= len(swept.cells) <= 4
    assert same(swept.cells[0], simulate(DIABETES, swept.cells[0].settings))


def test_finished_cells_are_not_run_again(tmp_path, monkeypatch):
    first = sweep(DIABETES, methods=["dpcp"], epsilons=[0.5, 1.0], repetitions=3, folder=tmp_path)
    trained = []
    original = running.run_unit
    monkeypatch.setattr(running, "run_unit", lambda *given: trained.append(given[1]) or original(*given))
    again = sweep(DIABETES, methods=["dpcp"], epsilons=[0.5, 1.0, 2.0], repetitions=3, folder=tmp_path)
    assert [unit.task.spending.point.epsilon > 0 for unit in trained] == [True]
    assert [cell.epsilon for unit in trained for cell in unit.cells] == [2.0]
    assert again.n_reused == 2
    assert all(same(kept, cell) for kept, cell in zip(again.cells, first.cells, strict=False))
    for kept, cell in zip(again.cells, first.cells, strict=False):
        assert (kept.settings, kept.receipt, kept.certified) == (cell.settings, dict(cell.receipt), cell.certified)


def test_another_table_shares_no_cell(tmp_path):
    sweep(DIABETES, methods=["oracle"], repetitions=2, folder=tmp_path)
    frame = DIABETES.frame
    frame.iloc[0, 0] += 1
    other = Dataset.from_frame(frame, schema=DIABETES.schema, name=DIABETES.name)
    assert sweep(other, methods=["oracle"], repetitions=2, folder=tmp_path).n_reused == 0


def test_bounds_that_nobody_needs_to_buy_cost_nothing():
    swept = sweep(DIABETES, ConformalSettings(repetitions=2), bounds_epsilon=[0.0, 0.25])
    assert {cell.settings.bounds_epsilon for cell in swept.cells} == {0.0}
    assert len(swept.cells) == 2


def test_a_leak_is_told_once():
    drafted = DIABETES.schema.draft(DIABETES.frame).filled_from(DIABETES.frame).with_target("progression")
    data = Dataset.from_frame(DIABETES.frame, schema=drafted)
    with pytest.warns(PrivacyLeakWarning) as heard:
        swept = sweep(data, methods=["dpcp", "pscp"], epsilons=[1.0, 2.0], repetitions=2)
    assert len(heard) == 1
    assert not any(cell.certified for cell in swept.cells)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"epsilons": []}, "No value of epsilon"),
        ({"epsilons": [0]}, "epsilon is 0"),
        ({"epsilons": ["much"]}, "epsilon is 'much'"),
        ({"methods": ["magic"]}, "There is no method 'magic'"),
        ({"colour": [1]}, "There is no setting 'colour'"),
        ({"target": ["age"]}, "one target"),
        ({"bins": "100"}, "must be a list"),
        ({"repetitions": 0}, "repetitions is 0"),
        ({"bins": list(range(1, 400)), "seed": list(range(400))}, "159,600 cells"),
    ],
)
def test_bad_values_are_refused_before_anything_runs(wrong, words):
    with pytest.raises(InputError, match=words):
        sweep(DIABETES, **wrong)


def test_tables_of_a_sweep_hold_a_row_a_cell_and_a_row_a_repetition():
    swept = sweep(DIABETES, methods=["dpcp", "oracle"], epsilons=[1.0], bins=[20, 50], repetitions=3)
    assert list(swept.frame().columns[:3]) == ["method", "epsilon", "bins"]
    assert len(swept.frame()) == 4
    assert len(swept.repetitions()) == 12
    assert swept.where(method="dpcp", bins=50) == (swept.cells[1],)
    assert swept.summaries()[0]["bins"] == 20


def test_every_field_of_a_cell_survives_the_disk(tmp_path):
    from dpcp_core.experiments.sweep.store import SweepStore

    (cell,) = sweep(DIABETES, repetitions=2).cells
    store = SweepStore.at(tmp_path)
    store.add({"a": cell})
    kept = store.read(["a", "b"])["a"]
    for field in dataclasses.fields(cell):
        assert np.array_equal(getattr(kept, field.name), getattr(cell, field.name)), field.name


def test_cells_may_buy_bounds_that_the_shared_settings_do_not():
    columns = [dataclasses.replace(c, bounds=None) if c.name == "bmi" else c for c in DIABETES.schema.columns]
    data = DIABETES.with_schema(dataclasses.replace(DIABETES.schema, columns=tuple(columns)))
    swept = sweep(data, methods=["dpcp"], epsilons=[4.0], bounds_epsilon=[0.0, 0.5], repetitions=2)
    lacking, bought = swept.cells
    assert "bmi" in lacking.problem
    assert same(bought, simulate(data, ConformalSettings(epsilon=4.0, bounds_epsilon=0.5, repetitions=2)))
    with pytest.raises(InputError, match="bmi"):
        sweep(data, methods=["dpcp"], epsilons=[4.0], repetitions=2)
