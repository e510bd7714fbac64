from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.receipt import ONE_ROW, PrivacyReceipt, ReceiptEntry
from dpcp_core.privacy.receipt_text import chance, odds_factor

TRAINING = ReceiptEntry("Ridge regression", "4,000 rows", ONE_ROW, "1 clip norm", 0.5, 1e-5, "100 steps")
QUANTILE = ReceiptEntry("Private quantile", "scores of the same rows", ONE_ROW, 1.0, 0.5)
RECEIPT = PrivacyReceipt(
    entries=(TRAINING, QUANTILE),
    composition="basic",
    total=PrivacyBudget(1.0, 1e-5),
    guarantee="At least 90 of 100 new patients lie inside their interval.",
    assumptions=("Patients are exchangeable.",),
    not_protected=("The names and bounds of the columns.",),
    one_row_is="one patient",
)
texts = st.text(max_size=30)
entries = st.builds(
    ReceiptEntry,
    texts,
    texts,
    texts,
    st.one_of(texts, st.floats(0, 1e6)),
    st.one_of(st.floats(1e-6, 1e6), st.just(math.inf)),
    st.floats(0, 0.01),
    texts,
)


@given(st.lists(entries, max_size=4), st.lists(texts, max_size=3), st.lists(texts, max_size=2), texts)
def test_json_brings_back_the_same_receipt(
    lines: list[ReceiptEntry], assumptions: list[str], leaks: list[str], guarantee: str
) -> None:
    receipt = PrivacyReceipt(
        tuple(lines), "tight", PrivacyBudget(2e6, 0.1), guarantee, tuple(assumptions), leaks=tuple(leaks)
    )
    assert PrivacyReceipt.from_json(receipt.to_json()) == receipt
    assert PrivacyReceipt.from_dict(receipt.to_dict()) == receipt


def test_json_is_strict_also_without_privacy() -> None:
    leaking = RECEIPT.with_leak("The bounds were read off the rows.")
    plain = json.loads(leaking.to_json(), parse_constant=lambda _: pytest.fail("not strict JSON"))
    assert plain["total"]["epsilon"] == "infinity"
    assert plain["leaks"] == ["The bounds were read off the rows."]


def test_a_leak_makes_the_total_infinite_and_the_text_says_why() -> None:
    reason = "The bounds of age were read off the rows of the file."
    leaking = replace(RECEIPT, leaks=(reason,))
    assert RECEIPT.is_private
    assert not leaking.is_private
    assert leaking.total == PrivacyBudget.infinite()
    text = leaking.to_text()
    assert "epsilon = infinity" in text
    assert "NOT private" in text
    assert reason in " ".join(text.split())
    assert "factor of at most" not in text


def test_an_entry_without_privacy_makes_the_total_infinite_too() -> None:
    exact = ReceiptEntry("Least squares", "all rows", ONE_ROW, "without bound", math.inf)
    assert not replace(RECEIPT, entries=(exact, QUANTILE)).is_private


@pytest.mark.parametrize(
    ("composition", "total", "enough"),
    [
        ("basic", PrivacyBudget(1.0, 1e-5), True),
        ("basic", PrivacyBudget(0.99, 1e-5), False),
        ("basic", PrivacyBudget(1.0, 1e-6), False),
        ("parallel", PrivacyBudget(0.5, 1e-5), True),
        ("parallel", PrivacyBudget(0.4, 1e-5), False),
        ("tight", PrivacyBudget(0.8, 1e-5), True),
    ],
)
def test_the_total_may_not_be_less_than_the_entries_cost(composition: str, total: PrivacyBudget, enough: bool) -> None:
    if enough:
        assert replace(RECEIPT, composition=composition, total=total).total == total
    else:
        with pytest.raises(InputError, match="less than the entries"):
            replace(RECEIPT, composition=composition, total=total)


def test_the_text_tells_an_officer_everything() -> None:
    text = " ".join(RECEIPT.to_text().split())
    for part in (
        "One row stands for: one patient",
        "NOT A PRIVATE RELEASE",
        "Ridge regression",
        "100 steps",
        "cost: epsilon = 0.5, delta = 1e-05",
        "their costs are added",
        "TOTAL epsilon = 1, delta = 1e-05",
        "about one patient",
        "factor of at most 2.72",
        "1 in 100,000",
        RECEIPT.guarantee,
        *RECEIPT.assumptions,
        *RECEIPT.not_protected,
    ):
        assert part in text
    assert "NOT A PRIVATE RELEASE" not in replace(RECEIPT, mode="release").to_text()
    assert max(map(len, RECEIPT.to_text().splitlines())) <= 88


