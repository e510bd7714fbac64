"""What came out when the source texts' experiments were run again: claims with verdicts, tables, figures.

``files_of`` in :mod:`.files` returns everything that is written into a folder.
"""
