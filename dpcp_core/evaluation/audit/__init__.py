"""What attackers can prove: lower bounds of epsilon, membership, and what a synthetic table gives away.

How much does a count of hits prove?  ``estimates``.  Two samples of a release?  ``distinguishing``.
A mechanism with few outputs, exactly?  ``exact``.  A model trained once, or many times?  ``one_run``, ``membership``.
A synthetic table?  ``subtraction``, ``singling_out``, ``linkability``, ``inference``.
"""
