"""Marks that stand for a missing value, and where each is taken for one.

Among numbers, anything that is known as such a mark counts as missing. Among text the rule is stricter, for
``None`` or ``nk`` may well be an answer: only marks that are never words count.

>>> is_mark("n/a"), is_mark("North")
(True, False)
"""

from __future__ import annotations

from collections.abc import Set

FORMAL = frozenset(
    {
        "?", "??", "???", "N/A", "N/a", "n/a", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "NULL", "null", "<NA>",
        "-", "--", "---", "–", "—", ".", "..", "...", "…",
        "#DIV/0!", "#VALUE!", "#REF!", "#NULL!", "#NUM!", "#NAME?", "#SPILL!", "#CALC!", "#GETTING_DATA", "#FIELD!",
        "#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#ÜBERLAUF!",
        "#VALEUR!", "#NOMBRE!", "#NOM?", "#NUL!",
        "#N/D", "#¡VALOR!", "#¡REF!", "#¡NUM!", "#¡NULO!", "#¡DIV/0!", "#¿NOMBRE?", "#VALOR!", "#NOME?",
        "#VALORE!", "#RIF!", "#N/B", "#WAARDE!", "#VERW!", "#GETAL!", "#NAAM?", "#DEEL/0!",
        "#Н/Д", "#ДЕЛ/0!", "#ЗНАЧ!", "#ССЫЛКА!", "#ЧИСЛО!", "#ИМЯ?", "#ПУСТО!",
        "#DZIEL/0!", "#ARG!", "#ADR!", "#LICZBA!", "#NAZWA?", "#ZERO!",
        "#I/T", "#SAKNAS!", "#DIVISION/0!", "#VÆRDI!", "#VERDI!", "#VÄRDEFEL!", "#REFERENS!",
        "#ERROR!", "#UNKNOWN!", "#BLOCKED!", "#CONNECT!", "#BUSY!", *(f"Err:{code}" for code in range(501, 541)),
        "\\N", "(null)", "(NULL)", "[null]", "[NULL]", "<null>", "<NULL>", "NaT",
        *("#" * width for width in range(4, 16)),
    }
)  # fmt: skip
"""Missing in every column. Spreadsheets write errors in their owner's language, databases have words of their own."""

NOT_AVAILABLE = "NA"
"""Missing among text too, where the same file uses it among numbers."""

INFORMAL = frozenset(
    {
        "n.a.", "n.a", "none", "nil", "unknown", "unk", "missing", "nk", "n.k.", "n/k", "not known",
        "not available", "not recorded", "no data", "*", "**", ":", "k.a.", "keine angabe", "n.d.", "s/d",
        "(blank)", "(empty)", "(leer)",
    }
)  # fmt: skip
"""Missing among numbers, a category among text; in small letters."""

_NAS = (NOT_AVAILABLE, "na")  # but Na is sodium
_AMONG_NUMBERS = frozenset({"na", "nd", "inf", "+inf", "-inf", "infinity", "-infinity", "+infinity"})
FOLDED = INFORMAL | _AMONG_NUMBERS | frozenset(mark.lower() for mark in FORMAL)
"""Every mark there is, in small letters."""


def is_mark(cell: str) -> bool:
    """Whether a cell holds what can stand for a missing number."""
    return cell.lower() in FOLDED


def marks_in_text(values: Set[str], *, na_is_missing: bool, categories: frozenset[str]) -> frozenset[str]:
    """Return which of a text column's values are marks.

    Parameters
    ----------
    values
        The column's different values.
    na_is_missing
        Whether ``NA`` stands for a missing number elsewhere in the file.
    categories
        Values that a schema declares: never marks.

    >>> sorted(marks_in_text(frozenset({"a", "?", "None"}), na_is_missing=False, categories=frozenset()))
    ['?']
    """
    marks = FORMAL | {NOT_AVAILABLE} if na_is_missing else FORMAL
    if "+" in values or "++" in values:
        marks = marks - {"-", "--", "---"}  # the results of a test: positive and negative
    return frozenset(marks & values) - categories


def doubtful_in_text(values: Set[str], *, categories: frozenset[str]) -> frozenset[str]:
    """Return which of a text column's values may stand for a missing one, though they are kept."""
    return frozenset(value for value in values if value in _NAS or value.lower() in INFORMAL) - categories
