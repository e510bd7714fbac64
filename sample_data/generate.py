"""Make the three simulated cohorts again, byte for byte: ``python sample_data/generate.py [FOLDER]``.

No real person is in them. Every effect below is invented, of a size that a clinician would find believable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit, ndtri

SEED = 20240229

Array = npt.NDArray[np.floating]
Flags = npt.NDArray[np.bool_]


class Draws:
    """Random columns of one cohort.

    NumPy promises that a bit generator's raw stream never changes, but not what its distributions make of it;
    so the distributions are made here, by inversion.
    """

    def __init__(self, stream: int, rows: int) -> None:
        self.rows = rows
        self._bits = np.random.PCG64([SEED, stream])

    def uniform(self) -> Array:
        """Return one number per row, strictly between 0 and 1."""
        raw = np.asarray(self._bits.random_raw(self.rows), dtype=np.uint64)
        return ((raw >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52

    def normal(self) -> Array:
        """Return one standard normal number per row."""
        return np.asarray(ndtri(self.uniform()))

    def flag(self, probability: Array | float) -> Flags:
        """Return True with the probability given."""
        return self.uniform() < probability

    def pick(self, names: Sequence[str], weights: Sequence[Array | float]) -> npt.NDArray[np.object_]:
        """Return one of the names per row, with probabilities proportional to the weights."""
        steps = np.cumsum(np.broadcast_arrays(*weights, np.zeros(self.rows))[:-1], axis=0)
        place = (self.uniform() * steps[-1] >= steps).sum(axis=0)
        return np.asarray(np.array(names, dtype=object)[place])


def blood_pressure(draw: Draws) -> pd.DataFrame:
    """Return 4,000 outpatients; the target is ``systolic`` in mmHg, the rare group is ``pregnant``."""
    age = np.clip(np.round(52 + 17 * draw.normal()), 18, 98)
    male = draw.flag(0.48)
    metabolic = draw.normal()
    smoker = draw.flag(expit(-1.1 - 0.018 * (age - 50) + 0.25 * male))
    bmi = 26.4 * np.exp(0.17 * (0.75 * metabolic + 0.66 * draw.normal()))
    exercise = np.minimum(2.4 * np.exp(-0.35 * metabolic - 0.008 * (age - 50) + 0.6 * draw.normal()), 25)
    drinking = np.digitize(draw.normal() + 0.4 * male, [-0.5, 0.9, 1.9])
    cholesterol = 5.2 + 0.012 * (age - 50) + 0.25 * metabolic + 0.9 * draw.normal()
    diabetes = draw.flag(expit(-2.6 + 0.04 * (age - 50) + 0.8 * metabolic))
    salt = 8.6 * np.exp(0.12 * male + 0.3 * draw.normal())
    treated = draw.flag(expit(-1.9 + 0.055 * (age - 50) + 0.6 * metabolic + 0.8 * diabetes))
    pregnant = draw.flag(0.15) & ~male & (age < 45)
    mean = 121 + 0.47 * (age - 50) + 1.0 * (bmi - 26.4) + 4 * male * (age < 62) + 2 * smoker
    mean += 0.9 * (salt - 9) - 0.6 * (np.minimum(exercise, 8) - 2.4) + np.array([0, -1, 2, 6])[drinking]
    mean += 3 * diabetes + 3 * treated - 4 * pregnant
    spread = 6.5 + 0.07 * (age - 18) + 2.5 * treated + 6 * pregnant
    systolic = mean + spread * skewed(draw, 0.25)
    return pd.DataFrame(
        {
            "age": whole(age),
            "sex": words(male, "female", "male"),
            "bmi": gaps(draw, bmi.round(1), 0.03),
            "smoker": words(smoker),
            "alcohol": gaps(draw, np.array(["never", "light", "moderate", "heavy"], object)[drinking], 0.05),
            "exercise": gaps(draw, exercise.round(1), 0.06),
            "salt": gaps(draw, salt.round(1), 0.08),
            "cholesterol": gaps(draw, cholesterol.clip(1.8).round(1), np.where(age < 40, 0.2, 0.07)),
            "diabetes": words(diabetes),
            "treated": words(treated),
            "pregnant": words(pregnant),
            "systolic": whole(systolic.clip(74, 245)),
        }
    )


def length_of_stay(draw: Draws) -> pd.DataFrame:
    """Return 6,000 hospital stays; the target is ``days``, the rare group is ``dialysis``."""
    age = np.clip(np.round(66 + 16 * draw.normal()), 18, 101)
    male = draw.flag(0.5)
    frailty = 0.025 * (age - 66) + 0.9 * draw.normal()
    department = draw.pick(
        ["medicine", "surgery", "cardiology", "orthopaedics", "neurology"], [0.36, 0.24, 0.16, 0.15, 0.09]
    )
    elective = np.isin(department, ["surgery", "orthopaedics"])
    admission = draw.pick(
        ["planned", "emergency", "transfer"], [np.where(elective, 1.2, 0.3), 1 + 0.1 * (frailty > 0), 0.12]
    )
    comorbidities = counts(draw, 0.75 + 0.35 * frailty, 0.45)
    previous = counts(draw, -0.1 + 0.45 * frailty, 0.7)
    dialysis = draw.flag(expit(-3.95 + 0.7 * frailty))
    albumin = 38.5 - 2.2 * frailty - 2 * (admission != "planned") + 3.6 * draw.normal()
    crp = np.exp(1.9 + 0.9 * (admission != "planned") + 0.25 * frailty + 1.1 * draw.normal())
    haemoglobin = 129 - 6 * frailty + 9 * male - 14 * dialysis + 14 * draw.normal()
    alone = draw.flag(expit(-1.2 + 0.03 * (age - 66)))
    mean = 1.15 + 0.006 * (age - 66) + 0.09 * comorbidities + 0.05 * previous - 0.025 * (albumin - 38)
    mean += 0.12 * (np.log(crp) - 2.4) + 0.15 * alone + 0.3 * dialysis
    mean += 0.22 * (admission == "emergency") + 0.38 * (admission == "transfer")
    mean += 0.25 * (department == "neurology") + 0.12 * elective - 0.15 * (department == "cardiology")
    days = np.ceil(np.exp(mean + (0.48 + 0.25 * dialysis) * draw.normal()))
    return pd.DataFrame(
        {
            "age": whole(age),
            "sex": words(male, "female", "male"),
            "department": department,
            "admission": admission,
            "comorbidities": whole(comorbidities),
            "previous_admissions": whole(previous),
            "albumin": gaps(draw, albumin.clip(12, 56).round(0), 0.09),
            "crp": gaps(draw, crp.clip(0.2, 480).round(1), np.where(admission == "planned", 0.14, 0.04)),
            "haemoglobin": gaps(draw, haemoglobin.clip(45, 200).round(0), 0.02),
            "lives_alone": gaps(draw, words(alone), 0.04),
            "dialysis": words(dialysis),
            "days": whole(days.clip(1, 120)),
        }
    )


def readmission(draw: Draws) -> pd.DataFrame:
    """Return 8,000 discharges; the target is ``readmitted`` (30 days), the rare group is ``transplant``."""
    age = np.clip(np.round(68 + 14 * draw.normal()), 18, 101)
    male = draw.flag(0.51)
    frailty = 0.03 * (age - 68) + 0.9 * draw.normal()
    diagnosis = draw.pick(
        ["heart failure", "pneumonia", "copd", "hip fracture", "stroke", "other"],
        [0.2, 0.17, 0.14, 0.11, 0.1, 0.28],
    )
    comorbidities = counts(draw, 0.8 + 0.35 * frailty, 0.45)
    previous = counts(draw, 0.1 + 0.45 * frailty, 0.7)
    medications = counts(draw, 1.75 + 0.09 * comorbidities, 0.35)
    days = 1 + counts(draw, 1.4 + 0.2 * frailty, 0.6)
    transplant = draw.flag(0.032 * (age < 78))
    haemoglobin = 127 - 6 * frailty + 8 * male - 6 * transplant + 15 * draw.normal()
    sodium = 138.5 - 0.5 * frailty - 1.2 * (diagnosis == "heart failure") + 3.2 * draw.normal()
    discharged_to = destination(draw, frailty, diagnosis)
    logit = -2.6 + 0.24 * previous + 0.13 * comorbidities + 0.035 * (medications - 6) + 0.03 * (days - 5)
    logit += -0.012 * (haemoglobin - 127) - 0.05 * (sodium - 138) + 0.9 * transplant
    logit += 0.45 * (diagnosis == "heart failure") + 0.3 * (diagnosis == "copd") - 0.3 * (diagnosis == "stroke")
    logit += 0.2 * (discharged_to == "nursing home") - 0.25 * (discharged_to == "rehabilitation")
    return pd.DataFrame(
        {
            "age": whole(age),
            "sex": words(male, "female", "male"),
            "diagnosis": diagnosis,
            "comorbidities": whole(comorbidities),
            "previous_admissions": whole(previous),
            "medications": gaps(draw, medications, 0.03),
            "days": whole(days),
            "haemoglobin": gaps(draw, haemoglobin.clip(45, 200).round(0), 0.05),
            "sodium": gaps(draw, sodium.clip(112, 165).round(0), 0.06),
            "discharged_to": gaps(draw, discharged_to, 0.03),
            "transplant": words(transplant),
            "readmitted": words(draw.flag(expit(logit))),
        }
    )


def destination(draw: Draws, frailty: Array, diagnosis: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return where each patient goes: the frail to where there is help, broken hips to rehabilitation."""
    names = ["home", "home with help", "rehabilitation", "nursing home"]
    weights = [
        1.2,
        0.5 * np.exp(0.5 * frailty),
        0.2 + 0.6 * (diagnosis == "hip fracture"),
        0.2 * np.exp(0.8 * frailty),
    ]
    return draw.pick(names, weights)


