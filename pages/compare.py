"""Compare page: which method wins where?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.panels.compare import show_answer, show_boxes, show_cells, show_lines, show_pairs
from pages.ui.panels.compare_asked import ask
from pages.ui.panels.compare_files import show_files, show_how
from pages.ui.panels.compare_run import collect, fills_in, finished, show_notice, show_run

open_page("Compare", "Which method wins where?")
controls.from_link()
collect()

asked = ask()
show_run(asked)

latest = None if fills_in() else finished()
if latest is not None:
    show_notice(latest, asked)
    with guarded("naming the winner"):
        show_answer(latest.comparison)
    with guarded("drawing the methods"):
        show_lines(latest.comparison)
    with guarded("drawing the repetitions"):
        at = show_boxes(latest.comparison)
    with guarded("naming the crossings"):
        show_pairs(latest.comparison)
    with guarded("writing the table"):
        show_cells(latest.comparison)
    with guarded("preparing the files"):
        show_files(latest, at)
    show_how()
