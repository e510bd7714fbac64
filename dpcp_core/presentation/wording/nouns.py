"""What one row stands for, as a noun in the right number, whatever way somebody has typed it.

>>> row_noun("one patient"), plural(row_noun("Each row is one hospital stay."))
('patient', 'hospital stays')
"""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST = 60
"""Letters of a name that are shown; a longer one ends with an ellipsis."""

_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women", "datum": "data"}
_SINGULAR = {many: one for one, many in _IRREGULAR.items()}
_UNCHANGED = frozenset({"series", "species", "sheep", "fish"})
_LINKS = frozenset(
    {"of", "in", "at", "with", "without", "for", "per", "from", "on", "by", "to", "during", "who", "that", "which"}
)
_ROW_IS = re.compile(
    r"(?i)(?:(?:each|every|a|one|the|1)\s+)?rows?(?:\s+(?:is|are|stands?\s+for|means?|represents?)\s+|\s*[=:]\s*)"
)
_ONE = re.compile(r"(?i)(?:one|an?|1|single|each|every)\s+")
_SOME = re.compile(r"(?i)(?:one\s+of\s+)?(?:the|our|these|all)\s+")
_PER_ROW = re.compile(r"(?i)\s+(?:per|in\s+each|on\s+each|in\s+a)\s+(?:row|line)$")


def row_noun(one_row_is: str) -> str:
    """Return the noun of what one row stands for; "row" if nobody has said it.

    >>> row_noun("one patient"), row_noun("an abalone"), row_noun("")
    ('patient', 'abalone', 'row')
    >>> row_noun("Patients"), row_noun("one row is one visit"), row_noun("1 person per row")
    ('patient', 'visit', 'person')
    """
    text = _PER_ROW.sub("", _ROW_IS.sub("", " ".join(one_row_is.split()).strip(" .:;!"), count=1))
    many = _SOME.sub("", text, count=1)
    bare = many
    while _ONE.match(bare):
        bare = _ONE.sub("", bare, count=1)
    if bare.lower() in ("", "one", "a", "1"):
        return "row"
    if bare == many:  # nobody said "one", so it may be a plural
        bare = _with_head(bare, _singular_word)
    first = bare.partition(" ")[0]
    if first.isalpha() and first == first.capitalize():
        bare = bare[0].lower() + bare[1:]
    return shortened(bare)


def plural(noun: str) -> str:
    """Return the plural of an English noun, also of one that is followed by "of ...".

    >>> plural("patient"), plural("visit of one patient"), plural("country"), plural("day"), plural("person")
    ('patients', 'visits of one patient', 'countries', 'days', 'people')
    >>> plural("hospital stay"), plural("branch"), plural("diagnosis"), plural("patient (adult)")
    ('hospital stays', 'branches', 'diagnoses', 'patients (adult)')
    """
    return _with_head(noun, _plural_word)


def shortened(name: str, longest: int = LONGEST) -> str:
    """Return a name that fits into a sentence: cut, with an ellipsis, where it is too long.

    >>> shortened("Systolic blood pressure"), shortened("abcdef", 4)
    ('Systolic blood pressure', 'abc…')
    """
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def _with_head(noun: str, change: Callable[[str], str]) -> str:
    words = noun.split(" ")
    ends = (i for i, word in enumerate(words) if i > 0 and (word.lower() in _LINKS or word.startswith("(")))
    head = next(ends, len(words)) - 1
    words[head] = change(words[head])
    return " ".join(words)


def _plural_word(word: str) -> str:
    low = word.lower()
    if low in _IRREGULAR or low in _UNCHANGED:
        return _IRREGULAR.get(low, word)
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if low.endswith("sis"):
        return f"{word[:-2]}es"
    return f"{word}es" if low.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def _singular_word(word: str) -> str:
    low = word.lower()
    if low in _SINGULAR or low in _UNCHANGED:
        return _SINGULAR.get(low, word)
    if low.endswith("ies") and len(low) > 4:
        return f"{word[:-3]}y"
    if low.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if low.endswith(("noses", "lyses", "theses")):
        return f"{word[:-2]}is"
    return word[:-1] if low.endswith("s") and not low.endswith(("ss", "us", "is")) else word
