"""Links that open a page with the settings of a scenario."""

from __future__ import annotations

from urllib.parse import urlencode

from dpcp_core.experiments.scenarios import Scenario
from pages.ui import state
from pages.ui.controls import keys
from pages.ui.panels.budget_tabs import TAB

_IN_URL = (keys.EPSILON, keys.COVERAGE, keys.SHARE, keys.BINS)


def script_of(scenario: Scenario) -> str:
    """Return the script of the scenario's page."""
    return f"pages/{scenario.page}.py"


def query_of(scenario: Scenario) -> dict[str, str]:
    """Return what the link says: the sample's title, what is not as it comes, and the heading that is open.

    >>> from dpcp_core.experiments.scenarios import SCENARIOS
    >>> query_of(SCENARIOS["few_misses"])
    {'sample': 'Blood pressure', 'coverage': '99'}
    """
    values = keys.widget_values(
        {
            field: getattr(scenario.settings, field)
            for field in ("epsilon", "confidence_level", "training_share", "bins")
            if getattr(scenario.settings, field) != getattr(keys.DEFAULTS, field)
        }
    )
    named = {state.SOURCE: state.source_label(scenario.sample)}
    settings = {name: f"{value:g}" for name, value in values.items() if name in _IN_URL}
    return named | settings | ({TAB: scenario.question} if scenario.question else {})


def address_of(scenario: Scenario) -> str:
    """Return the link's end, behind the address of the app.

    >>> from dpcp_core.experiments.scenarios import SCENARIOS
    >>> address_of(SCENARIOS["few_misses"])
    'coverage?sample=Blood+pressure&coverage=99'
    """
    return f"{scenario.page}?{urlencode(query_of(scenario))}"
