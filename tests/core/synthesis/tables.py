"""Tables that the tests of synthesis share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from dpcp_core.data.schema import Column, Schema

JOBS = ("none", "clerk", "nurse", "pilot")

PEOPLE = Schema(
    (
        Column("age", "integer", bounds=(18, 90), typical=(30, 60)),
        Column("years_employed", "integer", bounds=(0, 70), typical=(5, 30)),
        Column("dose", "number", bounds=(0, 10), missing="category"),
        Column("job", "category", categories=JOBS),
        Column("size", "ordinal", categories=("small", "medium", "large"), missing="refuse"),
        Column("smoker", "boolean"),
        Column("note", "category", role="ignore"),
        Column("ill", "boolean", role="target"),
    ),
    one_row_is="one patient",
)


def people(n: int = 4000, seed: int = 0) -> pd.DataFrame:
    """Return patients whose illness comes with age and smoking, some of them without a dose or a job."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 91, n)
    smoker = rng.random(n) < 0.3
    dose = np.where(rng.random(n) < 0.2, np.nan, rng.gamma(2.0, 1.0, n))
    job = np.array([*JOBS, None], dtype=object)[rng.integers(0, 5, n)]
    ill = age / 20 + 2 * smoker + rng.normal(0, 0.7, n) > 3.6
    return pd.DataFrame(
        {
            "age": age,
            "years_employed": np.clip(age - 18 - rng.integers(0, 5, n), 0, 70),
            "dose": dose,
            "job": job,
            "size": np.array(["small", "medium", "large"])[rng.integers(0, 3, n)],
            "smoker": np.where(smoker, "yes", "no"),
            "note": [f"patient {i}" for i in range(n)],
            "ill": np.where(ill, "yes", "no"),
        }
    )
