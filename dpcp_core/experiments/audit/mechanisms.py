"""Every shipped mechanism that reads rows, with the attack on its claim; not trainers and synthetic tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dpcp_core.experiments.audit import drawn_mechanisms as drawn
from dpcp_core.experiments.audit import exact_mechanisms as exact
from dpcp_core.experiments.audit.audited import Audited, Effort
from dpcp_core.experiments.audit.drawn import DrawnCase, drawn_finding
from dpcp_core.experiments.audit.exactly import ExactCase, exact_finding
from dpcp_core.experiments.audit.planned import PLANNED
from dpcp_core.experiments.audit.report import Finding
from dpcp_core.privacy.gaussian import gaussian_mu
from dpcp_core.privacy.losses import LOSSES
from dpcp_core.privacy.quantile_mechanisms import QUANTILES

ExactCases = Callable[[float], Iterable[ExactCase]]
DrawnCases = Callable[[float], Sequence[DrawnCase]]
"""From what the mechanism is given to spend, epsilon or mu, to settings."""

SEARCHED = "The exact probabilities of {what}, on pairs of tables that are found by a search for the worst."
DRAWN = "{what}, drawn many times with a row and without it."


def searched(name: str, title: str, what: str, cases: ExactCases, *, is_gaussian: bool = False) -> Audited:
    """Return a mechanism that is audited exactly.

    Parameters
    ----------
    name, title : str
    what : str
        What has these probabilities, in words that follow "of".
    cases : callable
        From epsilon, or from mu for a Gaussian claim.
    is_gaussian : bool
    """

    def run(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
        spent, at = (gaussian_mu(epsilon, delta), delta) if is_gaussian else (epsilon, 0.0)
        return exact_finding((name, title), (epsilon, at), cases(spent), rng, effort)

    return Audited(name, title, SEARCHED.format(what=what), "mechanism", run)


def watched(name: str, title: str, what: str, cases: DrawnCases, *, is_gaussian: bool = False) -> Audited:
    """Return a mechanism that is audited by draws.

    Parameters
    ----------
    name, title : str
    what : str
        What is drawn; begins a sentence.
    cases : callable
        From epsilon, or from mu for a Gaussian claim.
    is_gaussian : bool
    """

    def run(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
        spent, at = (gaussian_mu(epsilon, delta), delta) if is_gaussian else (epsilon, 0.0)
        return drawn_finding((name, title), (epsilon, at), cases(spent), rng, effort)

    return Audited(name, title, DRAWN.format(what=what), "mechanism", run)


def _of_loss(loss: str) -> Audited:
    def cases(epsilon: float) -> Iterable[ExactCase]:
        return exact.quantile_cases(epsilon, loss, ("paper", "certified"))

    title = f"Private quantile, {loss.replace('_', '-')} loss"
    return searched(f"quantile_{loss}", title, "the private quantile's threshold", cases)


def _of_quantile(name: str) -> Audited:
    is_gaussian = name == "binary_search"

    def cases(spent: float) -> Sequence[DrawnCase]:
        # The search spends epsilon / 2 in terms of mu.
        task = drawn.threshold_task(2 * spent if is_gaussian else spent)
        return drawn.threshold_cases(name, task, is_gaussian=is_gaussian)

    title = QUANTILES[name].title
    return watched(f"drawn_{name}", f"Draws of the {title}", "The private threshold", cases, is_gaussian=is_gaussian)


MECHANISMS: tuple[Audited, ...] = (
    *(_of_loss(loss) for loss in LOSSES),
    searched(
        "prediction_sets", "Private prediction sets' quantile", "the threshold of private prediction sets",
        lambda epsilon: exact.quantile_cases(epsilon, "paper", ("prediction_sets",)),
    ),
    searched(
        "binary_search", "Noisy binary search", "the edge that is found",
        lambda mu: exact.search_cases(2 * mu), is_gaussian=True,
    ),
    searched("histogram", "Noisy histogram's quantile", "the edge that is found", exact.histogram_cases),
    searched("smooth_quantile", "Smooth-sensitivity quantile", "the edge that is drawn", exact.smooth_cases),
    searched("exponential", "Exponential mechanism", "the answer", exact.utility_cases),
    searched("private_typical", "Private typical range", "the range that is drawn", exact.typical_cases),
    searched("private_bounds", "Private bounds of a column", "the bounds that are bought", exact.bounds_cases),
    searched(
        "shifted", "Quantile for another population", "the number of rows kept and the threshold", exact.shift_cases
    ),
    *PLANNED,
    *(_of_quantile(name) for name in QUANTILES),
    watched("noisy_count", "Noisy count", "A number of rows with whole-number Laplace noise", drawn.count_cases),
    watched("federated", "Quantile of several sites", "The sum of the sites' noisy counts", drawn.federated_cases),
    watched(
        "noisy_marginals", "Counts with Gaussian noise", "Counts of cells with Gaussian noise",
        lambda mu: drawn.counts_cases(drawn.counts_plan(mu)), is_gaussian=True,
    ),
    watched(
        "noisy_pairs", "Scores and counts of pairs", "Scores and joint counts with Gaussian noise", drawn.pairs_cases,
        is_gaussian=True,
    ),
    watched(
        "mean_square", "Noisy mean square", "The scale of residuals with Gaussian noise", drawn.square_cases,
        is_gaussian=True,
    ),
)  # fmt: skip
"""In the order in which they are attacked."""
