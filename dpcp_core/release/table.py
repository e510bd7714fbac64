"""Releasing a synthetic table."""

from __future__ import annotations

from dpcp_core.conformal.linter import set_by_hand, unnamed_row
from dpcp_core.data.dataset import Dataset
from dpcp_core.errors import InputError, NotPrivateError
from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.leaks import file_leaks
from dpcp_core.privacy.ledger import Part, ReleaseCost
from dpcp_core.privacy.profile import GaussianProfile, SubsampledGaussianProfile
from dpcp_core.release.card import table_card
from dpcp_core.release.plan import (
    Draft,
    ReleasePlan,
    reminders_of,
    require_all_rows_readable,
    require_no_formulas,
    require_saved_schema,
    require_small_delta,
    told_of_left_out,
)
from dpcp_core.synthesis.domain import Domain
from dpcp_core.synthesis.plan import plan_synthesis
from dpcp_core.synthesis.reading import read_rows
from dpcp_core.synthesis.receipts import leaks_of
from dpcp_core.synthesis.run import synthesize
from dpcp_core.synthesis.settings import SynthesisSettings


def plan_table(data: Dataset, settings: SynthesisSettings, schema_text: str) -> ReleasePlan:
    """Check whether a synthetic table may be released, and what it costs; nothing is drawn.

    Parameters
    ----------
    data : Dataset
    settings : SynthesisSettings
        Their mode plays no part, and a seed is refused.
    schema_text : str
        Text of the file that the schema was saved in.

    Raises
    ------
    NotPrivateError
        ``attributes="shuffle"``, bounds read off the rows, a schema that was not saved.
    InputError
        A seed, ``attributes="public"``, rows that cannot be read, settings that do not suit the table.
    """
    require_saved_schema(data, schema_text)
    for leak in file_leaks(data.schema.from_file):
        raise NotPrivateError(leak)
    require_no_formulas(data.schema)
    require_small_delta(settings.delta, data.n_rows)
    settings = settings.replace(mode="release")
    if settings.attributes == "public":
        raise InputError(
            'attributes is "public", but a release takes no public table, and without one the columns would be spread '
            "evenly over what the schema allows; choose marginals."
        )
    schema, rows = read_rows(data.frame, data.schema, settings)
    plan = plan_synthesis(settings, schema, len(rows), None)
    for leak in leaks_of(plan):
        raise NotPrivateError(leak)
    require_all_rows_readable(lambda: Domain.of(schema).read(rows))
    total = PrivacyBudget(settings.epsilon, settings.delta)
    # A part of which only one pair is known does not say what it costs beside the others.
    known = all(isinstance(profile, GaussianProfile | SubsampledGaussianProfile) for profile in plan.profiles)
    parts = tuple(Part.of_profile(profile, total) for profile in plan.profiles) if known else ()
    n_rows = settings.n_rows or len(rows)
    return ReleasePlan(
        data=data,
        title=f"a synthetic table of {n_rows:,} rows, {settings.attributes}",
        cost=ReleaseCost(total, parts),
        reminders=reminders_of((*set_by_hand(settings.training_choices), *unnamed_row(schema)), data),
        draw=lambda: _drawn(data, settings),
    )


def _drawn(data: Dataset, settings: SynthesisSettings) -> Draft:
    made = synthesize(data, settings)
    receipt = told_of_left_out(made.receipt, data)
    files = {
        "synthetic.csv": made.table.to_csv(index=False, lineterminator="\n").encode(),
        "schema.toml": made.schema.to_toml().encode(),
        "receipt.json": receipt.to_json().encode(),
        "receipt.txt": receipt.to_text().encode(),
        "README.md": table_card(len(made.table), tuple(made.table.columns), receipt).encode(),
    }
    return Draft(files, receipt, receipt.guarantee)
