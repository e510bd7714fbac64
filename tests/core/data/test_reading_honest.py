"""Tables with nothing wrong are read as they stand, and nothing untrue is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from dpcp_core import read_csv

COMMAS = ("Commas separate the columns.",)


def test_rows_alike_by_chance_are_not_called_copies():
    # Many different values in a column, but nearly all cells hold one of them.
    rng = np.random.default_rng(3)
    seldom = [f"{rng.integers(0, 60) if rng.random() < 0.2 else 0},{i % 2},{i % 3},{i % 5}" for i in range(200)]
    notes = read_csv(("a,b,c,d\n" + "\n".join(seldom)).encode()).report.notes
    assert len({*seldom}) < len(seldom)
    assert notes == COMMAS


@pytest.mark.parametrize(("n_copies", "told"), [(1, "1 row is an exact copy"), (4, "4 rows are exact copies")])
def test_rows_too_special_to_be_alike_by_chance_are_called_copies(n_copies, told):
    rows = [f"{20 + i},{170 + i / 8},{i * i % 211}" for i in range(200)]
    notes = read_csv(("a,b,c\n" + "\n".join([*rows, *rows[:n_copies]])).encode()).report.notes
    assert notes[-1] == (
        f"{told} of another; privacy protects one row, so remove those that repeat a person, and bring the rows of "
        "one person together."
    )


@pytest.mark.parametrize("name", ["phone_calls", "mobile minutes", "zip_distance_km", "n_mobile", "phone"])
def test_counts_of_calls_and_minutes_are_amounts(name):
    data = read_csv((f"{name},age\n" + "".join(f"{i * 7 % 45},{20 + i % 31}\n" for i in range(90))).encode())
    assert (data.schema.column(name).kind, data.schema.column(name).role) == ("integer", "feature")
    assert data.report.notes == COMMAS


@pytest.mark.parametrize("name", ["phone", "mobile_number", "zip", "zip 2", "postal code of birth", "PLZ_Wohnort"])
def test_telephone_numbers_and_postal_codes_are_no_amounts(name):
    data = read_csv((f"{name},age\n" + "".join(f"{20_100 + i % 9},{20 + i % 31}\n" for i in range(90))).encode())
    assert data.schema.column(name).kind == "category"


def test_one_sign_again_and_again_is_no_word_of_another_alphabet():
    text = "answer;n\n" + "".join(f"{('…………', 'yes')[i % 2]};{i}\n" for i in range(30))
    assert read_csv(text.encode("cp1252")).frame["answer"].tolist()[:2] == ["…………", "yes"]


def test_a_list_within_a_note_is_not_taken_for_rows():
    data = read_csv(b'n,plan\n1,"Take:\n1, aspirin\n2, water\n3, rest"\n2,ok\n3,ok\n')
    assert data.frame["plan"].tolist() == ["Take:\n1, aspirin\n2, water\n3, rest", "ok", "ok"]
    assert data.report.notes == COMMAS
