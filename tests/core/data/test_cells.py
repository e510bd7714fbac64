from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.cells import as_numbers, as_text
from dpcp_core.errors import InputError


@pytest.mark.parametrize(
    "cells",
    [
        [1.0, 2.0, None],
        pd.array([1, 2, None], dtype="Int64"),
        ["1", " 2 ", None],
        [Decimal(1), "2", None],
        pd.Categorical([1, 2, None]),
        pd.Categorical(["1", "2", None]),
        pd.array([1, 2, None], dtype="Float32"),
    ],
)
def test_numbers_read_the_same_however_they_are_stored(cells):
    assert np.array_equal(as_numbers(pd.Series(cells), "a"), [1, 2, np.nan], equal_nan=True)


@pytest.mark.parametrize("word", ["two", "1,5", "nan", "inf", "", "1 000"])
def test_a_word_among_numbers_is_refused_by_its_row(word):
    with pytest.raises(InputError, match="Column 'a' should hold numbers but row 2 does not"):
        as_numbers(pd.Series(["1", word, None]), "a")


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([1, 2], ["1", "2"]),
        ([1.0, None], ["1", None]),
        ([1.5, None], ["1.5", None]),
        ([True, False], ["true", "false"]),
        ([True, None], ["true", None]),
        (["a", None, "", "nan"], ["a", None, "", "nan"]),
        ([1, True, 1.0, "1", None, 2.5], ["1", "true", "1", "1", None, "2.5"]),
        (pd.Categorical(["b", None, "a"]), ["b", None, "a"]),
        (pd.array([7, None], dtype="Int64"), ["7", None]),
    ],
)
def test_text_is_spelled_one_way_and_empty_stays_empty(cells, texts):
    assert as_text(pd.Series(cells)).tolist() == texts
