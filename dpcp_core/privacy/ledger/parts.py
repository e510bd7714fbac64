"""What a release consists of, in a form that can be composed with other releases years later.

>>> cost = ReleaseCost(PrivacyBudget(1.0, 1e-5), (Part.gaussian(0.2), Part.pure(0.5)))
>>> ReleaseCost.from_dict(cost.to_dict()) == cost
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dpcp_core import _validate
from dpcp_core.errors import InputError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.profile import GaussianProfile, PrivacyProfile, SubsampledGaussianProfile

Kind = Literal["gaussian", "sampled", "pure", "point"]

_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "gaussian": ("mu",),
    "sampled": ("noise_multiplier", "sampling_rate", "steps"),
    "pure": ("epsilon",),
    "point": ("epsilon", "delta"),
}


@dataclass(frozen=True)
class Part:
    """One mechanism of a release.

    Attributes
    ----------
    kind
        ``gaussian`` (mu-GDP), ``sampled`` (noisy sums of Poisson batches), ``pure`` (epsilon alone), ``point`` (one
        pair of epsilon and delta is all that is known).
    numbers
        What the kind needs: ``mu``; ``noise_multiplier, sampling_rate, steps``; ``epsilon``; ``epsilon, delta``.

    Raises
    ------
    InputError
        An unknown kind, or numbers that it does not have.
    """

    kind: Kind
    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        _validate.one_of(tuple(_NUMBERS), kind=self.kind)
        names = _NUMBERS[self.kind]
        if len(self.numbers) != len(names):
            raise InputError(f"A part of kind {self.kind} needs {', '.join(names)}, not {len(self.numbers)} numbers.")
        checked = tuple(_validate.non_negative(**{name: x}) for name, x in zip(names, self.numbers, strict=True))
        object.__setattr__(self, "numbers", checked)
        self.profile  # noqa: B018 - refuses numbers out of range now and not when they are composed

    @classmethod
    def gaussian(cls, mu: float) -> Part:
        """Return a mu-GDP part."""
        return cls("gaussian", (mu,))

    @classmethod
    def pure(cls, epsilon: float) -> Part:
        """Return a part that is epsilon-DP."""
        return cls("pure", (epsilon,))

    @classmethod
    def point(cls, cost: PrivacyBudget) -> Part:
        """Return a part of which one pair is known."""
        return cls("point", (cost.epsilon, cost.delta))

    @classmethod
    def of_profile(cls, profile: PrivacyProfile, cost: PrivacyBudget) -> Part:
        """Return the part that a profile describes; one pair, ``cost``, where it is of no kind that can be kept."""
        if isinstance(profile, GaussianProfile):
            return cls.gaussian(profile.mu)
        if isinstance(profile, SubsampledGaussianProfile):
            return cls("sampled", (profile.noise_multiplier, profile.sampling_rate, profile.steps))
        return cls.point(cost)

    @property
    def profile(self) -> PrivacyProfile | None:
        """Privacy profile of the Gaussian kinds, None for the others."""
        if self.kind == "gaussian":
            return GaussianProfile(*self.numbers)
        if self.kind == "sampled":
            noise, rate, steps = self.numbers
            return SubsampledGaussianProfile(noise, rate, int(steps))
        return None


@dataclass(frozen=True)
class ReleaseCost:
    """What one release costs: the pair on its receipt, and the parts that it is made of.

    Attributes
    ----------
    total
        Epsilon and delta of the whole release; finite.
    parts
        Its mechanisms, all on the same rows; none if only the total is known.

    Raises
    ------
    InputError
        If the total is infinite: what is not private is no release.
    """

    total: PrivacyBudget
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if not self.total.is_finite:
            raise InputError("A release that is not private has no place in the ledger; mend what its receipt names.")
        object.__setattr__(self, "parts", tuple(self.parts) or (Part.point(self.total),))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "epsilon": self.total.epsilon,
            "delta": self.total.delta,
            "parts": [{"kind": part.kind, "numbers": list(part.numbers)} for part in self.parts],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ReleaseCost:
        """Return the cost that :meth:`to_dict` wrote.

        Raises
        ------
        InputError
            If something is missing or out of range.
        """
        try:
            parts = tuple(Part(part["kind"], tuple(part["numbers"])) for part in values["parts"])
            return cls(PrivacyBudget(values["epsilon"], values["delta"]), parts)
        except (KeyError, TypeError, OverflowError) as problem:
            raise InputError(f"The cost of a release cannot be read: {problem}.") from None
