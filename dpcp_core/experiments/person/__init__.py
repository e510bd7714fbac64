"""What one person gets from a private model: an interval or a set, dots for how models err, people like them.

>>> from dpcp_core import ConformalSettings, load_sample
>>> from dpcp_core.experiments.run import prepare, train
>>> data, settings = load_sample("diabetes"), ConformalSettings(epsilon=4.0, repetitions=1)
>>> model = person_model(data, train(prepare(data), settings.training_key()), settings)
>>> given = answer(model, typical_person(model.schema))
>>> given.number.lower < given.number.predicted < given.number.upper, len(given.number.dots)
(True, 50)
"""

from dpcp_core.experiments.person.answer import (
    N_DOTS,
    ClassAnswer,
    NumberAnswer,
    PersonAnswer,
    answer,
)
from dpcp_core.experiments.person.model import PersonModel, Subgroup, person_model
from dpcp_core.experiments.person.values import Person, held_out_person, typical_person, typical_value

__all__ = [
    "N_DOTS",
    "ClassAnswer",
    "NumberAnswer",
    "Person",
    "PersonAnswer",
    "PersonModel",
    "Subgroup",
    "answer",
    "held_out_person",
    "person_model",
    "typical_person",
    "typical_value",
]
