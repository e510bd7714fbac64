"""The experiments of the source text on DPDSyn, run again: their tables, their settings, their claims.

>>> from dpcp_core.experiments.reproduce_synthesis.tables import TABLES
>>> [table.title for table in TABLES]
['Adult', 'Br2000', 'LPD', 'Smoking']
"""
