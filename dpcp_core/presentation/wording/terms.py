"""What the choices mean: a title and a sentence for every method, factor, loss and rule.

Trainers, scores and quantile mechanisms bring their own words; nothing is listed here twice.

>>> option_title("stability", "coupling"), option_title("bins", "sqrt")
('coupling', 'square root of the rows')
>>> term("stability", "split").sentence
'One part of the rows trains the model, the other is ranked: nothing to make up for, but fewer rows for each.'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from dpcp_core.conformal.choices import AUTO
from dpcp_core.conformal.scores import SCORES as ALL_SCORES
from dpcp_core.errors import InputError
from dpcp_core.privacy.quantile_mechanisms import QUANTILES as ALL_QUANTILES
from dpcp_core.training.registry import TRAINERS as ALL_TRAINERS


@dataclass(frozen=True)
class Term:
    """A word with its short title and what it means, in one or two sentences."""

    title: str
    sentence: str


class _Speaking(Protocol):
    """What brings its own words."""

    @property
    def title(self) -> str:
        """Two or three words."""
        ...

    @property
    def sentence(self) -> str:
        """What it is."""
        ...


def _frozen(terms: dict[str, Term]) -> Mapping[str, Term]:
    return MappingProxyType(terms)


def _of_registry(registered: Mapping[str, _Speaking], **first: Term) -> Mapping[str, Term]:
    spoken = {name: Term(entry.title, entry.sentence) for name, entry in registered.items()}
    return _frozen({**first, **spoken})


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
        "pcoqs": Term(
            "private split, noisy search",
            "Half of the rows trains a private model; on the other half the threshold is found by halving the "
            "candidates with noisy counts (P-COQS, arXiv 2507.12497), at the same zero-concentrated cost.",
        ),
        "laplace_histogram": Term(
            "private split, histogram",
            "Half of the rows trains a private model; on the other half scores are counted between candidates, "
            "with Laplace noise on every count.",
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
        "clip_only": Term(
            "clipping only, no noise",
            "Training without noise, but with gradients shortened as private training needs them: what clipping alone "
            "costs. Not private.",
        ),
        "split": Term(
            "split, no privacy",
            "Classic split conformal prediction: one half of the rows trains, the other gives the threshold.",
        ),
        "oracle": Term(
            "no privacy",
            "All rows train and all rows give the threshold, with no noise: how narrow intervals, or how small sets, "
            "could be.",
        ),
    }
)

STABILITIES = _frozen(
    {
        "best": Term(
            "cheapest",
            "The cheaper of “coupling” and “privacy profile”, or “split rows” where neither is cheap: chosen from "
            "public numbers only.",
        ),
        "coupling": Term(
            "coupling",
            "One more row can move a prediction by only so much under the same noise; the threshold is raised "
            "by twice that, and it may aim at the full miss rate. Needs a convex model.",
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
        "one_sided": Term(
            "one-sided bracket",
            "Like “bracket”, but an emptied row can only make a candidate better. The noise of choosing is half as "
            "large at the same cost.",
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
        "prediction_sets": Term(
            "private prediction sets",
            "The level of Angelopoulos, Bates, Zrnic and Jordan (2022): a part of the miss rate is set aside for an "
            "unlucky draw. Proved as well; their public code's overspending is put right.",
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
        "order_statistics": Term(
            "the scores, NOT PRIVATE",
            "The candidates are the scores themselves, so what is released is somebody's exact score: NOT PRIVATE, "
            "however the draw is made.",
        ),
    }
)

BIN_RULES = _frozen(
    {
        "sqrt": Term("square root of the rows", "As many candidates as the square root of the ranked rows."),
        "cbrt": Term("cube root of the rows", "As many candidates as the cube root of the ranked rows."),
        "alpha": Term("10/α", "Ten candidates for every allowed miss rate: the fewest that resolve the level."),
        "prediction_sets": Term(
            "private prediction sets",
            "The number that makes thresholds smallest in a simulation of public numbers, as that paper chooses it.",
        ),
    }
)

DECAYS = _frozen(
    {
        "constant": Term("constant", "All steps are equally long."),
        "cosine": Term("falling", "Steps become shorter, along half a cosine, until the last is almost none."),
    }
)

_SUITS = "What suits the target: one for numbers, another for classes."

TRAINERS = _of_registry(ALL_TRAINERS, **{AUTO: Term("suits the target", _SUITS)})
SCORES = _of_registry(ALL_SCORES, **{AUTO: Term("suits the target", _SUITS)})
QUANTILES = _of_registry(ALL_QUANTILES)
"""Mechanisms of the private threshold; a method fixes which."""

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
        "decay": DECAYS,
    }
)
"""By settings field, then by value."""


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
    """Return the short title of a value, or the value itself where it speaks for itself.

    >>> option_title("by_group", True), option_title("bins", 100)
    ('yes', '100')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    known = OPTIONS.get(field, {})
    return known[str(value)].title if str(value) in known else str(value)
