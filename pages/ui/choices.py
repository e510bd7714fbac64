"""What the controls offer: the steps of the sliders, and settings that go together under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcp_core.evaluation.doctor import EPSILON_STEPS
from dpcp_core.presentation.wording import start as words

EPSILONS = EPSILON_STEPS
BIN_COUNTS = (10, 20, 50, 100, 200, 500, 1000)
DELTAS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
REPETITIONS = (5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Preset:
    """Settings that go together.

    Attributes
    ----------
    name, sentence, icon : str
    changes : mapping
        Fields of :class:`~dpcp_core.experiments.settings.ConformalSettings` and their values.
    """

    name: str
    sentence: str
    icon: str
    changes: Mapping[str, float]


PRESETS = (
    Preset(
        "Cautious",
        words.CAUTIOUS,
        ":material/shield:",
        {"epsilon": 0.5, "confidence_level": 0.95},
    ),
    Preset(
        "Balanced",
        words.BALANCED,
        ":material/balance:",
        {"epsilon": 1.0, "confidence_level": 0.9},
    ),
    Preset(
        "Sharp",
        words.SHARP,
        ":material/target:",
        {"epsilon": 4.0, "confidence_level": 0.8},
    ),
)
