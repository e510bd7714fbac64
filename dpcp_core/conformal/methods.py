"""The procedures that are compared, each as a recipe: which rows train, what is private, what is corrected.

>>> resolve("dpcp_paper", loss="bracket", stability="best", guarantee="certified", grid="geometric").loss
'paper'
>>> resolve("dpcp", loss="bracket", stability="split", guarantee="certified", grid="geometric").composition
'parallel'
>>> resolve("pscp", loss="bracket", stability="best", guarantee="certified", grid="geometric").composition
'basic'
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
    clips : bool
        Training without privacy still clips gradients, to tell what clipping alone costs.
    quantile : str
        Mechanism of the private quantile, a name in its registry.
    stability : str
        How ranking rows that trained is paid for; ``none`` where it is ignored.
    loss, guarantee, grid : str
        Of the private quantile; the grid ``order_statistics`` makes it not private after all.
    composition : str
        ``parallel`` (disjoint rows), ``basic`` (epsilons add up) or ``tight`` (joint privacy curve).
    """

    method: str
    splits_rows: bool
    private_training: bool
    private_quantile: bool
    clips: bool
    quantile: str
    stability: str
    loss: str
    guarantee: str
    grid: str
    composition: str

    @property
    def is_private(self) -> bool:
        """Whether everything that is released was paid for."""
        return self.private_training and self.private_quantile and self.grid != ORDER_STATISTICS


@dataclass(frozen=True)
class Method:
    """A method by name, with the choices that it fixes.

    Attributes
    ----------
    name : str
        Key in ``METHODS``.
    splits_rows, private_training, private_quantile, clips, quantile
        As in :class:`Recipe`.
    fixed : mapping of choice to value
        What a person's own choice does not change.
    compositions : tuple of str
        Ways of adding up costs that a person may choose; any other choice becomes the first.
    """

    name: str
    splits_rows: bool = False
    private_training: bool = True
    private_quantile: bool = True
    clips: bool = False
    quantile: str = "exponential"
    fixed: Mapping[str, str] = field(default_factory=dict)
    compositions: tuple[str, ...] = ("tight", "basic", "parallel")


ORDER_STATISTICS = "order_statistics"
"""The grid whose candidates are the scores themselves: what is released is somebody's exact score."""

_PAPER_THRESHOLD = {"loss": "paper", "guarantee": "paper", "grid": "uniform"}
_RIVAL = {"stability": "split", "guarantee": "paper", "grid": "uniform", "loss": "bracket"}

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
        # What clipping alone costs: no noise, but gradients as short as private training needs them.
        Method("clip_only", private_training=False, private_quantile=False, clips=True, fixed={"stability": "none"}),
        # Private split conformal prediction as the DPCP paper compares with it: budgets added. The halves are
        # disjoint, so each may as well spend all of it; a person may choose that.
        Method(
            "pscp",
            splits_rows=True,
            fixed={"stability": "split", **_PAPER_THRESHOLD},
            compositions=("basic", "parallel"),
        ),
        # Noisy binary search (P-COQS, arXiv 2507.12497) on the second half, at the zCDP of the exponential mechanism.
        Method("pcoqs", splits_rows=True, quantile="binary_search", fixed=_RIVAL, compositions=("parallel", "basic")),
        # A histogram with Laplace noise on the second half, as that paper compares with it.
        Method(
            "laplace_histogram",
            splits_rows=True,
            quantile="histogram",
            fixed=_RIVAL,
            compositions=("parallel", "basic"),
        ),
        # DPCP, Algorithm 1 of arXiv 2604.14621 to the letter.
        Method("dpcp_paper", fixed={"stability": "dp", **_PAPER_THRESHOLD, "composition": "basic"}),
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
    chosen["composition"] = _composition(chosen["composition"], entry, splits_rows)
    return Recipe(
        method=entry.name,
        splits_rows=splits_rows,
        private_training=entry.private_training,
        private_quantile=entry.private_quantile,
        clips=entry.clips,
        quantile=entry.quantile,
        **chosen,
    )


def _composition(chosen: str, entry: Method, splits_rows: bool) -> str:
    """Return how costs add up: halves that share no row never need the joint curve."""
    if "composition" in entry.fixed:
        return chosen
    if not splits_rows:
        return "tight" if chosen == "parallel" else chosen
    if entry.splits_rows:
        return chosen if chosen in entry.compositions else entry.compositions[0]
    return "parallel" if chosen == "tight" else chosen
