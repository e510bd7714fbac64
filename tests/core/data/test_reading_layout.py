"""Where the table lies in a file: what stands above and below it, and what its columns are called."""

from __future__ import annotations

import pytest

from dpcp_core import InputError, read_csv


def names(text: str) -> list[str]:
    return list(read_csv(text.encode()).frame.columns)


def said(data, *words: str) -> bool:
    return any(all(word in note for word in words) for note in data.report.notes)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_every_separator_is_found_and_named(separator):
    data = read_csv(separator.join("ab").encode() + b"\n1" + separator.encode() + b"x y\n")
    assert data.frame.to_dict("list") == {"a": [1], "b": ["x y"]}
    assert said(data, "separate the columns.")


def test_commas_in_text_do_not_hide_semicolons():
    text = "name;note\nA;hello, there, you\nB;well, fine\nC;none\n"
    assert read_csv(text.encode()).frame["note"].tolist() == ["hello, there, you", "well, fine", "none"]


def test_the_separator_may_be_said():
    assert list(read_csv(b"a:b\n1:2\n", separator=":").frame.columns) == ["a", "b"]
    for wrong in ("::", "", '"', 5):
        with pytest.raises(InputError, match="separator is"):
            read_csv(b"a:b\n1:2\n", separator=wrong)


def test_a_paste_from_excel():
    rows = ["site\tbeds\tnote", 'North\t1,250\t"two\nlines"', "South\t980\t", "East\t1,010\tx", "West\t75\t"]
    text = "\r\n".join([*rows, "Isle\t9\t", "Bay\t2,000\t", ""])
    frame = read_csv(text.encode()).frame
    assert frame["beds"].tolist() == [1250, 980, 1010, 75, 9, 2000]
    assert frame["note"].tolist()[0] == "two\nlines"


def test_excels_line_that_names_the_separator_is_no_row():
    assert names("sep=;\na;b\n1;2\n") == ["a", "b"]


def test_single_quotes_may_quote():
    frame = read_csv(b"'a','b'\n'1','x,y'\n'2','z'\n").frame
    assert frame.to_dict("list") == {"a": [1, 2], "b": ["x,y", "z"]}


def test_blanks_before_quotes_do_not_break_them():
    assert read_csv(b'a, b\n1, "x, y"\n2, "z"\n').frame["b"].tolist() == ["x, y", "z"]


def test_a_backslash_may_escape_quotes():
    assert read_csv(b'a,b\n1,"x \\"q\\", y"\n2,"z"\n').frame["b"].tolist() == ['x "q", y', "z"]


def test_inches_are_no_quotes():
    assert read_csv(b'a,b\n5" pipe,1\n6 pipe,2\n').frame["a"].tolist() == ['5" pipe', "6 pipe"]


def test_line_ends_inside_quotes_stay():
    frame = read_csv(b'a,b\n"two\nlines",1\n"more",2\n').frame
    assert frame["a"].tolist() == ["two\nlines", "more"]


def test_title_lines_are_left_out():
    data = read_csv(b"Results of ward 7\nPrinted: Monday\n\nage,weight,sex\n40,70,f\n50,80,m\n")
    assert list(data.frame.columns) == ["age", "weight", "sex"]
    assert said(data, "The first 3 lines stand above the table")
    assert said(data, "Line 4 holds the column names.")


def test_labels_with_values_above_the_table_are_no_names():
    text = "Region:;North;;\nYear:;2011;;\nage;weight;sex;ward\n40;70;f;1\n50;80;m;2\n"
    assert names(text) == ["age", "weight", "sex", "ward"]


def test_two_rows_of_names_are_joined():
    text = "id,Seen?,,Age\n,Film A,Film B,Response\n1,3,4,18-29\n2,5,6,30-44\n3,7,8,30-44\n"
    assert names(text) == ["id", "Seen?: Film A", "Seen?: Film B", "Age"]


def test_units_below_the_names_are_part_of_them():
    text = "age,height,sex\nyears,cm,\n3,100,f\n4,110,m\n"
    assert names(text) == ["age (years)", "height (cm)", "sex"]


def test_a_first_row_with_a_word_is_no_second_header():
    data = read_csv(b"name,age\nA,unclear\nB,34\nC,40\n")
    assert len(data.frame) == 3
    assert list(data.frame.columns) == ["name", "age"]


def test_a_file_without_names_keeps_its_first_row():
    data = read_csv(b"39,State-gov,77516\n50,Private,83311\n38,Private,215646\n")
    assert data.frame.shape == (3, 3)
    assert list(data.frame.columns) == ["column_1", "column_2", "column_3"]
    assert said(data, "Line 1 holds values")


