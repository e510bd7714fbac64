"""Release page: how do I publish one?"""

from __future__ import annotations

from pages.ui import controls, state
from pages.ui.errors import guarded
from pages.ui.frame import open_page
from pages.ui.panels.release_account import show_account, show_what
from pages.ui.panels.release_made import show_made
from pages.ui.panels.release_plan import show_plan
from pages.ui.panels.release_run import collect, show_run
from pages.ui.panels.release_use import show_use

open_page("Release", "How do I publish one?", releases=True)
controls.from_link()
collect()

data = state.current()
show_what()

account = plan = None
with guarded("opening the ledger"):
    account = show_account(data)
with guarded("planning the release"):
    plan = show_plan(data)
# What was just made stands where its progress was.
with guarded("showing what was released"):
    show_made()
with guarded("offering the release"):
    show_run(plan, account)
with guarded("using a bundle"):
    show_use()
