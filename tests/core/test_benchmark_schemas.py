"""The schemas of the real tables: complete, public, and wide enough for the rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcp_core.data.classes import category_codes
from dpcp_core.data.schema import Column, Schema
from dpcp_core.experiments.reproduce.published.calendar import tetouan

FOLDER = Path(__file__).parents[2] / "benchmarks" / "schemas"
FILES = {
    "abalone": "abalone.csv",
    "bike": "bike_sharing_hour.csv",
    "casp": "casp_protein.csv.gz",
    "communities_crime": "communities_crime.csv",
    "adult": "adult.csv.gz",
    "pima": "pima_diabetes.csv",
    "heart": "heart_disease_cleveland.csv",
    "br2000": "br2000.csv",
    "lpd": "lpd_liver_30k.csv",
    "smoking": "smoking_body_signals.csv",
    "tetouan": "Tetuan City power consumption.csv",
}
TARGETS = {
    "abalone": "rings",
    "bike": "cnt",
    "casp": "RMSD",
    "communities_crime": "ViolentCrimesPerPop",
    "adult": "income",
    "pima": "outcome",
    "heart": "num",
    "br2000": "attr_13",
    "lpd": "result",
    "smoking": "smoking",
    "tetouan": "Zone 1 Power Consumption",
}
N_FEATURES = {
    "abalone": 8,
    "bike": 12,
    "casp": 9,
    "communities_crime": 100,
    "adult": 11,
    "pima": 8,
    "heart": 13,
    "tetouan": 8,
    "br2000": 13,
    "lpd": 10,
    "smoking": 22,
}
# Extremes that documentation publishes: abalone.names prints a table of them, communities.names says that all
# attributes are normalised to 0..1, the page of CASP says 0 to 21 Angstrom, the readme of Bike Sharing says
# that weather values are divided by their largest; adult.names extracts people of more than 16 who work some hours,
# and lists 16 levels of education, and the survey behind it codes every age from 90 on as 90, and gains and hours with
# five and two digits; the women of Pima are 21 at least. Zero needs no source for what cannot be negative.
PUBLISHED_EXTREMES = {
    "abalone": {
        "length": (0.075, 0.815),
        "diameter": (0.055, 0.650),
        "height": (0.0, 1.13),
        "whole_weight": (0.002, 2.8255),
        "shucked_weight": (0.001, 1.488),
        "viscera_weight": (0.0005, 0.760),
        "shell_weight": (0.0015, 1.005),
        "rings": (1, 29),
    },
    "bike": dict.fromkeys(("temp", "atemp", "hum", "windspeed"), (0.0, 1.0)),
    "casp": {"RMSD": (0.0, 21.0), **dict.fromkeys(("F2", "F3", "F4", "F6", "F7", "F8"), (0.0,))},
    "adult": {
        "age": (17.0, 90.0),
        "education_num": (1.0, 16.0),
        "hours_per_week": (1.0, 99.0),
        "capital_gain": (0.0, 99999.0),
        "capital_loss": (0.0,),
    },
    "pima": {
        "age": (21.0,),
        **dict.fromkeys(("pregnancies", "glucose", "blood_pressure", "skin_thickness", "insulin", "bmi"), (0.0,)),
    },
    "heart": {"oldpeak": (0.0,)},
    # The documentation of liver patients caps age at 90; eyesight starts at 0.1, and 9.9 is the code of blindness.
    "lpd": {"age": (90.0,)},
    "smoking": dict.fromkeys(("eyesight_left", "eyesight_right"), (0.1, 9.9)),
    "tetouan": dict.fromkeys(("Wind Speed", "general diffuse flows", "diffuse flows"), (0.0,)),
}
LARGEST_CLIPPED_SHARE = 0.02


def schema_of(name: str) -> Schema:
    return Schema.from_toml(FOLDER / f"{name}.toml")


def numeric(schema: Schema) -> list[Column]:
    return [column for column in schema.columns if column.bounds is not None]


def published_extremes(name: str, column: Column) -> set[float]:
    if name == "communities_crime":
        return {0.0, 1.0}
    return set(PUBLISHED_EXTREMES.get(name, {}).get(column.name, ()))


def rows_of(name: str, folder: Path) -> pd.DataFrame:
    if not (folder / FILES[name]).is_file():
        pytest.skip(f"the folder of DPCP_DATA does not hold {FILES[name]}")
    if name == "tetouan":
        # Its calendar columns are read off the clock.
        return tetouan([folder / FILES[name]])
    return pd.read_csv(folder / FILES[name], keep_default_na=False, na_values=[""])


def test_each_schema_in_the_folder_is_tested() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_complete_and_claims_only_public_facts(name: str) -> None:
    schema = schema_of(name)
    assert schema.target is not None
    assert schema.target.name == TARGETS[name]
    assert len(schema.features) == N_FEATURES[name]
    assert schema.incomplete == ()
    assert schema.from_file == ()
    assert schema.one_row_is


@pytest.mark.parametrize("name", FILES)
def test_a_schema_names_its_sources_before_anything_else(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text()
    preamble = text[: text.index("\none_row_is")]
    assert all(line.startswith("#") for line in preamble.splitlines())
    assert "Source" in preamble


@pytest.mark.parametrize("name", FILES)
def test_a_typical_range_is_narrower_than_the_bounds(name: str) -> None:
    for column in numeric(schema_of(name)):
        assert column.bounds is not None
        assert column.typical is not None, column.name
        (low, high), (first, last) = column.bounds, column.typical
        assert low <= first < last <= high, column.name
        assert (first, last) != (low, high), column.name


def test_what_adds_up_to_the_target_is_no_feature_of_bike_sharing() -> None:
    schema = schema_of("bike")
    assert {schema.column(name).role for name in ("casual", "registered", "dteday")} == {"ignore"}


@pytest.mark.parametrize("name", FILES)
def test_bounds_and_categories_hold_nearly_all_real_rows(name: str, real_data: Path) -> None:
    frame, schema = rows_of(name, real_data), schema_of(name)
    assert list(frame.columns) == list(schema.names)
    for column in [*schema.features, *([schema.target] if schema.target else [])]:
        cells = frame[column.name].dropna()
        if column.bounds is not None:
            outside = ~cells.between(*column.bounds)
        else:
            outside = pd.Series(category_codes(cells, column) < 0)
        assert outside.mean() < LARGEST_CLIPPED_SHARE, column.name


@pytest.mark.parametrize("name", FILES)
def test_no_bound_is_an_extreme_of_the_rows_unless_it_is_published(name: str, real_data: Path) -> None:
    frame = rows_of(name, real_data)
    for column in numeric(schema_of(name)):
        assert column.bounds is not None
        extremes = {frame[column.name].min(), frame[column.name].max()}
        unexplained = extremes & set(column.bounds) - published_extremes(name, column)
        assert not unexplained, f"{column.name}: {unexplained}"


@pytest.mark.parametrize("name", FILES)
def test_typical_ranges_have_the_right_unit(name: str, real_data: Path) -> None:
    """A wrong unit would put the middle of the rows many half-widths away, or fold them into one point."""
    frame = rows_of(name, real_data)
    for column in numeric(schema_of(name)):
        assert column.typical is not None
        low, high = column.typical
        scaled = (frame[column.name].dropna() - (low + high) / 2) / ((high - low) / 2)
        assert abs(np.median(scaled)) < 1.5, column.name
        assert 0.2 < scaled.clip(-3, 3).std() < 2.0, column.name
