"""Labels and help of every control, and which end of a slider means what.

>>> CONTROLS["epsilon"].label, CONTROLS["epsilon"].low_end, CONTROLS["epsilon"].high_end
('Privacy budget ε', 'stronger privacy', 'sharper answers')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Control:
    """What stands around a control.

    Attributes
    ----------
    label
        At most three words, so that it stays on one line.
    help
        What it does, which way is which, in plain words.
    low_end, high_end
        What the two ends of a slider mean; empty for other controls.
    """

    label: str
    help: str
    low_end: str = ""
    high_end: str = ""


CONTROLS: Mapping[str, Control] = MappingProxyType(
    {
        "target": Control("Predict", "The column whose value the intervals are about."),
        "method": Control("Method", "How model and threshold are made, and what is promised about them."),
        "trainer": Control("Model", "What makes the predictions. The interval is put around them."),
        "score": Control("Score", "How the distance between a prediction and the truth is counted."),
        "epsilon": Control(
            "Privacy budget ε",
            "How much one row may change the odds of anything that is released. Towards the left one person "
            "weighs less, and there is more noise; towards the right there is less of both.",
            "stronger privacy",
            "sharper answers",
        ),
        "delta": Control(
            "δ",
            "An extra chance that the bound on odds leaves open. Keep it far below one in the number of rows.",
            "stronger privacy",
            "sharper answers",
        ),
        "confidence_level": Control(
            "Target coverage",
            "The share of intervals that must hold the true value. More coverage needs wider intervals.",
            "narrower intervals",
            "fewer misses",
        ),
        "training_share": Control(
            "Share for training",
            "The part of ε that pays for the model; the rest pays for the threshold. A better model makes "
            "all intervals narrower, a better threshold wastes less.",
            "better threshold",
            "better model",
        ),
        "row_share": Control(
            "Rows for training",
            "The part of the rows that trains the model, in methods that split rows; the rest is ranked.",
            "better threshold",
            "better model",
        ),
        "bins": Control(
            "Bins",
            "Candidate half-widths to choose from. Few make coarse steps; many cost more noise.",
            "coarse steps",
            "more noise",
        ),
        "grid": Control("Spacing of bins", "How the candidate half-widths are spread from zero to the whole range."),
        "smallest_width": Control(
            "Finest half-width",
            "The smallest half-width worth telling apart, from public knowledge; where fine bins start.",
        ),
        "loss": Control("Loss", "How the mechanism scores a candidate half-width that misses the wanted rank."),
        "stability": Control(
            "Unseen rows",
            "The model has seen the rows that are ranked, a new row it has not. This is how that is made up for.",
        ),
        "guarantee": Control("Guarantee", "What is promised about coverage, and on which ground."),
        "composition": Control("Budget sum", "How the costs of model and threshold add up."),
        "repetitions": Control(
            "Repetitions",
            "How often rows are split and noise is drawn anew. More make the averages surer and take longer.",
            "quicker",
            "surer",
        ),
        "test_share": Control("Held-out rows", "The part of the rows that is hidden, to measure coverage on."),
        "seed": Control("Seed", "Another number draws other noise; the same number repeats the run exactly."),
        "steps": Control("Training steps", "Steps of gradient descent; empty takes the public default."),
        "step_size": Control("Step size", "Length of a step; empty takes the public default."),
        "max_grad_norm": Control(
            "Clipping norm", "The most that one row may pull in one step; empty takes the public default."
        ),
        "penalty": Control("Ridge penalty", "How strongly weights are kept small; empty takes the public default."),
    }
)
"""By settings field."""
