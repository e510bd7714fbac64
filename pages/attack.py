"""Attack page: does the protection hold?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.frame import open_page
from pages.ui.panels.attack_tabs import show_attacks

open_page("Attack", "Does the protection hold?")
controls.from_link()
show_attacks()
