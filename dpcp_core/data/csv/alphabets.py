"""Which encoding makes words of a foreign script most likely: Cyrillic, Greek, Hebrew or Arabic.

A table has few words, and too little text for a detector of languages. But each of these scripts has its own common
letters, and under a wrong encoding common letters turn into rare ones, small letters into capitals inside a word.

>>> best_alphabet(["возраст".encode("koi8_r"), "пол".encode("koi8_r")])
'koi8_r'
>>> best_alphabet(["זכר".encode("cp1255"), "נקבה".encode("cp1255")])
'cp1255'
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection

# Letters from common to rare.
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўјљњћђџ"
_GREEK = "αοιετσνηρυκπςλμωδίόάέγήχθύφώβξζψϊϋΐΰ"
_HEBREW = "יוהלאמרתבשנחכדקםעפגטןזסצךףץ"
_ARABIC = "اليمنوترةبعدسفهكحقجشطصخأىزضغثإءذئآظؤپچگ"
_LETTERS = {
    "cp1251": _CYRILLIC, "koi8_r": _CYRILLIC, "cp866": _CYRILLIC, "mac_cyrillic": _CYRILLIC,
    "cp1253": _GREEK, "cp1255": _HEBREW, "cp1256": _ARABIC,
}  # fmt: skip
ALPHABETS = tuple(_LETTERS)
"""From common to rare where two fit equally."""

_FIRST, _DECAY = 0.11, 0.89  # the commonest letter's share of a text, and that of each next one to the one before
_SIGN, _FOREIGN, _ODD_CASE = math.log(0.003), math.log(1e-4), math.log(0.01)
_SIGNS = "«»–—№°…„“”’\u00a0"
_HEBREW_FINALS = "םןךףץ"
_GOOD = math.log(0.02)  # real words reach this on average, random bytes do not
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_LONG = 3  # letters; in Latin script hardly ever are so many in a row outside ASCII


def foreign_words(sample: bytes) -> list[bytes]:
    """Return the different words of a text that lie wholly outside ASCII, if they are most of those that do in part.

    Parameters
    ----------
    sample
        Part of a file in an unknown encoding of one byte a letter.
    """
    # One sign again and again, such as three for a high price, is no word.
    words = {word for word in _WORD.findall(sample) if len(word) >= _LONG and len({*word}) > 1}
    foreign = sorted(word for word in words if min(word) > 0x7F)
    return foreign if len(foreign) * 2 > len(words) else []


def best_alphabet(words: Collection[bytes]) -> str:
    """Return the encoding under which words are most likely, or "" if they are unlikely under each.

    Parameters
    ----------
    words
        At least one, each of bytes above 127 alone.
    """
    likely = {name: _likelihood(words, name) for name in ALPHABETS}
    best = max(ALPHABETS, key=lambda name: likely[name])
    return best if likely[best] > _GOOD else ""


def _likelihood(words: Collection[bytes], encoding: str) -> float:
    """Return the mean logarithm of the probability of a letter."""
    order = {letter: math.log(_FIRST * _DECAY**rank) for rank, letter in enumerate(_LETTERS[encoding])}
    marks = [mark for word in words for mark in _marks(word.decode(encoding, "replace"), order)]
    return sum(marks) / len(marks)


def _marks(word: str, order: dict[str, float]) -> list[float]:
    marks = []
    for before, letter in zip(" " + word, word, strict=False):
        if letter.casefold() in order or letter in order:
            marks.append(order.get(letter, order.get(letter.casefold(), _FOREIGN)))
        else:
            marks.append(_SIGN if letter in _SIGNS else _FOREIGN)
        # A capital after a small letter, and letters after one that only ends words.
        if (before.islower() and letter.isupper()) or before in _HEBREW_FINALS:
            marks[-1] += _ODD_CASE
    return marks
