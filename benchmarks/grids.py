"""Is a grid that reads the scores, privately and at a price, better than a geometric one that reads nothing?

Simulated scores with a true 90 % quantile of 1 (of .02 in the last law) and a public bound of 10. Every method keeps
the certified promise of at most 10 % misses and has the same total epsilon. What is compared is the mean threshold
over the true quantile: exact over the final draw, averaged over tables (and over the draws that make a grid).

- geometric and wide: 0.1 to 10 and 0.001 to 10, with the bracket loss and the one-sided loss; uniform: one-sided loss.
- equal-frequency: Laplace counts on 400 geometric bins (a row is in one bin, so emptying it moves one count by 1),
  edges at equal noisy shares of all rows, or of the upper 30 % of them.
- two-stage: a first private draw from a coarse wide grid, then a fine grid around it, and the coarse edges above.

The promise survives a grid that depends on the rows: the tail bound on the number of scores above the drawn edge
holds for every table and every grid of M edges that ends with the bound, so it holds on average over grids too. Only
the epsilon of the final draw counts in it. Methods that read scores get the split of epsilon and the layout that were
best in hindsight, and every method its best M.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from common import parser, table_text, verdicts, write_json
from scipy import stats

from dpcp_core.privacy.grid import Grid
from dpcp_core.privacy.losses import bracket_utility
from dpcp_core.privacy.mechanisms import exponential_log_probabilities
from dpcp_core.privacy.one_sided import one_sided_utility

MISS, BOUND, LOW, LOWEST, HISTOGRAM = 0.1, 10.0, 0.1, 1e-3, 400
STEEPNESS = 0.3  # relative change of the quantile by relative change of the miss rate; half normal, at 10 %
SHARES = (0.2, 0.5)  # of epsilon, for making the grid
LAYOUTS = ((12, 0), (40, 1))  # coarse edges, and how many of them the fine grid reaches beyond the first draw
CHALLENGERS = ("equal-frequency", "equal-frequency, upper part", "two-stage")

Floats = npt.NDArray[np.float64]
GridMaker = Callable[[Floats, float, int, np.random.Generator], Floats]  # scores, epsilon, M, chance -> (M,) edges


@dataclass(frozen=True)
class Law:
    """A law of scores: a quantile function and a distribution function."""

    quantile: Callable[[Floats], Floats]
    cdf: Callable[[Floats], Floats]
    true: float = 1.0

    def scores(self, tables: int, n: int, rng: np.random.Generator) -> Floats:
        """Return (tables, n), sorted in each row, with the true quantile where it should be."""
        drawn = np.sort(self.quantile(rng.random((tables, n))), axis=1)
        return np.minimum(drawn * self._unit, BOUND)

    def covered(self, thresholds: Floats) -> Floats:
        """Return the chance that a new score is at most each threshold."""
        return np.where(thresholds >= BOUND, 1.0, self.cdf(thresholds / self._unit))

    @property
    def _unit(self) -> float:
        return self.true / float(self.quantile(np.array(1 - MISS)))


def _two_humps(x: Floats) -> Floats:
    return 0.85 * (2 * stats.norm.cdf(x / 0.1) - 1) + 0.15 * (stats.norm.cdf((x - 1) / 0.1) - stats.norm.cdf(-10))


def laws() -> dict[str, Law]:
    places = np.linspace(0, 3, 30_001)
    humps, half = _two_humps(places), stats.halfnorm
    return {
        "half normal": Law(half.ppf, half.cdf),
        "uniform": Law(lambda u: u, lambda x: np.clip(x, 0, 1)),
        "lognormal": Law(stats.lognorm(1).ppf, stats.lognorm(1).cdf),
        "two humps": Law(lambda u: np.interp(u, humps, places), lambda x: np.interp(x, places, humps)),
        "U^0.2": Law(lambda u: u**0.2, lambda x: np.clip(x, 0, 1) ** 5),
        "half normal, tiny": Law(half.ppf, half.cdf, true=0.02),
    }


def counts(scores: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """Return numbers of sorted scores above and strictly below each edge."""
    above = len(scores) - np.searchsorted(scores, edges, side="right")
    above[-1] = 0
    return above.astype(np.float64), np.searchsorted(scores, edges, side="left").astype(np.float64)


def chances(scores: Floats, edges: Floats, epsilon: float, *, factor: float, target: float | None = None) -> Floats:
    """Return the certified mechanism's exact distribution: factor 1 for the one-sided loss, 2 for the bracket loss."""
    n = len(scores)
    if target is None:
        target = (n + 1) * MISS - 1 - factor / epsilon * math.log(len(edges))
    if target <= 0:
        return np.eye(len(edges))[-1]
    above, below = counts(scores, edges)
    utility = one_sided_utility(above, below, n, target) if factor == 1 else bracket_utility(above, n, target)
    return np.exp(exponential_log_probabilities(utility, 1.0, epsilon, factor))