def skewed(draw: Draws, skew: float) -> Array:
    """Return noise of mean 0 and variance 1 with a longer upper tail."""
    z = draw.normal()
    return np.asarray((z + skew * (z**2 - 1)) / np.sqrt(1 + 2 * skew**2))


def counts(draw: Draws, log_mean: Array | float, spread: float) -> Array:
    """Return whole numbers with a long upper tail, at most 30."""
    return np.minimum(np.floor(np.exp(log_mean + spread * draw.normal())), 30)


def whole(values: Array) -> pd.Series:
    """Return the values as whole numbers."""
    return pd.Series(np.round(values).astype(np.int64))


def words(flags: Flags, negative: str = "no", positive: str = "yes") -> npt.NDArray[np.object_]:
    """Return a word per flag."""
    return np.where(flags, positive, negative).astype(object)


def gaps(draw: Draws, values: npt.NDArray[np.generic], probability: Array | float) -> pd.Series:
    """Return the values with some cells empty; whole numbers stay whole."""
    cells = pd.Series(values)
    if cells.dtype == np.float64 and bool((cells == cells.round()).all()):
        cells = cells.astype("Int64")
    return cells.mask(draw.flag(probability))


COHORTS: dict[str, tuple[Callable[[Draws], pd.DataFrame], int]] = {
    "blood_pressure": (blood_pressure, 4_000),
    "length_of_stay": (length_of_stay, 6_000),
    "readmission": (readmission, 8_000),
}


def write(folder: Path) -> None:
    """Write every cohort as ``<name>.csv`` into a folder."""
    for stream, (name, (cohort, rows)) in enumerate(COHORTS.items()):
        table = cohort(Draws(stream, rows))
        (folder / f"{name}.csv").write_bytes(table.to_csv(index=False, lineterminator="\n").encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
