"""From scores to intervals with a promise: scores, what ranking rows that trained costs, methods, estimators.

Start with ``estimators`` (the scikit-learn face), ``choices`` (what can be chosen), ``methods`` (what each procedure
does) and ``procedure`` (one run). ``thresholds``, ``stability`` and ``certificate`` make the threshold and its promise,
``receipts`` and ``leaks`` say what it cost.
"""
