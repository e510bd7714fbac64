from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = ["choices", "controls.keys", "controls.reading", "panels.run", "text", "trainers"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    module = importlib.import_module(f"pages.ui.{name}")
    assert doctest.testmod(module).failed == 0
