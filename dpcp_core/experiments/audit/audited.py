"""The shape of an entry of ``AUDITED`` and ``FAULTS``: something that claims an epsilon, and the attack on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from dpcp_core.experiments.audit.report import Finding

Kind = Literal["mechanism", "training", "synthesis"]
Effort = Literal["quick", "long"]

EFFORTS: tuple[Effort, ...] = ("quick", "long")

TIMES: Mapping[Effort, int] = MappingProxyType({"quick": 1, "long": 10})
"""How many times as much as a quick look an effort draws."""

Attack = Callable[[float, float, np.random.Generator, Effort], Finding]
"""``(epsilon, delta, rng, effort) -> Finding``."""


@dataclass(frozen=True)
class Audited:
    """Something shipped, or broken on purpose, with the attack that is run against its claim.

    Attributes
    ----------
    name : str
        Key in ``AUDITED`` or ``FAULTS``; lower case with underscores.
    title : str
        For people, at most five words.
    sentence : str
        What is attacked and how, in one sentence.
    kind : str
        ``"mechanism"``, ``"training"`` or ``"synthesis"``.
    run : callable
        ``(epsilon, delta, rng, effort) -> Finding``: the mechanism at this claimed cost, attacked. ``delta`` is what a
        mechanism with Gaussian noise is calibrated to; a pure one claims 0 and says so in its finding.
    claim : str
        For a fault, the key in ``AUDITED`` of the claim that it breaks; else empty.
    """

    name: str
    title: str
    sentence: str
    kind: Kind
    run: Attack
    claim: str = ""