def test_what_is_hidden_is_said_once_or_for_each_part() -> None:
    assert RECEIPT.to_text().count("replaced by an empty row") == 1
    other = replace(QUANTILE, neighbours="a whole hospital is there or not")
    text = replace(RECEIPT, entries=(TRAINING, other)).to_text()
    assert "hides whether: a whole hospital is there or not" in " ".join(text.split())
    assert "hides whether: one row is there" in " ".join(text.split())


def test_a_receipt_without_a_line_says_that_nothing_is_accounted_for() -> None:
    assert "Nothing is accounted for." in replace(RECEIPT, entries=()).to_text()


def test_a_receipt_without_a_row_meaning_says_so() -> None:
    assert "not stated" in replace(RECEIPT, one_row_is="").to_text()


@given(st.floats(1e-3, 13))
def test_the_stated_odds_are_never_too_small(epsilon: float) -> None:
    stated = float(odds_factor(epsilon).replace(",", ""))
    assert math.exp(epsilon) <= stated * (1 + 1e-6)
    assert stated - 1 <= (math.exp(epsilon) - 1) * 1.02 + 0.02


@given(st.floats(1e-12, 0.5))
def test_the_stated_chance_is_never_too_small(delta: float) -> None:
    stated = int(chance(delta).removeprefix("1 in ").replace(",", ""))
    assert 1 / stated >= delta * (1 - 1e-5)


def damaged(*path: str | int, value: object) -> str:
    """Return the receipt as JSON with another value in one place."""
    whole = RECEIPT.to_dict()
    place = whole
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    return json.dumps(whole)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"total": 3}', '["abc"]', "[" * 100_000, "1" * 5000, damaged("extra", value=1)]
    + [damaged("total", "epsilon", value=value) for value in ("much", 10**400, None, [])]
    + [damaged("guarantee", value=3), damaged("composition", value=[]), damaged("leaks", value=[3])]
    + [damaged("assumptions", value="one line"), damaged("entries", 0, "reads", value={})],
    ids=lambda text: text[:20],
)
def test_what_is_no_receipt_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="not a privacy receipt"):
        PrivacyReceipt.from_json(text)


places = st.sampled_from([
    *((name,) for name in RECEIPT.to_dict()),
    *(("total", name) for name in ("epsilon", "delta")),
    *(("entries", 1, name) for name in RECEIPT.to_dict()["entries"][1]),
])  # fmt: skip
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@given(places, plain_values)
def test_a_damaged_receipt_is_refused_or_can_be_read_and_sent_on(path: tuple[str | int, ...], value: object) -> None:
    try:
        receipt = PrivacyReceipt.from_json(damaged(*path, value=value))
    except InputError:
        return
    assert PrivacyReceipt.from_json(receipt.to_json()) == receipt
    assert receipt.to_text()


costs = st.tuples(st.floats(1e-300, 1e300), st.floats(0, 0.2))
compositions = st.sampled_from(["basic", "tight", "parallel", "The parts are composed as the paper says."])


@given(st.lists(costs, min_size=1, max_size=4), compositions, st.floats(0.01, 0.99))
def test_the_sum_of_the_parts_is_always_enough_and_less_than_one_part_never(
    parts: list[tuple[float, float]], composition: str, share: float
) -> None:
    lines = tuple(replace(QUANTILE, epsilon=epsilon, delta=delta) for epsilon, delta in parts)
    whole = sum((line.cost for line in lines[1:]), lines[0].cost)
    assert replace(RECEIPT, entries=lines, composition=composition, total=whole).total == whole
    too_little = PrivacyBudget(share * max(line.epsilon for line in lines), whole.delta)
    with pytest.raises(InputError, match="less than the entries"):
        replace(RECEIPT, entries=lines, composition=composition, total=too_little)


@pytest.mark.parametrize("sensitivity", [math.inf, math.nan, -1.0, None, [1]])
def test_a_sensitivity_is_words_or_a_number(sensitivity: object) -> None:
    with pytest.raises(InputError, match="sensitivity"):
        replace(QUANTILE, sensitivity=sensitivity)


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(InputError, match="mode"):
        replace(RECEIPT, mode="draft")  # type: ignore[arg-type]
