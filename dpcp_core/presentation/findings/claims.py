"""What the source texts claim of DPCP, and what we claim, each in one sentence with the check that it is held against.

A claim is one entry. The texts are two articles on arXiv 2604.14621, called "overview" and "details" here; their places
are named by section.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from dpcp_core.experiments.reproduce import checks
from dpcp_core.experiments.reproduce.evidence import Evidence, TableRun
from dpcp_core.experiments.reproduce.verdict import Contrast

Measure = Literal["coverage", "ratio", "share", "points"]

Found = TypeVar("Found")

SOURCES = (
    "Places: “overview” is the article “Differentially private conformal prediction: a new way to join uncertainty "
    "quantification and privacy”, “details” its companion on the algorithm and the experiments; both are in Chinese "
    "and about arXiv 2604.14621. The claims are told in our words."
)

VERY_STRICT, STRICT, LOW, LARGE_TABLE = 0.25, 0.5, 1.0, 20_000
"""Up to which epsilon privacy is called very strict, strict, and epsilon low; how many rows make a table large."""


@dataclass(frozen=True)
class Claim(Generic[Found]):
    """One claim; ``Found`` is the evidence that it is held against.

    Attributes
    ----------
    sentence : str
    source : str
        Where it stands; "" for a claim of our own.
    check : function
        See :mod:`dpcp_core.experiments.reproduce.checks`.
    measure : str
        What the values of the check are.
    of : str
        What is measured, as it stands before the numbers.
    """

    sentence: str
    source: str
    check: Callable[[Found], tuple[Contrast, ...]]
    measure: Measure
    of: str


def _strict(_run: TableRun, epsilon: float) -> bool:
    return epsilon <= STRICT


def _low(_run: TableRun, epsilon: float) -> bool:
    return epsilon <= LOW


def _smallest(_run: TableRun, epsilon: float) -> bool:
    return epsilon <= VERY_STRICT


def _strict_and_not_large(run: TableRun, epsilon: float) -> bool:
    return epsilon <= STRICT and run.n_rows < LARGE_TABLE


def _large(run: TableRun, _epsilon: float) -> bool:
    return run.n_rows >= LARGE_TABLE


_DPCP_BY_PSCP = "width of DPCP as published over that of private split"

OF_THE_TEXTS: tuple[Claim[Evidence], ...] = (
    Claim(
        "DPCP covers at least as many new rows as it was asked to, at every epsilon.",
        "overview 4.2; details 2.3 (theorem 6), 4.2",
        checks.covers("dpcp_paper", "regression"),
        "coverage",
        "coverage of DPCP as published",
    ),
    Claim(
        "At the same budget, DPCP's intervals are narrower than those of private split conformal prediction (PSCP).",
        "overview 1, 2.2, 2.3; details 4.2",
        checks.narrower("dpcp_paper", "pscp"),
        "ratio",
        _DPCP_BY_PSCP,
    ),
    Claim(
        f"That gain is clear where privacy is strict (epsilon up to {STRICT:g}) and the table not very large "
        f"(below {LARGE_TABLE:,} rows).",
        "overview 6",
        checks.narrower("dpcp_paper", "pscp", _strict_and_not_large),
        "ratio",
        _DPCP_BY_PSCP,
    ),
    Claim(
        f"That gain is largest on large tables ({LARGE_TABLE:,} rows or more), where the smaller correction tells.",
        "overview 2.3, 4.3",
        checks.narrower("dpcp_paper", "pscp", _large),
        "ratio",
        _DPCP_BY_PSCP,
    ),
    Claim(
        "At a very small epsilon both are wide, and differ by less than a tenth.",
        "overview 5.4, problem 4",
        checks.alike("dpcp_paper", "pscp", _smallest),
        "ratio",
        _DPCP_BY_PSCP,
    ),
    Claim(
        "DPCP's intervals get narrower from each epsilon to the next larger one.",
        "details 4.2",
        checks.falls_with_epsilon("dpcp_paper"),
        "ratio",
        "width of DPCP as published over that at the epsilon before",
    ),
    Claim(
        "On Bike Sharing they are several times (at least twice) as wide at epsilon 1 as at epsilon 10.",
        "details 4.2, figure 9",
        checks.grows_at_least(2.0, "dpcp_paper", "bike", smaller=1.0, larger=10.0),
        "ratio",
        "width at epsilon 1 over that at 10",
    ),
    Claim(
        "A private model with the plain quantile of its own residuals covers far too little (by more than a point) at "
        "a low epsilon (up to 1).",
        "details 4.2",
        checks.misses("naive", _low),
        "coverage",
        "coverage of the naive method",
    ),
    Claim(
        "Differential CP, with its corrected level and exact quantile, covers as asked but is not private.",
        "overview 2.2",
        checks.covers_but_leaks("differential"),
        "coverage",
        "coverage of differential CP",
    ),
    Claim(
        "Split conformal prediction without privacy has the narrowest intervals of those compared.",
        "details 4.2",
        checks.narrowest("split", ("pscp", "dpcp_paper")),
        "ratio",
        "width without privacy over that of private split, and of DPCP as published",
    ),
    Claim(
        "Plain least squares gives narrower intervals than ridge and lasso.",
        "details 4.2",
        checks.narrower_with_trainer("ols", "dpcp_paper"),
        "ratio",
        "width of DPCP with OLS over that with ridge, and with lasso",
    ),
    Claim(
        "On noisy data (CASP) privacy widens intervals by a smaller factor than on the other tables.",
        "details 4.2",
        checks.cheaper_on("casp", "dpcp_paper"),
        "ratio",
        "factor of widening on CASP over that on the other table",
    ),
    Claim(
        "With more rows, DPCP's intervals come closer to those without privacy (twice as many rows).",
        "overview 4.3; details 4.2 (theorem 10)",
        checks.shrinks_with_rows("dpcp_paper"),
        "ratio",
        "factor of widening with all rows over that with half of them",
    ),
    Claim(
        "An even split of the budget is a robust choice: neither .3 nor .7 for training is better by a tenth.",
        "details 3.1, 6 (pitfall 1); overview 5.3",
        checks.even_split_is_good("dpcp_paper"),
        "ratio",
        "width at the even split over that at the other",
    ),
    Claim(
        "The number of candidate thresholds hardly matters: 50, 500 and 1,000 are within a tenth of 100.",
        "overview 5.3",
        checks.bins_hardly_matter("dpcp_paper"),
        "ratio",
        "width over that with 100 candidates",
    ),
    Claim(
        "Beyond 100,000 ranked rows the exponential mechanism becomes the bottleneck (slower than training).",
        "details 6, deployment; overview 5.4, problem 3",
        checks.quantile_is_the_bottleneck,
        "ratio",
        "processor time of the private quantile over that of training",
    ),
    Claim(
        "On MNIST and CIFAR-10, DPCP's sets cover as asked.",
        "details 4.3, figures 15 and 16",
        checks.covers("dpcp_paper", "classification"),
        "coverage",
        "coverage of DPCP as published",
    ),
    Claim(
        "On MNIST and CIFAR-10, the price is larger sets than without privacy.",
        "details 4.3, figures 15 and 16",
        checks.narrower("split", "dpcp_paper", task="classification"),
        "ratio",
        "set size without privacy over that of DPCP as published",
    ),
)

OUR_OWN: tuple[Claim[Evidence], ...] = (
    Claim(
        "Certified DPCP covers at least as many new rows as it was asked to.",
        "",
        checks.covers("dpcp"),
        "coverage",
        "coverage of certified DPCP",
    ),
    Claim(
        "Certified DPCP has narrower intervals than DPCP as published.",
        "",
        checks.narrower("dpcp", "dpcp_paper"),
        "ratio",
        "width of certified DPCP over that of DPCP as published",
    ),
    Claim(
        "It closes at least half of the gap between DPCP as published and the interval without privacy.",
        "",
        checks.closes_half_of_the_gap("dpcp", "dpcp_paper"),
        "share",
        "closed share of the gap",
    ),
    Claim(
        "Certified DPCP has narrower intervals than private split as published.",
        "",
        checks.narrower("dpcp", "pscp"),
        "ratio",
        "width of certified DPCP over that of private split",
    ),
    Claim(
        "Certified DPCP's intervals get narrower from each epsilon to the next larger one.",
        "",
        checks.falls_with_epsilon("dpcp"),
        "ratio",
        "width over that at the epsilon before",
    ),
    Claim(
        "On pictures, certified DPCP's sets are smaller than those of DPCP as published.",
        "",
        checks.narrower("dpcp", "dpcp_paper", task="classification"),
        "ratio",
        "set size of certified DPCP over that of DPCP as published",
    ),
)
