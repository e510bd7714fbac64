"""The experiments of the source texts on DPCP, run again: their tables, their settings, their claims.

>>> from pathlib import Path
>>> from dpcp_core.experiments.reproduce.published.registry import look_into
>>> here, missing = look_into(Path(__file__).parent)
>>> len(here), [table.title for table in missing][:2]
(0, ['Abalone', 'Bike Sharing'])
"""
