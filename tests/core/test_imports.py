"""Starting is quick: what is heavy is loaded by the functions that need it, not by an import."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("torch", "opacus", "dp_accounting", "streamlit", "plotly", "mbi")


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after running the code."""
    script = f"{code}\nimport sys\nprint(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n")[-2].split())


def test_import_of_the_library_loads_nothing_heavy():
    loaded = loaded_by("import dpcp_core")
    assert not loaded & {*HEAVY, "pandas", "sklearn", "scipy"}


@pytest.mark.parametrize(
    "names",
    [
        "Schema, Dataset, read_csv, load_sample",
        "Grid, private_quantile, quantile_distribution, certified_target",
        "DPCPRegressor, SplitConformalRegressor, PrivateSplitConformalRegressor",
        "ConformalSettings, simulate",
        "PrivacyBudget, PrivacyReceipt",
    ],
)
def test_public_names_load_nothing_heavy(names):
    assert not loaded_by(f"from dpcp_core import {names}") & set(HEAVY)


def test_every_public_name_exists():
    code = "import dpcp_core\nfor name in dpcp_core.__all__: getattr(dpcp_core, name)"
    assert "dpcp_core" in loaded_by(code)


def test_help_of_the_command_line_loads_neither_numpy_nor_pandas():
    code = "from dpcp_core.cli.entry import run\nrun(['--help'])\nrun(['schema', '--help'])"
    assert not loaded_by(code) & {*HEAVY, "numpy", "pandas", "sklearn", "scipy"}


def test_help_of_simulate_looks_up_what_is_registered_without_anything_heavy():
    code = "from dpcp_core.cli.entry import run\nrun(['simulate', '--help'])"
    assert not loaded_by(code) & {*HEAVY, "sklearn"}


def test_an_unknown_name_is_an_attribute_error():
    import dpcp_core

    with pytest.raises(AttributeError, match="no_such_name"):
        dpcp_core.no_such_name  # noqa: B018 - reading it is the test
