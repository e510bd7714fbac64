"""Does noise fitted to these scores, by smooth sensitivity, beat the exponential mechanism at equal epsilon?

Simulated scores with a true 90 % quantile of 1 and a public bound of 10, on which 10 % misses are allowed. Shown is the
mean threshold over the true quantile; chance of the mechanisms is summed exactly, tables are averaged over.

- exponential mechanism: certified, bracket loss and one-sided loss, on public geometric grids; and, for a fair
  comparison, the one-sided loss with a target chosen in hindsight, as below.
- Cauchy, Student's t (3 degrees of freedom): pure epsilon, as is; or lifted, the noise being centred that many of its
  scales above 0, which costs part of epsilon. Laplace: epsilon and delta = 1e-5.

Nothing is certified for the last ones. Their target is the one with the lowest mean threshold among those that cover
90 % on these very tables: a choice that real use does not have. "none" where no target covers 90 %.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from common import parser, table_text, write_json
from grids import BOUND, LOW, MISS, Floats, Law, chances, geometric, laws
from scipy import stats

from dpcp_core.privacy.smooth_quantile import order_statistic, smooth_sensitivity

DELTA = 1e-5
# Shares of n times the allowed miss rate.
TARGETS = (1.04, 1.02, 1.01, 1.0, 0.99, 0.98, 0.96, 0.94, 0.92, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
LAWS = ("half normal", "uniform", "lognormal")
Pair = tuple[float, float]
_CHANCES = (np.arange(2000) + 0.5) / 2000


@dataclass(frozen=True)
class Noise:
    """A noise, and what it may do at an epsilon: how large in units of the smooth sensitivity, how smooth."""

    title: str
    draws: Floats
    slope: float
    stretch: float
    lift: float = 0.0

    def scale_and_smoothing(self, epsilon: float) -> tuple[float, float]:
        """Return 1/alpha and beta: half of epsilon for the shift, half for the change of scale."""
        if self.title.startswith("Laplace"):
            return 2 / epsilon, epsilon / (2 * math.log(2 / DELTA))
        return 2 * self.slope / epsilon, epsilon / (2 * self.stretch)


def student(freedom: int, lift: float) -> Noise:
    """Return Student's t: the largest slope of its log-density, and of that along a change of scale about 0."""
    z = np.linspace(-200, 200, 400_001)
    slopes = -(freedom + 1) * z / (freedom + z**2)
    name = "Cauchy" if freedom == 1 else f"t({freedom})"
    title = f"{name}, lifted {lift:g}" if lift else name
    draws = stats.t(freedom).ppf(_CHANCES)
    return Noise(title, draws, np.abs(slopes).max(), max(np.abs(1 + (z + lift) * slopes).max(), freedom), lift)


def noises() -> list[Noise]:
    found = [student(freedom, lift) for freedom in (1, 3) for lift in (0.0, 1.0)]
    return [*found, Noise("Laplace, delta 1e-5", stats.laplace.ppf(_CHANCES), 1.0, 1.0)]


def in_hindsight(reached: Callable[[float], Pair], n: int) -> Pair:
    """Return mean ratio and coverage at the target that is best in hindsight; NaN if none covers."""
    found = [reached(share * MISS * n) for share in TARGETS]
    return min((pair for pair in found if pair[1] >= 1 - MISS), default=(math.nan, math.nan))


def smooth(law: Law, tables: Floats, noise: Noise, epsilon: float, target: float) -> Pair:
    scale, smoothing = noise.scale_and_smoothing(epsilon)
    centres = np.array([order_statistic(scores, target, BOUND) for scores in tables])
    units = scale * np.array([smooth_sensitivity(scores, target, BOUND, smoothing) for scores in tables])
    thresholds = np.clip(centres[:, None] + units[:, None] * (noise.draws + noise.lift), 0, BOUND)
    return float(thresholds.mean()) / law.true, float(law.covered(thresholds).mean())


def exponential(
    law: Law, tables: Floats, epsilon: float, bins: int, factor: float = 1.0, target: float | None = None
) -> Pair:
    """Return mean ratio and coverage, with the certified target unless one is given."""
    edges = geometric(LOW, bins)
    odds = np.array([chances(scores, edges, epsilon, factor=factor, target=target) for scores in tables])
    return float(np.mean(odds @ edges)) / law.true, float(np.mean(odds @ law.covered(edges)))


def outcomes(law: Law, tables: Floats, epsilon: float) -> Iterator[tuple[str, Pair]]:
    """Yield each mechanism with its mean ratio and coverage."""
    n = tables.shape[1]
    for (loss, factor), bins in itertools.product((("bracket", 2.0), ("one-sided", 1.0)), (100, 1000)):
        yield f"{loss}, M = {bins}", exponential(law, tables, epsilon, bins, factor)
    yield "in hindsight", in_hindsight(lambda c: exponential(law, tables, epsilon, 1000, target=c), n)
    for noise in noises():
        yield noise.title, in_hindsight(partial(smooth, law, tables, noise, epsilon), n)


def main() -> int:
    options = parser(__doc__ or "", needs_data=False)
    options.add_argument("--tables", type=int, default=10, help="simulated tables of each kind")
    options.add_argument("--n", type=int, nargs="+", default=[500, 2000, 10_000])
    options.add_argument("--epsilons", type=float, nargs="+", default=[0.25, 0.5, 1.0, 4.0])
    choice: argparse.Namespace = options.parse_args()
    rows, numbers = [], []
    for name, n, epsilon in itertools.product(LAWS, choice.n, choice.epsilons):
        law = laws()[name]
        tables = law.scores(choice.tables, n, np.random.default_rng(n))
        found = dict(outcomes(law, tables, epsilon))
        numbers.append({"law": name, "n": n, "epsilon": epsilon, "ratio and coverage": found})
        cells = {title: "none" if math.isnan(ratio) else f"{ratio:.3f}" for title, (ratio, _) in found.items()}
        rows.append({"law": name, "n": n, "eps": epsilon, **cells})
    print(table_text(rows))
    write_json(choice.json, "smooth_sensitivity", outcomes=numbers)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
