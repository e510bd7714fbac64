"""What each lesson lets a person move and see; its words are in the library, its order is theirs.

A lesson is one file here, one in ``dpcp_core/presentation/wording/lessons``, and a line in each registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pages.ui.lessons import budget, coverage, noise, odds, synthetic

SHOWS: Mapping[str, Callable[[], None]] = {
    "noise": noise.show,
    "odds": odds.show,
    "coverage": coverage.show,
    "budget": budget.show,
    "synthetic": synthetic.show,
}
