"""What the choices mean: a title and a sentence for every method, factor, loss and rule, and a glossary.

>>> option_title("stability", "coupling"), option_title("bins", "sqrt")
('coupling', 'square root of the rows')
>>> term("stability", "split").sentence
'One part of the rows trains the model, the other is ranked: nothing to make up for, but fewer rows for each.'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpcp_core.errors import InputError


@dataclass(frozen=True)
class Term:
    """A word with its short title and what it means, in one or two sentences."""

    title: str
    sentence: str


def _frozen(terms: dict[str, Term]) -> Mapping[str, Term]:
    return MappingProxyType(terms)


METHODS = _frozen(
    {
        "dpcp": Term(
            "DPCP, certified",
            "Private model and private threshold from the same rows; how they pay for that is up to you. "
            "Coverage is proved for this number of rows, with the certified guarantee.",
        ),
        "dpcp_paper": Term(
            "DPCP, as published",
            "Algorithm 1 of the DPCP paper to the letter (arXiv 2604.14621): its loss, its correction, "
            "budgets added. More training budget lowers the miss rate it may aim at, so its intervals can widen.",
        ),
        "pscp": Term(
            "private split, as published",
            "Half of the rows trains a private model, the other half gives a private threshold, budgets "
            "added, as the DPCP paper compares with it.",
        ),
        "differential": Term(
            "differential CP",
            "A private model with a corrected level, but an exact threshold: it is somebody's own residual, "
            "so the result is not private.",
        ),
        "naive": Term(
            "naive",
            "A private model and the plain quantile of its own residuals: neither private nor sure to cover, "
            "because the model has seen the rows.",
        ),
        "split": Term(
            "split, no privacy",
            "Classic split conformal prediction: one half of the rows trains, the other gives the threshold.",
        ),
        "oracle": Term(
            "no privacy",
            "All rows train and all rows give the threshold, with no noise: how narrow intervals could be.",
        ),
    }
)

STABILITIES = _frozen(
    {
        "best": Term(
            "cheapest",
            "The cheaper of “coupling” and “profile”, chosen from public numbers only.",
        ),
        "coupling": Term(
            "coupling",
            "One more row can move a prediction by only so much under the same noise; intervals are widened "
            "by twice that, and the threshold may aim at the full miss rate. Needs a convex model.",
        ),
        "profile": Term(
            "privacy profile",
            "A private model is nearly the same with one row more or less. The whole privacy curve of "
            "training says how much of the allowed miss rate that costs.",
        ),
        "dp": Term(
            "single ε",
            "The paper's factor: like “privacy profile” but read at one point of the curve. The allowed miss "
            "rate shrinks exponentially as the training budget grows.",
        ),
        "split": Term(
            "split rows",
            "One part of the rows trains the model, the other is ranked: nothing to make up for, but fewer "
            "rows for each.",
        ),
    }
)

LOSSES = _frozen(
    {
        "bracket": Term(
            "bracket",
            "A candidate loses one point for every row by which it misses the wanted rank. The bin that "
            "holds the rank loses nothing, and doubt is settled upward.",
        ),
        "paper": Term(
            "as published",
            "The paper's loss. It falls slowly above the wanted rank, so that too wide a threshold is often "
            "drawn when rows or ε are few.",
        ),
    }
)

GUARANTEES = _frozen(
    {
        "certified": Term(
            "certified",
            "Coverage is proved for this number of rows and every distribution: the threshold aims a little "
            "wider, by what the noise can cost.",
        ),
        "paper": Term(
            "as published",
            "The paper's correction 2/(n ε). Coverage rests on its assumptions and is not proved for every "
            "distribution.",
        ),
    }
)

COMPOSITIONS = _frozen(
    {
        "tight": Term("exact", "The joint cost of training and threshold is computed exactly; less than the sum."),
        "basic": Term("added", "The two ε are added, as in the papers."),
        "parallel": Term("parallel", "Training and threshold read different rows, so each may spend all of ε."),
    }
)

GRIDS = _frozen(
    {
        "geometric": Term("finer near zero", "Neighbouring candidates differ by the same percentage."),
        "uniform": Term("equal steps", "Neighbouring candidates differ by the same amount, as in the papers."),
    }
)

BIN_RULES = _frozen(
    {
        "sqrt": Term("square root of the rows", "As many candidates as the square root of the ranked rows."),
        "cbrt": Term("cube root of the rows", "As many candidates as the cube root of the ranked rows."),
        "alpha": Term("10/α", "Ten candidates for every allowed miss rate: the fewest that resolve the level."),
    }
)

TRAINERS = _frozen(
    {
        "ridge": Term("ridge", "Linear regression that keeps its weights small: steady under noise."),
        "ols": Term("linear", "Plain linear regression."),
    }
)

SCORES = _frozen(
    {
        "absolute": Term(
            "distance",
            "How far the true value is from the prediction; every interval has the same half-width.",
        ),
    }
)

OPTIONS: Mapping[str, Mapping[str, Term]] = MappingProxyType(
    {
        "method": METHODS,
        "stability": STABILITIES,
        "loss": LOSSES,
        "guarantee": GUARANTEES,
        "composition": COMPOSITIONS,
        "grid": GRIDS,
        "bins": BIN_RULES,
        "trainer": TRAINERS,
        "score": SCORES,
    }
)
"""By settings field, then by value."""

GLOSSARY = _frozen(
    {
        "coverage": Term("coverage", "The share of intervals that hold the true value."),
        "miss rate": Term("miss rate α", "The share of intervals that may miss the true value: 1 - coverage."),
        "threshold": Term(
            "threshold", "The half-width that is released: how far an interval reaches from its prediction."
        ),
        "score": Term("score", "How badly a prediction missed one row; here the distance to the true value."),
        "epsilon": Term(
            "privacy budget ε",
            "How much one row can change the odds of anything that is published: at most e to the power ε "
            "times. Smaller is more private.",
        ),
        "delta": Term("δ", "An extra chance that the bound on odds leaves open; far below one in the number of rows."),
        "candidates": Term(
            "candidates, or bins", "The public list of half-widths from which the mechanism chooses one."
        ),
        "public bounds": Term(
            "public bounds",
            "The smallest and largest value that count, known from a code book or plain knowledge and not "
            "read off the rows. Values beyond are moved to the bound.",
        ),
        "held out": Term("held out", "Hidden while intervals were made, then used to see whether they hold."),
        "receipt": Term("receipt", "What was read, what it cost, what is promised, and what is not protected."),
        "curator's view": Term(
            "curator's view",
            "Measured on real rows, so not private: for whoever keeps the data, in no release.",
        ),
    }
)


def term(field: str, value: object) -> Term:
    """Return what a value of a settings field means.

    Raises
    ------
    InputError
        If there is no such field or value.
    """
    known = OPTIONS.get(field, {})
    if str(value) not in known:
        raise InputError(f"There is no explanation of {field} = {value!r}.")
    return known[str(value)]


def option_title(field: str, value: object) -> str:
    """Return the short title of a value, or the value itself where it speaks for itself."""
    known = OPTIONS.get(field, {})
    return known[str(value)].title if str(value) in known else str(value)
