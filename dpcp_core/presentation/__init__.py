"""From results to people: figures, words, code that repeats a run, files to take away.

``figures`` (``strip``, ``mechanism``, ``spread``), ``wording`` (every sentence and number that is shown),
``snippets`` (``python_snippet``, ``command_line``), ``report`` (``downloads``).
"""
