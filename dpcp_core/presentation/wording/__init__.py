"""Every word and number that a person reads, computed from settings and results.

>>> from dpcp_core.presentation import wording
>>> wording.moved(1.0)
'73.2 in 100'
"""

from dpcp_core.presentation.wording.controls import CONTROLS, Control
from dpcp_core.presentation.wording.glossary import GLOSSARY
from dpcp_core.presentation.wording.group_words import group_sentence, groups_sentence, groups_words
from dpcp_core.presentation.wording.hints import bins_hint, split_hint
from dpcp_core.presentation.wording.nouns import plural, row_noun
from dpcp_core.presentation.wording.numbers import count, level, number, percent, quantity
from dpcp_core.presentation.wording.odds import delta_sentence, moved, odds_sentence, posterior
from dpcp_core.presentation.wording.plain import (
    SIMULATION,
    SIMULATION_MEANING,
    certificate_sentence,
    noun_of,
    plain_words,
)
from dpcp_core.presentation.wording.readouts import (
    Readout,
    coverage_readout,
    privacy_readout,
    readouts,
    size_readout,
)
from dpcp_core.presentation.wording.regions import size_cost
from dpcp_core.presentation.wording.terms import OPTIONS, Term, option_title, term

__all__ = [
    "CONTROLS",
    "GLOSSARY",
    "OPTIONS",
    "SIMULATION",
    "SIMULATION_MEANING",
    "Control",
    "Readout",
    "Term",
    "bins_hint",
    "certificate_sentence",
    "count",
    "coverage_readout",
    "delta_sentence",
    "group_sentence",
    "groups_sentence",
    "groups_words",
    "level",
    "moved",
    "noun_of",
    "number",
    "odds_sentence",
    "option_title",
    "percent",
    "plain_words",
    "plural",
    "posterior",
    "privacy_readout",
    "quantity",
    "readouts",
    "row_noun",
    "size_cost",
    "size_readout",
    "split_hint",
    "term",
]
