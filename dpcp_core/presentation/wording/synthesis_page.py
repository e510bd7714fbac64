"""What the page on synthetic tables says around its controls and its run.

>>> CONTROLS["attributes"].label
'Columns'
>>> example_rule(Schema((Column("age", "integer", bounds=(18, 100), typical=(30, 60)),)))
'age >= 30'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpcp_core.data.column import Column, exact_number
from dpcp_core.data.schema import Schema
from dpcp_core.evaluation.utility import DOWNSTREAM
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import Control
from dpcp_core.presentation.wording.nouns import shortened
from dpcp_core.synthesis.attributes import ATTRIBUTES
from dpcp_core.synthesis.cells import ColumnCells
from dpcp_core.synthesis.randomised import truth_chance
from dpcp_core.synthesis.rivals import RIVALS
from dpcp_core.synthesis.settings import SynthesisSettings
from dpcp_core.training.registry import TRAINERS

if TYPE_CHECKING:
    from dpcp_core.experiments.synthesis import ColumnShares, PairShares, SynthesisResult

CONTROLS: Mapping[str, Control] = MappingProxyType(
    {
        "attributes": Control("Columns", "How the columns of the synthetic table are made, all but the target."),
        "task_model": Control(
            "Labelled by",
            "The private model that learns the target from the real rows, and then gives each synthetic row its value.",
        ),
        "labels": Control(
            "Labels",
            "The likeliest value is what the paper takes. A draw from the model's chances keeps rare classes from "
            "vanishing, and gives numbers their spread. “Shares put right” also buys a noisy count of the classes, and "
            "draws as many of each as it says.",
        ),
        "training_share": Control(
            "Share for the model",
            "How much of the budget trains the model that labels. The rest pays for the columns.",
        ),
        "groups": Control(
            "Columns kept together",
            "These columns are counted jointly, so that what they have in common survives. Few columns of few values "
            "work best: joint counts are smaller, and noise weighs more.",
        ),
        "bins": Control(
            "Cells of a number",
            "Numbers are counted in so many cells. Empty: as many as the noise lets be told apart.",
        ),
        "n_rows": Control("Rows to make", "Empty: as many as were read. More rows cost no privacy and teach no more."),
        "randomised_response": Control(
            "Columns with randomised cells",
            "Each cell of these columns is changed at random before anything reads it, so that even whoever sees the "
            "rows that are read learns little of a cell. Labels and counts get worse by as much.",
        ),
        "rules": Control(
            "Rules, one a line",
            "What every synthetic row must satisfy. Rows that break a rule are dropped, and others drawn. Rules must "
            "be public knowledge: one that was found by looking at the rows is not.",
        ),
    }
)
"""Label and help of each control that only this page has."""

LABELS: Mapping[str, str] = MappingProxyType(
    {"argmax": "likeliest value", "sample": "drawn by chance", "rate": "drawn, shares put right"}
)
"""What the ways to label are called."""

BETTER_LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"argmax": ("sample", "Draw labels by chance"), "sample": ("rate", "Put the shares right")}
)
"""By the way in use: another that brings the classes' shares closer, and what a button calls it."""

NOT_PRIVATE = "not private"

STOPPED = "The run was stopped before there was a table."

SAMPLE_ONLY = (
    "Synthetic rows only: nobody is in them. Real rows are never shown beside them, so that nobody looks for pairs."
)

CURATOR = "What is said of the real rows is the curator's view: counted exactly, and in no release."

PUBLIC_WORDS = (
    "Rows that are public anyway, with the columns of your table; the target may be left out. Columns that are not "
    "needed are skipped."
)

PUBLIC_NONE = (
    "Used where columns are made from “public knowledge”. Without a file, values are spread evenly over what the "
    "schema allows."
)

DOWNLOAD_WORDS = (
    "The file holds the table, its receipt and its schema. It was made in a simulation, with noise from a known seed: "
    "whoever knows the seed can take the noise out again. Use it to try things, do not publish it."
)

