"""Controls and what they stand for: ``keys`` (where a setting lives), ``link`` (what an address asks for), ``reading``
(widgets -> frozen settings), ``widgets`` (one for each kind of setting), ``rows`` (what is drawn where).
"""

from pages.ui.controls.keys import AS_SLIDER, apply, change_label, widget_values
from pages.ui.controls.link import from_link
from pages.ui.controls.reading import idle, settings
from pages.ui.controls.rows import main_row, more

__all__ = ["AS_SLIDER", "apply", "change_label", "from_link", "idle", "main_row", "more", "settings", "widget_values"]
