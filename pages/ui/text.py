"""Text on its way to a page."""

from __future__ import annotations

import re

_SPECIAL = frozenset("\\*_{}[]<>#|~$:`")
_JOINER = "\u2060"
"""Not to be seen; keeps apart what Streamlit turns into an icon, an emoji or a link even where it is escaped."""

_TURNED = re.compile(r"(?i):(?=//)|:(?=[\w+/-]+:)|\bwww(?=\.)|@(?=\w)")
_RULE = re.compile(r"^-{30,}$", re.MULTILINE)


def escaped(text: str) -> str:
    r"""Return text so that Markdown shows it as it is, whatever a table's author put into a column's name.

    Only pairs of backticks keep their meaning: what they enclose is shown as code, where nothing else has one.

    >>> escaped("a_b [x] $y$, `c_d`")
    'a\\_b \\[x\\] \\$y\\$, `c_d`'
    >>> escaped("`a` :red[x] `")
    '\\`a\\` \\:red\\[x\\] \\`'
    >>> escaped(":material/home:").replace("\u2060", "|")
    '\\:|material/home\\:'
    """
    # A letter and its value stay on one line.
    parts = text.replace("\n", " ").replace("ε = ", "ε\u00a0=\u00a0").replace("δ = ", "δ\u00a0=\u00a0").split("`")
    # An even number of parts means that a backtick has no partner; an empty pair would swallow what follows.
    if len(parts) % 2 == 0 or "" in parts[1::2]:
        return _plain(text)
    return "".join(f"`{part}`" if place % 2 else _plain(part) for place, part in enumerate(parts))


def opening(text: str) -> str:
    """Return text as it begins a sentence.

    >>> opening("neural network")
    'Neural network'
    >>> opening("δ")
    'δ'
    """
    # A Greek capital is another symbol.
    return text if text.startswith(("ε", "δ")) else text[:1].upper() + text[1:]


def narrow(receipt: str) -> str:
    r"""Return a receipt with shorter rules: a phone would break a long one in two or three.

    >>> narrow(f"PRIVACY RECEIPT\n{88 * '-'}\nTOTAL") == f"PRIVACY RECEIPT\n{30 * '-'}\nTOTAL"
    True
    """
    return _RULE.sub("-" * 30, receipt)


def _plain(text: str) -> str:
    apart = _TURNED.sub(lambda found: f"{found[0]}{_JOINER}", text)
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in apart)
