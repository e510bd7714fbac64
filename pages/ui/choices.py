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
        "dpcp": "DPCP, certified",
        "split": "Split, no privacy",
        "pscp": "Private split (PSCP)",
        "dpcp_paper": "DPCP as published",
        "naive": "Naive, no privacy",
        "differential": "Private, no safeguard",
        "oracle": "Oracle, no privacy",
    },
    "How the width is found. DPCP uses all rows for both steps; split methods train on one part and rank the other.",
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
        "Certified: the miss rate holds for every number of rows and every distribution.",
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
