"""What the controls offer: the steps of the sliders, and settings that go together under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpcp_core.evaluation.doctor import EPSILON_STEPS

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
        "Strong privacy and few misses: the widest intervals, the largest sets.",
        ":material/shield:",
        {"epsilon": 0.5, "confidence_level": 0.95},
    ),
    Preset(
        "Balanced",
        "Good privacy, nine in ten true answers inside.",
        ":material/balance:",
        {"epsilon": 1.0, "confidence_level": 0.9},
    ),
    Preset(
        "Sharp",
        "Weaker privacy and more misses: the narrowest intervals, the smallest sets.",
        ":material/target:",
        {"epsilon": 4.0, "confidence_level": 0.8},
    ),
)
