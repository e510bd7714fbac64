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
        "target": Control("Predict", "The column that is predicted: a number gets intervals, classes get sets."),
        "method": Control("Method", "How model and threshold are made, and what is promised about them."),
        "trainer": Control("Model", "What makes the predictions, around which intervals or sets are put."),
        "score": Control("Score", "How it is counted by how much a prediction missed the truth."),
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
            "The share of intervals or sets that must hold the true value. More coverage needs wider intervals and "
            "larger sets.",
            "clearer answers",
            "fewer misses",
        ),
        "training_share": Control(
            "Share for training",
            "The part of ε that pays for the model; the rest pays for the threshold. A better model makes "
            "all answers clearer, a better threshold wastes less.",
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
            "Candidate thresholds to choose from. Few make coarse steps; many cost more noise.",
            "coarse steps",
            "more noise",
        ),
        "grid": Control("Spacing of bins", "How the candidate thresholds are spread from zero to the largest."),
        "smallest_width": Control(
            "Finest threshold",
            "The smallest threshold worth telling apart, from public knowledge; where fine bins start. Empty takes the "
            "score's own.",
        ),
        "loss": Control("Loss", "How the mechanism scores a candidate threshold that misses the wanted rank."),
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
        "penalty": Control("Penalty", "How strongly weights are kept small; empty takes the public default."),
        "noise_multiplier": Control(
            "Noise multiplier",
            "Noise of each step in units of the clipping norm. Empty takes what the budget needs; more leaves budget "
            "unused, less is refused.",
        ),
        "sampling_rate": Control(
            "Sampling rate", "The chance of each row to be in a batch; 1 takes all rows in every step."
        ),
        "batch_size": Control("Batch size", "Rows in a batch on average: another way to give the sampling rate."),
        "epochs": Control("Epochs", "How often each row is seen on average: another way to give the steps."),
        "warmup_share": Control("Warm-up", "The part of the steps over which steps grow to their full length."),
        "decay": Control("Decay of steps", "Whether steps stay equally long or become shorter."),
        "by_group": Control(
            "Threshold per group",
            "A threshold for each public group, so that coverage holds within every group. Smaller groups get "
            "less certain answers.",
        ),
        "bounds_epsilon": Control(
            "ε for bounds",
            "The part of ε that buys bounds for columns of which nobody knows any, before anything else is paid for. "
            "0 buys none.",
        ),
        "bound_share": Control(
            "Bought score bound",
            "The part of the threshold's ε that buys a bound of the scores. 0 takes the public bound, which costs "
            "nothing and may be far too large.",
        ),
        "allow_empty": Control(
            "Empty sets",
            "Whether a set may hold no class at all. Otherwise the likeliest class is put into it, which only adds "
            "coverage.",
        ),
    }
)
"""By settings field."""

BIN_RULE = Control("Number of bins", "The slider's number, or a rule that follows the number of rows or the miss rate.")
"""Of the list beside the slider of bins."""
