"""A release spends before it draws, cannot be reached with anything that is not private, and draws once."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.reading import read_csv
from dpcp_core.data.samples import load_sample
from dpcp_core.data.schema import Column, Schema
from dpcp_core.errors import BudgetExceededError, InputError, NotPrivateError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger, ReleaseCost, Reservation
from dpcp_core.release import ReleasePlan, ReleaseStopped, open_bundle, plan_intervals, plan_table, release
from dpcp_core.release.model_file import MOST_COLUMNS, require_storable
from dpcp_core.release.plan import require_all_rows_readable
from dpcp_core.synthesis.settings import SynthesisSettings
from tests.core.release.released import ledger_for, small

DATA = small("blood_pressure")
TABLE = SynthesisSettings(epsilon=1.0, task_model="ridge")


def planned(data: Dataset = DATA, schema_text: str | None = None, **choices: object) -> ReleasePlan:
    made = ConformalChoices(**choices)  # type: ignore[arg-type]
    return plan_intervals(data, made, data.schema.to_toml() if schema_text is None else schema_text)


def table(data: Dataset = DATA, schema_text: str | None = None, **changes: object) -> ReleasePlan:
    return plan_table(data, TABLE.replace(**changes), data.schema.to_toml() if schema_text is None else schema_text)


REFUSED: dict[str, tuple[Callable[[], ReleasePlan], type[InputError], str]] = {
    "nothing to predict": (
        lambda: planned(DATA.with_schema(DATA.schema.with_role("systolic", "feature"))),
        InputError,
        "has no target; give one column",
    ),
    "a plain quantile": (lambda: planned(method="differential"), InputError, "there to compare with"),
    "an oracle": (lambda: planned(method="oracle"), InputError, "there to compare with"),
    "no schema": (lambda: planned(schema_text=" "), NotPrivateError, "needs a schema that was saved before"),
    "a schema of another table": (
        lambda: planned(schema_text=small("readmission").schema.to_toml()),
        NotPrivateError,
        "not the one that the table is read by",
    ),
    "a schema that is none": (lambda: planned(schema_text="x = ="), InputError, "."),
    "a model of more than layers": (lambda: planned(trainer="ft_transformer"), InputError, "more than dense layers"),
    "coins": (lambda: planned(small("readmission"), score="aps_randomized"), InputError, "throws coins"),
    "a delta that hides nobody": (lambda: planned(delta=0.01), NotPrivateError, "more than 1 in 400 rows"),
    "a table's delta that hides nobody": (lambda: table(delta=0.01), NotPrivateError, "more than 1 in 400 rows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_that_is_not_private_reaches_a_release(name: str) -> None:
    plan, error, said = REFUSED[name]
    with pytest.raises(error, match=said) as caught:
        plan()
    assert "\n" not in str(caught.value)


def test_a_score_that_the_script_cannot_work_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcp_core.release.intervals.PREDICTED", frozenset({"normalized"}))
    assert planned(score="normalized").title
    with pytest.raises(InputError, match="script cannot predict with the score 'absolute'; choose another score"):
        planned(score="absolute")


def test_a_bundle_has_room_for_so_many_columns() -> None:
    columns = [Column(f"c{place}", "boolean") for place in range(MOST_COLUMNS + 1)]
    require_storable(Schema(tuple(columns[:-1])))
    with pytest.raises(InputError, match=r"^A bundle holds at most 10,000 features, not 10,001; ignore some\.$"):
        require_storable(Schema(tuple(columns)))


def test_a_schema_drafted_from_the_rows_is_refused() -> None:
    drafted = Dataset.from_frame(DATA.frame, Schema.draft(DATA.frame).filled_from(DATA.frame))
    target = DATA.schema.target
    assert target is not None
    with pytest.raises(NotPrivateError, match="read off the rows"):
        planned(drafted.with_schema(drafted.schema.with_target(target.name)))


def test_two_releases_of_the_same_settings_differ() -> None:
    ledger = ledger_for(DATA)
    one, other = (release(table(mode="simulation"), ledger) for _ in range(2))
    assert one.digest != other.digest
    assert one.receipt.mode == "release"
    assert release(planned(), ledger).digest != release(planned(), ledger).digest


def test_what_is_spent_is_what_the_receipt_says() -> None:
    ledger = ledger_for(DATA, epsilon=3.0)
    made = release(planned(epsilon=2.0), ledger)
    (spending,) = ledger.account(DATA.rows_digest).spendings
    assert (spending.cost.total, spending.published, spending.is_finished) == (made.receipt.total, made.digest, True)
    with pytest.raises(BudgetExceededError):
        release(planned(epsilon=2.0), ledger)
    assert len(ledger.account(DATA.rows_digest).spendings) == 1


def test_a_release_without_a_budget_draws_nothing() -> None:
    plan = planned()
    drawn: list[object] = []
    watched = replace(plan, draw=lambda: drawn.append(1) or plan.draw())  # type: ignore[func-returns-value]
    with pytest.raises(BudgetExceededError, match="no budget yet"):
        release(watched, ledger_for())
    assert drawn == []


def test_stopping_before_the_first_draw_spends_nothing() -> None:
    ledger = ledger_for(DATA)
    with pytest.raises(ReleaseStopped, match="nothing is spent"):
        release(planned(), ledger, should_stop=lambda: True)
    assert ledger.account(DATA.rows_digest).spent is None
    assert [entry.kind for entry in ledger.entries()] == ["budget", "reserve", "void"]


def test_a_failure_after_the_first_draw_stays_spent() -> None:
    def fails() -> object:
        raise InputError("The disk is full.")

    ledger = ledger_for(DATA)
    with pytest.raises(InputError, match=r"disk is full\. The budget that was set aside for [0-9a-f]+ stays"):
        release(replace(planned(), draw=fails), ledger)  # type: ignore[arg-type]
    assert len(ledger.account(DATA.rows_digest).unfinished) == 1


def test_what_cost_more_than_was_set_aside_is_not_published() -> None:
    ledger, plan = ledger_for(DATA), planned(epsilon=2.0)
    little = replace(plan, cost=ReleaseCost(PrivacyBudget(1.0, 1e-5)))
    with pytest.raises(InputError, match=r"^The release cost epsilon = 2.*, more than was set aside; it is not publ"):
        release(little, ledger)
    assert len(ledger.account(DATA.rows_digest).unfinished) == 1


def test_a_bundle_that_is_paid_for_is_handed_out_even_if_the_ledger_fails_to_note_it() -> None:
    class Fails(Ledger):
        def commit(self, reservation: Reservation, published: str) -> None:  # noqa: ARG002
            raise InputError("The disk is full.")

    ledger = Fails("sqlite://")
    ledger.set_budget(DATA.rows_digest, PrivacyBudget(5.0, 1e-4))
    made = release(planned(), ledger)
    assert open_bundle(made.bundle).receipt == made.receipt
    assert made.warning.startswith(f"The ledger could not note that {made.release} is out")
    assert len(ledger.account(DATA.rows_digest).unfinished) == 1


def test_a_model_whose_cost_is_one_pair_can_make_a_released_table() -> None:
    plan = table(task_model="objective_perturbation")
    assert [part.kind for part in plan.cost.parts] == ["point"]


def test_unreadable_rows_are_told_before_anything_is_spent() -> None:
    def fails() -> None:
        raise InputError("Row 4 is empty.")

    with pytest.raises(InputError, match=r"^Nothing was spent\. Row 4 is empty\.$"):
        require_all_rows_readable(fails)


def test_tight_parts_never_cost_more_than_the_receipt() -> None:
    plan = planned(epsilon=1.0)
    assert {part.kind for part in plan.cost.parts} == {"gaussian", "pure"}
    ledger = ledger_for()
    ledger.set_budget(DATA.rows_digest, PrivacyBudget(1.0, 1e-5), composition="tight")
    release(plan, ledger)
    spent = ledger.account(DATA.rows_digest).spent
    assert spent is not None
    assert spent.epsilon <= 1.0


def test_a_synthetic_table_is_released_with_all_that_belongs_to_it() -> None:
    made = release(table(n_rows=50), ledger_for(DATA))
    with zipfile.ZipFile(io.BytesIO(made.bundle)) as archive:
        assert sorted(archive.namelist()) == [
            "README.md", "SHA256SUMS", "receipt.json", "receipt.txt", "schema.toml", "synthetic.csv",
        ]  # fmt: skip
        rows = pd.read_csv(archive.open("synthetic.csv"))
    with pytest.raises(InputError, match="bundle of a synthetic table, which predicts nothing"):
        open_bundle(made.bundle)
    assert len(rows) == 50
    assert made.receipt.total.epsilon == 1.0


def test_reminders_tell_what_only_a_person_can_know() -> None:
    for plan in (planned(step_size=0.1), table(max_grad_norm=0.1)):
        assert any("set by hand" in sentence for sentence in plan.reminders)
    assert "adds up to 8.8e-07 to delta" in " ".join(planned(epsilon=16.0, bins=10_000).reminders)
    assert planned(epsilon=4.0).reminders == ()
    text = small("blood_pressure").frame.to_csv(index=False, sep=";", decimal=",").encode()
    read = read_csv(text, schema=DATA.schema)
    for plan in (planned(read), table(read)):
        assert "were read as decimal marks. A release takes that for publicly known" in " ".join(plan.reminders)


@pytest.mark.parametrize("make", [planned, table])
def test_what_was_asked_to_be_left_out_is_on_the_receipt_whether_any_row_was_or_not(
    make: Callable[[Dataset], ReleasePlan],
) -> None:
    gaps = DATA.frame.copy()
    gaps.loc[:4, "systolic"] = None
    some = Dataset.from_frame(gaps, DATA.schema.with_target("age")).where_filled("systolic").with_schema(DATA.schema)
    said = [
        [line for line in make(data).draw().receipt.assumptions if "left out beforehand" in line]
        for data in (DATA, DATA.where_filled("systolic"), some)
    ]
    assert said[0] == []
    assert len(said[1]) == 1
    assert said[1] == said[2]


def test_guesses_beyond_the_first_are_counted() -> None:
    report = dataclasses.replace(DATA.report, notes=tuple(f"Guess {number}." for number in range(1, 6)))
    (said,) = planned(dataclasses.replace(DATA, name="own", report=report), epsilon=4.0).reminders
    assert "Guess 3. And 2 more guesses, told when the file was read." in said


def test_a_file_with_a_samples_name_is_reminded_like_any_other() -> None:
    text = small("blood_pressure").frame.to_csv(index=False, sep=";").encode()
    read = read_csv(text, schema=DATA.schema, name="blood_pressure")
    for plan in (planned(read), table(read)):
        assert "recognised from its rows. Semicolons separate the columns." in " ".join(plan.reminders)
    sample = load_sample("blood_pressure")
    assert sample.report.notes
    assert planned(sample, epsilon=4.0).reminders == ()


def test_a_target_that_never_varies_is_refused_and_the_receipts_say_that_this_shows() -> None:
    with pytest.raises(InputError, match="is the same in every row"):
        Dataset.from_frame(DATA.frame.assign(systolic=120.0), DATA.schema)
    for plan in (planned(), table(n_rows=5)):
        shown = release(plan, ledger_for(DATA)).receipt.not_protected[0]
        assert "that its target is not the same in every row: others are refused" in shown
