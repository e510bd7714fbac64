"""Scores of models trained on real rows: they depend on no setting of a synthesis, so that many can share them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from dpcp_core.errors import InputError
from dpcp_core.evaluation.utility import UtilityReport


@dataclass(frozen=True)
class RealReference:
    """What is kept from one synthesis for the next one on the same table.

    Attributes
    ----------
    digest : str
        Of the table and its schema.
    target : str
    known : tuple of (seed, name of the model, UtilityReport)
        Each report holds the scores of one model on real rows, in the split of that seed.
    """

    digest: str
    target: str
    known: tuple[tuple[int, str, UtilityReport], ...] = ()

    def find(self, seed: int, model: str) -> UtilityReport | None:
        """Return the report of a model in a split, or None."""
        return next((report for s, name, report in self.known if (s, name) == (seed, model)), None)

    def having(self, seed: int, model: str, report: UtilityReport) -> Self:
        """Return the same with one more report."""
        return self if self.find(seed, model) else replace(self, known=(*self.known, (seed, model, report)))

    def require(self, digest: str, target: str) -> None:
        """Refuse another table or target.

        Raises
        ------
        InputError
            Where scores of this reference would be compared with those of something else.
        """
        if (self.digest, self.target) != (digest, target):
            raise InputError("This reference is of another table, schema or target; leave it out.")
