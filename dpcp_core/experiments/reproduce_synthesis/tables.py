"""The tables of the text on DPDSyn: the files that are looked for, how they are read, where a user gets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from dpcp_core.data.schema import Schema
from dpcp_core.experiments.reproduce.published.delimited import read_delimited
from dpcp_core.experiments.reproduce.published.registry import Form, PublishedTable, described, schema_folder


def _names(name: str) -> tuple[str, ...]:
    return Schema.from_toml(schema_folder() / f"{name}.toml").names


def _with_header(paths: Sequence[Path], *, name: str, title: str) -> pd.DataFrame:
    return read_delimited(paths[0], _names(name), title)


def _in_this_order(paths: Sequence[Path], *, name: str, title: str) -> pd.DataFrame:
    """Read a table whose header has other names, in letters that are no UTF-8, for the same columns in this order."""
    return read_delimited(paths[0], _names(name), title, has_header=False, n_skipped=1, encoding="latin-1")


def _adult(paths: Sequence[Path]) -> pd.DataFrame:
    """Read both parts as UCI publishes them: no header, a line of prose in the second, whose labels end in a dot."""
    parts = [
        read_delimited(path, _names("adult"), "Adult", has_header=False, n_skipped=place)
        for place, path in enumerate(paths)
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(income=frame["income"].astype(str).str.rstrip("."))


def _table(name: str, title: str, source: str, file: str, *forms: Form, in_this_order: str = "") -> PublishedTable:
    """Return an entry; its file has the names of the schema, another one the same columns under other names."""
    known = [Form((file,), partial(_with_header, name=name, title=title)), *forms]
    if in_this_order:
        known.append(Form((in_this_order,), partial(_in_this_order, name=name, title=title)))
    return PublishedTable(name, title, "classification", source, tuple(known), described(name))


_KAGGLE = "https://www.kaggle.com/datasets"

TABLES: tuple[PublishedTable, ...] = (
    _table(
        "adult",
        "Adult",
        "https://archive.ics.uci.edu/dataset/2/adult",
        "adult.csv",
        Form(("adult.data", "adult.test"), _adult),
    ),
    _table("br2000", "Br2000", "https://github.com/caicre/PrivMRF", "br2000.csv"),
    _table(
        "lpd",
        "LPD",
        f"{_KAGGLE}/abhi8923shriv/liver-disease-patient-dataset",
        "lpd_liver_30k.csv",
        in_this_order="Liver Patient Dataset (LPD)_train.csv",
    ),
    _table(
        "smoking",
        "Smoking",
        f"{_KAGGLE}/gauravduttakiit/smoker-status-prediction-using-biosignals",
        "smoking_body_signals.csv",
        in_this_order="train_dataset.csv",
    ),
)

BY_NAME: Mapping[str, PublishedTable] = {table.name: table for table in TABLES}
