"""The library's own sentences in the words of a page: names of controls in place of names of parameters.

>>> on_page('Take method = "dpcp"; noise_multiplier was set by hand.')
'Take “DPCP, certified” under “Method”; “Noise multiplier” was set by hand.'
>>> on_page("With n = 30, epsilon = 1 and 100 bins nothing narrower can be certified; it needs n >= 1931.")
'With 30 rows, ε = 1 and 100 bins nothing narrower can be certified; it needs 1,931 rows or more.'
>>> on_page("Leave those rows out (leave_out_empty='bp'), or choose another target.")
'Leave those rows out, or choose another target.'
"""

from __future__ import annotations

import re

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.terms import OPTIONS, option_title
from dpcp_core.synthesis.attributes import ATTRIBUTES

_CHOICE = re.compile(r"\b([a-z_]+) ?= ?([\"'])([a-z_]+)\2")
_FIELD = re.compile(r"(?<!['\"“])\b[a-z]+_[a-z_]+\b")
# A page has a button for it.
_AS_ARGUMENT = re.compile(r" \(leave_out_empty=(?:'.*?'|\".*?\")\)")
_AT_LEAST = re.compile(r"\bn >= (\d[\d,]*\d|\d)")
_ROWS = re.compile(r"\bn = (\d[\d,]*\d|\d)")
_GREEK = re.compile(r"(?<!['\"“])\b(epsilon|delta)\b")
_LETTERS = {"epsilon": "ε", "delta": "δ"}


def on_page(text: str) -> str:
    """Return a sentence of the library as a page says it; names in quotes may be a table's and stay as they are.

    Parameters
    ----------
    text : str
        Such as the message of an ``InputError``, or the fix of a leak.
    """
    text = _CHOICE.sub(_choice, _AS_ARGUMENT.sub("", text))
    text = _FIELD.sub(lambda found: f"“{CONTROLS[found[0]].label}”" if found[0] in CONTROLS else found[0], text)
    text = _AT_LEAST.sub(lambda found: f"{_whole(found[1])} rows or more", text)
    text = _ROWS.sub(lambda found: f"{_whole(found[1])} rows", text)
    return _GREEK.sub(lambda found: _LETTERS[found[1]], text)


def _choice(found: re.Match[str]) -> str:
    field, value = found[1], found[3]
    if field == "attributes" and value in ATTRIBUTES:
        return f"“{ATTRIBUTES[value].title}” under “Columns”"
    if field in CONTROLS and value in OPTIONS.get(field, {}):
        return f"“{option_title(field, value)}” under “{CONTROLS[field].label}”"
    return found[0]


def _whole(digits: str) -> str:
    return say.whole(int(digits.replace(",", "")))
