"""A glossary of the words that stand beside the numbers.

>>> GLOSSARY["coverage"].sentence
'The share of intervals, or of sets of classes, that hold the true value.'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpcp_core.presentation.wording.terms import Term

GLOSSARY: Mapping[str, Term] = MappingProxyType(
    {
        "coverage": Term("coverage", "The share of intervals, or of sets of classes, that hold the true value."),
        "miss rate": Term("miss rate α", "The share of intervals or sets that may miss the true value: 1 - coverage."),
        "set": Term(
            "set of classes",
            "The possible answers for one row. One class is a clear answer, several say that the model is unsure.",
        ),
        "group": Term("group", "Rows that share a value which is public, such as a ward; coverage is told for each."),
        "threshold": Term(
            "threshold",
            "The number that is released: how far an interval reaches from its prediction, or how large the score of "
            "a class in a set may be.",
        ),
        "score": Term(
            "score", "How badly a prediction missed one row: a distance, or how improbable the true class was."
        ),
        "epsilon": Term(
            "privacy budget ε",
            "How much one row can change the odds of anything that is published: at most e to the power ε "
            "times. Smaller is more private.",
        ),
        "delta": Term("δ", "An extra chance that the bound on odds leaves open; far below one in the number of rows."),
        "candidates": Term(
            "candidates, or bins", "The public list of thresholds from which the mechanism chooses one."
        ),
        "public bounds": Term(
            "public bounds",
            "The smallest and largest value that count, known from a code book or plain knowledge and not "
            "read off the rows. Values beyond are moved to the bound.",
        ),
        "held out": Term("held out", "Hidden while intervals or sets were made, then used to see whether they hold."),
        "receipt": Term("receipt", "What was read, what it cost, what is promised, and what is not protected."),
        "curator's view": Term(
            "curator's view",
            "Measured on real rows, so not private: for whoever keeps the data, in no release.",
        ),
    }
)
