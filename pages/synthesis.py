"""Synthesis page: is a synthetic table still useful?"""

from __future__ import annotations

from pages.ui import state, synthesis_controls
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels.synthesis import show_answer, show_columns, show_pairs, show_utility
from pages.ui.panels.synthesis_risks import show_risks
from pages.ui.panels.synthesis_rules import show_rules
from pages.ui.panels.synthesis_run import show_notice, show_run, show_thorough
from pages.ui.panels.synthesis_take import show_code, show_files, show_receipt, show_rows

open_page("Synthesis", "Is a synthetic table still useful?")

data = state.current()
with guarded("reading the settings"):
    synthesis_controls.draw(data)

latest = show_run(data)
if latest is not None:
    show_notice(latest)
    with guarded("putting the answer into words"):
        measure = show_answer(latest.result)
    left, right = halves()
    with left, guarded("drawing what models reach"):
        show_utility(latest.result, measure)
        show_thorough(data, latest)
    with right, guarded("drawing the column"):
        show_columns(latest.result)
with guarded("drawing the rules"):
    show_rules(data, latest.result if latest else None)
if latest is not None:
    with guarded("drawing the pairs"):
        show_pairs(latest.result)
    with guarded("drawing the attacks"):
        show_risks(data, latest.result)
    with guarded("showing the rows"):
        show_rows(latest.result)
    with guarded("writing the receipt"):
        show_receipt(latest.result)
    with guarded("writing the code"):
        show_code(latest.result, data, synthesis_controls.public_table(data))
    with guarded("preparing the files"):
        show_files(latest.result)
