"""What several trainers answer alike: which choices they heed, and whether one more row moves an output little."""

from __future__ import annotations

from typing import Any

from dpcp_core.training._choices import DESCENT, SOLVED
from dpcp_core.training.problem import Pace


class Descends:
    """Trainers that go down in steps."""

    @property
    def uses(self) -> frozenset[str]:
        """All choices of descent."""
        return DESCENT


class Solves:
    """Trainers that find the minimum of their objective."""

    @property
    def uses(self) -> frozenset[str]:
        """What a solved objective has a use for."""
        return SOLVED

    @property
    def pace(self) -> Pace:
        """That of a linear model."""
        return Pace()


class Uncoupled:
    """Trainers without a bound on how far one more row moves an output under shared noise."""

    @property
    def is_coupled(self) -> bool:
        """No coupling radius is known."""
        return False

    def coupling_radius(self, plan: Any) -> float | None:  # noqa: ARG002 - the protocol's
        """Return None: the loss is not convex, or how far an output moves depends on the rows."""
        return None
