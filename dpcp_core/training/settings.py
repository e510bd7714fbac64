"""What settings have in common that hold the hyper-parameters of a training among other choices.

>>> @dataclass(frozen=True)
... class Settings(TrainingSettings):
...     epsilon: float = 1.0
>>> Settings.from_dict({"epsilon": 2.0}).replace(epsilon=3.0).to_dict()
{'epsilon': 3.0}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from dpcp_core.errors import InputError
from dpcp_core.training.problem import TrainingChoices


@dataclass(frozen=True)
class TrainingSettings:
    """A base of settings that have every field of :class:`TrainingChoices`, and further ones of their own."""

    def _set(self, name: str, value: object) -> None:
        """Put a checked value in place, while the settings are being made."""
        object.__setattr__(self, name, value)

    def _check_training(self) -> None:
        """Check the fields of training, as the training itself would.

        Raises
        ------
        InputError
            A value outside its range.
        """
        for name, value in vars(self.training_choices.checked()).items():
            self._set(name, value)

    @property
    def training_choices(self) -> TrainingChoices:
        """Hyper-parameters of training that a person set."""
        names = (field.name for field in dataclasses.fields(TrainingChoices))
        return TrainingChoices(**{name: getattr(self, name) for name in names})

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed, checked again."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make settings from plain values.

        Raises
        ------
        InputError
            A name that is no setting, or a value outside its range.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        for name in values:
            if name not in known:
                raise InputError(f"There is no setting {name!r}; the settings are: {', '.join(sorted(known))}.")
        return cls(**values)
