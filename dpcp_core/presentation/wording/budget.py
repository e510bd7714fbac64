"""How the budget is best split, in words: which values are as good, which is best, what another one costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.controls import CONTROLS
from dpcp_core.presentation.wording.regions import size_words
from dpcp_core.presentation.wording.terms import option_title

if TYPE_CHECKING:
    from dpcp_core.data.dataset import Dataset
    from dpcp_core.experiments.settings import ConformalSettings
    from dpcp_core.experiments.splits import Choice, Compared, SplitMap
    from dpcp_core.experiments.sweep.cell import CellResult
    from dpcp_core.training.protocol import Task

Measure = Literal["size", "coverage"]

_SHARES = frozenset({"training_share", "row_share"})

_AXES = {
    "training_share": "Share of ε for the model",
    "row_share": "Rows that train the model",
    "bins": "Bins",
}

MAP_PRIVACY = "These numbers look at real rows. To choose by them is fine for learning; no ε pays for it."
"""What a map must not be taken for."""


def axis_of(field: str) -> str:
    """Return the title of an axis of one setting.

    >>> axis_of("training_share")
    'Share of ε for the model'
    """
    return _AXES[field]


def value_words(field: str, value: float) -> str:
    r"""Return a value of a setting as it stands in a sentence.

    >>> value_words("training_share", 0.45), value_words("bins", 100)
    ('45\u202f%', '100\xa0bins')
    """
    return say.level(value) if field in _SHARES else say.count(value, "bin")


def bare_value(field: str, value: float) -> str:
    r"""Return a value of a setting as it stands at an axis.

    >>> bare_value("training_share", 0.45), bare_value("bins", 1000)
    ('45\u202f%', '1,000')
    """
    return say.level(value) if field in _SHARES else say.whole(value)


def size_noun(task: Task) -> str:
    """Return what is measured: "width", or "set size".

    >>> size_noun("classification")
    'set size'
    """
    return "set size" if task == "classification" else "width"


def map_title(found: SplitMap, measure: Measure, chosen: float, epsilon: float) -> str:
    """Return the sentence above the map: what is best at the epsilon in use, without a full stop."""
    choice = found.choice(epsilon)
    if measure == "coverage":
        return _coverage_title(found)
    if choice is None:
        return f"{len(found.cells)} of {found.plan.n_cells} combinations are measured"
    return choice_sentence(choice, found, chosen).rstrip(".")


def choice_sentence(choice: Choice, found: SplitMap, chosen: float) -> str:
    """Say which values are as good, which is best, and what the one in use costs.

    Parameters
    ----------
    choice : Choice
    found : SplitMap
        The map that it comes from.
    chosen : float
        The value in use.
    """
    at, run = f"At ε = {say.short(choice.epsilon)}", choice.as_good
    if choice.best is None or run is None:
        return f"{at}, {_nothing(choice, found)}"
    field, size = found.field, size_words(found.target, found.task, choice.size)
    best, one = value_words(field, choice.best), found.task == "classification"
    end = _end_words(field, choice)
    named = f"{best}{end} {_verb(field)} the {'smallest sets' if one else 'narrowest intervals'}, {size} on average"
    lead = _run_words(field, run)
    return f"{at}, {f'{lead}; ' if lead else ''}{named}.{_yours(choice, field, chosen, found.task)}"


def _end_words(field: str, choice: Choice) -> str:
    """Say that the best is at an end of what was tried, so that it may lie beyond."""
    values = [one.value for one in choice.compared]
    if len(values) < 2 or choice.best not in (values[0], values[-1]):
        return ""
    least = choice.best == values[0]
    if field == "bins":
        return f", the {'fewest' if least else 'most'} tried,"
    return f", the {'smallest' if least else 'largest'} share tried,"


def _verb(field: str) -> str:
    return "give" if field == "bins" else "gives"


def _run_words(field: str, run: tuple[float, float]) -> str:
    """Say which values are as good as the best; "" where it stands alone."""
    low, high = (bare_value(field, value) for value in run)
    if run[0] == run[1]:
        return ""
    noun = "number of bins" if field == "bins" else "share"
    return f"any {noun} from {low} to {high} is as good"


def _nothing(choice: Choice, found: SplitMap) -> str:
    whole = "every set holds every class" if found.task == "classification" else "every interval is the whole range"
    if choice.says_nothing:
        return f"{whole}, whichever is chosen: nothing can be certified."
    return "none of these reaches the target coverage."


def _yours(choice: Choice, field: str, chosen: float, task: Task) -> str:
    beside = choice.beside(chosen)
    if beside is None or choice.best is None or chosen == choice.best:
        return " It is the one in use." if chosen == choice.best else ""
    yours = f"Your {value_words(field, chosen)}"
    verb = "cost" if field == "bins" else "costs"
    if beside.says_nothing:
        return f" {yours} {'rule' if field == 'bins' else 'rules'} nothing out."
    if not beside.covers:
        return f" {yours} {'miss' if field == 'bins' else 'misses'} the target coverage."
    if beside.is_as_good:
        return f" {yours} {'are' if field == 'bins' else 'is'} as good."
    if task == "classification":
        return f" {yours} {'make' if field == 'bins' else 'makes'} them {_extra_words(beside)} larger."
    return f" {yours} {verb} {_extra_words(beside)} more width."


def _extra_words(beside: Compared) -> str:
    """Write what a value costs, with the 95 % interval of it.

    >>> from dpcp_core.experiments.splits import Compared
    >>> _extra_words(Compared(0.9, 0.121, 0.1, 0.142, True, False)).replace(say.NARROW, " ")
    '12 % (10 to 14 %)'
    >>> _extra_words(Compared(0.9, 0.009, 0.0001, 0.018, True, False)).replace(say.NARROW, " ")
    '0.9 % (up to 1.8 %)'
    >>> _extra_words(Compared(0.9, 15.0, 12.0, 18.0, True, False)).replace(say.NARROW, " ")
    '1,500 % (1,200 to 1,800 %)'
    """
    n_decimals = 0 if beside.extra >= 0.02 else 1
    low, high = (say.fixed(100 * share, n_decimals) for share in (max(beside.low, 0.0), beside.high))
    span = f"{low if low.strip('0.') else 'up'} to {high}{say.NARROW}%"
    return f"{say.fixed(100 * beside.extra, n_decimals)}{say.NARROW}% ({span})"


def _coverage_title(found: SplitMap) -> str:
    target = say.level(found.plan.settings.confidence_level)
    told = [cell for cell in found.cells.values() if not cell.failed]
    below = sum(cell.coverage_interval[1] < cell.settings.confidence_level for cell in told)
    if not told:
        return "No combination is measured yet"
    cells = say.count(len(told), "combination")
    if below:
        return f"Of {cells}, {below} {'covers' if below == 1 else 'cover'} surely less than the target of {target}"
    return f"None of {cells} covers surely less than the target of {target}"


def map_alt(found: SplitMap, measure: Measure, chosen: float, epsilon: float) -> str:
    """Say what the map shows, with numbers, for people who cannot see it."""
    told = [cell for cell in found.cells.values() if not cell.failed and cell.top_share < 1]
    words = f"{map_title(found, measure, chosen, epsilon)}."
    if not told:
        return words
    if measure == "coverage":
        low, high = min(cell.coverage_mean for cell in told), max(cell.coverage_mean for cell in told)
        return f"{words} Mean coverage runs from {say.percent(low)} to {say.percent(high)}."
    small, large = (pick(told, key=lambda cell: cell.size_mean) for pick in (min, max))
    told_of = f"all {say.count(len(told), 'combination')} that rule something out"
    return (
        f"{words} Over {told_of}, the mean {size_noun(found.task)} runs"
        f" from {_at(found, small)} to {_at(found, large)}."
    )


def _at(found: SplitMap, cell: CellResult) -> str:
    value = value_words(found.field, getattr(cell.settings, found.field))
    size = size_words(found.target, found.task, cell.size_mean)
    return f"{size} (ε = {say.short(cell.settings.epsilon)}, {value})"


def cell_words(found: SplitMap, cell: CellResult) -> str:
    """Say what one cell of the map holds."""
    value = value_words(found.field, getattr(cell.settings, found.field))
    where = f"ε = {say.short(cell.settings.epsilon)}, {value}"
    if cell.failed:
        return f"{where}: {cell.problem}"
    half = (cell.size_interval[1] - cell.size_interval[0]) / 2
    size = f"{size_noun(found.task)} {size_words(found.target, found.task, cell.size_mean)} ± {say.number(half)}"
    low, high = cell.coverage_interval
    covered = f"coverage {say.percent(cell.coverage_mean)} ({say.percent(low)} to {say.percent(high)})"
    nothing = ", rules nothing out" if cell.top_share >= 1 else ""
    return f"{where}: {size}{nothing}; {covered}"


def map_key(measure: Measure, task: Task, *, hatched: bool) -> str:
    """Say what frames, colours and hatching of the map mean."""
    one = task == "classification"
    nothing = " Hatched: nothing can be ruled out." if hatched else ""
    if measure == "coverage":
        return (
            "Numbers: mean coverage in per cent. Orange and an arrow: surely below the target; the deeper the blue, "
            f"the further above.{nothing}"
        )
    number = "classes in a set" if one else "width"
    return (
        f"Numbers: mean {number}; the stronger the colour, the {'smaller' if one else 'narrower'}. Thick frame: the "
        f"{'smallest' if one else 'narrowest'} at that ε; thin frame: as good within 95{say.NARROW}% "
        f"uncertainty.{nothing}"
    )


def take_over_label(field: str, value: float) -> str:
    r"""Return what the button is called that takes a value over.

    >>> take_over_label("training_share", 0.45), take_over_label("bins", 100)
    ('Use 45\u202f%', 'Use 100\xa0bins')
    """
    return f"Use {value_words(field, value)}"


def no_map_words(field: str, reason: str) -> str:
    """Say why there is nothing to choose along one setting.

    >>> no_map_words("bins", "“Split” takes an exact threshold.")
    'Bins: nothing to choose here. “Split” takes an exact threshold.'
    """
    return f"{CONTROLS[field].label}: nothing to choose here. {reason}"


def settings_line(settings: ConformalSettings, data: Dataset) -> str:
    """Say which settings and which table the page is about.

    >>> from dpcp_core import ConformalSettings, load_sample
    >>> settings_line(ConformalSettings(), load_sample("diabetes")).replace(say.NARROW, " ").replace(say.FIXED, " ")
    'In use: DPCP, certified · ε = 1 · coverage 90 % · 50 % of ε for the model · 100 bins · 442 rows'
    """
    bins = settings.bins
    told = say.count(bins, "bin") if isinstance(bins, int) else f"bins by the rule {option_title('bins', bins)}"
    parts = (
        option_title("method", settings.method),
        f"ε = {say.short(settings.epsilon, 3)}",
        f"coverage {say.level(settings.confidence_level)}",
        f"{say.level(settings.training_share)} of ε for the model",
        told,
        say.count(data.n_rows, "row"),
    )
    return f"In use: {' · '.join(parts)}"


def map_invitation(repetitions: int) -> str:
    """Say what a map that is not measured yet will be."""
    return (
        f"Each cell of the map is an experiment of its own on this table: {say.count(repetitions, 'repetition')} of "
        "training, threshold and held-out test. It fills in while you watch; you can go on meanwhile."
    )
