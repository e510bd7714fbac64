"""Budget page: what do I need, how should I split it, and what is possible at all?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.frame import open_page
from pages.ui.panels.budget_tabs import show_questions

open_page("Budget", "How should I split the budget? What do I need?")
controls.from_link()
show_questions()
