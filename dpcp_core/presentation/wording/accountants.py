"""What is said of accountants: what each is, and when they agree."""

from __future__ import annotations

PLD = "Tightest, and the one that decides how much noise is added here."
PRV = "Composes numerically; its stated error is added."
RDP = "Rényi accountant, the usual one of older work; its conversion to ε loses a tenth or more."
TITLE = "What training costs, by three accountants"
ALL_ROWS = (
    "Every step of this training reads all rows, so its cost is known exactly and accountants agree. They "
    "differ where each step reads a random batch: set a batch size or a sampling rate under “More controls”, "
    "or choose a neural network."
)
BATCHES = "{:,} batches; each row is in a batch with chance {}; noise {} times the clipping norm; δ = {}."