def geometric(smallest: float, bins: int) -> Floats:
    return Grid.geometric(smallest=smallest, largest=BOUND, bins=bins).edges


def equal_frequency(upper: float) -> GridMaker:
    """Return a maker of edges at equal noisy shares of the upper part of the rows."""
    base = geometric(LOWEST, HISTOGRAM)

    def make(scores: Floats, epsilon: float, bins: int, rng: np.random.Generator) -> Floats:
        held = np.bincount(np.searchsorted(base[:-1], scores), minlength=HISTOGRAM)
        noisy = np.maximum(held + rng.laplace(scale=1 / epsilon, size=HISTOGRAM), 0)
        share_below = np.cumsum(noisy) / noisy.sum()
        edges = np.interp(np.linspace(1 - upper, 1, bins + 1)[1:], share_below, base)
        return _increasing(edges)

    return make


def _increasing(edges: Floats) -> Floats:
    """Return as many edges, ending with the bound, each a little above the one before."""
    apart = np.minimum(edges, BOUND * (1 - 1e-9 * np.arange(len(edges), 0, -1)))
    edges = np.maximum.accumulate(apart) * (1 + 1e-12 * np.arange(len(edges)))
    edges[-1] = BOUND
    return edges


def two_stage(coarse_bins: int, beyond: int) -> GridMaker:
    """Return a maker of a fine grid around a private draw from a coarse one."""
    coarse = geometric(LOWEST, coarse_bins)

    def make(scores: Floats, epsilon: float, bins: int, rng: np.random.Generator) -> Floats:
        odds = chances(scores, coarse, epsilon, factor=1, target=len(scores) * MISS)
        drawn = int(rng.choice(coarse_bins, p=odds / odds.sum()))
        high, low = min(drawn + beyond, coarse_bins - 1), max(drawn - 1 - beyond, 0)
        guards = coarse[high + 1 :][-max(1, bins - 2) :]
        fine = bins - len(guards)
        start, end = coarse[low] if drawn else coarse[0] / 10, coarse[high]
        return np.concatenate([np.geomspace(start, end, fine + 1)[1:], guards])

    return make


def bins_by_rule(n: int, epsilon: float) -> int:
    """Return a public M: more where ranks are cheap, so that coarse steps do not outweigh them.

    A grid of M edges gives away ``ln(M) / epsilon`` of ``n * MISS`` rows, which widens a threshold by about
    ``STEEPNESS`` times that share, and half a step of ``ln(BOUND / LOW) / M``. The sum is least at this M.
    """
    return int(np.clip(round(math.log(BOUND / LOW) * epsilon * n * MISS / (2 * STEEPNESS)), 30, 1000))


def challengers() -> Iterator[tuple[str, float, GridMaker]]:
    """Yield a name, the share of epsilon that makes the grid, and the maker."""
    for share in SHARES:
        yield CHALLENGERS[0], share, equal_frequency(1.0)
        yield CHALLENGERS[1], share, equal_frequency(0.3)
        for coarse, beyond in LAYOUTS:
            yield CHALLENGERS[2], share, two_stage(coarse, beyond)


def public_grids(bins: int) -> Iterator[tuple[str, Floats, float]]:
    """Yield a name, the edges, and the factor of the loss."""
    yield "geometric, bracket", geometric(LOW, bins), 2.0
    yield "geometric", geometric(LOW, bins), 1.0
    yield "wide, bracket", geometric(LOWEST, bins), 2.0
    yield "wide", geometric(LOWEST, bins), 1.0
    yield "uniform", Grid.uniform(largest=BOUND, bins=bins).edges, 1.0


@dataclass(frozen=True)
class Outcome:
    """What a method reached on one law at one n, epsilon and M."""

    law: str
    n: int
    epsilon: float
    bins: int
    method: str
    ratio: float
    coverage: float


@dataclass(frozen=True)
class Trial:
    """One law at one n and epsilon: the tables that every method sees."""

    name: str
    law: Law
    tables: Floats
    epsilon: float

    def outcome(self, method: str, grids: list[Floats], epsilon: float, factor: float = 1.0) -> Outcome:
        """Return a method's mean ratio and coverage, from a grid for each table and the epsilon of the final draw."""
        odds = [chances(s, e, epsilon, factor=factor) for s, e in zip(self.tables, grids, strict=True)]
        ratio = np.mean([p @ edges for p, edges in zip(odds, grids, strict=True)]) / self.law.true
        coverage = np.mean([p @ self.law.covered(edges) for p, edges in zip(odds, grids, strict=True)])
        n = self.tables.shape[1]
        return Outcome(self.name, n, self.epsilon, len(grids[0]), method, float(ratio), float(coverage))

    def outcomes(self, choices: list[int]) -> list[Outcome]:
        """Return every method's outcome at every M, and the rule's."""
        found = [item for bins in choices for item in (*self._public(bins), *self._private(bins))]
        ruled = geometric(LOW, bins_by_rule(self.tables.shape[1], self.epsilon))
        return [*found, self.outcome("rule", [ruled] * len(self.tables), self.epsilon)]

    def _public(self, bins: int) -> Iterator[Outcome]:
        for method, edges, factor in public_grids(bins):
            yield self.outcome(method, [edges] * len(self.tables), self.epsilon, factor)

    def _private(self, bins: int) -> Iterator[Outcome]:
        for number, (method, share, make) in enumerate(challengers()):
            rng = np.random.default_rng((number, bins, self.tables.shape[1]))
            grids = [make(scores, share * self.epsilon, bins, rng) for scores in self.tables]
            yield self.outcome(method, grids, (1 - share) * self.epsilon)


