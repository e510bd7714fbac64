"""Coverage page: how wide must an interval be, or how large a set, at this privacy?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.answer import answer
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels.accountants import show_accountants
from pages.ui.panels.doctor import show_doctor
from pages.ui.panels.leaks import show_leaks
from pages.ui.panels.notice import show_notice
from pages.ui.panels.pictures import (
    show_classes,
    show_groups,
    show_mechanism,
    show_spread,
    show_strip,
    show_training,
)
from pages.ui.panels.readouts import show_readouts
from pages.ui.panels.takeaway import show_code, show_files, show_receipt
from pages.ui.panels.words import show_effects, show_words

open_page(
    "Coverage",
    "How wide must an interval be at this privacy?",
    of_classes="How many answers must a set hold at this privacy?",
)

controls.main_row()
controls.more()

latest = answer(controls.settings)
show_notice(latest)
with guarded("looking for leaks"):
    show_leaks(latest.question)

if latest.result is not None:
    with guarded("drawing the numbers"):
        show_readouts(latest.result)
    left, right = halves()
    with left, guarded("drawing the rows"):
        show_strip(latest.result)
    with right, guarded("drawing the mechanism"):
        show_mechanism(latest.result)
    show_classes(latest.result)
    left, right = halves()
    with left, guarded("putting the result into words"):
        show_words(latest.result)
    with right, guarded("examining the result"):
        show_doctor(latest.result)
        show_effects(latest.result)
    with guarded("drawing the repetitions"):
        show_spread(latest.result, latest.data)
    with guarded("drawing the groups"):
        show_groups(latest.result)
    with guarded("drawing the training"):
        show_training(latest.result)
    with guarded("asking the accountants"):
        show_accountants(latest.result, latest.data)
    with guarded("writing the receipt"):
        show_receipt(latest.result)
    with guarded("writing the code"):
        show_code(latest.result, latest.data)
    with guarded("preparing the files"):
        show_files(latest.result, latest.data)
