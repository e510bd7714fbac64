"""Why a control changes nothing just now."""

from __future__ import annotations

NO_USE = "{} has no use for it."
SAID_BY = "{} says it already; empty that one first."
ALL_PUBLIC = "All bounds of this table are public."
NO_GROUP = 'No column of this table has the role "group"; give one that role on the Start page.'
SCORES_ARE_CANDIDATES = "The candidates are the scores themselves."
OTHER_ROWS = "Model and threshold read different rows, so each may spend all of ε."
ALL_ROWS = "All rows train, and all are ranked."
EQUAL_STEPS = "Candidates in equal steps have no finest one."
OF_NUMBERS = "Only a set of classes can be empty."
DECIDES = "{} decides it."
SPENDS_NOTHING = "{} spends nothing on privacy."
SHORTENS_NONE = "{} shortens no gradient."
EXACT_THRESHOLD = "{} takes an exact threshold."
PUBLIC_BOUND = "{} takes the public bound."
