"""The parts of reading a CSV file, from bytes to columns; :mod:`dpcp_core.data.reading` puts them together."""
