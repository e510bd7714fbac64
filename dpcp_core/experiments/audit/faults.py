"""Mistakes that were planted on purpose: if an audit did not catch them, it would prove little where it finds nothing.

No shipped code is touched. Each fault takes a shipped part, breaks it by its public side, and keeps the claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from dpcp_core.experiments.audit import drawn_mechanisms as drawn
from dpcp_core.experiments.audit import exact_mechanisms as exact
from dpcp_core.experiments.audit.audited import Audited, Effort
from dpcp_core.experiments.audit.drawn import drawn_finding
from dpcp_core.experiments.audit.exactly import exact_finding
from dpcp_core.experiments.audit.report import Finding
from dpcp_core.experiments.audit.synthesis import SYNTHESIS_FAULTS
from dpcp_core.experiments.audit.training import TRAINING_FAULTS
from dpcp_core.privacy.gaussian import gaussian_mu


def _noise_halved(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    plan = drawn.counts_plan(gaussian_mu(epsilon, delta))
    broken = replace(plan, noise=tuple(noise / 2 for noise in plan.noise))
    names = ("noisy_marginals", "Noise halved")
    return _planted("noise_halved", drawn_finding(names, (epsilon, delta), drawn.counts_cases(broken), rng, effort))


def _counted_twice(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:
    cases = drawn.counts_cases(drawn.counts_plan(gaussian_mu(epsilon, delta)), copies=2)
    names = ("noisy_marginals", "A row counted twice")
    return _planted("row_counted_twice", drawn_finding(names, (epsilon, delta), cases, rng, effort))


def _sensitivity_halved(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:  # noqa: ARG001 - called like the others
    cases = exact.quantile_cases(epsilon, "bracket", ("paper", "certified"), sensitivity_scale=0.5)
    names = ("quantile_bracket", "Sensitivity halved")
    return _planted("sensitivity_halved", exact_finding(names, (epsilon, 0.0), cases, rng, effort))


def _order_statistics(epsilon: float, delta: float, rng: np.random.Generator, effort: Effort) -> Finding:  # noqa: ARG001 - called like the others
    names = ("quantile_paper", "Order statistics")
    cases = exact.order_statistics_cases(epsilon)
    return _planted("order_statistics", exact_finding(names, (epsilon, 0.0), cases, rng, effort))


def _planted(fault: str, finding: Finding) -> Finding:
    return replace(finding, fault=fault)


MECHANISM_FAULTS: tuple[Audited, ...] = (
    Audited(
        "noise_halved", "Noise halved",
        "Noisy histograms get half of the noise that their claim needs.",
        "mechanism", _noise_halved, claim="noisy_marginals",
    ),
    Audited(
        "sensitivity_halved", "Sensitivity halved",
        "The private quantile takes the sensitivity of its loss for half of what it is.",
        "mechanism", _sensitivity_halved, claim="quantile_bracket",
    ),
    Audited(
        "row_counted_twice", "A row counted twice",
        "Two rows are about one person, while noise is made for one row.",
        "mechanism", _counted_twice, claim="noisy_marginals",
    ),
    Audited(
        "order_statistics", "Order statistics",
        "The scores themselves are the candidates, so that the threshold is somebody's exact score.",
        "mechanism", _order_statistics, claim="quantile_paper",
    ),
)  # fmt: skip
"""Broken mechanisms of ``privacy``."""

FAULTS: Mapping[str, Audited] = MappingProxyType(
    {fault.name: fault for fault in (*MECHANISM_FAULTS, *TRAINING_FAULTS, *SYNTHESIS_FAULTS)}
)
"""Every planted fault by its name."""
