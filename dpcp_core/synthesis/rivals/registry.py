"""All rivals by name.

A private Bayes network whose shape is chosen privately, too (PrivBayes), is not among them: no library of it that
installs beside this project is sound. DataSynthesizer 0.1.13 spends epsilon twice (once on histograms that come before
its Bayes network), takes the number of cells and which columns are binary from the rows, and seeds its noise with 0 by
default; dpmm and smartnoise-synth ask for older versions of libraries that this project needs.
"""

from __future__ import annotations

from dpcp_core.synthesis.rivals.counted import Independent, NaiveBayes, Uniform
from dpcp_core.synthesis.rivals.graphical import AIM, MST
from dpcp_core.synthesis.rivals.protocol import Rival

_ALL: tuple[Rival, ...] = (Uniform(), Independent(), NaiveBayes(), MST, AIM)

RIVALS: dict[str, Rival] = {rival.name: rival for rival in _ALL}
