"""Learn page: what are these ideas?"""

from __future__ import annotations

from pages.ui.frame import open_page
from pages.ui.panels.learn_tabs import show_learning

open_page("Learn", "What are these ideas?")
show_learning()
