"""How well do private bounds and typical ranges fit columns that nobody knows anything about?

Simulated columns of 4,000 rows. Bounds: the histogram that is used, the same histogram with one threshold for all bins,
and an exponential mechanism for both ends on the same grid. Typical ranges: the exponential mechanism that is used, on
grids of several sizes, and noisy mean and deviation. All at equal epsilon, which is given times the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from common import parser, table_text, verdicts, write_json

from dpcp_core.privacy import private_typical as ranks
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.losses import BracketLoss
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.private_bounds import (
    MAGNITUDES,
    ROWS_TIMES_EPSILON,
    bin_counts,
    private_bounds,
)
from dpcp_core.privacy.whole_noise import whole_laplace

ROWS, DELTA = 4000, 1e-6
Pair = tuple[float, float]
Finder = Callable[[np.ndarray, float, np.random.Generator], Pair]
EDGES = np.concatenate([-MAGNITUDES[::-1], [0.0], MAGNITUDES])


def simulated_columns(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return columns as they are met: ages, years, concentrations, counts, changes of both signs, heavy tails."""
    return {
        "age": np.clip(rng.normal(55, 17, ROWS), 18, 99).round(),
        "year": rng.integers(1990, 2021, ROWS).astype(float),
        "glucose": np.exp(rng.normal(4.7, 0.25, ROWS)),
        "income": np.exp(rng.normal(10, 0.9, ROWS)),
        "visits": rng.poisson(rng.gamma(0.5, 4, ROWS)).astype(float),
        "temperature": rng.normal(0, 12, ROWS),
        "heavy": rng.standard_t(2, ROWS) * 50,
        "trace": np.exp(rng.normal(-13, 1, ROWS)),
        "change": rng.normal(-5, 2, ROWS),
    }


def one_threshold(values: np.ndarray, epsilon: float, rng: np.random.Generator) -> Pair:
    """Keep every bin that exceeds what noise puts into any of the bins in one of twenty runs (Wilson et al. 2020)."""
    noisy = bin_counts(values)
    noisy = noisy + whole_laplace(epsilon, noisy.shape, rng)
    kept = np.flatnonzero(noisy > np.log(noisy.size / 0.1) / epsilon)
    first, last = (kept[0], kept[-1]) if kept.size else (noisy.argmax(), noisy.argmax())
    zero = MAGNITUDES.size
    return float(EDGES[first - (first > zero)]), float(EDGES[last + (last < zero)])


def two_quantiles(values: np.ndarray, epsilon: float, rng: np.random.Generator) -> Pair:
    """Draw both ends at once with the bracket loss; a row lies beyond one end at most, so both cost one epsilon."""
    column = np.sort(values)
    above = column.size - np.searchsorted(column, EDGES, side="right")
    below = np.searchsorted(column, EDGES, side="left")
    target = 2 * np.log(EDGES.size) / epsilon
    loss = BracketLoss(target, column.size)
    high, low = loss.utility(above, None), loss.utility(below[::-1], None)[::-1]
    apart = np.arange(EDGES.size)[None, :] >= np.arange(EDGES.size)[:, None] + 2
    utility = np.where(apart, low[:, None] + high[None, :], -np.inf).ravel()
    logs = exponential_log_probabilities(utility, 1.0, epsilon)
    first, last = divmod(int(np.argmax(logs + rng.gumbel(size=logs.size))), EDGES.size)
    return float(EDGES[first]), float(EDGES[last])


def used_bounds(values: np.ndarray, epsilon: float, rng: np.random.Generator) -> Pair:
    """Return what the library returns."""
    return private_bounds(values, epsilon=epsilon, rng=rng)


BOUNDS: dict[str, Finder] = {"used": used_bounds, "one threshold": one_threshold, "two quantiles": two_quantiles}


def compare_bounds(budgets: Iterable[float], repetitions: int) -> list[dict[str, object]]:
    """Return, for each mechanism, how much it cuts off and how wide it is, relative to 99 % of the column."""
    rows: list[dict[str, object]] = []
    for budget in budgets:
        for name, find in BOUNDS.items():
            rng, outside, wider = np.random.default_rng(1), [], []
            for _ in range(repetitions):
                for values in simulated_columns(rng).values():
                    low, high = find(values, budget / ROWS, rng)
                    outside.append(float(((values < low) | (values > high)).mean()))
                    wider.append(
                        abs(float(np.log2(max(high - low, 1e-9) / np.ptp(np.quantile(values, [0.005, 0.995])))))
                    )
            lost = np.asarray(outside)
            rows.append(
                {
                    "rows x epsilon": budget,
                    "bounds": name,
                    "cut off": float(lost.mean()),
                    "over 10 % cut off": float((lost > 0.1).mean()),
                    "doublings off": float(np.mean(wider)),
                }
            )
    return rows


