"""What an audit found: a claim, the largest epsilon that an attack proved, and whether the claim still stands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import pandas as pd
from scipy.special import bdtrc

EXACT = 1.0
"""Confidence of a bound that rests on no chance."""

_ROUNDING = 1e-9
_BY_CHANCE = 0.01


@dataclass(frozen=True)
class Finding:
    """One attack against one claim.

    Attributes
    ----------
    claim : str
        Key in ``AUDITED``; for a planted fault, of the claim that the fault breaks.
    title : str
        What was attacked, for people.
    attack : str
        How, in one sentence with the numbers of this run.
    epsilon, delta : float
        What is claimed.
    bound : float
        The mechanism's epsilon at this delta is not below this number; 0 where nothing was proved, infinity where some
        output is possible for one table alone.
    confidence : float
        Of the bound; 1 where it was worked out exactly.
    is_exact : bool
        Whether the bound rests on no chance.
    seconds : float
        Time that the attack took; filled in by ``audit``.
    fault : str
        Key in ``FAULTS`` where the mechanism was broken on purpose, else empty.
    """

    claim: str
    title: str
    attack: str
    epsilon: float
    delta: float
    bound: float
    confidence: float
    is_exact: bool
    seconds: float = 0.0
    fault: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether the bound lies above what is claimed."""
        return self.bound > self.epsilon * (1 + _ROUNDING) + _ROUNDING


@dataclass(frozen=True)
class Verdict:
    """All looks at one claim at one epsilon.

    Attributes
    ----------
    worst : Finding
        The look with the largest bound.
    n_looks : int
        Looks with chance of their own, one per seed.
    n_above : int
        Those whose bound lies above the claim.
    """

    worst: Finding
    n_looks: int
    n_above: int

    @property
    def is_broken(self) -> bool:
        """Whether more looks lie above the claim than chance explains.

        An exact bound above is enough, and so is a single look, which was repeated. Of many looks, so many must lie
        above that they would in one of 100 audits at most, if the claim was true.
        """
        if self.worst.is_exact or self.n_looks == 1:
            return self.n_above > 0
        return float(bdtrc(self.n_above - 1, self.n_looks, 1 - self.worst.confidence)) < _BY_CHANCE


@dataclass(frozen=True)
class AuditReport:
    """All findings of an audit.

    Attributes
    ----------
    findings : tuple of Finding
        In the order in which they were made; one per claim, epsilon and seed.
    stopped : bool
        Whether somebody stopped it before the end.
    """

    findings: tuple[Finding, ...]
    stopped: bool = False

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One per claim or planted fault and epsilon, in the order of the findings."""
        looks: dict[tuple[str, str, float], list[Finding]] = {}
        for finding in self.findings:
            looks.setdefault((finding.fault, finding.claim, finding.epsilon), []).append(finding)
        return tuple(
            Verdict(max(some, key=lambda each: each.bound), len(some), sum(each.is_broken for each in some))
            for some in looks.values()
        )

    @property
    def broken(self) -> tuple[Finding, ...]:
        """Shipped claims that an attack broke, by their largest bound; planted faults do not count."""
        return tuple(each.worst for each in self.verdicts if each.is_broken and not each.worst.fault)

    @property
    def missed_faults(self) -> tuple[str, ...]:
        """Planted faults that were tried and that no attack caught at any epsilon."""
        tried = dict.fromkeys((each.worst.fault for each in self.verdicts if each.worst.fault), False)
        tried |= {each.worst.fault: True for each in self.verdicts if each.worst.fault and each.is_broken}
        return tuple(fault for fault, was_caught in tried.items() if not was_caught)

    def table(self) -> pd.DataFrame:
        """Return one row per finding, a column for each of its fields, and ``is_broken``."""
        fields = list(Finding.__dataclass_fields__)
        return pd.DataFrame(list(self._rows()), columns=[*fields, "is_broken"])

    def to_dict(self) -> dict[str, object]:
        """Return plain values; infinity is the word "infinity", so that strict JSON can hold it."""
        return {
            "findings": [{name: _plain(value) for name, value in row.items()} for row in self._rows()],
            "broken": len(self.broken),
            "missed_faults": list(self.missed_faults),
            "stopped": self.stopped,
        }

    def _rows(self) -> Iterator[dict[str, object]]:
        for finding in self.findings:
            yield {**asdict(finding), "is_broken": finding.is_broken}


def _plain(value: object) -> object:
    return "infinity" if isinstance(value, float) and math.isinf(value) else value
