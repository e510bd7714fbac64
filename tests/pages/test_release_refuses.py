"""What no release can be reached with, tried at all three doors: the app, the library, the command line.

Each is refused with one plain sentence, before anything is drawn and without a line in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from numpy.random import BitGenerator

from dpcp_core.cli.entry import run
from dpcp_core.conformal.choices import ConformalChoices
from dpcp_core.conformal.estimators import DPCPRegressor
from dpcp_core.data.dataset import Dataset
from dpcp_core.data.reading import read_csv
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.experiments.settings import ConformalSettings
from dpcp_core.presentation.wording import release as words
from dpcp_core.privacy import randomness
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.ledger import Ledger
from dpcp_core.privacy.randomness import ReleaseGenerator
from dpcp_core.release import ReleasePlan, plan_intervals, plan_table, release
from dpcp_core.release.plan import Draft
from dpcp_core.synthesis.dpdsyn import DPDSyn
from dpcp_core.synthesis.run import synthesize
from dpcp_core.synthesis.settings import SynthesisSettings
from tests.core.release.released import without_public_bounds
from tests.pages.conftest import problems, shown_text
from tests.pages.tables import SCHEMA, clinic_csv
from tests.pages.test_release import informed, labels, own_table, save_schema, with_budget

CLINIC = read_csv(clinic_csv(), schema=Schema.from_toml(SCHEMA.decode()))
ROWS = CLINIC.frame
FROM_FILE = without_public_bounds(CLINIC)
OTHER = replace(CLINIC.schema, one_row_is="one owl")
TABLE = SynthesisSettings(task_model="ridge")
App = Callable[..., object]


def intervals(choices: ConformalChoices, data: Dataset = CLINIC, text: str | None = None) -> ReleasePlan:
    return plan_intervals(data, choices, data.schema.to_toml() if text is None else text)


def table(settings: SynthesisSettings = TABLE, data: Dataset = CLINIC, text: str | None = None) -> ReleasePlan:
    return plan_table(data, settings, data.schema.to_toml() if text is None else text)


def estimator(**given: object) -> DPCPRegressor:
    known = {"schema": CLINIC.schema, "mode": "release", **given}
    return DPCPRegressor(**known).fit(ROWS.drop(columns="pain"), ROWS["pain"])  # type: ignore[arg-type]


def simulated() -> Draft:
    made = synthesize(CLINIC, TABLE)
    return Draft({}, made.receipt, made.receipt.guarantee)


def rows_of_others() -> ReleasePlan:
    """Return a plan that would be paid from the account of other rows."""
    plan = table()
    return replace(plan, data=replace(plan.data, _frame=ROWS.assign(age=0)))


class Refused(NamedTuple):
    """One thing that is tried, and what is said to it at each door."""

    app: Callable[[App], tuple[str, str]]
    python: dict[str, tuple[Callable[[], object], str]]
    command: dict[str, tuple[tuple[object, ...], str]]


def no_widget_for_a_seed(open_app: App) -> tuple[str, str]:
    app = with_budget(own_table(open_app))
    app.session_state["set_seed"] = 7
    app.query_params["seed"] = "7"
    for kind in words.KINDS:
        app.get_by_key("release_kind").set_value(kind).run()
        assert problems(app) == []
        widgets = [*app.number_input, *app.text_input, *app.selectbox, *app.button, *app.toggle, *app.checkbox]
        assert widgets
        assert not [one for one in widgets if "seed" in f"{one.key} {one.label}".lower()]
    return shown_text(app), "there is no seed"


def with_state(key: str, value: object, said: str, kind: str = "intervals") -> Callable[[App], tuple[str, str]]:
    def ask(open_app: App) -> tuple[str, str]:
        app = with_budget(own_table(open_app))
        app.session_state[key] = value
        app.get_by_key("release_kind").set_value(kind).run()
        assert "Release" not in labels(app)
        return " ".join(problems(app)), said

    return ask


def unsaved(open_app: App) -> tuple[str, str]:
    app = with_budget(own_table(open_app, schema=None))
    assert "Release" not in labels(app)
    return informed(app), words.SCHEMA_MISSING


def bounds_of_the_file(open_app: App) -> tuple[str, str]:
    app = save_schema(with_budget(own_table(open_app, schema=None)))
    assert words.SCHEMA_MISSING not in informed(app)
    assert "Release" not in labels(app)
    return " ".join(problems(app)), "were read off the rows"


REFUSED = {
    "a seed": Refused(
        no_widget_for_a_seed,
        {
            "settings of a simulation": (lambda: intervals(ConformalSettings(seed=7)), "settings of a simulation"),
            "of a table": (lambda: table(TABLE.replace(seed=7)), "seed is 7, but a release takes no seed"),
            "in release mode": (lambda: TABLE.replace(mode="release", seed=7), "seed is 7, but a release takes no"),
            "of an estimator": (lambda: estimator(random_state=0), "random_state is 0, but a release takes no seed"),
            "a false one": (lambda: estimator(random_state=False), "random_state is False, but a release takes no"),
            "of a synthesiser": (
                lambda: DPDSyn(schema=CLINIC.schema, random_state=1).set_params(mode="release").fit(ROWS),
                "random_state is 1, but a release takes no seed",
            ),
            "a mode that is nearly one": (lambda: estimator(mode="Release", random_state=0), "must be one of"),
            "a mode that is bytes": (lambda: estimator(mode=b"release", random_state=0), "must be one of"),
            "a draw from a seed": (lambda: replace(table(), draw=simulated), "is a simulation, or not private"),
        },
        {
            "of intervals": (("release", "--seed", 7), "No such option: --seed"),
            "of a table": (("release-table", "--seed", 7), "No such option: --seed"),
            "the beginning of the word": (("release", "--see", 7), "No such option: --see"),
            "under another name": (("release-table", "--random-state", 7), "No such option: --random-state"),
            "many times": (("release", "--repetitions", 7), "No such option: --repetitions"),
            "another mode": (("release", "--mode", "simulation"), "No such option: --mode"),
        },
    ),
    "shuffled columns": Refused(
        with_state("synth_attributes", "shuffle", words.NOT_YET, "table"),
        {
            "of a table": (lambda: table(TABLE.replace(attributes="shuffle")), "Shuffled columns publish every value"),
            "of a synthesiser": (
                lambda: DPDSyn(schema=CLINIC.schema, attributes="shuffle", mode="release").fit(ROWS),
                "Shuffled columns publish every value",
            ),
            "a public table that nobody gave": (
                lambda: table(TABLE.replace(attributes="public")), "a release takes no public table",
            ),
        },
        {
            "of a table": (("release-table", "--attributes", "shuffle"), "Shuffled columns publish every value"),
            "as a setting of intervals": (("release", "--shuffle"), "No such option: --shuffle"),
            "a public table": (("release-table", "--attributes", "public"), "a release takes no public table"),
        },
    ),
    "candidates that are the scores": Refused(
        with_state("set_grid", "order_statistics", "under “Spacing of bins”"),
        {
            "of intervals": (lambda: intervals(ConformalChoices(grid="order_statistics")), "residual of somebody"),
            "of an estimator": (lambda: estimator(grid="order_statistics"), "exact residual of somebody"),
            "a method that has them": (lambda: intervals(ConformalChoices(method="pcoqs")), "there to compare with"),
        },
        {
            "of intervals": (("release", "--grid", "order_statistics"), "exact residual of somebody"),
            "a method that has them": (("release", "--method", "pcoqs"), "No such option: --method"),
        },
    ),
    "another method": Refused(
        with_state("set_method", "naive", "a release takes 'dpcp'"),
        {"of intervals": (lambda: intervals(ConformalChoices(method="naive")), "there to compare with")},
        {"of intervals": (("release", "--method", "naive"), "No such option: --method")},
    ),
    "bounds of the rows": Refused(
        bounds_of_the_file,
        {
            "of intervals": (lambda: intervals(ConformalChoices(), FROM_FILE), "read off the rows"),
            "of a table": (lambda: table(TABLE, FROM_FILE), "read off the rows"),
            "bought for the release": (lambda: intervals(ConformalChoices(bounds_epsilon=0.1)), "no bought bounds"),
            "of an estimator": (lambda: estimator(schema=FROM_FILE.schema), "read off the rows"),
            "of a synthesiser": (
                lambda: DPDSyn(schema=FROM_FILE.schema, mode="release").fit(ROWS), "read off the rows",
            ),
            "of other rows": (rows_of_others, "rows were changed after they were read"),
        },
        {
            "of intervals": (("release", "--schema", "file.toml"), "read off the rows"),
            "of a table": (("release-table", "--schema", "file.toml"), "read off the rows"),
            "bought for the release": (("release", "--bounds-epsilon", 0.1), "No such option: --bounds-epsilon"),
        },
    ),
    "a schema that was not saved": Refused(
        unsaved,
        {
            "of intervals": (lambda: intervals(ConformalChoices(), text=""), "schema that was saved before"),
            "of a table": (lambda: table(text=" \n"), "schema that was saved before"),
            "changed since": (lambda: intervals(ConformalChoices(), text=OTHER.to_toml()), "is not the one"),
            "of a table, changed since": (lambda: table(text=OTHER.to_toml()), "is not the one"),
            "of an estimator": (lambda: estimator(schema=None), "would be read off the rows"),
            "of a synthesiser": (lambda: DPDSyn(mode="release", target="pain").fit(ROWS), "would be read off the rows"),
        },
        {
            "of intervals": (("release", "--schema"), "requires an argument"),
            "of a table": (("release-table", "--schema", "empty.toml"), "."),
            "that is not there": (("release", "--schema", "no.toml"), "."),
        },
    ),
}  # fmt: skip


@pytest.fixture
def ledger(own_ledger: str) -> Ledger:
    """Return the ledger of the test, with budgets for the table under all of its descriptions."""
    ledger = Ledger(own_ledger)
    ledger.set_budget(CLINIC.rows_digest, PrivacyBudget(100.0, 0.1))
    return ledger


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with the table and its schemas, good and bad."""
    (tmp_path / "clinic.csv").write_bytes(clinic_csv())
    (tmp_path / "clinic.toml").write_bytes(SCHEMA)
    (tmp_path / "file.toml").write_text(FROM_FILE.schema.to_toml())
    (tmp_path / "empty.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Look at the end whether any generator of a release is where it began."""
    made: list[tuple[ReleaseGenerator, str]] = []

    class Watched(ReleaseGenerator):
        def __init__(self, source: BitGenerator) -> None:
            super().__init__(source)
            made.append((self, repr(source.state)))

    monkeypatch.setattr(randomness, "ReleaseGenerator", Watched)
    yield
    assert all(repr(generator.bit_generator.state) == start for generator, start in made)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("nothing_drawn")
def test_the_app_has_no_way_to_it(name: str, open_app: App, own_ledger: str) -> None:
    said, expected = REFUSED[name].app(open_app)
    assert expected in said
    assert [entry.kind for entry in Ledger(own_ledger).entries()] == ["budget"]


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("nothing_drawn")
def test_the_library_refuses_it_in_one_sentence(name: str, ledger: Ledger) -> None:
    for what, (ask, said) in REFUSED[name].python.items():
        before = len(ledger.entries())
        with pytest.raises(InputError) as caught:
            release(ask(), ledger)  # type: ignore[arg-type]  # what fits is refused before it gets here
        assert said in str(caught.value), what
        assert "\n" not in str(caught.value), what
        # A draw from a seed is found out when it is made, and stays paid for.
        assert len(ledger.entries()) - before == (what == "a draw from a seed"), what


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("nothing_drawn", "ledger")
def test_the_command_line_refuses_it_in_one_sentence(
    name: str, files: Path, own_ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for what, ((command, *more), said) in REFUSED[name].command.items():
        usual = ["clinic.csv", "--schema", "clinic.toml", "--out", "made.zip", "--yes"]
        assert run([str(word) for word in (command, *usual, *more)]) == 2, what
        told = capsys.readouterr().err.strip().splitlines()
        assert said in told[-1], (what, told)
    assert not (files / "made.zip").exists()
    assert [entry.kind for entry in Ledger(own_ledger).entries()] == ["budget"]
