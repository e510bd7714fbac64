"""Bounds bought from the rows that train and are ranked: coverage holds at the lower level, not at the plain one.

The first check runs the whole procedure on populations where bounds cut off values. The second one is the worst case
that the proof has to face: what is missed depends on the bounds, in a way that is valid for every bounds that are
fixed beforehand, and the new row makes itself missed by not having been counted. At the plain level it is missed too
often; at ``exp(-epsilon)`` times the level it is not.
"""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from dpcp_core.conformal.estimators import DPCPRegressor
from dpcp_core.conformal.private_schema import level_after_bounds
from dpcp_core.privacy.private_bounds import private_bounds

pytestmark = pytest.mark.validity

LONG = os.environ.get("DPCP_VALIDITY") == "long"
REPETITIONS, DRAWS = (400, 200_000) if LONG else (40, 20_000)
ALPHA, BOUNDS_EPSILON, N_ROWS, N_NEW = 0.1, 0.6, 600, 400


def population(kind: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(n, 1))
    noise = {
        "normal": lambda: rng.normal(size=n),
        "heavy": lambda: rng.standard_t(1.5, size=n),
        "skewed": lambda: rng.exponential(size=n) ** 2,
    }[kind]()
    return x, x[:, 0] + noise


def coverage(kind: str, stability: str, seed: int) -> float:
    rng = np.random.default_rng(seed)
    x, y = population(kind, N_ROWS + N_NEW, rng)
    model = DPCPRegressor(epsilon=4.0, bounds_epsilon=BOUNDS_EPSILON, stability=stability, random_state=seed)
    model.fit(x[:N_ROWS], y[:N_ROWS])
    assert model.certificate_.holds
    ends = model.predict_interval(x[N_ROWS:])[1][:, :, 0]
    truth = np.clip(y[N_ROWS:], *model.schema_.target.bounds)
    return float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())


@pytest.mark.parametrize("stability", ["split", "coupling", "profile"])
@pytest.mark.parametrize("kind", ["normal", "heavy", "skewed"])
def test_new_rows_are_covered_where_bounds_were_bought(kind: str, stability: str) -> None:
    found = np.array([coverage(kind, stability, seed) for seed in range(REPETITIONS)])
    assert found.mean() >= 1 - ALPHA - 2 * found.std(ddof=1) / math.sqrt(len(found))


ODD, EPSILON = 3, 1.0
"""Rows of another size among all, the new one included; with three of them, bounds take them in about as often as not.

Were a rule to miss the odd rows if the bounds leave them out, and as many other rows if they do not, every fixed
bounds would have the miss rate ``ODD / (n + 1)``. But a new odd row was not counted, which makes bounds more likely
that leave it out; and a new plain row leaves all odd rows to be counted.
"""


def taken_in(odd: int, n_plain: int, rng: np.random.Generator) -> float:
    """Return how often the bounds take in the odd rows."""
    column = np.concatenate([np.full(n_plain, 1.5), np.full(odd, 4.0)])
    return float(np.mean([private_bounds(column, epsilon=EPSILON, rng=rng)[1] >= 4 for _ in range(DRAWS // 10)]))


def missed(level: float, seed: int = 0) -> float:
    """Return how often the new row is missed by that rule, when it is aimed at this level."""
    rng = np.random.default_rng(seed)
    n_plain = round(ODD / level) - ODD
    new_is_odd = 1 - taken_in(ODD - 1, n_plain, rng)
    new_is_plain = taken_in(ODD, n_plain - 1, rng)
    return ODD / (n_plain + ODD) * (new_is_odd + new_is_plain)


def test_the_plain_level_is_not_enough_in_the_worst_case() -> None:
    assert missed(ALPHA) > 1.3 * ALPHA


def test_the_lower_level_is_enough_in_the_worst_case() -> None:
    assert missed(level_after_bounds(ALPHA, EPSILON)) < ALPHA
