"""What would a budget buy? A procedure run many times and measured on held-out rows.

Start with ``run`` (``simulate``, in the stages ``prepare``, ``train``, ``calibrate``), ``settings`` (every choice) and
``result`` (what was found). ``streams`` names the sources of chance.
"""
