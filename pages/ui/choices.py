"""What the controls offer, in plain words: one entry a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One setting that is chosen from a list.

    Attributes
    ----------
    field : str
        Name in :class:`~dpcp_core.experiments.settings.ConformalSettings`.
    label, help : str
        What the widget is called, and a sentence about it.
    options : mapping
        Value of the setting -> what it is called on screen.
    """

    field: str
    label: str
    options: Mapping[str, str]
    help: str


BIN_COUNTS = (10, 20, 50, 100, 200, 500, 1000)
BIN_RULES = {"number": "as the slider says", "sqrt": "√ rows", "cbrt": "∛ rows", "alpha": "10 / miss rate"}
DELTAS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
REPETITIONS = (5, 10, 20, 50, 100)

METHODS = Choice(
    "method",
    "Method",
    {
        "dpcp": "DPCP, all rows twice",
        "pscp": "Private split (PSCP)",
        "dpcp_paper": "DPCP as published",
        "naive": "Private model only",
        "differential": "Private model, lower aim",
        "split": "Split, not private",
        "oracle": "All rows, not private",
    },
    (
        "How the width is found. DPCP uses all rows for the model and again for the width; split methods use one "
        "part for each. “Private model only” and “lower aim” read the width off the rows without noise, so they "
        "are not private either."
    ),
)

CHOICES = (
    Choice(
        "trainer",
        "Model",
        {"ridge": "Linear, with penalty (ridge)", "ols": "Linear (least squares)"},
        "What predicts the target; trained by gradient descent with clipped gradients and noise.",
    ),
    Choice(
        "loss",
        "Loss of the threshold",
        {"bracket": "Bracket", "paper": "As published"},
        "How the private step scores each candidate width. Bracket falls off faster on the wide side.",
    ),
    Choice(
        "stability",
        "Payment for reusing rows",
        {
            "best": "Best of these",
            "coupling": "Coupled training",
            "profile": "Privacy profile",
            "dp": "As published",
            "split": "Split the rows",
        },
        "The model has seen the rows that are ranked; this is how coverage for a new row is kept.",
    ),
    Choice(
        "guarantee",
        "Promise",
        {"certified": "Certified for every n", "paper": "As published"},
        "Certified: the miss rate is proved for every number of rows and every distribution.",
    ),
    Choice(
        "composition",
        "How the two costs add up",
        {"tight": "Tight", "basic": "Simple sum"},
        "Training and threshold both read the rows; tight accounting charges less for the same protection.",
    ),
    Choice(
        "grid",
        "Spacing of the bins",
        {"geometric": "Geometric", "uniform": "Equal"},
        "Geometric is finer among narrow widths, where it matters.",
    ),
)


@dataclass(frozen=True)
class Preset:
    """Settings that go together, under a name.

    Attributes
    ----------
    name, sentence, icon : str
    changes : mapping
        Fields of the settings and their values.
    """

    name: str
    sentence: str
    icon: str
    changes: Mapping[str, float]


PRESETS = (
    Preset(
        "Cautious",
        "Strong privacy and few misses: the widest margins.",
        ":material/shield:",
        {"epsilon": 0.5, "confidence_level": 0.95, "training_share": 0.5},
    ),
    Preset(
        "Balanced",
        "Good privacy, nine in ten true values inside.",
        ":material/balance:",
        {"epsilon": 1.0, "confidence_level": 0.9, "training_share": 0.5},
    ),
    Preset(
        "Sharp",
        "Weaker privacy and more misses: the narrowest margins.",
        ":material/target:",
        {"epsilon": 4.0, "confidence_level": 0.8, "training_share": 0.5},
    ),
)
