"""Which method wins where, in sentences: only what the repetitions tell apart, and no method that misses its target.

>>> where((2.0, 3.0, 4.0), (0.5, 1.0, 2.0, 3.0, 4.0)), where((1.0,), (0.5, 1.0, 2.0))
('from ε = 2 on', 'at ε = 1')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from dpcp_core.experiments.comparison import Comparison
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording import regions
from dpcp_core.presentation.wording.terms import option_title


def winner_sentence(comparison: Comparison) -> str:
    """Say which private methods that reach their target have the smallest intervals or sets, and where.

    Returns
    -------
    str
        Empty before anything is computed.
    """
    standings = comparison.standings()
    if not standings:
        return ""
    if not comparison.private_methods:
        return "None of these methods is private, so there is no winner to name."
    fronts = [(standing.epsilon, standing.front) for standing in standings]
    stretches = list(_stretches_of_fronts([front for front in fronts if front[1]]))
    silent = _silent_words(comparison, [epsilon for epsilon, front in fronts if not front])
    level = _level_words(comparison, dict(fronts), stretches)
    return " ".join(part for part in (_leaders(comparison, stretches), level, silent) if part)


def crossing_sentences(comparison: Comparison) -> tuple[str, ...]:
    """Say of every two private methods which is narrower where; those that cross come first."""
    crossing: list[str] = []
    others: list[str] = []
    for one, other in combinations(comparison.private_methods, 2):
        wins = _wins(comparison, one, other)
        if wins is not None:
            (crossing if all(wins.values()) else others).append(_pair_sentence(comparison, wins))
    return (*crossing, *others)


def n_crossings(comparison: Comparison) -> int:
    """Return how many pairs of private methods cross: each is narrower than the other somewhere."""
    pairs = (_wins(comparison, one, other) for one, other in combinations(comparison.private_methods, 2))
    return sum(wins is not None and all(wins.values()) for wins in pairs)


def miss_sentences(comparison: Comparison) -> tuple[str, ...]:
    """Say which methods miss their target, private or not, or may do so, and that being narrow is then no win."""
    standings = comparison.standings()
    said = []
    for name in comparison.methods:
        missed = tuple(standing.epsilon for standing in standings if name in standing.missed)
        doubtful = tuple(standing.epsilon for standing in standings if name in standing.doubtful)
        if missed or doubtful:
            said.append(_miss_sentence(comparison, name, missed, doubtful))
    return tuple(said)


def beside_sentence(comparison: Comparison) -> str:
    """Say which methods are only there to compare with, because they are not private; "" if there is none."""
    private = comparison.private_methods
    beside = [name for name in reversed(comparison.methods) if comparison.line(name) and name not in private]
    if not beside:
        return ""
    is_one = len(beside) == 1
    return f"{_quoted(beside, opening=True)} {'is' if is_one else 'are'} not private: to compare with, not to win."


def at_sentence(comparison: Comparison, epsilon: float) -> str:
    """Say who leads at one epsilon, how large the intervals or sets are, and what that costs."""
    standing = comparison.standing(epsilon)
    at = f"At ε = {say.short(epsilon)}"
    if not standing.front:
        return f"{at} {_no_winner(comparison)}."
    cell = comparison.cell(standing.front[0], epsilon)
    assert cell is not None
    level = standing.front[1:]
    equal = f"; {_quoted(level)} {'is' if len(level) == 1 else 'are'} not told apart from it" if level else ""
    leader, size = _quoted(standing.front[:1]), size_words(comparison, cell.size_mean)
    return (
        f"{at} the {smallest(comparison)} that are private and reach their target come from {leader}: "
        f"{size} on average{_cost(comparison, cell.size_ratio)}{equal}."
    )


def where(epsilons: Sequence[float], among: Sequence[float]) -> str:
    """Return at which of the values tried, as it stands inside a sentence.

    >>> where((1.0, 2.0), (1.0, 2.0)), where((1.0, 2.0), (1.0, 2.0, 4.0)), where((2.0, 3.0), (1.0, 2.0, 3.0, 4.0))
    ('at every ε', 'up to ε = 2', 'from ε = 2 to 3')
    >>> where((0.5, 2.0), (0.5, 1.0, 2.0))
    'at ε = 0.5 and at ε = 2'
    """
    if len(epsilons) == len(among) > 1:
        return "at every ε"
    return listed([_run_words(run, among) for run in _runs(epsilons, among)])


def listed(parts: Sequence[str]) -> str:
    """Return parts as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


