"""Labels, notes and titles of the page about one person, and of the sheet that is printed from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.nouns import shortened

if TYPE_CHECKING:
    from dpcp_core.data.schema import Column

FROM_SAMPLE, BY_HAND = "From the sample", "By hand"
"""Where the person comes from."""

WHO = "Who is it about?"

MATTERS = "What matters to you?"

ROW_NOTE = "Held out: neither the model nor its threshold has seen this row. Its true value is shown below."

FORM_NOTE = "What you type stays in this session. It is in no table, and it costs no privacy."

OWN_NOTE = "No row of your own table is offered here: type the values instead."

NO_TYPICAL = "Nothing typical is publicly known of some columns; they start in the middle of their range."

COLUMNS_LABEL = "Columns to fill in"

COLUMNS_HELP = "Search for a column and add it. Every other column stays at the value that the note below names."

NOT_KNOWN = "not known"

ANOTHER, CHANGE, RESET = "Another one", "Change these values", "Typical values"
"""What buttons say."""

LARGE = "Large type"

LARGE_HELP = "For a projector: the answer first, in letters that can be read from the back row."

DOTS = "Dots"

DOTS_HELP = (
    "The dots need a count of how the model errs. It is made with noise and costs as much ε as the threshold once "
    "more. Switched off, nothing more is spent."
)

NO_DOTS_HELP = "Nothing to switch: dots of classes cost nothing more."

THRESHOLD_HELP = "A limit that matters to you. Dots above it are counted."

DIFFERENCE = "Difference that matters"

DIFFERENCE_HELP = (
    "The smallest difference that would change what you do, in the unit of what is predicted. The first number is only "
    "a start."
)

UNKNOWN_TITLE = "What this does not know"

PRIVACY_TITLE = "Privacy of the people in the table"

RECEIPT = "Receipt of what is shown here"

PLAIN_TITLE = "In plain words"

SHEET = "Sheet to print (HTML)"

SHEET_NOTE = "Open it in a browser and print it: it fills one A4 page. It holds what is shown here about one person."

SHEET_TITLE = "What this means for one person"

SHEET_MARKS = "Bar: interval. Diamond: best guess. Squares: above the limit. Cross: true value, where it is known."

SHEET_KEEP = "This sheet shows one person's values: keep it as safe as their record."


def threshold_label(target: Column) -> str:
    """Return the label of the limit.

    >>> from dpcp_core.data.column import Column
    >>> threshold_label(Column("sbp", "number", unit="mmHg"))
    'How many are above this, mmHg?'
    """
    return f"How many are above this{f', {target.unit}' if target.unit else ''}?"


def row_label(place: int, noun: str) -> str:
    """Return what a held-out row is called in the list.

    >>> row_label(0, "patient")
    'Held-out patient 1'
    """
    return f"Held-out {noun} {place + 1}"


def field_label(column: Column) -> str:
    """Return the label of the field for a column: its title and its unit."""
    return say.axis(shortened(column.title), column.unit)


def field_help(column: Column) -> str:
    """Return what may be put into the field of a column.

    >>> from dpcp_core.data.column import Column
    >>> field_help(Column("age", "integer", bounds=(18, 100), typical=(35, 70), unit="years")).replace(say.FIXED, " ")
    '18 to 100 years; mostly 35 to 70 years. Empty: not known.'
    """
    if column.bounds is None:
        return f"One of {say.count(len(column.categories), 'category')}."
    mostly = f"; mostly {say.span(*column.typical, column.unit)}" if column.typical else ""
    empty = "" if column.missing == "refuse" else f" Empty: {NOT_KNOWN}."
    return f"{say.span(*column.bounds, column.unit)}{mostly}.{empty}"


def others_note(number: int, *, public: bool = True) -> str:
    """Say what the columns have that nobody filled in; "" if there is none.

    >>> others_note(2, public=False).replace(say.FIXED, " ")
    '2 other columns at the middle of their range in the file, or their first category.'
    """
    if not number:
        return ""
    its = "its" if number == 1 else "their"
    value = (
        f"{its} public typical value" if public else f"the middle of {its} range in the file, or {its} first category"
    )
    return f"{say.count(number, 'other column')} at {value}."
