"""Makers of attributes by name; a new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from dpcp_core.synthesis.attributes.autoencoder import Autoencoder
from dpcp_core.synthesis.attributes.graph import Graph
from dpcp_core.synthesis.attributes.marginals import Marginals
from dpcp_core.synthesis.attributes.protocol import AnyMaker
from dpcp_core.synthesis.attributes.public import Public
from dpcp_core.synthesis.attributes.shuffle import Shuffle
from dpcp_core.synthesis.attributes.tree import Tree

ATTRIBUTES: Mapping[str, AnyMaker] = {
    maker.name: maker for maker in (Marginals(), Shuffle(), Tree(), Graph(), Public(), Autoencoder())
}