def opened(text: str) -> str:
    """Return words as they begin a sentence.

    >>> opened("from ε = 2 on")
    'From ε = 2 on'
    """
    return text[:1].upper() + text[1:]


def is_of_sets(comparison: Comparison) -> bool:
    """Whether sets of classes are compared, and not intervals."""
    return comparison.result.task == "classification"


def smallest(comparison: Comparison) -> str:
    """Return what every method wants to have."""
    return "smallest sets" if is_of_sets(comparison) else "narrowest intervals"


def thing_compared(comparison: Comparison) -> str:
    """Return what is measured of every interval or set."""
    return "set size" if is_of_sets(comparison) else "interval width"


def size_words(comparison: Comparison, size: float, digits: int = 3) -> str:
    """Return a mean size with its unit."""
    return regions.size_words(comparison.result.target, comparison.result.task, size, digits)


def _stretches_of_fronts(
    fronts: Sequence[tuple[float, tuple[str, ...]]],
) -> Iterable[tuple[tuple[str, ...], tuple[float, ...]]]:
    """Yield the fewest stretches of epsilons such that some methods are in front all along each."""
    names: tuple[str, ...] = ()
    epsilons: list[float] = []
    for epsilon, front in fronts:
        shared = tuple(name for name in names if name in front)
        if epsilons and not shared:
            yield names, tuple(epsilons)
            epsilons = []
        names = shared or front
        epsilons.append(epsilon)
    if epsilons:
        yield names, tuple(epsilons)


def _leaders(comparison: Comparison, stretches: Sequence[tuple[tuple[str, ...], tuple[float, ...]]]) -> str:
    if not stretches:
        return ""
    among = _seen(comparison)
    (names, epsilons), *others = stretches
    target = say.level(comparison.result.plan.settings.confidence_level)
    first = (
        f"{opened(where(epsilons, among))}, {_quoted(names)} {'gives' if len(names) == 1 else 'give'} the "
        f"{smallest(comparison)} of the private methods that reach {target}"
    )
    then = [f"{where(at, among)}, {_quoted(named)}" for named, at in others]
    level = " Methods named together are not told apart." if any(len(named) > 1 for named, _ in stretches) else ""
    return f"{'; '.join([first, *then])}.{level}"


def _level_words(
    comparison: Comparison,
    fronts: Mapping[float, tuple[str, ...]],
    stretches: Sequence[tuple[tuple[str, ...], tuple[float, ...]]],
) -> str:
    """Say where methods that are not named are not told apart from those that are."""
    others = [at for names, epsilons in stretches for at in epsilons if not set(fronts[at]) <= set(names)]
    best = "smallest" if is_of_sets(comparison) else "narrowest"
    return f"{opened(where(others, _seen(comparison)))}, others are not told apart from the {best}." if others else ""


def _silent_words(comparison: Comparison, epsilons: Sequence[float]) -> str:
    return f"{opened(where(epsilons, _seen(comparison)))}, {_no_winner(comparison)}." if epsilons else ""


def _no_winner(comparison: Comparison) -> str:
    whole = "every class in every set" if is_of_sets(comparison) else "the whole range for everybody"
    return f"no private method reaches its target with less than {whole}"


def _seen(comparison: Comparison) -> tuple[float, ...]:
    return tuple(standing.epsilon for standing in comparison.standings())


def _wins(comparison: Comparison, one: str, other: str) -> dict[str, tuple[float, ...]] | None:
    """Return at which epsilons each of two methods is narrower; None where they were never both computed."""
    stretches = comparison.stretches(one, other)
    if not stretches:
        return None
    return {
        name: tuple(e for stretch in stretches if stretch.narrower == name for e in stretch.epsilons)
        for name in (one, other)
    }