@pytest.mark.parametrize("header", ["country,2000,2001,2002", "0,1,2,3", "1,2,3,4"])
def test_years_and_counts_may_be_names(header):
    rows = "5,6.5,7,8\n9,3.5,12,11\n" if header[0].isdigit() else "North,6.5,7,8\nSouth,3.5,12,11\n"
    data = read_csv(f"{header}\n{rows}".encode())
    assert list(data.frame.columns) == header.split(",")
    assert len(data.frame) == 2
    assert said(data, "Line 1 holds years or counts")


def test_repeated_and_blank_names_get_names_of_their_own():
    data = read_csv(b"a,a,b,,a_2\n1.5,2,3,4,5\n5.5,6,7,8,9\n")
    assert list(data.frame.columns) == ["a", "a_3", "b", "column_4", "a_2"]
    assert said(data, "without a name", "`column_4`")
    assert said(data, "used before", "`a_3`")


def test_names_lose_line_ends_and_double_blanks():
    assert names('"two\nlines",  b  c \n1,2\n') == ["two lines", "b c"]


def test_an_unnamed_first_column_that_numbers_the_rows_is_an_index():
    data = read_csv(b',age\n"1",30\n"6",40\n"8",50\n')
    assert data.frame["index"].tolist() == [1, 6, 8]
    assert data.schema.column("index").role == "ignore"
    assert said(data, "`index`", "not used")


def test_row_names_without_a_name_of_their_own_are_a_column():
    data = read_csv(b"mpg,cyl\nMazda,21.5,6\nFiat,32.4,4\n")
    assert data.frame.columns.tolist() == ["column_1", "mpg", "cyl"]
    assert data.frame["column_1"].tolist() == ["Mazda", "Fiat"]


@pytest.mark.parametrize("text", ["a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b,,\n1,2,,\n3,4,,\n"])
def test_columns_without_name_and_value_are_left_out(text):
    data = read_csv(text.encode())
    assert data.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert said(data, "neither a name nor a value")


def test_rows_without_a_value_are_left_out():
    data = read_csv(b"a,b\n\n1,2\n , \n3,4\n,\n\n")
    assert data.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert said(data, "4 rows without any value were left out.")


@pytest.mark.parametrize(
    "note",
    ["\nSource: me", "\n\n1) estimated\n2) revised", "Source: office,,", ",,\nUpdated weekly,,", "* provisional,,"],
)
def test_notes_below_the_table_are_left_out(note):
    data = read_csv(f"a,b,c\n1,2,3\n4,5,6\n{note}\n".encode())
    assert data.frame.to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert said(data, "below the table")


def test_a_last_row_that_is_nearly_empty_is_a_row():
    data = read_csv(b"id,b,c\nx1,2,3\nx2,3,4\nx3,,\n")
    assert data.frame["id"].tolist() == ["x1", "x2", "x3"]


def test_comments_between_rows_are_left_out():
    data = read_csv(b"a,b,c\n# first part\n1,2,3\n# second, longer\n4,5,6\n")
    assert data.frame.to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert said(data, "2 rows beginning with '#' were left out.")
    assert read_csv(b"#id,b\n#1,2\n#2,3\n").frame["#id"].tolist() == ["#1", "#2"]
    with pytest.raises(InputError, match="Line 3 has 3 cells"):
        read_csv(b"id,b\n#1,2\n#2,3,4\n#3,4\n")


def test_a_total_that_adds_up_is_left_out():
    data = read_csv(b"ward,beds,staff\nA,10,3\nB,12,4\nTotal,22,7\n")
    assert data.frame["beds"].tolist() == [10, 12]
    assert said(data, "Line 4 adds up the rows above it and was left out.")


def test_a_total_that_does_not_add_up_is_kept_and_mentioned():
    data = read_csv(b"ward,beds,staff\nA,10,3\nB,12,4\nTotal,99,90\n")
    assert len(data.frame) == 3
    assert said(data, "Line 4", "does not add up")


def test_a_name_that_begins_like_a_total_is_a_row():
    data = read_csv(b"hospital,beds\nNorth,10\nSouth,12\nAll Saints by the Sea,99\n")
    assert len(data.frame) == 3
    assert not said(data, "add up")


def test_a_total_among_the_columns_is_a_column():
    assert names("ward,beds,TOTAL\nA,1,2\nB,3,4\n") == ["ward", "beds", "TOTAL"]


def test_old_macintosh_line_ends():
    data = read_csv(b"a,b\r1,2\r3,4\r")
    assert data.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert said(data, "Macintosh")


def test_doubled_carriage_returns_are_line_ends():
    assert read_csv(b"a,b\r\r\n1,2\r\r\n3,4\r\r\n").frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_a_thousand_columns():
    header = ",".join(f"c{i}" for i in range(1000))
    rows = "\n".join(",".join(str(i * j) for i in range(1000)) for j in range(5))
    frame = read_csv(f"{header}\n{rows}\n".encode()).frame
    assert frame.shape == (5, 1000)
    assert frame.iloc[4, 999] == 4 * 999
