from __future__ import annotations

import json

import pytest

from tests.pages.conftest import PAGES, problems, shown_text