def _pair_sentence(comparison: Comparison, wins: dict[str, tuple[float, ...]]) -> str:
    """Say who of two is narrower where; first comes who is so at the larger epsilons."""
    first, second = sorted(wins, key=lambda name: max(wins[name], default=-1.0), reverse=True)
    among = tuple(e for e in comparison.epsilons if comparison.cell(first, e) and comparison.cell(second, e))
    narrow = "smaller" if is_of_sets(comparison) else "narrower"
    rest = [e for e in among if e not in wins[first] and e not in wins[second]]
    apart = comparison.tells_apart(first, second, rest)
    if not wins[first]:
        told = (
            f"told apart only where the {narrow} one does not reach its target" if apart else "not told apart at any ε"
        )
        return f"{_quoted([first, second])} are {told}."
    words = f"{opened(where(wins[first], among))}, {_quoted([first])} is {narrow} than {_quoted([second])}"
    if wins[second]:
        words += f"; {where(wins[second], among)} it is the other way round"
    if rest:
        words += "; elsewhere they are not told apart"
        words += f", or the {narrow} one does not reach its target" if apart else ""
    return f"{words}."


def _miss_sentence(comparison: Comparison, name: str, missed: tuple[float, ...], doubtful: tuple[float, ...]) -> str:
    seen, who = _seen(comparison), _quoted([name], opening=True)
    if not missed:
        return f"{who} may miss its target {where(doubtful, seen)}, and does not count as a winner there."
    cells = [cell for e in missed if (cell := comparison.cell(name, e)) is not None]
    worst = min(cells, key=lambda cell: cell.coverage_mean)
    target = say.level(worst.settings.confidence_level)
    narrow = "smaller" if is_of_sets(comparison) else "narrower"
    lead = f"is {narrow} but misses its target" if _undercuts(comparison, name, missed) else "misses its target"
    lowest = "" if len(missed) == 1 else f" at ε = {say.short(worst.settings.epsilon)}"
    doubt = f"; it may miss it {where(doubtful, seen)}" if doubtful else ""
    return f"{who} {lead} {where(missed, seen)}: {say.percent(worst.coverage_mean)} instead of {target}{lowest}{doubt}."


def _undercuts(comparison: Comparison, name: str, epsilons: Iterable[float]) -> bool:
    """Whether a method is narrower than the leader at each of these epsilons that has one."""
    pairs = [
        (comparison.cell(name, epsilon), comparison.cell(front[0], epsilon))
        for epsilon in epsilons
        if (front := comparison.standing(epsilon).front)
    ]
    return bool(pairs) and all(own and best and own.size_mean < best.size_mean for own, best in pairs)


def _cost(comparison: Comparison, ratio: float) -> str:
    percent = round(100 * (ratio - 1))
    large, larger, smaller = ("large", "larger", "smaller") if is_of_sets(comparison) else ("wide", "wider", "narrower")
    if ratio >= 2:
        return f", {say.number(ratio)} times as {large} as without privacy"
    if percent < 0:
        return f", {-percent}{say.NARROW}% {smaller} than without privacy"
    if percent < 1:
        return f", about as {large} as without privacy"
    return f", {percent}{say.NARROW}% {larger} than without privacy"


def _quoted(names: Sequence[str], *, opening: bool = False) -> str:
    titles = [option_title("method", name) for name in names]
    if opening:
        titles[0] = opened(titles[0])
    return listed([f"“{title}”" for title in titles])


def _runs(epsilons: Sequence[float], among: Sequence[float]) -> Iterable[tuple[float, ...]]:
    """Yield runs of neighbours among the values tried."""
    run: list[float] = []
    for epsilon in among:
        if epsilon in epsilons:
            run.append(epsilon)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _run_words(run: Sequence[float], among: Sequence[float]) -> str:
    first, last = say.short(run[0]), say.short(run[-1])
    if len(run) == 1:
        return f"at ε = {first}"
    if run[-1] == among[-1]:
        return f"from ε = {first} on"
    return f"up to ε = {last}" if run[0] == among[0] else f"from ε = {first} to {last}"
