from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcp_core.data.schema import KINDS, MISSING, ROLES, Column, Schema
from dpcp_core.errors import InputError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
AWKWARD = [
    "one_row_is",
    "columns",
    "kind",
    "a.b",
    'say "hi"',
    "it's",
    " ",
    "\\",
    "[x]",
    "#",
    "\x7f",
    "🫀",
    "größe",
    "=\n",
]
NAMES = st.one_of(TEXT, st.sampled_from(AWKWARD)).filter(str.strip)
NUMBERS = st.floats(-1e100, 1e100)


@st.composite
def columns(draw, name):
    kind = draw(st.sampled_from(KINDS))
    parts = {"missing": draw(st.sampled_from(MISSING)), "bounds_from_file": draw(st.booleans())}
    if kind in ("number", "integer"):
        ends = draw(st.none() | st.lists(NUMBERS, min_size=4, max_size=4, unique=True).map(sorted))
        if ends:
            parts |= {"bounds": (ends[0], ends[3]), "typical": draw(st.sampled_from([None, (ends[1], ends[2])]))}
    else:
        size = {"min_size": 2, "max_size": 2} if kind == "boolean" else {"max_size": 4}
        parts["categories"] = tuple(draw(st.lists(TEXT, unique=True, **size)))
    role = draw(st.sampled_from([role for role in ROLES if role != "target"]))
    return Column(name, kind, role, unit=draw(TEXT), label=draw(TEXT), **parts)


@st.composite
def schemas(draw):
    names = draw(st.lists(NAMES, unique=True, min_size=1, max_size=5))
    made = Schema(tuple(draw(columns(name)) for name in names), draw(TEXT))
    return made.with_target(names[0]) if draw(st.booleans()) else made


@settings(deadline=None)
@given(schemas())
def test_every_schema_comes_back_equal_from_toml(schema):
    text = schema.to_toml()
    assert Schema.from_toml(text + "\n") == schema
    assert Schema.from_toml(text + "\n").to_toml() == text


@settings(deadline=None)
@given(schemas())
def test_every_schema_comes_back_equal_from_json(schema):
    assert Schema.from_dict(json.loads(json.dumps(schema.to_dict()))) == schema


def test_the_text_is_what_a_person_would_write():
    column = Column("age", "integer", unit="years", bounds=(18, 100), typical=(40.5, 70))
    assert Schema((column, Column("a.b", "boolean", "target")), "one patient").to_toml() == (
        'one_row_is = "one patient"\n\n'
        '[age]\nkind = "integer"\nunit = "years"\nbounds = [18, 100]\ntypical = [40.5, 70]\n\n'
        '["a.b"]\nkind = "boolean"\nrole = "target"\ncategories = ["no", "yes"]\n'
    )


def test_a_file_is_read_by_its_path_or_its_name(tmp_path):
    path = tmp_path / "age.toml"
    path.write_bytes(b'\xef\xbb\xbf[age]\r\nkind = "integer"\r\n')
    assert Schema.from_toml(path).names == ("age",)
    assert Schema.from_toml(str(path)).names == ("age",)


def test_columns_may_be_nested_or_not():
    flat = Schema.from_toml('[age]\nkind = "integer"\n[b]\nkind = "number"')
    assert Schema.from_toml('[columns.age]\nkind = "integer"\n[columns.b]\nkind = "number"') == flat
    assert Schema.from_toml('[columns.age]\nkind = "integer"\n[b]\nkind = "number"') == flat


def test_bounds_read_off_the_file_stay_flagged():
    schema = Schema((Column("a", "number", bounds=(0, 1), bounds_from_file=True),))
    assert 'bounds_source = "file"' in schema.to_toml()
    assert Schema.from_toml(schema.to_toml()).from_file == ("a",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[age]\nkind = "integer"\nbounds = [18, 100', "not valid TOML: unclosed array in line 3"),
        ('[age]\nkind = integer\n[b]\nkind = "number"', "not valid TOML: invalid value in line 2"),
        ('[age]\nkind = "integer"\n[age]\nkind = "number"', "Column 'age' is in the schema twice.* in line 3"),
        ('[age]\nkind = "integer"\nbound = [1, 2]', r"'age' has an unknown key 'bound' \(did you mean 'bounds'"),
        ('[a.b]\nkind = "integer"', r"""if the column is called 'a.b', write its name in quotes: \["a.b"\]"""),
        ("[age]\nunit = 'years'", "'age' has no kind; add kind = with one of: number, integer"),
        ('age = "integer"\n', "'age' is described by a single value"),
        ('[age]\nkind = "integer"\nbounds_source = "me"', "'age' has bounds_source 'me'"),
        ('[age]\nkind = ["integer"]', r"'age' has kind \['integer'\]; it must be one of"),
        ("one_row_is = 3\n[age]\nkind = 'integer'", "one_row_is must be text"),
        ("\n", "no columns"),
        ("", "no columns"),
        ('[""]\nkind = "number"', "empty name"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(text, says):
    with pytest.raises(InputError, match=says):
        Schema.from_toml(text)


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml' cannot be opened"):
        Schema.from_toml("nowhere.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"odd\.toml is not UTF-8"):
        Schema.from_toml(tmp_path / "odd.toml")
    with pytest.raises(InputError, match="must be a mapping"):
        Schema.from_dict([1])