def noisy_moments(values: np.ndarray, bounds: Pair, epsilon: float, rng: np.random.Generator) -> Pair:
    """Return mean -+ deviation from Gaussian noise on count, sum and sum of squares within the bounds."""
    low, high = bounds
    centre, half = (low + high) / 2, (high - low) / 2
    scaled = (np.clip(values, low, high) - centre) / half
    noise = np.sqrt(3) / gaussian_mu(epsilon, DELTA) * rng.normal(size=3)
    count, first, second = np.array([scaled.size, scaled.sum(), scaled @ scaled]) + noise
    mean = float(np.clip(first / max(count, 1), -1, 1))
    deviation = float(np.sqrt(np.clip(second / max(count, 1) - mean**2, 1 / 64**2, 1)))
    return centre + half * max(mean - deviation, -1), centre + half * min(mean + deviation, 1)


def middle_of(values: np.ndarray) -> Pair:
    """Return the two ends of the middle two thirds."""
    low, high = np.quantile(values, [1 / 6, 5 / 6])
    return float(low), float(high)


def spread_around_mean(values: np.ndarray) -> Pair:
    """Return mean -+ deviation."""
    return float(values.mean() - values.std()), float(values.mean() + values.std())


def fits(found: Pair, wanted: Pair) -> bool:
    """Whether the centre is within a half-width of the wanted one and the width within a factor 2."""
    half, target = (found[1] - found[0]) / 2, (wanted[1] - wanted[0]) / 2
    return abs(sum(found) - sum(wanted)) / 2 < target and 0.5 < half / target < 2


def compare_typical(budgets: Iterable[float], repetitions: int) -> list[dict[str, object]]:
    """Return how often each typical range fits what it aims at, within bounds bought with a budget of 200."""
    rows: list[dict[str, object]] = []
    for budget in budgets:
        for cells in (32, 64, 128, 256, 0):
            rng, good = np.random.default_rng(2), []
            for _ in range(repetitions):
                for values in simulated_columns(rng).values():
                    bounds = private_bounds(values, epsilon=200 / ROWS, rng=rng)
                    inside, epsilon = np.clip(values, *bounds), budget / ROWS
                    if cells == 0:
                        found, wanted = noisy_moments(values, bounds, epsilon, rng), spread_around_mean(inside)
                    else:
                        found, wanted = on_cells(cells, values, bounds, epsilon, rng), middle_of(inside)
                    good.append(fits(found, wanted))
            name = f"ranks, {cells} cells" if cells else f"noisy moments, delta {DELTA:g}"
            name += " (used)" if cells == ranks.CELLS else ""
            rows.append({"rows x epsilon": budget, "typical": name, "fits": float(np.mean(good))})
    return rows


def on_cells(cells: int, values: np.ndarray, bounds: Pair, epsilon: float, rng: np.random.Generator) -> Pair:
    """Return the private typical range on another number of cells."""
    ours, ranks.CELLS = ranks.CELLS, cells
    ranks.candidates.cache_clear()
    try:
        return ranks.private_typical(values, bounds, epsilon=epsilon, rng=rng)
    finally:
        ranks.CELLS = ours
        ranks.candidates.cache_clear()


def main() -> int:
    """Print both comparisons."""
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--repetitions", type=int, default=60)
    choice = options.parse_args()
    bounds = compare_bounds((25, 50, ROWS_TIMES_EPSILON, 100, 400), choice.repetitions)
    print(table_text(bounds), "\n")
    typical = compare_typical((25, 50, 100, 400), max(choice.repetitions // 4, 1))
    print(table_text(typical))
    ours = next(row for row in bounds if row["rows x epsilon"] == ROWS_TIMES_EPSILON and row["bounds"] == "used")
    few = "from rows_needed(epsilon) on, at most 1 in 20 columns loses over 10 % of its rows"
    met = verdicts({few: float(str(ours["over 10 % cut off"])) <= 0.05})
    write_json(choice.json, "private_bounds", bounds=bounds, typical=typical, met=met)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
