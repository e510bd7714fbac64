"""How well the letters outside ASCII sit in their words, under a supposed encoding of Latin script.

>>> fitness("Größe".encode("cp1252"), "cp1252") > fitness("Größe".encode("cp1252"), "mac_roman")
True
"""

from __future__ import annotations

_WEST = "éèêëàâäáåãæçíîïìñóôöòõøúùûüýÿßœ", "ÉÈÊËÀÂÄÁÅÃÆÇÍÎÏÑÓÔÖÕØÚÛÜ"
_CENTRE = "ąćęłńóśźżáčďéěíňřšťúůýžőűäöüôâîëđß", "ĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽŐŰÄÖÜÔÂÎĐ"
_TURKISH = "çğıöşüâîû", "ÇĞİÖŞÜ"
_LETTERS = {
    "cp1252": _WEST, "mac_roman": _WEST, "cp850": _WEST,
    "cp1250": _CENTRE, "iso8859_2": _CENTRE, "cp1254": _TURKISH,
}  # fmt: skip
# Encodings that are rare today need better evidence than the two that are common.
_HANDICAP = {"cp850": 0.25, "cp1250": 0.1, "iso8859_2": 0.15, "cp1254": 0.1}
_QUOTES_OPEN, _QUOTES_CLOSE = "‘“„«", "’”“»"
_SIGNS = "–—…°€£§©®™²³½¼¾ªº\xa0µ±×•·¡¿†"
_RIGHT, _FAIR, _POOR, _WRONG = 3.0, 2.0, 0.0, -3.0


def fitness(sample: bytes, encoding: str) -> float:
    """Return the mean plausibility of the sample's letters outside ASCII, from -3 (none fits) to 4.

    Parameters
    ----------
    sample
        Part of a file, with at least one byte above 127.
    encoding
        One of cp1252, mac_roman, cp850, cp1250, iso8859_2, cp1254.
    """
    text = sample.decode(encoding, "replace")
    lower, upper = _LETTERS[encoding]
    padded = f" {text} "
    marks = [
        _plausible(padded[i - 1], padded[i], padded[i + 1], lower, upper)
        for i in range(1, len(padded) - 1)
        if padded[i] > "\x7f"
    ]
    return sum(marks) / len(marks) - _HANDICAP.get(encoding, 0.0) if marks else _POOR


def _plausible(before: str, character: str, after: str, lower: str, upper: str) -> float:
    if character in lower or character in upper:
        return _letter(before, character, after, small=character in lower)
    if character in _QUOTES_OPEN or character in _QUOTES_CLOSE:
        return _quote(before, character, after)
    if character in _SIGNS:
        return _sign(before, character, after)
    return _WRONG


def _letter(before: str, character: str, after: str, *, small: bool) -> float:
    if not small and before.islower():
        return _WRONG + 1
    foreign = sum(other > "\x7f" and other.isalpha() for other in (before, after))
    if foreign:
        # Two such letters may meet (Größe); a row of them is another script, read wrongly.
        return _FAIR if foreign == 1 and (before + after).isalpha() else _POOR - foreign + small
    if character == "õ" and after not in "eis":
        return _FAIR - 1  # the Portuguese letter is followed by one of these; elsewhere it stands for ő or ø
    if not before.isalpha() and not after.isalpha():
        # A word of one letter (à, é, ó) stands between blanks; anything else is an accident.
        return 1.0 if before in " ,;\t\n" and after in " ,;\t\n" else _WRONG + 1
    return _RIGHT


def _quote(before: str, character: str, after: str) -> float:
    if character == "’" and before.isalpha() and after.isalpha():
        return _RIGHT + 1
    opens = character in _QUOTES_OPEN and not before.isalnum() and after.isalnum()
    closes = character in _QUOTES_CLOSE and not before.isspace() and not after.isalnum()
    return _RIGHT + 1 if opens or closes else _WRONG


def _sign(before: str, character: str, after: str) -> float:
    if character in "–—…":
        return _WRONG if before.isalpha() and after.isalpha() else _RIGHT + 0.5
    if character in "¡¿":
        return _FAIR if not before.isalnum() and after.isalpha() else _WRONG
    if character in "€£":
        return _RIGHT + 0.5 if before.isdigit() or after.isdigit() else _POOR
    if character in "°ªº":
        return _RIGHT if before.isdigit() or before.isspace() else _POOR - 1
    return _FAIR if not (before.isalpha() and after.isalpha()) else _WRONG
