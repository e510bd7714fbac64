"""What can be certified, in words: every remedy that is named helps, and no number is made up."""

from __future__ import annotations

import pytest

from dpcp_core.conformal.feasibility import certified_feasibility, feasibility_map
from dpcp_core.presentation.figures.feasibility import feasibility
from dpcp_core.presentation.wording.feasibility import feasible_detail, feasible_headline, held_out_words
from tests.core.presentation.maps import plain

ROWS, EPSILONS = (30, 300, 3000), (0.1, 1.0)


def headline(n: int, *, of_classes: bool = False, **settings) -> str:
    return plain(feasible_headline(certified_feasibility(n, **settings), "patient", of_classes=of_classes))


def detail(n: int, **settings) -> str:
    return plain(feasible_detail(certified_feasibility(n, **settings), "patient"))


def test_what_can_be_certified_is_said_with_its_price():
    assert headline(3200) == "With 3,200 patients and ε = 1, something narrower than the whole range can be certified"
    words = detail(3200)
    assert "To be sure of 90 %, the threshold aims at 90.3 % of the ranked rows: 0.32 points are the price" in words
    assert "With these rows it takes ε = 0.029 or more; at this ε it takes 102 patients or more." in words


def test_too_few_rows_say_what_would_help():
    assert headline(30) == "With 30 patients and ε = 1, nothing narrower than the whole range can be certified"
    words = detail(30)
    assert "it takes 102 patients or more" in words
    assert words.endswith("more rows, a larger ε, or fewer bins help.")


def test_a_method_without_a_proof_certifies_nothing_whatever_comes_out():
    assert headline(3200, method="naive").endswith("this method certifies nothing, whatever comes out")
    assert detail(3200, method="naive").endswith("This method proves nothing about coverage; choose one that does.")


def test_a_level_that_falls_as_the_budget_grows_has_a_largest_epsilon():
    words = detail(3200, stability="dp", epsilon=10.0)
    assert "With these rows it takes ε = 0.029 to 9, not more; at this ε it takes 5,246 patients" in words
    assert "a smaller ε would do better" in words


def test_thresholds_per_group_need_as_many_rows_in_each():
    assert detail(3200, by_group=True).endswith("read these as the patients of one group.")


def test_classes_have_sets():
    assert headline(30, of_classes=True, n_classes=2).endswith("nothing smaller than every class can be certified")


def test_held_out_rows_are_accounted_for():
    assert "3,200 patients of 4,000" in plain(held_out_words(3200, 4000, "patient"))


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_has_a_number_where_something_can_be_certified_and_hatching_elsewhere(dark):
    plane, here = feasibility_map(n=ROWS, epsilons=EPSILONS), certified_feasibility(3200)
    picture = feasibility(plane, here, noun="patient", dark=dark)
    tiles, numbers, hatch = picture.figure.data[:3]
    certified = {
        (n, epsilon): bool(plane.certified[i, j]) for i, n in enumerate(ROWS) for j, epsilon in enumerate(EPSILONS)
    }
    assert certified == {
        (30, 0.1): False, (300, 0.1): False, (3000, 0.1): True, (30, 1.0): False, (300, 1.0): True, (3000, 1.0): True,
    }  # fmt: skip
    assert len(numbers.text) == 3
    assert sum(depth is not None for row in tiles.z for depth in row) == 3
    assert hatch.name == "hatched"
    for text in numbers.text:
        assert 90 < float(text) < 100
    assert picture.alt.startswith(picture.title)
    assert picture.figure.layout.dragmode is False


def test_the_dot_lies_at_the_table_in_use_and_stays_inside():
    plane = feasibility_map(n=ROWS, epsilons=EPSILONS)
    dot = feasibility(plane, certified_feasibility(300, epsilon=1.0)).figure.data[-1]
    assert (dot.x[0], dot.y[0]) == pytest.approx((1, 1))
    far = feasibility(plane, certified_feasibility(10**6, epsilon=50.0)).figure.data[-1]
    assert (far.x[0], far.y[0]) == pytest.approx((2, 1))


def test_the_table_holds_every_tile_and_the_fewest_rows():
    table = feasibility(feasibility_map(n=ROWS, epsilons=EPSILONS), certified_feasibility(300)).table
    assert len(table) == 6
    assert table.loc[table["epsilon"] == 1.0, "smallest_n"].tolist() == [102] * 3
    assert table["certified"].sum() == 3


def test_no_number_of_rows_is_made_up_where_nothing_is_proved():
    plane = feasibility_map(n=ROWS, epsilons=EPSILONS, method="naive")
    picture = feasibility(plane, certified_feasibility(300, method="naive"))
    assert len(picture.figure.data[1].text) == 0
    assert not picture.table["certified"].any()


def test_bounds_read_off_the_rows_are_what_is_in_the_way_and_not_the_method():
    here = certified_feasibility(1070)
    told = plain(feasible_headline(here, "row", of_classes=False, read_off=True))
    assert told.endswith("something narrower than the whole range could be certified with public bounds")
    words = feasible_detail(here, "row", read_off=True)
    assert words.startswith("As it stands nothing is certified: bounds or categories were read off the rows.")
    assert "This method proves nothing" not in words
    assert "read off" not in feasible_detail(here, "row")


def test_no_number_of_rows_is_named_where_no_number_would_do():
    assert "it takes" not in detail(3200, method="naive")


@pytest.mark.parametrize("method", ["pscp", "pcoqs", "dpcp_paper"])
def test_a_method_without_a_proof_is_not_said_to_need_more_rows(method: str):
    assert headline(20, method=method).endswith("this method certifies nothing, whatever comes out")
    assert detail(20, method=method) == "This method proves nothing about coverage; choose one that does."


def test_without_privacy_no_epsilon_is_asked_for_and_nothing_is_paid():
    assert headline(3200, method="split").endswith("can be certified")
    assert detail(3200, method="split") == "It takes 17 patients or more, whatever ε is, as nothing here is private."
    assert detail(8, method="split").endswith("There are too few rows to rank; more rows help.")


def test_only_what_helps_by_itself_is_advised():
    few = certified_feasibility(20, stability="profile", epsilon=8.0)
    assert few.smallest_epsilon is None
    assert plain(feasible_detail(few, "patient")) == (
        "At this ε it takes 208 patients or more. One row weighs too much for this budget: more rows or fewer bins "
        "help."
    )
    assert certified_feasibility(few.smallest_n, stability="profile", epsilon=8.0).certified
    assert detail(20, stability="dp", epsilon=200.0) == (
        "At this ε no number of rows is enough, and with these rows no ε is; change both."
    )
    assert certified_feasibility(3200, stability="dp", epsilon=1.0).certified


def test_an_epsilon_that_no_number_of_rows_makes_up_for_is_told_by_the_epsilons_that_would_do():
    words = detail(3200, stability="dp", epsilon=200.0)
    assert words.startswith("With these rows it takes ε = 0.029 to 9, not more. Making up for rows that trained")


def test_a_widening_as_large_as_the_scores_is_named_as_what_is_in_the_way():
    words = detail(300, stability="coupling", epsilon=1000.0, max_grad_norm=1000.0, steps=300, step_size=0.9)
    assert words.endswith("The public amount by which intervals are widened is as large as the scores themselves.")
