"""What stands around every page: the sidebar, waiting, problems, what belongs to a result."""

from __future__ import annotations

PRIVACY = (
    "A table you upload stays in the memory of this session, on the computer that runs the app. Nothing is "
    "written to disk and nothing is sent elsewhere. Closing the page forgets it within minutes."
)
RELEASE_BADGE = "Release: this spends budget for good"
RELEASE_KEPT = (
    "A table you upload stays in the memory of this session. This page also writes to the ledger: budgets, what was "
    "spent, digests, and scrambled marks of some rows, by which a near copy is noticed. Nothing is sent elsewhere."
)
FORGET_HELP = "Drops what you uploaded and everything computed from it, now."
FORGOTTEN = "Forgotten: what you uploaded, and everything computed from it."
UNTIL_TRAINED = " What the training read that was going on is dropped when it ends."
NOT_OFFERED = "The link asks for {}, which is not on offer: the page opens with its usual value instead."
OWN_TABLE_GONE = "Your table is gone: loading the page anew began another visit. Upload it again under Start."
FAILED = "The app itself failed while {} ({}); nothing you entered is lost."
TOO_LARGE = "{:,} rows, {:,} classes and {} repetitions are more than fits the memory; choose fewer repetitions."
TOO_MANY_CLASSES = (
    "The target {!r} has {} categories for {} rows: too many to learn any of them; choose another target, or "
    "bring rare ones together under one name."
)
LEAKS_ABOVE = " What is not protected stands above."
NOTHING_TO_MEND = ":material/stethoscope: **Doctor:** nothing to mend at these settings.{}"
TO_LOOK_AT = ":material/stethoscope: **Doctor:** {} to look at"
SHOWS = "It shows {} in {}: ε = {}, target coverage {}, method {}, model {}."
TRAINING = "What training looked like (simulation only)"
EXAMPLES_ALT = "Examples of held-out rows: their true class and their set"
TRAIN = "{}**{}** is trained {} on {}: about {}. You can go on meanwhile."
OTHER_SETTINGS = "This training is for settings that you have changed since. Let it end, or cancel it."
LONGER = "{}, longer than expected; it should end soon"
REPEAT = "Repeat this run in Python or on the command line"
FILES_ARE_REAL = "These files are measured on real rows: keep them as safe as the table itself."
