"""Attacks on the table of a simulation: its own rows against those held out, planted copies found, strangers not."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pandas as pd
import pytest

from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError, PrivacyLeakWarning
from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks
from dpcp_core.experiments.audit.table_risks import real_rows, table_risks
from dpcp_core.experiments.synthesis import SynthesisResult, SynthesisStopped, simulate_synthesis
from dpcp_core.synthesis.settings import SynthesisSettings
from tests.core.synthesis.tables import PEOPLE, people

DATA = Dataset.from_frame(people(1500), PEOPLE)
SETTINGS = SynthesisSettings(epsilon=4.0, task_model="auto", seed=7)


@pytest.fixture(scope="module")
def result() -> SynthesisResult:
    return simulate_synthesis(DATA, SETTINGS, models=())


def with_table(result: SynthesisResult, rows: pd.DataFrame) -> SynthesisResult:
    """Return the result as if these rows had been made."""
    return dataclasses.replace(result, table=rows[list(result.table.columns)].reset_index(drop=True))


def found(risks: SyntheticRisks) -> dict[str, bool]:
    return {risk.name: risk.is_found for risk in risks.risks}


def test_the_rows_attacked_are_exactly_those_that_the_table_was_made_from():
    with pytest.warns(PrivacyLeakWarning):
        shuffled = simulate_synthesis(DATA, SETTINGS.replace(attributes="shuffle"), models=())
    rows = real_rows(DATA, shuffled)
    # Shuffled columns are the very cells of those rows.
    for name in ("age", "dose", "job", "size"):
        cells = [Counter(frame[name].astype(str)) for frame in (shuffled.table, rows.original, rows.control)]
        assert cells[0] == cells[1] != cells[2]
    assert sorted([*rows.original.index, *rows.control.index]) == list(range(1500))
    assert len(rows.control) == 300


def test_equal_rows_are_never_both_in_the_table_and_beside_it():
    # A column that is not made tells them apart, and does not count.
    copies = people(400).assign(note="again")
    twice = Dataset.from_frame(pd.concat([people(400), copies], ignore_index=True), PEOPLE)
    rows = real_rows(twice, simulate_synthesis(twice, SETTINGS, models=()))
    apart = [set(map(tuple, frame.drop(columns="note").astype(str).to_numpy())) for frame in dataclasses.astuple(rows)]
    assert not apart[0] & apart[1]


def test_copies_that_were_planted_are_found_by_every_attack(result):
    rows = real_rows(DATA, result)
    risks = table_risks(DATA, with_table(result, rows.original))
    assert found(risks) == {"singling_out": True, "linkability": True, "inference": True}
    assert (risks.n_original, risks.n_synthetic, risks.n_control) == (1200, 1200, 300)
    _, linked, inferred = risks.risks
    assert linked.attack.value == inferred.attack.value == 1.0
    # A quarter of the rows is looked at, to have as many as beside the table; more fit others by chance.
    assert risks.risks[0].attack.value > 0.2


def test_a_table_of_strangers_is_no_danger_to_anybody_in_it(result):
    risks = table_risks(DATA, with_table(result, people(1200, seed=99)), n_attacks=400)
    assert found(risks) == {"singling_out": False, "linkability": False, "inference": False}
    for risk in risks.risks:
        assert risk.attack.value == pytest.approx(risk.control.value, abs=0.1)
    # It is a good teacher all the same.
    assert risks.risks[2].is_informative


def test_copies_of_people_who_were_not_in_the_table_are_no_danger_to_those_who_were(result):
    risks = table_risks(DATA, with_table(result, real_rows(DATA, result).control), n_attacks=400)
    assert found(risks) == {"singling_out": False, "linkability": False, "inference": False}
    assert risks.risks[1].control.value == 1.0


def test_a_private_table_gives_nobody_away_and_the_seed_repeats_it(result):
    one, two, other = (table_risks(DATA, result, n_attacks=200, seed=seed) for seed in (3, 3, 4))
    assert not any(found(one).values())
    assert one.risks == two.risks
    assert one.risks != other.risks


def test_the_first_of_several_tables_is_attacked(result):
    twice = simulate_synthesis(DATA, SETTINGS, models=(), repetitions=2)
    assert table_risks(DATA, twice, n_attacks=50).risks == table_risks(DATA, result, n_attacks=50).risks


def test_another_column_can_be_the_secret(result):
    risks = table_risks(DATA, result, secret="job", n_attacks=200)
    assert risks.secret == "job"
    assert risks.risks[2].attack.value < 0.5
    assert table_risks(DATA, result, n_attacks=50).secret == "ill"


def test_without_a_target_nothing_is_inferred():
    nothing = DATA.with_schema(PEOPLE.with_role("ill", "feature"))
    risks = table_risks(nothing, simulate_synthesis(nothing, SETTINGS, models=()), n_attacks=50)
    assert ([risk.name for risk in risks.risks], risks.secret) == (["singling_out", "linkability"], "")


def test_progress_is_told_before_each_attack_and_a_stop_is_heard(result):
    heard: list[tuple[str, int]] = []
    note = lambda progress: heard.append((progress.part, progress.done))  # noqa: E731
    table_risks(DATA, result, n_attacks=20, on_progress=note)
    assert heard == [("singling_out", 0), ("linkability", 1), ("inference", 2), ("", 3)]
    heard.clear()
    with pytest.raises(SynthesisStopped):
        table_risks(DATA, result, n_attacks=20, on_progress=note, should_stop=lambda: len(heard) == 1)
    assert heard == [("singling_out", 0)]


def test_a_table_with_too_few_rows_to_compare_with_is_refused_in_one_sentence():
    few = Dataset.from_frame(people(390), PEOPLE)
    with pytest.raises(InputError, match=r"^Only 78 of 390 rows are no part of .* bring 400 rows or more\.$"):
        table_risks(few, simulate_synthesis(few, SETTINGS, models=()))


def test_a_result_of_another_table_is_refused(result):
    with pytest.raises(InputError, match="of another table"):
        table_risks(Dataset.from_frame(people(1500, seed=1), PEOPLE), result)
