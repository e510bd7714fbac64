"""What attacks on a synthetic table found, as bars and in words: the result's numbers, and no more than they say."""

from __future__ import annotations

import contextlib
import dataclasses
import io

import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.errors import PrivacyLeakWarning
from dpcp_core.evaluation.audit.table_risk import TableRisk
from dpcp_core.experiments.audit.synthetic_risks import SyntheticRisks
from dpcp_core.experiments.audit.table_risks import table_risks
from dpcp_core.experiments.synthesis import SynthesisResult, simulate_synthesis
from dpcp_core.presentation.figures.table_risks import risks_picture
from dpcp_core.presentation.figures.theme import DARK, LIGHT
from dpcp_core.presentation.synthesis_snippets import Repeated
from dpcp_core.presentation.table_risk_snippets import table_risks_python
from dpcp_core.presentation.wording.table_risks import caption, risks_answer
from dpcp_core.synthesis.settings import SynthesisSettings

DATA = load_sample("breast_cancer")
SETTINGS = SynthesisSettings(task_model="auto")


@pytest.fixture(scope="module")
def result() -> SynthesisResult:
    return simulate_synthesis(DATA, SETTINGS, models=())


@pytest.fixture(scope="module")
def risks(result) -> SyntheticRisks:
    return table_risks(DATA, result)


def counted(name: str, attacked: int, on_control: int, guessed: int) -> TableRisk:
    return TableRisk.of(name, attacked=attacked, on_control=on_control, guessed=guessed, n=500, n_control=500)


def having(risks: SyntheticRisks, *found: TableRisk) -> SyntheticRisks:
    return dataclasses.replace(risks, risks=found)


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


WEAK = (counted("singling_out", 20, 21, 30), counted("linkability", 100, 99, 98))


def test_bars_and_their_intervals_are_those_of_the_result(risks, result):
    (bars,) = risks_picture(risks, result).figure.data
    shares = [share for risk in risks.risks for share in (risk.attack, risk.control, risk.baseline)]
    assert list(bars.x) == pytest.approx([100 * share.value for share in shares])
    highs = [x + more for x, more in zip(bars.x, bars.error_x.array, strict=True)]
    lows = [x - less for x, less in zip(bars.x, bars.error_x.arrayminus, strict=True)]
    assert highs == pytest.approx([100 * share.high for share in shares])
    assert lows == pytest.approx([100 * share.low for share in shares])
    assert bars.error_x.symmetric is False


def test_bars_stand_below_the_heading_of_their_attack(risks, result):
    figure = risks_picture(risks, result).figure
    headings = {note.text: note.y for note in figure.layout.annotations if note.text.startswith("<b>")}
    assert headings == {
        "<b>A description fits one patient alone</b>": 0,
        "<b>Two halves of one patient are matched</b>": 4,
        "<b>Diagnosis is guessed</b>": 8,
    }
    assert list(figure.data[0].y) == [1, 2, 3, 5, 6, 7, 9, 10, 11]
    assert list(figure.layout.yaxis.ticktext) == ["patients in it", "patients not in it", "blind guesses"] * 3


def test_the_table_holds_every_bar_and_every_risk(risks, result):
    table = risks_picture(risks, result).table
    assert table["of"].tolist() == ["patients in it", "patients not in it", "blind guesses"] * 3 + ["risk"] * 3
    assert table["share"].tolist()[-3:] == [risk.risk.value for risk in risks.risks]
    assert table[["low", "high"]].to_numpy()[6].tolist() == [risks.risks[2].attack.low, risks.risks[2].attack.high]


def test_the_accessible_name_begins_with_what_was_found_and_has_the_numbers(risks, result):
    picture = risks_picture(risks, result)
    assert picture.alt.startswith(risks_answer(risks, result).headline)
    inferred = risks.risks[2]
    assert f"{100 * inferred.attack.value:.0f} ({100 * inferred.attack.low:.0f} to" in picture.alt
    assert picture.alt.endswith(".")


