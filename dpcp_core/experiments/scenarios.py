"""Ten settings that are worth looking at together, for a class: each shows one thing.

>>> SCENARIOS["few_bins"].settings.bins, SCENARIOS["few_bins"].sample
(10, 'blood_pressure')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from dpcp_core import _validate as check
from dpcp_core.data.samples import SAMPLES
from dpcp_core.experiments.settings import ConformalSettings

Page = Literal["coverage", "compare", "budget", "synthesis"]


@dataclass(frozen=True)
class Scenario:
    """A page, a sample and what is set there; everything else is as it comes.

    Attributes
    ----------
    name : str
        Key in the registry.
    page : {"coverage", "compare", "budget", "synthesis"}
    sample : str
        What ``load_sample`` takes.
    epsilon, confidence_level, training_share, bins
        See :class:`ConformalSettings`.
    question : str
        Heading of the page that is open; "" for its first.

    Raises
    ------
    InputError
        An unknown page or sample, or a value out of range.
    """

    name: str
    page: Page
    sample: str
    epsilon: float = ConformalSettings.epsilon
    confidence_level: float = ConformalSettings.confidence_level
    training_share: float = ConformalSettings.training_share
    bins: int = 100
    question: str = ""

    def __post_init__(self) -> None:
        """Check page, sample and settings."""
        check.one_of(get_args(Page), page=self.page)
        check.one_of([sample.name for sample in SAMPLES], sample=self.sample)
        _ = self.settings

    @property
    def settings(self) -> ConformalSettings:
        """The settings that the page has when it is opened."""
        return ConformalSettings(
            epsilon=self.epsilon,
            confidence_level=self.confidence_level,
            training_share=self.training_share,
            bins=self.bins,
        )


SCENARIOS: Mapping[str, Scenario] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            Scenario("many_rows", "coverage", "blood_pressure", epsilon=0.5),
            Scenario("few_rows", "coverage", "diabetes", epsilon=0.5),
            Scenario("nothing_to_promise", "coverage", "diabetes", epsilon=0.1),
            Scenario("few_misses", "coverage", "blood_pressure", confidence_level=0.99),
            Scenario("few_bins", "coverage", "blood_pressure", bins=10),
            Scenario("all_on_the_model", "coverage", "blood_pressure", epsilon=0.25, training_share=0.9),
            Scenario("same_answer_for_all", "coverage", "readmission", confidence_level=0.8),
            Scenario("which_method", "compare", "diabetes"),
            Scenario("how_many_rows", "budget", "diabetes", epsilon=0.1, question="What is possible?"),
            Scenario("nobody_comes_back", "synthesis", "readmission"),
        )
    }
)
"""In the order to take them."""
