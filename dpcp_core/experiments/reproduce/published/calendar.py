"""Tetouan's power consumption: what time it is says most about how much power a city needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce.published.delimited import read_delimited

WHEN = "DateTime"
COLUMNS = (
    WHEN, "Temperature", "Humidity", "Wind Speed", "general diffuse flows", "diffuse flows",
    "Zone 1 Power Consumption", "Zone 2 Power Consumption", "Zone 3 Power Consumption",
)  # fmt: skip
_WRITTEN = "%m/%d/%Y %H:%M"


def tetouan(paths: Sequence[Path]) -> pd.DataFrame:
    """Read the table and add month, hour and day of the week: functions of the clock, not of anybody's consumption."""
    (path,) = paths
    frame = read_delimited(path, COLUMNS, "Tetouan")
    try:
        when = pd.to_datetime(frame[WHEN], format=_WRITTEN)
    except ValueError:
        raise InputError(
            f"{path} has a {WHEN} that is not written as 1/31/2017 0:10, so it is not the table Tetouan as published; "
            "download it again."
        ) from None
    parts = {"month": when.dt.month, "hour": when.dt.hour, "weekday": when.dt.day_of_week}
    return frame.assign(**{name: part.astype(str) for name, part in parts.items()})
