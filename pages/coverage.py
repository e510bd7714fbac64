"""Coverage page: how wide must an interval be at this privacy?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.answer import answer
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels.doctor import show_doctor
from pages.ui.panels.notice import show_notice
from pages.ui.panels.pictures import show_mechanism, show_spread, show_strip
from pages.ui.panels.readouts import show_readouts
from pages.ui.panels.takeaway import show_code, show_files, show_receipt
from pages.ui.panels.words import show_effects, show_words

open_page("Coverage", "How wide must an interval be at this privacy?")

controls.main_row()
controls.more()

latest = answer(controls.settings)
show_notice(latest)

if latest.result is not None:
    with guarded("drawing the numbers"):
        show_readouts(latest.result)
    left, right = halves()
    with left, guarded("drawing the rows"):
        show_strip(latest.result)
    with right, guarded("drawing the mechanism"):
        show_mechanism(latest.result)
    left, right = halves()
    with left, guarded("putting the result into words"):
        show_words(latest.result)
    with right, guarded("examining the result"):
        show_doctor(latest.result)
        show_effects(latest.result)
    with guarded("drawing the repetitions"):
        show_spread(latest.result)
    with guarded("writing the receipt"):
        show_receipt(latest.result)
    with guarded("writing the code"):
        show_code(latest.result, latest.data)
    with guarded("preparing the files"):
        show_files(latest.result, latest.data)
