"""What the Release page says of an account, of near copies, and of the settings that are published with."""

from __future__ import annotations

import pytest

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording import release as words
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Account, NearTable, Part, ReleaseCost, Spending
from dpcp_core.synthesis.settings import SynthesisSettings

BUDGET = PrivacyBudget(3.0, 1e-5)
ROWS = "0123456789abcdef" * 4
COST = ReleaseCost(PrivacyBudget(1.0, 1e-6), (Part.point(PrivacyBudget(1.0, 1e-6)),))
OUT = Spending("r1", "2026-03-01T09:30:12+00:00", "intervals of Age, ridge", COST, is_finished=True)


def plain(text: str) -> str:
    """Write every kind of blank as a blank."""
    return text.replace(say.FIXED, " ").replace(say.NARROW, " ")


def test_an_untouched_budget_is_left_whole() -> None:
    cards = words.account_cards(Account(ROWS, budget=BUDGET))
    assert [tuple(map(plain, card)) for card in cards] == [
        ("Budget", "ε = 3", "δ at most 1 in 100,000; costs add up together, tightly"),
        ("Spent", "nothing", "by no release so far"),
        ("Left", "ε = 3", "for releases to come"),
    ]


def test_what_is_spent_is_counted_and_a_plain_sum_leaves_exactly_the_rest() -> None:
    account = Account(ROWS, budget=BUDGET, composition="basic", spendings=(OUT, OUT))
    assert [tuple(map(plain, card)) for card in words.account_cards(account)] == [
        ("Budget", "ε = 3", "δ at most 1 in 100,000; costs add up as a plain sum"),
        ("Spent", "ε = 2", "by 2 releases"),
        ("Left", "ε = 1", "for releases to come"),
    ]


def test_costs_that_are_composed_tightly_leave_a_little_more_than_the_difference() -> None:
    card = words.account_cards(Account(ROWS, budget=BUDGET, spendings=(OUT,)))[2]
    assert card[2] == "a release may cost a little more"


def test_a_budget_without_delta_says_so() -> None:
    card = words.account_cards(Account(ROWS, budget=PrivacyBudget(0.5)))[0]
    assert tuple(map(plain, card)) == ("Budget", "ε = 0.5", "δ = 0; costs add up together, tightly")


def test_a_release_that_was_never_finished_counts_as_spent() -> None:
    unfinished = Spending("r1", OUT.at, OUT.title, COST)
    assert {key: plain(value) for key, value in words.spending_values(OUT).items()} == {
        "when (UTC)": "2026-03-01 09:30",
        "what": "intervals of Age, ridge",
        "cost": "ε = 1, δ = 1 in 1,000,000",
        "state": "out",
        "name": "r1",
    }
    assert words.spending_values(unfinished)["state"] == "never finished, counts as spent"


@pytest.mark.parametrize(
    ("n", "said"), [(1, "1 release of this table was begun"), (2, "2 releases of this table were")]
)
def test_unfinished_releases_are_counted(n: int, said: str) -> None:
    assert plain(words.unfinished_words(n)).startswith(said)


def test_a_near_copy_is_named_only_where_everybody_may_know_it() -> None:
    named, nameless = NearTable(Account(ROWS, "ward 7"), 0.934), NearTable(Account(ROWS), 1.0)
    start = "About 93 % of the rows are in"
    assert plain(words.near_words(named, named=True)).startswith(f"{start} the table “ward 7” too")
    assert plain(words.near_words(named, named=False)).startswith(f"{start} another table of the ledger too")
    assert "“0123456789ab”" in words.near_words(nameless, named=True)


def test_what_is_left_is_said_only_where_the_ledger_could_be_asked() -> None:
    cost = PrivacyBudget(1.0, 1e-6)
    said = "Released from ward: a table. It cost ε = 1, δ = 1 in 1,000,000"
    assert plain(words.made_words("a table", "ward", cost, None)) == f"{said}."
    account = Account(ROWS, budget=BUDGET, composition="basic", spendings=(OUT,))
    assert plain(words.made_words("a table", "ward", cost, account)) == f"{said}; left of the budget: ε = 2."


def test_usual_settings_of_intervals_are_those_that_matter_most() -> None:
    usual = [label for label, _ in words.interval_lines(ConformalChoices())]
    assert usual[:3] == ["Model", "Score", "Target coverage"]
    assert "Training steps" not in usual


def test_changed_settings_of_intervals_are_shown_and_the_budget_stands_elsewhere() -> None:
    usual = words.interval_lines(ConformalChoices())
    changed = ConformalChoices(steps=9, by_group=True, bound_share=0.25, step_size=0.5, epsilon=2.0, row_share=0.3)
    assert [(label, plain(value)) for label, value in words.interval_lines(changed)[len(usual) :]] == [
        ("Threshold per group", "yes"),
        ("Bought score bound", "25 %"),
        ("Training steps", "9"),
        ("Step size", "0.5"),
    ]


def test_usual_settings_of_a_table_are_one_line() -> None:
    ((label, _),) = words.table_lines(SynthesisSettings())
    assert label == "Table"


def test_changed_settings_of_a_table_are_shown_one_by_one() -> None:
    settings = SynthesisSettings(
        n_rows=12_000,
        bins=20,
        groups=(("age", "sex"), ("sex", "bmi")),
        randomised_response=(("sex", 2.0), ("bmi", 0.5)),
        steps=9,
        warmup_share=0.1,
        rules=("age >= 18", "bmi < 60"),  # type: ignore[arg-type]
    )
    assert [(label, plain(value)) for label, value in words.table_lines(settings)[1:]] == [
        ("Rows to make", "12,000"),
        ("Cells of a number", "20"),
        ("Columns kept together", "age, sex"),
        ("Columns kept together", "sex, bmi"),
        ("Columns with randomised cells", "sex (ε = 2), bmi (ε = 0.5)"),
        ("Training steps", "9"),
        ("Warm-up", "10 %"),
        ("Rule", "age >= 18"),
        ("Rule", "bmi < 60"),
    ]
