from __future__ import annotations

import re

import pytest

from pages.ui.text import escaped
from tests.pages.conftest import plain

NAMES = [
    "<script>alert(1)</script>",
    "**bold** _it_ ~~gone~~",
    "$latex_a$",
    ":red[x]",
    ":material/home:",
    ":smile: :+1:",
    "![i](http://evil.example/x.png)",
    "www.evil.example",
    "who@evil.example",
    "a|b \\ c",
    "`",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_reads_on_screen_as_it_is(name):
    assert plain(escaped(name)) == name.replace("\\", "")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_for_markdown_to_turn_into_something_else(name):
    text = escaped(name)
    # What Streamlit and GitHub's Markdown look for after escapes are gone.
    bare = text.replace("\\", "")
    assert not re.search(r":[\w+/-]+:|https?://|www\.|\w@\w", bare)
    assert not re.search(r"(?<!\\)[*_$<>\[\]~|`]", text.replace("\\\\", ""))