def best(outcomes: list[Outcome], bins: int | None = None) -> dict[str, Outcome]:
    """Return each method's outcome with the lowest threshold, over everything or with one M."""
    found: dict[str, Outcome] = {}
    for item in sorted(outcomes, key=lambda item: item.ratio):
        if bins is None or item.bins == bins:
            found.setdefault(item.method, item)
    return found


def table_row(outcomes: list[Outcome]) -> dict[str, object]:
    each, first = best(outcomes), outcomes[0]
    names = [*(name for name, _, _ in public_grids(2)), *CHALLENGERS]
    cells = {name: f"{each[name].ratio:.3f} ({each[name].bins})" for name in names}
    return {"law": first.law, "n": first.n, "eps": first.epsilon, **cells}


def losses_row(outcomes: list[Outcome], bins: int) -> dict[str, object]:
    """Return bracket and one-sided loss at the usual M, and the one-sided loss at the M of the rule."""
    each, first = best(outcomes, bins), outcomes[0]
    bracket, ours = each["geometric, bracket"], each["geometric"]
    ruled = next(o for o in outcomes if o.method == "rule")
    return {
        "law": first.law,
        "n": first.n,
        "eps": first.epsilon,
        "bracket": bracket.ratio,
        "one-sided": ours.ratio,
        "narrower, %": round(100 * (1 - ours.ratio / bracket.ratio), 2),
        "covers": bracket.coverage,
        "one-sided covers": ours.coverage,
        "M by rule": ruled.bins,
        "one-sided, that M": ruled.ratio,
        "it covers": ruled.coverage,
    }


def summary(cells: list[list[Outcome]]) -> list[dict[str, object]]:
    """Return, for each n and epsilon, how much narrower challengers are than the better geometric grid, in %."""
    rows: list[dict[str, object]] = []
    for n, epsilon in sorted({(cell[0].n, cell[0].epsilon) for cell in cells}):
        here = [best(cell) for cell in cells if (cell[0].n, cell[0].epsilon) == (n, epsilon)]
        gains = {
            name: [100 * (1 - each[name].ratio / min(each["geometric"].ratio, each["wide"].ratio)) for each in here]
            for name in CHALLENGERS
        }
        told = {name: f"{np.mean(gain):.2f} ({min(gain):.1f} to {max(gain):.1f})" for name, gain in gains.items()}
        rows.append({"n": n, "eps": epsilon, **told})
    return rows


def report(cells: list[list[Outcome]], bins: int) -> None:
    print("Mean threshold over the true quantile, at the best M (in brackets)\n")
    print(table_text([table_row(cell) for cell in cells]))
    print(f"\nThe two losses on the geometric grid from {LOW} to {BOUND:g}, M = {bins}, and a rule for M\n")
    print(table_text([losses_row(cell, bins) for cell in cells]))
    print("\nGrids that read scores: narrower than the better geometric grid by how many %: mean of the laws (range)\n")
    print(table_text(summary(cells)))


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--tables", type=int, default=20, help="simulated tables of each kind")
    options.add_argument("--n", type=int, nargs="+", default=[500, 2000, 10_000])
    options.add_argument("--epsilons", type=float, nargs="+", default=[0.25, 0.5, 1.0, 4.0])
    options.add_argument("--bins", type=int, nargs="+", default=[30, 100, 300, 1000])
    choice: argparse.Namespace = options.parse_args()
    cells = []
    for (name, law), n in itertools.product(laws().items(), choice.n):
        tables = law.scores(choice.tables, n, np.random.default_rng(n))
        cells += [Trial(name, law, tables, epsilon).outcomes(choice.bins) for epsilon in choice.epsilons]
    report(cells, 100 if 100 in choice.bins else choice.bins[0])
    lowest = min(itertools.chain(*cells), key=lambda o: o.coverage)
    print(f"\nLowest mean coverage: {lowest.coverage:.4f} ({lowest.method}, {lowest.law}, n = {lowest.n})")
    kept = lowest.coverage >= 1 - MISS - 4 * math.sqrt(MISS * (1 - MISS) / min(choice.n) / choice.tables)
    met = verdicts({f"each method covers {1 - MISS:.0%}, up to what few tables can tell": kept})
    write_json(choice.json, "grids", outcomes=[vars(o) for cell in cells for o in cell])
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
