"""Start page: what is this, and which data?"""

from __future__ import annotations

from pages.ui import controls
from pages.ui.answer import answer
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.layout import halves
from pages.ui.panels.leaks import show_leaks
from pages.ui.panels.notice import show_notice
from pages.ui.panels.pictures import show_strip
from pages.ui.panels.readouts import show_readouts
from pages.ui.panels.welcome import show_bring_your_own, show_presets, show_purpose, show_samples, show_way_on
from pages.ui.panels.words import show_words

open_page("Start", "How sure can a prediction be when nobody may be exposed?")
controls.from_link()
show_purpose()

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
    with right, guarded("putting the result into words"):
        show_words(latest.result)
        show_way_on()

with guarded("offering presets"):
    show_presets()
show_samples()
show_bring_your_own()
