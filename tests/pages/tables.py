"""Small tables as files, made here; nobody in them is real."""

from __future__ import annotations

import numpy as np


def clinic_csv(n: int = 400, *, header: str = "age,dose,sex,pain", target: str = "number") -> bytes:
    """Return a CSV of made-up patients: two numbers, a category, and a target of the wanted trouble."""
    rng = np.random.default_rng(3)
    age, dose = rng.integers(20, 90, n), rng.uniform(0, 10, n).round(2)
    pain = (20 + 0.5 * age - 2 * dose + rng.normal(0, 5, n)).round(1)
    cells = [str(value) for value in pain]
    if target == "text":
        cells = ["mild" if value < 35 else f"bad {value}" for value in pain]
    elif target == "constant":
        cells = ["7"] * n
    elif target == "gaps":
        cells[5] = cells[9] = ""
    rows = [f"{a},{d},{'f' if a % 2 else 'm'},{p}" for a, d, p in zip(age, dose, cells, strict=True)]
    return "\n".join([header, *rows, ""]).encode()


def ward_csv(n: int = 600) -> bytes:
    """Return a CSV of made-up patients whose ward depends on their age."""
    rng = np.random.default_rng(5)
    age, dose = rng.integers(20, 90, n), rng.uniform(0, 10, n).round(2)
    place = np.clip((age + rng.normal(0, 10, n)) // 30 - 1, 0, 2).astype(int)
    rows = [f"{a},{d},{('north', 'east', 'west')[p]}" for a, d, p in zip(age, dose, place, strict=True)]
    return "\n".join(["age,dose,ward", *rows, ""]).encode()


def wide_csv(n_columns: int = 1000, n: int = 60) -> bytes:
    """Return a CSV with very many columns of numbers."""
    values = np.random.default_rng(4).normal(50, 10, (n, n_columns)).round(2)
    names = ",".join(f"m{i}" for i in range(n_columns))
    return "\n".join([names, *(",".join(map(str, row)) for row in values), ""]).encode()


PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    + bytes(range(256))
)

SCHEMA = b"""
one_row_is = "one patient"

[age]
kind = "integer"
bounds = [18, 100]
unit = "years"

[dose]
kind = "number"
bounds = [0, 10]
unit = "mg"

[sex]
kind = "category"
categories = ["f", "m"]

[pain]
kind = "number"
role = "target"
bounds = [0, 100]
label = "Pain score"
"""
