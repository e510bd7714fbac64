"""Everything that claims an epsilon and is attacked, by name.

To add one, write an ``Audited`` beside its like and put it into the tuple of its file.

>>> AUDITED["noisy_count"].title
'Noisy count'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpcp_core.experiments.audit.audited import Audited
from dpcp_core.experiments.audit.mechanisms import MECHANISMS
from dpcp_core.experiments.audit.synthesis import SYNTHESIS
from dpcp_core.experiments.audit.training import TRAINING

AUDITED: Mapping[str, Audited] = MappingProxyType({each.name: each for each in (*MECHANISMS, *TRAINING, *SYNTHESIS)})
"""In the order in which they are attacked."""
