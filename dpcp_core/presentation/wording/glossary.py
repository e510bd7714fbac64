"""A glossary: the terms of the field that pages use, each in a plain sentence or two.

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
        "interval": Term("interval", "A lower and an upper end between which the true value is said to lie."),
        "set": Term(
            "set of classes",
            "The possible answers for one row. One class is a clear answer, several say that the model is unsure.",
        ),
        "width": Term("width", "How far apart the two ends of an interval are; the narrower, the more it says."),
        "group": Term("group", "Rows that share a value which is public, such as a ward; coverage is told for each."),
        "conformal prediction": Term(
            "conformal prediction",
            "A way to put an interval or a set around any model's prediction so that it holds the true value"
            " as often as was asked for.",
        ),
        "score": Term(
            "conformal score",
            "How badly a prediction missed one row: a distance, or how improbable the true class was.",
        ),
        "threshold": Term(
            "threshold",
            "The number that is released: how far an interval reaches from its prediction, or how large the "
            "score of a class in a set may be.",
        ),
        "quantile": Term(
            "quantile", "The value below which a given share of numbers lies; the threshold is a quantile of scores."
        ),
        "exchangeable": Term(
            "exchangeable",
            "In an order that says nothing: the new person might as well have been any of those in the table.",
        ),
        "certified": Term(
            "certified", "Proved for this number of rows and every distribution, with the noise counted in."
        ),
        "differential privacy": Term(
            "differential privacy",
            "Noise is added so that what is published would have come out almost as likely without any one person.",
        ),
        "epsilon": Term(
            "privacy budget ε",
            "How much one row can change the odds of anything that is published: at most e to the power ε "
            "times. Smaller is more private.",
        ),
        "delta": Term("δ", "An extra chance that the bound on odds leaves open; far below one in the number of rows."),
        "odds": Term("odds", "How often something happens for each time it does not: 50 in 100 are odds of 1 to 1."),
        "neighbour": Term("neighbouring tables", "Two tables that differ in one row: one of them has it empty."),
        "sensitivity": Term(
            "sensitivity", "How far one row can move what is computed; noise has to be as large as that to hide it."
        ),
        "mechanism": Term(
            "mechanism", "The rule, chance and all, by which something is computed from the rows and published."
        ),
        "noise": Term("noise", "Random numbers that are added on purpose, so that no single row shows."),
        "composition": Term(
            "composition", "What several mechanisms on the same rows cost together: at most the sum of their budgets."
        ),
        "budget": Term("budget", "All that may be spent on the same rows. What one part spends, another cannot."),
        "share": Term("share of ε", "The part of the budget that pays for the model; the rest pays for the threshold."),
        "clipping": Term(
            "clipping", "Shortening what one row adds to a sum, so that no row can move the sum by more than is known."
        ),
        "trainer": Term("model", "What makes the predictions. A private one is trained with noise."),
        "candidates": Term(
            "candidates, or bins", "The public list of thresholds from which the mechanism chooses one."
        ),
        "public bounds": Term(
            "public bounds",
            "The smallest and largest value that count, known from a code book or plain knowledge and not "
            "read off the rows. Values beyond are moved to the bound.",
        ),
        "schema": Term("schema", "What is publicly known of each column: its kind, unit, bounds or categories."),
        "held out": Term("held out", "Hidden while intervals or sets were made, then used to see whether they hold."),
        "repetition": Term("repetition", "One run with rows divided and noise drawn anew; several show what is luck."),
        "simulation": Term(
            "simulation",
            "A rehearsal on rows that it may look at. Its numbers are for whoever keeps the data, not for publishing.",
        ),
        "release": Term(
            "release", "What is really published: computed once, with fresh noise, at the cost on its receipt."
        ),
        "receipt": Term("receipt", "What was read, what it cost, what is promised, and what is not protected."),
        "accountant": Term("accountant", "A way to work out what many steps of noisy training cost together."),
        "curator's view": Term(
            "curator's view", "Measured on real rows, so not private: for whoever keeps the data, in no release."
        ),
        "membership attack": Term(
            "membership attack", "Guessing from what was published whether a certain person was in the table."
        ),
        "subtraction attack": Term(
            "subtraction attack",
            "Taking all rows that are known away from what was published, to be left with the one that is not.",
        ),
        "audit": Term("audit", "Attacking a mechanism many times to see whether it leaks more than it claims."),
        "synthetic table": Term(
            "synthetic table",
            "A table of made-up rows that resembles the real one. It is private only if what was read from "
            "the real rows was.",
        ),
        "marginal": Term("marginals", "How often each value of a column, or each pair of values, occurs."),
        "label": Term("label", "The value of the target that a made-up row is given."),
        "target": Term("target", "The column that is predicted."),
    }
)


def looked_up(sought: str) -> tuple[Term, ...]:
    """Return the terms whose title or sentence holds these letters, in the order of their titles.

    >>> [term.title for term in looked_up("Odds")][:2]
    ['odds', 'privacy budget ε']
    >>> looked_up("xyzzy"), len(looked_up("")) == len(GLOSSARY)
    ((), True)
    """
    letters = sought.strip().casefold()
    found = (term for term in GLOSSARY.values() if letters in f"{term.title} {term.sentence}".casefold())
    return tuple(sorted(found, key=lambda term: term.title.casefold()))
