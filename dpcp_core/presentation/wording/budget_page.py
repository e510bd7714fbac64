"""What the page Budget says around its controls."""

from __future__ import annotations

COVERAGE_HELP = "The share of intervals or sets that must hold the true value."
LARGEST_HELP = "The largest budget that is acceptable; larger ones are only looked at to say what would do."
WIDTH_HELP = "The mean over rows. It starts a quarter above what the same kind of model needs without privacy."
THOROUGH_HELP = "Tries several ways of sharing ε between model and threshold. Takes several times as long."
INTRODUCTION = "Say what you want, and **Find ε** looks for the smallest budget that gives it."
SEE_IT = "In use: see it on **Coverage**"
USE_HELP = "Takes it over, with the coverage wanted, into the settings of all pages."
USE_BEST_HELP = "Takes the best value over into the settings of all pages."
