"""Rows set aside: equal rows on one side, shares kept, nothing lost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import split_for_synthesis


def copied_rows(n_different: int = 400, copies: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    one = pd.DataFrame({"x": rng.normal(size=n_different), "word": rng.choice(["a", None], n_different)})
    return pd.concat([one] * copies, ignore_index=True)


def test_equal_rows_stay_on_one_side() -> None:
    # 1,203 rows: the shares would cut between copies.
    frame = copied_rows(401)
    split = split_for_synthesis(frame)
    assert not set(split.train["x"]) & set(split.test["x"])
    assert not set(split.train["x"]) & set(split.validation["x"])
    assert not set(split.validation["x"]) & set(split.test["x"])
    assert (split.n_duplicates, split.n_leaked) == (802, 0)


def test_the_naive_split_says_how_many_test_rows_were_seen_in_training() -> None:
    frame = copied_rows()
    split = split_for_synthesis(frame, keep_duplicates_together=False)
    seen = split.test["x"].isin(split.train["x"]).sum()
    assert split.n_leaked == seen
    # A row is seen unless both its copies are elsewhere: about 1 - 0.2 ** 2.
    assert split.n_leaked / len(split.test) == pytest.approx(0.96, abs=0.05)


def test_parts_have_their_shares_and_every_row_once() -> None:
    frame = copied_rows()
    for together in (True, False):
        split = split_for_synthesis(frame, keep_duplicates_together=together)
        parts = [split.train, split.validation, split.test]
        assert sorted(np.concatenate([part.index for part in parts])) == list(range(1200))
        assert [len(part) for part in parts] == pytest.approx([960, 120, 120], abs=3)


def test_a_seed_repeats_a_split_and_another_one_changes_it() -> None:
    frame = copied_rows()
    first = split_for_synthesis(frame, seed=1).train.index.tolist()
    assert split_for_synthesis(frame, seed=1).train.index.tolist() == first
    assert split_for_synthesis(frame, seed=2).train.index.tolist() != first


def test_named_columns_decide_what_is_equal() -> None:
    frame = pd.DataFrame({"person": np.repeat(np.arange(100), 2), "visit": np.arange(200)})
    split = split_for_synthesis(frame, columns=["person"])
    assert not set(split.train["person"]) & set(split.test["person"])
    assert split.n_duplicates == 100
    assert split_for_synthesis(frame).n_duplicates == 0


def test_there_may_be_no_validation_rows() -> None:
    split = split_for_synthesis(copied_rows(), shares=(0.9, 0.0, 0.1))
    assert len(split.validation) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shares": (0.8, 0.1)}, "three numbers that add up to 1"),
        ({"shares": (0.8, 0.1, 0.2)}, "three numbers that add up to 1"),
        ({"shares": (0.9, 0.1, 0.0)}, "test_share is 0"),
        ({"columns": ["wrd"]}, r"There is no column 'wrd' \(did you mean 'word'\?\)"),
    ],
)
def test_a_split_that_cannot_be_is_one_sentence(change: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        split_for_synthesis(copied_rows(), **change)


def test_a_table_of_copies_of_one_row_cannot_be_split() -> None:
    with pytest.raises(InputError, match="too few different ones"):
        split_for_synthesis(pd.DataFrame({"x": [1] * 50}))
