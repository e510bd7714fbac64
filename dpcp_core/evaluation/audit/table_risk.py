"""One risk of a synthetic table: how well an attack works, beyond what works on people who were not in the table.

>>> risk = TableRisk.of("inference", attacked=90, on_control=50, guessed=40, n=100, n_control=100)
>>> round(risk.risk.value, 2), risk.is_informative
(0.8, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from dpcp_core.evaluation.audit.estimates import CONFIDENCE, PrivacyRisk

RiskName = Literal["singling_out", "linkability", "inference"]


@dataclass(frozen=True)
class TableRisk:
    """An attack with what it has to be compared with.

    Attributes
    ----------
    name : str
    attack : PrivacyRisk
        Share of attacks on rows of the table that succeed.
    baseline : PrivacyRisk
        The same for guesses that look at no synthetic row, or at one by chance.
    control : PrivacyRisk
        Share of attacks on rows that were not in the table: what the synthetic table teaches about everybody.
    risk : PrivacyRisk
        ``(attack - control) / (1 - control)``, at least 0: how much of the room above the control comes from having
        been in the table.
    n_attacks : int

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi, "A Unified Framework for Quantifying Privacy Risk in Synthetic Data", PoPETs
    2023(2), sections 3 and 4.
    """

    name: RiskName
    attack: PrivacyRisk
    baseline: PrivacyRisk
    control: PrivacyRisk
    risk: PrivacyRisk
    n_attacks: int

    @classmethod
    def of(
        cls,
        name: RiskName,
        *,
        attacked: int,
        on_control: int,
        guessed: int,
        n: int,
        n_control: int,
        confidence: float = CONFIDENCE,
    ) -> Self:
        """Return the risk from counts of successes.

        Parameters
        ----------
        name : str
        attacked, guessed : int
            Successes of the attack and of blind guesses, of ``n`` each.
        on_control : int
            Successes of the attack on ``n_control`` rows that were not in the table.
        n, n_control : int
        confidence : float
            Of each interval.

        Notes
        -----
        **Guarantee.** The interval of the risk takes the interval of either share at half of the error, so that it
        holds with ``confidence`` whatever their distribution (the reference propagates errors to first order).
        """
        half = 1 - (1 - confidence) / 2
        attack, control = PrivacyRisk.of_share(attacked, n, half), PrivacyRisk.of_share(on_control, n_control, half)
        return cls(
            name,
            PrivacyRisk.of_share(attacked, n, confidence),
            PrivacyRisk.of_share(guessed, n, confidence),
            PrivacyRisk.of_share(on_control, n_control, confidence),
            PrivacyRisk(
                _beyond(attack.value, control.value),
                _beyond(attack.low, control.high),
                _beyond(attack.high, control.low),
                confidence,
            ),
            n,
        )

    @property
    def is_informative(self) -> bool:
        """Whether the attack beats blind guesses by more than chance.

        One that does not was too weak to say anything about the table.
        """
        return self.attack.low > self.baseline.high

    @property
    def is_found(self) -> bool:
        """Whether the attack works better on rows of the table than on others, by more than chance."""
        return self.risk.low > 0


def _beyond(attack: float, control: float) -> float:
    return max(attack - control, 0.0) / (1 - control) if control < 1 else 0.0
