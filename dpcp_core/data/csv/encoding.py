r"""From bytes to UTF-8 text: byte-order marks, UTF-16 without one, and the encodings from before Unicode.

``charset-normalizer`` tells scripts apart (Cyrillic, Greek, Chinese ...). Among the encodings of Latin letters it
cannot choose: a Western file is as good Central European to it. That tie is settled here, by how well
each foreign letter sits in its word.

>>> to_utf8("naam;leeftijd\nZoë;31\n".encode("cp1252")).data.decode()
'naam;leeftijd\nZoë;31\n'
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from dpcp_core.data.csv.alphabets import ALPHABETS, best_alphabet, foreign_words
from dpcp_core.data.csv.letters import fitness
from dpcp_core.errors import InputError

_TITLES = {
    "utf-16-le": "UTF-16 (little-endian)", "utf-16-be": "UTF-16 (big-endian)",
    "utf-32-le": "UTF-32 (little-endian)", "utf-32-be": "UTF-32 (big-endian)",
    "cp1252": "Western European text (Windows-1252)", "mac_roman": "Western European text (Mac Roman)",
    "cp850": "Western European text (DOS, code page 850)", "cp1254": "Turkish text (Windows-1254)",
    "cp1250": "Central European text (Windows-1250)", "iso8859_2": "Central European text (ISO 8859-2)",
    "cp1251": "Cyrillic text (Windows-1251)", "koi8_r": "Cyrillic text (KOI8-R)",
    "mac_cyrillic": "Cyrillic text (Macintosh)", "cp866": "Cyrillic text (DOS, code page 866)",
    "cp1253": "Greek text (Windows-1253)", "cp1255": "Hebrew text (Windows-1255)",
    "cp1256": "Arabic text (Windows-1256)", "big5": "Chinese text (Big5)", "gb18030": "Chinese text (GB 18030)",
    "cp932": "Japanese text (Shift-JIS)", "euc_jp": "Japanese text (EUC-JP)", "cp949": "Korean text (EUC-KR)",
}  # fmt: skip
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_LATIN = ("cp1252", "mac_roman", "cp1250", "cp1254", "iso8859_2", "cp850")
_COMMON = ("cp1252", "mac_roman")
_OTHER_SCRIPTS = [*ALPHABETS, "big5", "gb18030", "cp932", "euc_jp", "cp949"]
_GOOD_FIT = 1.0  # below this, hardly a letter outside ASCII has a place in its word
_SAMPLE, _AROUND = 20_000, 400
# The first byte of a letter in UTF-8 and a second one, both as Windows-1252 shows them.
_TWICE = re.compile(
    "[\u00c2-\u00c5][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)
_LOOKED_AT, _FEW_PAIRS = 200_000, 4
# Some programs put a unit separator before a code, so that a spreadsheet keeps it as text.
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1a\x7f]")
# As UTF-8, and as UTF-8 that was read as Western European text and saved once more.
_MARK_IN_TEXT = re.compile(b"(?m)^(?:\xef\xbb\xbf|\xc3\xaf\xc2\xbb\xc2\xbf)+")


@dataclass(frozen=True)
class Text:
    """A file's text as UTF-8 bytes, with line feeds between lines.

    Attributes
    ----------
    data : bytes
    notes : tuple of str
        What was guessed or repaired.
    """

    data: bytes
    notes: tuple[str, ...] = ()


def to_utf8(data: bytes, *, encoding: str | None = None, title: str = "The file") -> Text:
    """Decode bytes of an unknown encoding.

    Parameters
    ----------
    data
        The contents of a file.
    encoding
        Its encoding, where known; guessed otherwise.
    title
        What a sentence about the file begins with.

    Raises
    ------
    InputError
        If the encoding is unknown or does not fit, or the bytes are not text.
    """
    notes: list[str] = []
    text = _decoded(data, title, notes) if encoding is None else _decoded_as(data, encoding, title)
    text = _without_nul(text, notes)
    _refuse_binary(text, title)
    if _looks_twice_encoded(text[:_LOOKED_AT]):
        notes.append("Letters with accents look as if they were saved in the wrong encoding before (Ã¤ for ä).")
    return Text(_without_marks(_with_plain_lines(text, notes), notes), tuple(notes))


def _looks_twice_encoded(text: bytes) -> bool:
    """Whether most letters outside ASCII are pairs that UTF-8 gives when it is read as Western European text."""
    found = re.findall("[^\x00-\x7f]+", text.decode("utf-8", "ignore"))
    pairs = sum(len(_TWICE.findall(part)) * 2 for part in found)
    return pairs >= _FEW_PAIRS and pairs * 2 > sum(map(len, found))


def _decoded_as(data: bytes, encoding: str, title: str) -> bytes:
    try:
        text = data.decode(encoding)
    except (LookupError, TypeError):
        raise InputError(f"There is no encoding {encoding!r}; try utf-8, cp1252 or utf-16.") from None
    except (UnicodeError, ValueError):
        raise InputError(f"{title} is not in the encoding {encoding!r}; leave it out to have it guessed.") from None
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


def _decoded(data: bytes, title: str, notes: list[str]) -> bytes:
    mark, marked = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    body = data[len(mark) :] if mark else data
    wide = marked if marked != "utf-8" else ""
    wide = wide or ("" if marked else _wide_without_mark(data))
    if wide:
        notes.append(f"The text is {_TITLES[wide]}.")
        return _decoded_wide(body, wide, title)
    if body.isascii() or _is_utf8(body):
        return body
    if marked or _is_damaged_utf8(body):
        return _repaired_utf8(body, notes)
    return _decoded_legacy(body, notes)


def _decoded_wide(body: bytes, encoding: str, title: str) -> bytes:
    try:
        return body.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError:
        raise InputError(
            f"{title} begins like {_TITLES[encoding]} but is damaged or cut short; save it again as UTF-8."
        ) from None


def _wide_without_mark(data: bytes) -> str:
    """Tell UTF-16 by its zero bytes: separators, digits and line ends have one on the same side each."""
    head = data[:4096]
    pairs = len(head) // 2
    first, second = head[: 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if pairs < 4 or len(data) % 2 or max(first, second) < 0.1 * pairs or min(first, second) > 0.01 * pairs:
        return ""
    encoding = "utf-16-be" if first > second else "utf-16-le"
    try:
        text = data.decode(encoding)
    except UnicodeError:
        return ""
    return encoding if "\n" in text or "\r" in text else ""


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged_utf8(body: bytes) -> bool:
    """Tell UTF-8 with a few wrong bytes from an older encoding, where sequences that fit are rare accidents."""
    foreign = sum(map(len, re.findall(rb"[\x80-\xff]+", body)))
    wrong = body.decode("utf-8", "replace").count("\ufffd")
    return wrong * 10 < foreign


def _repaired_utf8(body: bytes, notes: list[str]) -> bytes:
    text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    line = text.count("\n", 0, text.index("\ufffd")) + 1
    notes.append(f"{_times(wrong, 'place')} of the UTF-8 text could not be read (the first in line {line:,}).")
    return text.encode()


def _decoded_legacy(body: bytes, notes: list[str]) -> bytes:
    sample = _foreign_part(body)
    encoding = _legacy_encoding(sample)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        text = body.decode(encoding, "replace")
        wrong = text.count("\ufffd")
        notes.append(f"{_times(wrong, 'character')} could not be read.")
    notes.append(f"The text is not UTF-8 and was read as {_TITLES[encoding]}; check the letters beyond A to Z.")
    return text.encode()


def _foreign_part(body: bytes) -> bytes:
    """Return the first lines that go beyond ASCII, cut to a size that can be looked at closely."""
    lines, size = [], 0
    end = 0
    for found in re.finditer(rb"[\x80-\xff]", body):
        if found.start() < end:
            continue
        before, after = body[max(end, found.start() - _AROUND) : found.start()], body[found.start() :][:_AROUND]
        lines.append(re.split(rb"[\r\n]", before)[-1] + re.split(rb"[\r\n]", after)[0])
        end = found.start() + len(re.split(rb"[\r\n]", after)[0])
        size += len(lines[-1])
        if size > _SAMPLE:
            break
    return b"\n".join(lines)


def _legacy_encoding(sample: bytes) -> str:
    words = foreign_words(sample)
    if words and (found := best_alphabet(words)):
        return found
    fits = {name: fitness(sample, name) for name in _LATIN}
    # max() takes the first of equals, and the list goes from common to rare.
    best = max(_LATIN, key=lambda name: fits[name])
    if fits[best] >= _GOOD_FIT:
        return best
    foreign, plain = (len(re.findall(letters, sample)) for letters in (rb"[\x80-\xff]", rb"[A-Za-z]"))
    found = _other_script(sample) if foreign * 10 > plain else ""
    return found or max(_COMMON, key=lambda name: fits[name])


def _other_script(sample: bytes) -> str:
    # Few words between many separators look like noise; each word once may still tell.
    words = b" ".join(sorted({*re.findall(rb"[\x80-\xff]+", sample)}))
    names = _fitting(sample, _OTHER_SCRIPTS) or _fitting(words, [*ALPHABETS])
    if len(names) > 1 and names[0] == "cp949":
        # Korean is written in Hangul; many Chinese characters are another language's, read wrongly.
        text = sample.decode("cp949", "ignore")
        if len(re.findall(r"[가-힣]", text)) < 5 * len(re.findall(r"[\u4e00-\u9fff\uf900-\ufaff]", text)):
            return names[1]
    return names[0] if names else ""


def _fitting(sample: bytes, among: list[str]) -> list[str]:
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=among, enable_fallback=False, preemptive_behaviour=False)
    return [match.encoding for match in found if match.encoding in among]


def _without_nul(text: bytes, notes: list[str]) -> bytes:
    count = text.count(0) if b"\0" in text else 0
    if count and count * 20 < len(text):
        notes.append(f"{_times(count, 'NUL byte')} {'was' if count == 1 else 'were'} removed.")
        return text.replace(b"\0", b"")
    return text


def _without_marks(text: bytes, notes: list[str]) -> bytes:
    """Take out byte-order marks at the beginnings of lines, where files were joined or saved twice."""
    stripped, count = _MARK_IN_TEXT.subn(b"", text)
    if count:
        notes.append(f"{_times(count, 'byte-order mark')} inside the text {'was' if count == 1 else 'were'} removed.")
    return stripped


def _refuse_binary(text: bytes, title: str) -> None:
    head = text[:100_000]
    if b"\0" in text or len(_CONTROLS.findall(head)) > max(2, len(head) // 100):
        raise InputError(f"{title} is not text but binary data; save the table as CSV.")


def _with_plain_lines(text: bytes, notes: list[str]) -> bytes:
    text = text.rstrip(b"\x1a")
    if b"\r" not in text:
        return text
    if b"\r\r\n" in text:
        text = text.replace(b"\r\r\n", b"\r\n")
    lone = text.count(b"\r") - text.count(b"\r\n")
    if b"\n" not in text:
        notes.append("Lines end the old Macintosh way, with carriage returns.")
        return text.replace(b"\r", b"\n")
    if 0 < lone * 10 <= text.count(b"\n"):
        verb = "was" if lone == 1 else "were"
        notes.append(f"{_times(lone, 'carriage return')} inside cells {verb} replaced by blanks.")
        return re.sub(rb"\r(?!\n)", b" ", text)
    return text


def _times(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{count:,} {thing}s"
