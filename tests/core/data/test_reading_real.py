"""Every real table is read cell by cell as pandas reads it when told what the files are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.api.types import is_numeric_dtype

from dpcp_core import Dataset, read_csv

SHAPES = {
    "abalone.csv": (4177, 9),
    "adult.csv.gz": (48842, 15),
    "bike_sharing_hour.csv": (17379, 16),
    "br2000.csv": (38000, 14),
    "casp_protein.csv.gz": (45730, 10),
    "communities_crime.csv": (1994, 128),
    "diabetes_progression.csv": (442, 11),
    "digits_8x8.csv": (1797, 65),
    "heart_disease_cleveland.csv": (303, 14),
    "lpd_liver_30k.csv": (30691, 11),
    "medical_insurance_charges.csv": (1338, 7),
    "pima_diabetes.csv": (768, 9),
    "smoking_body_signals.csv": (38984, 23),
    "mnist_test.csv.gz": (10000, 785),
}


@pytest.mark.parametrize("file", SHAPES)
def test_a_clean_table_is_read_as_it_is(file, real_data):
    path = real_data / file
    if not path.is_file():
        pytest.skip(f"{file} is not in DPCP_DATA")
    data = read_csv(path)
    frame = data.frame
    expected = pd.read_csv(path, keep_default_na=False, na_values=[""])
    assert frame.shape == SHAPES[file]
    assert list(frame.columns) == list(expected.columns)
    for name in expected:
        if is_numeric_dtype(expected[name]):
            assert frame[name].dtype == expected[name].dtype
            np.testing.assert_array_equal(frame[name].to_numpy(), expected[name].to_numpy())
        else:
            assert not is_numeric_dtype(frame[name])
            assert frame[name].isna().equals(expected[name].isna())
            assert (frame[name].dropna() == expected[name].dropna()).all()
    assert data == Dataset.from_frame(expected)
