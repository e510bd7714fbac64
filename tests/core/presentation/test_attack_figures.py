"""Pictures and words of the page on attacks: they say what the results say, in numbers that agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcp_core.data.samples import load_sample
from dpcp_core.experiments.audit.report import AuditReport, Finding
from dpcp_core.experiments.audit.subtraction import SubtractionResult, subtraction_attack
from dpcp_core.experiments.prepare import prepare
from dpcp_core.experiments.row_out import RowOut, likeliest_place, ranked_rows, take_row_out
from dpcp_core.presentation.figures.attack_audit import LARGEST, audit_picture
from dpcp_core.presentation.figures.attack_cells import MOST_CELLS, cells
from dpcp_core.presentation.figures.attack_row import MOST_BARS, among_scores, on_grid
from dpcp_core.presentation.figures.picture import Picture
from dpcp_core.presentation.wording import attack as words
from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.attack_cells import game_sentence


def plain(text: str) -> str:
    return text.replace(say.NARROW, " ").replace(say.FIXED, " ")


@pytest.fixture(scope="module")
def out() -> RowOut:
    rows = ranked_rows(prepare(load_sample("blood_pressure")), n=400)
    return take_row_out(rows, place=likeliest_place(rows, epsilon=1.0), epsilon=1.0)


@pytest.fixture(scope="module")
def shuffled() -> SubtractionResult:
    return subtraction_attack(load_sample("breast_cancer"), "shuffle", trials=1)


@pytest.fixture(scope="module")
def noisy() -> SubtractionResult:
    return subtraction_attack(load_sample("diabetes"), "marginals", trials=20)


REPORT = AuditReport(
    (
        Finding("noisy_count", "Noisy count", "1,000 draws.", 0.5, 0.0, 0.41, 0.95, is_exact=False),
        Finding("noisy_count", "Noisy count", "1,000 draws.", 4.0, 0.0, 3.1, 0.95, is_exact=False),
        Finding("quantile", "Quantile", "All pairs of tables.", 0.5, 0.0, 0.5, 1.0, is_exact=True),
        Finding(
            "quantile", "Quantile", "Two tables.", 0.5, 0.0, math.inf, 1.0, is_exact=True, fault="order_statistics"
        ),
    )
)


@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_has_numbers_in_its_sentence_and_a_table(
    out: RowOut, shuffled: SubtractionResult, noisy: SubtractionResult, dark: bool
) -> None:
    pictures = (
        on_grid(out, dark=dark), among_scores(out, dark=dark), cells(shuffled, dark=dark), cells(noisy, dark=dark),
        audit_picture(REPORT, dark=dark),
    )  # fmt: skip
    for picture in pictures:
        assert any(letter.isdigit() for letter in picture.alt)
        assert picture.title in picture.alt
        assert len(picture.table) >= 3
        assert picture.figure.layout.xaxis.fixedrange


def bars(picture: Picture) -> dict[str, list[float]]:
    return {trace.name: list(trace.y) for trace in picture.figure.data}


def test_bars_are_the_exact_chances_and_their_ratio_is_in_the_table(out: RowOut) -> None:
    picture = on_grid(out)
    table = picture.table
    places = np.searchsorted(out.on_grid.candidates, table["threshold"])
    assert bars(picture)["with the row"] == pytest.approx(100 * np.exp(out.on_grid.with_row[places]))
    assert bars(picture)["without it"] == pytest.approx(100 * np.exp(out.on_grid.without_row[places]))
    assert (table["times"] <= math.e + 1e-9).all()
    assert table["with_row"].sum() > 0.99
    assert len(table) <= MOST_BARS


def test_the_allowed_range_of_a_bar_is_a_factor_of_e_to_the_epsilon(out: RowOut) -> None:
    trace = on_grid(out).figure.data[0]
    high, low = np.array(trace.y) + trace.error_y.array, np.array(trace.y) - trace.error_y.arrayminus
    without = np.array(on_grid(out).figure.data[1].y)
    assert low == pytest.approx(without / math.e)
    assert high == pytest.approx(np.minimum(without * math.e, 100))
    assert (trace.y <= high + 1e-9).all()
    assert (trace.y >= low - 1e-9).all()


def test_the_score_that_tells_has_a_colour_and_words_of_its_own(out: RowOut) -> None:
    picture = among_scores(out)
    (own,) = np.flatnonzero(picture.table["without_row"] == 0)
    trace = picture.figure.data[0]
    assert [place for place, text in enumerate(trace.text) if text] == [own]
    assert len({colour for place, colour in enumerate(trace.marker.color) if place != own}) == 1
    assert trace.marker.color[own] not in set(np.delete(trace.marker.color, own))
    assert math.isinf(picture.table["times"][own])


@pytest.mark.parametrize("epsilon", [0.001, 0.0501, 0.3, 1.0, 4.4444, 10.0, 40.0])
def test_a_largest_change_is_never_written_smaller_than_it_is(epsilon: float) -> None:
    written = words.ratio_text(epsilon).removesuffix(" times")
    if "×" in written:
        return
    assert math.exp(epsilon) <= float(written.replace(",", "")) + 1e-9 <= 1.01 * math.exp(epsilon)


def test_words_of_a_row_agree_with_its_numbers(out: RowOut) -> None:
    most = math.exp(out.on_grid.largest_log_ratio)
    assert plain(words.grid_title(out)) == (
        f"Public grid (private): no chance changes by more than {math.ceil(100 * most) / 100:.2f} times; "
        "ε allows 2.72 times"
    )
    assert f"comes out with a chance of {100 * out.among_scores.telltale:.1f} %" in plain(words.scores_title(out))
    right = 50 * (1 + out.on_grid.advantage)
    assert float(words.guesses(out.on_grid, "patient").split("at most ")[1].split(" ")[0]) == pytest.approx(
        right, abs=0.1
    )
    assert "rank 28 of 400 patients" in plain(words.row_line(out))


def test_a_row_far_from_the_threshold_is_said_to_change_nothing(out: RowOut) -> None:
    smallest = take_row_out(out.ranked, place=400, epsilon=1.0)
    assert words.grid_title(smallest).endswith("this patient changes no chance at all")
    assert "less than 1 in a million" in words.scores_title(smallest)


def test_shuffled_columns_give_the_whole_row_away(shuffled: SubtractionResult) -> None:
    picture = cells(shuffled)
    assert picture.title == "Shuffled columns (not private): all 31 cells right, the whole row"
    assert (picture.table["true_cell"] == picture.table["guess"]).all()
    assert len(picture.table) == 31
    drawn = [trace for trace in picture.figure.data if trace.type == "bar" and None not in trace.y]
    assert sum(len(trace.y) for trace in drawn) == MOST_CELLS
    assert "nothing limits" in game_sentence(shuffled, "patient")


def test_noisy_histograms_leave_guesses_with_their_limit(noisy: SubtractionResult) -> None:
    picture = cells(noisy)
    assert picture.title.startswith(f"Noisy histograms, ε = 1: {noisy.n_right} of 11 cells right")
    assert picture.table["is_right"].sum() == noisy.n_right < 11
    drawn = [
        pair for trace in picture.figure.data if trace.type == "bar" for pair in zip(trace.y, trace.x, strict=True)
    ]
    assert [share for _, share in sorted(drawn)] == pytest.approx(100 * picture.table["sure"].to_numpy())
    sentence = plain(game_sentence(noisy, "patient"))
    assert f"right in {100 * noisy.success.value:.1f} % of 20 rounds (95 % interval" in sentence
    assert "This noise allows at most 3.8 in 100" in sentence


def test_an_audit_shows_what_is_proved_as_a_share_of_the_claim() -> None:
    picture = audit_picture(REPORT)
    assert {trace.name: list(trace.x) for trace in picture.figure.data} == {
        "ε = 0.5": pytest.approx([0.82, 1.0, LARGEST]),
        "ε = 4": pytest.approx([0.775]),
    }
    assert "No attack broke a claim" in picture.title
    assert "nearest is that on “Quantile”: 1.0 times its claim" in picture.alt
    assert picture.table["verdict"].tolist() == ["holds", "holds", "holds", "caught"]
    assert picture.table["at least"].tolist() == ["0.41", "3.10", "0.50", "infinity"]
    assert list(picture.figure.layout.yaxis.ticktext)[-1] == "Order statistics"