@pytest.mark.parametrize(("dark", "theme"), [(False, LIGHT), (True, DARK)])
def test_the_three_bars_have_three_colours_on_either_paper(risks, result, dark, theme):
    figure = risks_picture(risks, result, dark=dark).figure
    assert list(figure.data[0].marker.color) == [theme.result, theme.reference, theme.muted] * 3
    assert figure.layout.dragmode is False


def test_somebody_who_was_found_is_the_answer_whatever_else_was_not(risks, result):
    answer = risks_answer(having(risks, *WEAK, counted("inference", 450, 250, 240)), result)
    assert answer.verdict == "yes"
    assert answer.headline.endswith(
        "diagnosis right 90 times in 100 for patients in it and 50 times for patients not in it"
    )
    assert "Chance in the attacks does not explain the difference." in answer.detail
    risk = counted("inference", 450, 250, 240).risk
    assert plain(answer.detail).endswith(f"gives away {100 * risk.low:.0f} % to {100 * risk.high:.0f} %.")


def test_the_largest_risk_is_told_of_several(risks, result):
    several = having(risks, counted("singling_out", 490, 20, 20), counted("inference", 450, 250, 240))
    assert "fits one patient alone 98 times in 100" in risks_answer(several, result).headline
    several = having(risks, counted("singling_out", 60, 20, 20), counted("linkability", 450, 50, 40))
    assert "matches two halves of one patient 90 times in 100" in risks_answer(several, result).headline


def test_what_holds_for_everybody_is_not_called_a_find(risks, result):
    answer = risks_answer(having(risks, *WEAK, counted("inference", 205, 200, 100)), result)
    assert answer.verdict == "no"
    assert answer.headline.startswith(
        "Not by these attacks: whoever knows the synthetic table guesses diagnosis right 41"
    )
    assert "can be chance" in answer.detail
    assert "do no better than blind guesses" in answer.detail
    assert "singling out and matching halves" in answer.detail


def test_attacks_that_do_no_better_than_guessing_say_nothing(risks, result):
    answer = risks_answer(having(risks, *WEAK, counted("inference", 200, 200, 190)), result)
    assert answer.verdict == "open"
    assert "no attack clearly beats a blind guess" in answer.headline


def test_it_is_said_when_a_number_counts_as_guessed(risks, result):
    assert "within" not in caption(risks, result)
    of_number = simulate_synthesis(load_sample("diabetes"), SETTINGS, models=())
    guessed = table_risks(load_sample("diabetes"), of_number, n_attacks=50)
    assert "A number is guessed right within 5 % of itself." in plain(caption(guessed, of_number))


def test_epsilon_limits_what_no_attack_can_pass(risks, result):
    said = plain(caption(risks, result))
    assert "proves nothing" in said
    assert "ε = 1: whoever guesses if a certain patient was in the table is right at most 73.2 times in 100" in said
    assert f"Measured on {risks.n_original} patients in the table and {risks.n_control} not in it" in said


def test_shuffled_columns_have_no_limit_and_the_attack_that_works_is_named():
    with pytest.warns(PrivacyLeakWarning):
        shuffled = simulate_synthesis(DATA, SETTINGS.replace(attributes="shuffle"), models=())
    said = caption(table_risks(DATA, shuffled, n_attacks=50), shuffled)
    assert "Whoever knows all patients but one takes them away" in said
    assert "ε" not in said


def test_a_leak_that_the_receipt_names_takes_the_limit_away(risks, result):
    leaky = dataclasses.replace(result, receipt=result.receipt.with_leak("The bounds of age were read off the rows."))
    said = caption(risks, leaky)
    assert "ε limits no attack here" in said
    assert "at most" not in said


def test_the_python_on_the_page_finds_the_same(risks, result):
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(table_risks_python(Repeated.of(result, DATA)), "page", "exec"), names)
    assert names["risks"].risks == risks.risks
    assert "singling_out" in printed.getvalue()
