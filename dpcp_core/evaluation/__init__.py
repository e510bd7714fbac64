"""How good is a run? ``coverage`` measures with uncertainty; ``doctor`` finds ``symptoms`` and what would mend them."""