RULES_SENTENCE = "A row that cannot be is dropped and drawn anew. It costs no privacy, as only synthetic rows are read."

_PARTS = {"table": "making the table", "fidelity": "comparing it with the real rows"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_RESERVED = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"})


def attribute_title(name: str) -> str:
    """Return what a way to make columns is called, and that it is not private where it is not.

    >>> attribute_title("marginals"), attribute_title("shuffle")
    ('noisy histograms', 'shuffled columns (not private)')
    """
    maker = ATTRIBUTES[name]
    return f"{maker.title} ({NOT_PRIVATE})" if maker.leak else maker.title


def attribute_help() -> str:
    """Return what each way to make columns does, as a list."""
    return "\n".join(f"- **{maker.title}**: {maker.sentence}" for maker in ATTRIBUTES.values())


def task_model_title(name: str) -> str:
    """Return what the model that labels is called.

    >>> task_model_title("auto"), task_model_title("mlp")
    ('linear model', 'neural network')
    """
    if name == "auto":
        return "linear model"
    title = TRAINERS[name].title
    return title if title[1:2].isupper() or "(" in title else title[:1].lower() + title[1:]


def part_words(part: str) -> str:
    """Return what a run is doing.

    >>> part_words("table"), part_words("mlp"), part_words("naive_bayes")
    ('making the table', 'training a neural network on it', 'running the rival “Bayes network”')
    """
    if part in _PARTS:
        return _PARTS[part]
    if part in RIVALS:
        return f"running the rival “{RIVALS[part].title}”"
    title = DOWNSTREAM[part].title if part in DOWNSTREAM else "model"
    return f"training {with_article(title)} on it"


def settings_line(settings: SynthesisSettings) -> str:
    """Return the settings of a table in one line.

    >>> settings_line(SynthesisSettings(task_model="auto")).replace(say.NARROW, " ")
    'ε = 1, noisy histograms, labelled by a linear model (likeliest value), 80 % of ε for it'
    """
    model = task_model_title(settings.task_model)
    free = ATTRIBUTES[settings.attributes].is_free
    share = "" if free else f", {say.level(settings.training_share)} of ε for it"
    extra = f", {say.count(len(settings.rules), 'rule')}" if settings.rules else ""
    return (
        f"ε = {settings.epsilon:g}, {attribute_title(settings.attributes)}, labelled by "
        f"{with_article(model)} ({LABELS[settings.labels]}){share}{extra}"
    )


def cell_sentence(column: Column, epsilon: float) -> str:
    """Say how often a cell stays as it is.

    >>> cell_sentence(Column("sex", "category", categories=("f", "m"), missing="refuse"), 2.0).replace(say.NARROW, " ")
    '88.1 % of the cells stay as they are.'
    """
    chance = truth_chance(epsilon, ColumnCells.of(column, 1).size)
    return f"{say.percent(chance)} of the cells stay as they are."


def public_sentence(name: str, n_rows: int, notes: Iterable[str]) -> str:
    r"""Say what was read of a public table.

    >>> public_sentence("public.csv", 1, ()).replace("\xa0", " ")
    'public.csv: 1 row, every cell as the schema allows.'
    """
    said = " ".join(notes)
    return f"{name}: {say.count(n_rows, 'row')}{f'. {said}' if said else ', every cell as the schema allows.'}"


def with_article(title: str) -> str:
    """Return a model's title after its article.

    >>> with_article("FT-Transformer"), with_article("linear SVM"), with_article("image network")
    ('an FT-Transformer', 'a linear SVM', 'an image network')
    """
    return f"{'an' if title[:1] in 'aeio' or title.startswith('FT') else 'a'} {title}"


def example_rule(schema: Schema) -> str:
    """Return a rule that this schema allows, to show what one looks like."""
    for column in schema.columns:
        if column.role != "ignore" and column.is_numeric and column.bounds is not None:
            low = (column.typical or column.bounds)[0]
            return rule_text(column, ">=", exact_number(low))
    listed = next((c for c in schema.columns if c.role != "ignore" and c.categories), None)
    return "" if listed is None else rule_text(listed, "==", listed.categories[0])


def rule_text(column: Column, sign: str, value: str) -> str:
    """Return a rule as the editor holds it: a name that is no plain word in backticks, a category in quotes.

    >>> rule_text(Column("job title", "category", categories=("CEO", "none")), "!=", "CEO")
    "`job title` != 'CEO'"
    """
    plain = _WORD.fullmatch(column.name) and column.name not in _RESERVED
    name = column.name if plain else f"`{column.name}`"
    return f"{name} {sign} {value if column.is_numeric else repr(value)}"


def rules_of(text: str) -> tuple[str, ...]:
    r"""Return the rules that an editor holds: one a line, empty lines left out.

    >>> rules_of("age >= 18\n\n not (age < 20 and job == 'CEO') ")
    ('age >= 18', "not (age < 20 and job == 'CEO')")
    """
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def dropped_sentence(n_drawn: int, dropped_by: Iterable[tuple[str, int]], n_dropped: int) -> str:
    """Say how many rows were drawn in vain."""
    if not dict(dropped_by):
        return ""
    if not n_dropped:
        return f"None of {say.count(n_drawn, 'drawn row')} breaks a rule."
    share = say.percent(n_dropped / n_drawn)
    return f"{say.count(n_dropped, 'row')} of {say.whole(n_drawn)} drawn ({share}) broke a rule and were dropped."


def column_title(shares: ColumnShares) -> str:
    """Return the sentence above the picture of one column."""
    return f"{shortened(shares.title)}: {say.percent(shares.error)} of the values would have to change to match"


def column_alt(shares: ColumnShares) -> str:
    """Say what the picture of one column shows."""
    if shares.edges:
        return (
            f"{column_title(shares)}. Shares of {shares.n_cells} bins, synthetic table and real rows.{_empty(shares)}"
        )
    gaps = abs(shares.synthetic[: shares.n_cells] - shares.real[: shares.n_cells])
    worst = int(gaps.argmax())
    return (
        f"{column_title(shares)}. Most off is “{shares.categories[worst]}”: {say.percent(shares.synthetic[worst])} of "
        f"the synthetic rows, {say.percent(shares.real[worst])} of the real ones.{_empty(shares)}"
    )


def pair_title(pair: PairShares, across: ColumnShares, up: ColumnShares) -> str:
    """Return the sentence above the picture of two columns."""
    names = f"{shortened(across.title, 30)} and {say.mid_sentence(shortened(up.title, 30))}"
    return f"{names}: {say.percent(pair.error)} of the rows would have to change to match"


def pair_alt(pair: PairShares, across: ColumnShares, up: ColumnShares) -> str:
    """Say what the picture of two columns shows."""
    return (
        f"{pair_title(pair, across, up)}. Shares of {across.n_cells} by {up.n_cells} cells, the synthetic table on the "
        "left, the real rows on the right; darker is more common."
    )


def _empty(shares: ColumnShares) -> str:
    synthetic, real = shares.synthetic[shares.n_cells], shares.real[shares.n_cells]
    if not synthetic + real:
        return ""
    return f" Empty: {say.percent(synthetic)} of the synthetic rows, {say.percent(real)} of the real ones."


def archive_words(result: SynthesisResult) -> str:
    """Return what stands in the file beside a synthetic table."""
    lines = [
        f"{say.count(len(result.table), 'synthetic row')}: {settings_line(result.settings)}.",
        "",
        DOWNLOAD_WORDS,
        "",
        "synthetic.csv   the rows",
        "receipt.txt     what was spent on what, and what is not protected; receipt.json for programs",
        "schema.toml     what each column means, its bounds and categories",
    ]
    lines += ["", *result.receipt.leaks] if result.receipt.leaks else []
    return "\n".join([*lines, ""])
