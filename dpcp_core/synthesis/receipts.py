"""The receipt of a synthesis: what each part read, what it cost, and what the synthetic table does not protect."""

from __future__ import annotations

from dpcp_core.privacy.budget import PrivacyBudget
from dpcp_core.privacy.leaks import file_leaks
from dpcp_core.privacy.receipt import PrivacyReceipt
from dpcp_core.synthesis.plan import SynthesisPlan
from dpcp_core.synthesis.randomised import randomised_sentences

_GUARANTEE = (
    "Nothing is promised about how close the synthetic table is to the real one. What is promised is about privacy: "
    "every row that is ever drawn is made from the released parts above alone, so that drawing more rows costs nothing."
)
_JOINT = "All parts read the same rows; their exact joint cost is computed, which is below the sum."
_NOT_PROTECTED = (
    "That the table exists, how many rows it has, that all of them could be read, and that its target is not the same "
    "in every row: others are refused.",
    "What holds for the whole population: a synthetic table may teach something about everybody, in the table or not.",
    "A person with several rows: the protection is for one row.",
    "Anything done with the rows beside this one synthesis: choosing settings by looking at them, preparing them, "
    "fitting again.",
)


def write_receipt(plan: SynthesisPlan, mode: str) -> PrivacyReceipt:
    """Return the receipt of a synthesis by this plan."""
    settings, schema = plan.settings, plan.schema
    entries = tuple(part.entry(plan.n_rows, settings.delta) for part in plan.parts)
    return PrivacyReceipt(
        entries=entries,
        composition=_JOINT,
        total=PrivacyBudget(settings.epsilon, settings.delta),
        guarantee=_GUARANTEE,
        assumptions=(*_assumptions(plan), *randomised_sentences(schema, settings.randomised_response)),
        not_protected=_NOT_PROTECTED,
        leaks=leaks_of(plan),
        mode="release" if mode == "release" else "simulation",
        one_row_is=schema.one_row_is,
    )


def leaks_of(plan: SynthesisPlan) -> tuple[str, ...]:
    """Return why a synthesis is not private, one sentence each; empty if it is."""
    own = (plan.maker.leak,) if plan.maker.leak else ()
    return (*own, *file_leaks(plan.schema.from_file))


def _assumptions(plan: SynthesisPlan) -> tuple[str, ...]:
    sentences = [
        "Bounds, typical ranges, categories, the number of rows, rules and all settings are public knowledge.",
        f"One row is one person{f' ({plan.schema.one_row_is})' if plan.schema.one_row_is else ''}.",
    ]
    if not plan.maker.parts(plan.attributes):
        sentences.append("Attributes are made from public knowledge, the schema or a public table, and cost nothing.")
    if len(plan.targets) > 1:
        sentences.append(
            f"Each of the {len(plan.targets)} targets has a model of its own with an equal part of the budget; the "
            "later ones know the labels of the earlier."
        )
    return tuple(sentences)
