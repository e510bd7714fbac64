"""The tables of the source texts, read from the files under which they are published. One format, one file.

Which are known?      ``PUBLISHED`` in :mod:`.registry`.
What lies in a folder? ``look_into(folder)`` in :mod:`.registry`.
"""
