"""What the Release page says: a table's account, what is published, what it costs, and that it is for good.

>>> budget_text(PrivacyBudget(2.0, 1e-5)).replace(say.FIXED, " ")
'ε = 2, δ = 1 in 100,000'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.synthesis_page import CONTROLS as SYNTHESIS_CONTROLS
from dpcp_core.presentation.wording.synthesis_page import settings_line
from dpcp_core.presentation.wording.terms import option_title
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Account, NearTable, Spending
from dpcp_core.synthesis.settings import SynthesisSettings
from dpcp_core.training.protocol import TrainingChoices

LEAD = (
    "A release is drawn once, from all rows, with noise that nobody can repeat, and may then leave the building. What "
    "it costs is written into the ledger before the first draw, and never comes back."
)
REHEARSAL = (
    "**A rehearsal.** This table is a sample, and samples are public: nobody's privacy is spent. All steps are the "
    "real ones, but the ledger is one for practice, which ends with this session. Upload a table of your own to "
    "release."
)

ACCOUNT = "The account of this table"
NO_BUDGET = (
    "Nobody has set a budget for this table yet. Its owner decides how much all releases of it together may cost."
)
NO_BUDGET_SHARED = (
    "Nobody has set a budget for this table yet. This app is shared, so budgets are not set from a browser: the owner "
    "of the table sets one on the server."
)
RAISED_ELSEWHERE = "This app is shared: the owner of the table changes its budget on the server."
COMMAND = "dpcp ledger budget DATA.csv --schema SCHEMA.toml --epsilon 4 --delta 1e-5"
SET_BUDGET, CHANGE_BUDGET = "Set the budget", "Change the budget"
BUDGET_HELP = (
    "What all releases of this table together may cost. A later budget replaces this one. You are warned of another "
    "table with most of the same rows, but not of one with a column more or less: think of the people in both."
)
DELTA_HELP = "The extra chance that all releases together may leave open. Keep it far below one in the number of rows."
RULES = {"tight": "together, tightly", "basic": "as a plain sum"}
RULES_HELP = (
    "Tightly: what releases cost together is worked out, and is never more than the sum. It takes for granted that "
    "nobody decides what a later release costs by what an earlier one drew. A plain sum adds up every ε and every δ; "
    "it holds in any case, and anybody can check it by hand."
)
NAME_HELP = "What the table is called in the ledger. It is written to disk: name no person."
BUDGET_SET = "The budget is set."
EARLIER = "Earlier releases"
NONE_EARLIER = "Nothing was released from this table so far."
RELEASES_ALT = "Releases of this table: when, what, at which cost, and whether it was finished."
FINISHED, UNFINISHED = "out", "never finished, counts as spent"

WHAT = "What to publish"
KINDS = {"intervals": "Intervals or sets", "table": "Synthetic table"}
TAKEN_OVER = "These settings are taken over from the {} page, and changed there."
ALL_ROWS = "A release reads all rows: nothing is held out, nothing is repeated, and there is no seed."
SCHEMA_MISSING = (
    "A release needs a schema that was written down before it, so that whoever checks it later knows what was held to "
    "be public. Save this one, look it over, and keep the file."
)
SCHEMA_OF_SAMPLE = "Schema: the file that comes with the sample."
SCHEMA_SAVED = "Schema: saved from this page. Keep the file."
SCHEMA_UPLOADED = "Schema: the file that was uploaded with the table."
NOT_YET = "This cannot be released as it stands"
ONLY_YOU = "What only you can know"
NOTHING_SPENT = "Nothing was spent."

COSTS = "What it costs"
WORD = "release"
TYPE_IT = f"Type the word {WORD} to spend it"
NOT_TYPED = f"The word {WORD} was not typed, so nothing was released and nothing was spent."
STOPPED = "The release was stopped before anything was drawn; nothing is spent."
NOT_YET_SPENT = "Nothing is spent yet, and it can still be stopped."
RESERVING = "The cost is being written into the ledger. It can still be stopped."
DRAWING = "Drawing, once. It can no longer be stopped: the budget is spent. Keep this page open until it has ended."
PACKING = "Packing what was drawn. Keep this page open until it has ended."
SO_FAR = "{} so far"
STOP_HELP = "Works until the first draw. After that the budget is spent, whatever happens."
OF_ANOTHER = "A release of another table is going on. Let it end, or stop it, before the next one."

MADE = "Released in this session"
KEEP_IT = (
    "Download the bundle now: it is kept until you forget your data or close the page, and cannot be made again "
    "without paying again."
)
REHEARSED = "Made in a rehearsal, from a public sample."
USE_INTERVALS = (
    "With this project installed, the first line below predicts new rows. Without it, unpack the bundle and use the "
    "second: that needs Python and numpy only."
)
INTERVALS_COMMANDS = "dpcp predict {} NEW.csv --out intervals.csv\npython predict.py NEW.csv intervals.csv"
USE_TABLE = (
    "Unpack the bundle: `synthetic.csv` holds the rows, `schema.toml` says what each column is, `receipt.txt` what was "
    "spent. Check a finding on real rows before it is believed."
)

USE_TITLE = "Use a bundle"
USE = (
    "A bundle of intervals or sets and new rows in, a prediction with its interval or set for each row out. Every part "
    "of the bundle is checked before it is used, nothing in it is ever run, and using it costs no privacy."
)
USE_MADE = "While no other bundle is uploaded, the one released last on this page is used."
BUNDLE_HELP = "What a release made: a ZIP with a model, a threshold, a schema and a receipt."
NEW_HELP = "Rows with the columns that the bundle predicts from; others are ignored."
USED_ALT = "The first new rows with their predictions."
ROWS_ARE_REAL = "The rows are answered in their order. They are about real people: keep the file safe."

_ALWAYS = ("trainer", "score", "confidence_level", "training_share", "bins", "grid", "loss", "stability", "guarantee")
_SAID_ELSEWHERE = frozenset({"epsilon", "delta", "row_share"})
_PERCENT = frozenset({"confidence_level", "training_share", "bound_share", "warmup_share"})


def budget_text(budget: PrivacyBudget) -> str:
    """Return an amount of privacy in symbols.

    >>> budget_text(PrivacyBudget(0.5)).replace(say.FIXED, " ")
    'ε = 0.5'
    """
    epsilon = f"ε = {say.short(budget.epsilon, 3)}"
    return f"{epsilon}, δ = {say.one_in(budget.delta)}" if budget.delta else epsilon


def account_cards(account: Account) -> tuple[tuple[str, str, str], ...]:
    """Return label, value and a line below for what a table may spend, has spent and has left.

    Parameters
    ----------
    account : Account
        With a budget.
    """
    assert account.budget is not None
    spent, n = account.spent, len(account.spendings)
    allowed = f"δ at most {say.one_in(account.budget.delta)}" if account.budget.delta else "δ = 0"
    # Costs that are composed tightly add up to less than their sum.
    more = "a release may cost a little more" if account.composition == "tight" and n else "for releases to come"
    in_all = f"by {say.count(n, 'release')}" if n else "by no release so far"
    return (
        (
            "Budget",
            f"ε = {say.short(account.budget.epsilon, 3)}",
            f"{allowed}; costs add up {RULES[account.composition]}",
        ),
        ("Spent", f"ε = {say.short(spent.epsilon, 3)}" if spent else "nothing", in_all),
        ("Left", f"ε = {say.short(account.epsilon_left, 3)}", more),
    )


def spending_values(spending: Spending) -> dict[str, str]:
    """Return one release as a line of a table."""
    return {
        "when (UTC)": spending.at[:16].replace("T", " "),
        "what": spending.title,
        "cost": budget_text(spending.cost.total),
        "state": FINISHED if spending.is_finished else UNFINISHED,
        "name": spending.release,
    }


def unfinished_words(n: int) -> str:
    """Say that releases were begun and never finished."""
    return (
        f"{say.count(n, 'release')} of this table {'was' if n == 1 else 'were'} begun and never finished. Noise may "
        "have been drawn and seen, so the cost counts as spent."
    )


def near_words(near: NearTable, *, named: bool) -> str:
    """Say that most rows are in a known table too; its name only where everybody here may know it."""
    name = (near.account.name or near.account.rows[:12]) if named else ""
    other = f"the table “{name}”" if name else "another table of the ledger"
    return (
        f"About {say.percent(near.shared_share, 0)} of the rows are in {other} too, which has a budget of its own. "
        "What both cost adds up for the people in both."
    )


def cost_words(title: str, cost: PrivacyBudget, after: PrivacyBudget, budget: PrivacyBudget) -> str:
    """Say what a release would publish and cost, and what is spent then."""
    return (
        f"This publishes {title}. It costs {budget_text(cost)}; then {budget_text(after)} of {budget_text(budget)} is "
        "spent. It cannot be undone."
    )


def made_words(title: str, table: str, cost: PrivacyBudget, account: Account | None) -> str:
    """Say what was released and what it cost, and what is left where the ledger could be asked."""
    said = f"Released from {table}: {title}. It cost {budget_text(cost)}"
    if account is None:
        return f"{said}."
    return f"{said}; left of the budget: ε = {say.short(account.epsilon_left, 3)}."


def used_words(n_rows: int, promise: str) -> str:
    """Say how many rows were predicted, and what is promised about them."""
    return f"{say.count(n_rows, 'row')} predicted. {promise}".strip()


def interval_lines(choices: ConformalChoices) -> tuple[tuple[str, str], ...]:
    """Return the settings of released intervals or sets, label and value: those that matter most, and changed ones.

    >>> dict(interval_lines(ConformalChoices()))["Target coverage"].replace(say.NARROW, " ")
    '90 %'
    """
    usual = {field.name: field.default for field in dataclasses.fields(ConformalChoices)}
    changed = [name for name in usual if name not in _ALWAYS and getattr(choices, name) != usual[name]]
    names = [*_ALWAYS, *(name for name in changed if name not in _SAID_ELSEWHERE and name in CONTROLS)]
    return tuple((CONTROLS[name].label, _value(name, getattr(choices, name))) for name in names)


def table_lines(settings: SynthesisSettings) -> tuple[tuple[str, str], ...]:
    """Return the settings of a released synthetic table, label and value."""
    return (("Table", settings_line(settings)), *_more_of_table(settings))


def _more_of_table(settings: SynthesisSettings) -> Iterator[tuple[str, str]]:
    if settings.n_rows is not None:
        yield SYNTHESIS_CONTROLS["n_rows"].label, say.whole(settings.n_rows)
    if isinstance(settings.bins, int):
        yield SYNTHESIS_CONTROLS["bins"].label, say.whole(settings.bins)
    for group in settings.groups:
        yield SYNTHESIS_CONTROLS["groups"].label, ", ".join(group)
    if settings.randomised_response:
        columns = ", ".join(f"{name} (ε = {epsilon:g})" for name, epsilon in settings.randomised_response)
        yield SYNTHESIS_CONTROLS["randomised_response"].label, columns
    for field in dataclasses.fields(TrainingChoices):
        value = getattr(settings, field.name)
        if value != field.default:
            yield CONTROLS[field.name].label, _value(field.name, value)
    for rule in settings.rules:
        yield "Rule", str(rule)


def _value(name: str, value: object) -> str:
    if isinstance(value, float) and name in _PERCENT:
        return say.level(value)
    return f"{value:g}" if isinstance(value, float) else option_title(name, value)
