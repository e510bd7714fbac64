"""What is wanted: coverage, and how wide an interval or how large a set may be.

>>> Goal(coverage=0.9, width=30).most
30.0
>>> Goal(width=0)
Traceback (most recent call last):
    ...
dpcp_core.errors.InputError: width is 0 but must be a number above 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpcp_core import _validate as check
from dpcp_core._words import number_text
from dpcp_core.data.target import NumericTarget
from dpcp_core.errors import InputError
from dpcp_core.experiments.prepare import Prepared


@dataclass(frozen=True)
class Goal:
    """Coverage and size that are wanted.

    Attributes
    ----------
    coverage : float
        Share of new rows to be covered, in (0, 1).
    size : float
        Largest mean interval width in target units, or mean number of classes in a set; above 0.
    width : float
        The same by another name; give one of the two.

    Raises
    ------
    InputError
        A value outside its range, or not exactly one of ``size`` and ``width``.
    """

    coverage: float = 0.9
    size: float | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "coverage", check.share(coverage=self.coverage))
        sizes = {check.positive(infinite=False, **{name: value}) for name, value in self._given().items()}
        if len(sizes) != 1:
            raise InputError("A goal needs one size; give width (of an interval) or size (classes in a set).")
        for name in ("size", "width"):
            object.__setattr__(self, name, *sizes)

    def _given(self) -> dict[str, float]:
        return {name: value for name in ("size", "width") if (value := getattr(self, name)) is not None}

    @property
    def most(self) -> float:
        """Largest size that meets the goal."""
        assert self.size is not None
        return self.size

    def check_for(self, prepared: Prepared, *, allow_empty: bool) -> None:
        """Refuse a size that this target cannot have, or that everything has.

        Raises
        ------
        InputError
            At least the whole range, or every class; fewer than one class where a set is never empty.
        """
        target = prepared.goal
        if isinstance(target, NumericTarget):
            if self.most >= target.bound:
                raise InputError(
                    f"width is {number_text(self.most)} but must be below {number_text(target.bound)}, the whole range "
                    f"of {prepared.target.title}: any interval is as narrow as that."
                )
            return
        if self.most < 1 and not allow_empty:
            raise InputError(
                f"size is {number_text(self.most)} but must be at least 1: a set holds one class or more "
                "(unless allow_empty is chosen)."
            )
        if self.most >= target.n_classes:
            raise InputError(
                f"size is {number_text(self.most)} but must be below {target.n_classes}, the number of classes: "
                "any set is as small as that."
            )
