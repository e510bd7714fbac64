from __future__ import annotations

import pytest

from dpcp_core.presentation.wording.nouns import LONGEST, plural, row_noun, shortened

TYPED = {
    "one patient": ("patient", "patients"),
    "One visit of one patient": ("visit of one patient", "visits of one patient"),
    "": ("row", "rows"),
    "one": ("row", "rows"),
    "a stay.": ("stay", "stays"),
    "Patients": ("patient", "patients"),
    "Each row is one patient.": ("patient", "patients"),
    "one row = one visit": ("visit", "visits"),
    "1 person per row": ("person", "people"),
    "the women": ("woman", "women"),
    "one of the patients": ("patient", "patients"),
    "children": ("child", "children"),
    "one patient (adult)": ("patient (adult)", "patients (adult)"),
    "one lens": ("lens", "lenses"),
    "a diagnosis": ("diagnosis", "diagnoses"),
    "COVID test": ("COVID test", "COVID tests"),
    "one species": ("species", "species"),
    "Countries": ("country", "countries"),
    "Hospital branches": ("hospital branch", "hospital branches"),
    "all diagnoses": ("diagnosis", "diagnoses"),
    "Blood tests of our patients": ("blood test of patients", "blood tests of patients"),
}


@pytest.mark.parametrize("typed", TYPED)
def test_whatever_somebody_types_becomes_a_noun_in_both_numbers(typed: str) -> None:
    assert (row_noun(typed), plural(row_noun(typed))) == TYPED[typed]


def test_a_very_long_answer_is_cut() -> None:
    assert len(row_noun("one " + "very " * 40 + "long story")) <= LONGEST
    assert shortened("x" * 300).endswith("…")
