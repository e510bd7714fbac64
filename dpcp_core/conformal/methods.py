"""The procedures that are compared, each as a recipe: which rows train, what is private, what is corrected.

>>> resolve("dpcp_paper", loss="bracket", stability="best", guarantee="certified", grid="geometric").loss
'paper'
>>> resolve("dpcp", loss="bracket", stability="split", guarantee="certified", grid="geometric").composition
'parallel'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """What a method does, fully decided.

    Attributes
    ----------
    method : str
    splits_rows : bool
        One part of the rows trains, the other is ranked.
    private_training, private_quantile : bool
        Whether each step is paid for.
    stability : str
        How ranking rows that trained is paid for; ``none`` where it is ignored.
    loss, guarantee, grid : str
        Of the private quantile.
    composition : str
        ``parallel`` (disjoint rows), ``basic`` (epsilons add up) or ``tight`` (joint privacy curve).
    """

    method: str
    splits_rows: bool
    private_training: bool
    private_quantile: bool
    stability: str
    loss: str
    guarantee: str
    grid: str
    composition: str

    @property
    def is_private(self) -> bool:
        """Whether everything that is released was paid for."""
        return self.private_training and self.private_quantile


@dataclass(frozen=True)
class Method:
    """A method by name, with the choices that it fixes.

    Attributes
    ----------
    name : str
        Key in ``METHODS``.
    splits_rows, private_training, private_quantile : bool
        As in :class:`Recipe`.
    fixed : mapping of choice to value
        What a person's own choice does not change.
    """

    name: str
    splits_rows: bool = False
    private_training: bool = True
    private_quantile: bool = True
    fixed: Mapping[str, str] = field(default_factory=dict)


_AS_PUBLISHED = {"loss": "paper", "guarantee": "paper", "grid": "uniform", "composition": "basic"}

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        # Full data, no privacy: how narrow the interval could be.
        Method("oracle", private_training=False, private_quantile=False, fixed={"stability": "none"}),
        # Split conformal prediction without privacy (Papadopoulos et al. 2002).
        Method("split", splits_rows=True, private_training=False, private_quantile=False, fixed={"stability": "split"}),
        # A private model with its own residuals' plain quantile: neither private nor covered.
        Method("naive", private_quantile=False, fixed={"stability": "none"}),
        # "Differential CP" of arXiv 2604.14621: the level is corrected, the quantile is not private.
        Method("differential", private_quantile=False, fixed={"stability": "dp"}),
        # Private split conformal prediction as that paper compares with it, budgets added.
        Method("pscp", splits_rows=True, fixed={"stability": "split", **_AS_PUBLISHED}),
        # DPCP, Algorithm 1 of arXiv 2604.14621 to the letter.
        Method("dpcp_paper", fixed={"stability": "dp", **_AS_PUBLISHED}),
        # The same idea with the losses, levels and composition that a person chooses.
        Method("dpcp"),
    )
}


def resolve(method: str, *, loss: str, stability: str, guarantee: str, grid: str, composition: str = "tight") -> Recipe:
    """Return the recipe of a method with these choices; what the method fixes wins.

    Parameters
    ----------
    method : str
        Key in ``METHODS``.
    loss, stability, guarantee, grid, composition : str
        Fields of :class:`dpcp_core.conformal.choices.ConformalChoices`, already checked.
    """
    entry = METHODS[method]
    chosen = {
        "loss": loss,
        "stability": stability,
        "guarantee": guarantee,
        "grid": grid,
        "composition": composition,
    }
    chosen |= entry.fixed
    splits_rows = entry.splits_rows or chosen["stability"] == "split"
    if splits_rows and "composition" not in entry.fixed:
        chosen["composition"] = "parallel"
    return Recipe(
        method=entry.name,
        splits_rows=splits_rows,
        private_training=entry.private_training,
        private_quantile=entry.private_quantile,
        **chosen,
    )
