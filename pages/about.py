"""About page: what may I believe?"""

from __future__ import annotations

from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels import about

open_page("About", "What may I believe?")

left, right = halves()
with left, guarded("writing this page"):
    about.show_promises()
with right, guarded("writing this page"):
    about.show_scope()
    about.show_sources()
