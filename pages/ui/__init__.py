"""Streamlit code shared by the pages: the only door between a page script and the library."""
