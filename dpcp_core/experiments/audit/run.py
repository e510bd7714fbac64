"""The audit: every claim, at every epsilon, under attack, and the planted faults if they are wanted.

>>> report = audit(["noisy_count", "exponential"], epsilons=(1.0,))
>>> report.broken, [finding.claim for finding in report.findings]
((), ['noisy_count', 'exponential'])
"""

from __future__ import annotations

import itertools
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from dpcp_core import _validate as check
from dpcp_core.errors import InputError
from dpcp_core.experiments.audit.audited import EFFORTS, Audited, Effort
from dpcp_core.experiments.audit.faults import FAULTS
from dpcp_core.experiments.audit.registry import AUDITED
from dpcp_core.experiments.audit.report import AuditReport, Finding
from dpcp_core.experiments.sweep.result import Progress
from dpcp_core.privacy.randomness import simulation_generator

EPSILONS = (0.5, 1.0, 4.0)
"""At which claims are attacked, unless others are asked for."""

EPSILON_RANGE = (0.01, 20.0)
"""Below and above, attacks have nothing to tell in the draws that they take."""

DELTA = 1e-5

_REPEATS = 2

OnProgress = Callable[[Progress, tuple[Finding, ...]], None]
"""Hears how far an audit is, and the findings that are new."""


def audit(
    claims: str | Sequence[str] = "all",
    epsilons: Sequence[float] = EPSILONS,
    *,
    seed: int = 0,
    delta: float = DELTA,
    faults: bool = False,
    effort: Effort = "quick",
    seeds: int = 1,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> AuditReport:
    """Attack shipped claims, and say which of them an attack broke.

    Parameters
    ----------
    claims : sequence of str, or "all"
        Keys in ``AUDITED``.
    epsilons : sequence of float
        Claimed costs, each from 0.01 to 20.
    seed : int
    delta : float
        At which mechanisms with Gaussian noise claim epsilon, in (0, 1).
    faults : bool
        Whether the planted faults of ``FAULTS`` are attacked too.
    effort : str
        ``"quick"`` or ``"long"``: how many draws, models and tables.
    seeds : int
        How often everything is attacked, each time with other chance. With one seed, a bound from chance that lies
        above a shipped claim is looked at up to twice more, and the lowest bound is kept.
    on_progress : callable, optional
        Called with a ``Progress`` and the new findings after each attack.
    should_stop : callable, optional
        Asked before each attack.

    Returns
    -------
    AuditReport

    Raises
    ------
    InputError
        An unknown claim, or a number out of its range.

    Notes
    -----
    **Guarantee**: a bound holds with its confidence. With 95 % each, one bound in 20 may lie above a true claim by
    chance, and three in a row in one of 8,000 audits of it. An audit proves a claim wrong or proves nothing: what no
    attack breaks may still be wrong.
    """
    check.one_of(EFFORTS, effort=effort)
    at, root = check.share(delta=delta), check.whole(at_least=0, seed=seed)
    attacks = list(itertools.product(_entries(claims, faults), _checked_epsilons(epsilons)))
    rounds = check.whole(seeds=seeds)
    wanted = [(root + shift, *attack) for shift in range(rounds) for attack in attacks]
    found: list[Finding] = []
    began = time.perf_counter()
    for number, (own_seed, entry, epsilon) in enumerate(wanted):
        if should_stop is not None and should_stop():
            return AuditReport(tuple(found), stopped=True)
        found.append(_attacked(entry, epsilon, at, own_seed, effort, repeats=_REPEATS if rounds == 1 else 0))
        if on_progress is not None:
            passed = time.perf_counter() - began
            left = passed / (number + 1) * (len(wanted) - number - 1)
            on_progress(Progress(number + 1, len(wanted), passed, left), (found[-1],))
    return AuditReport(tuple(found))


def _attacked(entry: Audited, epsilon: float, delta: float, seed: int, effort: Effort, *, repeats: int) -> Finding:
    began = time.perf_counter()
    # Chance depends on name and epsilon, not on what else is attacked.
    stream = zlib.crc32(f"{entry.name} {epsilon}".encode())

    def look(times: int) -> Finding:
        return entry.run(epsilon, delta, simulation_generator(seed, stream, times), effort)

    found = look(0)
    for again in range(1, 1 + repeats):
        if found.is_broken and not found.is_exact and not found.fault:
            found = min(found, look(again), key=lambda each: each.bound)
    return replace(found, title=entry.title, seconds=time.perf_counter() - began)


def _entries(claims: str | Sequence[str], faults: bool) -> list[Audited]:
    planted = list(FAULTS.values()) if faults else []
    if claims == "all":
        return [*AUDITED.values(), *planted]
    names = [claims] if isinstance(claims, str) else list(claims)
    if not names:
        raise InputError('claims is empty; name one at least, or say "all".')
    return [*(AUDITED[check.one_of(AUDITED, claims=name)] for name in dict.fromkeys(names)), *planted]


def _checked_epsilons(epsilons: Sequence[float]) -> list[float]:
    wanted = list(dict.fromkeys(check.between(EPSILON_RANGE, epsilon=epsilon) for epsilon in epsilons))
    if not wanted:
        raise InputError("epsilons is empty; give one at least.")
    return wanted
