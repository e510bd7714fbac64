"""What the page About says: what simulation, privacy and coverage mean, what is kept, where it comes from."""

from __future__ import annotations

from dpcp_core.presentation.wording.plain import SIMULATION_MEANING

MODE = f"""
Every page but Release simulates. {SIMULATION_MEANING}

What a release of the same procedure would cost and promise is on each result's receipt. The page Release draws once,
from all rows, with noise that nobody can repeat, and pays for it.
"""

PRIVACY = """
Take one row of the table and replace it by an empty one. Whatever leaves the procedure would have come out almost as
likely: the odds of any conclusion change by a factor of at most e to the power of **ε**, and **δ** leaves an extra
chance of at most that much on top. That holds against an onlooker with any other knowledge and any amount of computing.

It rests on this:

- One row is one person. If somebody has several rows, protection is weaker in proportion.
- The number of rows is public, and so are the bounds and categories in the schema. They come from a code book or plain
  knowledge; bounds read off the file are not public, and the receipt then says that ε is infinite.
- ε, δ, the coverage and all other settings were not chosen by looking at the rows. In a simulation you do look, which
  is one more reason why it is no release.
"""
COVERAGE = """
A **certified** interval contains the true value of a new person, and a certified set of classes the true class, with at
least the chance you asked for. This is proved for every number of rows and every distribution, with the noise and the
reuse of rows counted in.

It rests on this:

- The new person comes from where the rows came from, drawn at random (rows and newcomer are exchangeable).
- The chance is an average over people. Among the very old or the very ill it may be lower, and nobody can say which
  intervals or sets miss. A threshold for each public group promises it within every group.
- It speaks of the target within its public bounds; a value beyond a bound counts as the bound. Of classes it speaks
  only of those that the schema lists.

Methods named “as published” keep the promise of their paper, which is argued under more assumptions; the page says “not
certified” then. The share that you see on screen is measured on held-out rows and has its own uncertainty.
"""
LIMITS = """
- The person whose interval or set is shown: what they tell the model is theirs to share. Privacy is for people in the
  table.
- Facts about everybody. If smoking raises blood pressure, the model says so about each smoker, in the table or not.
- Whatever else is published from the same rows: budgets add up over releases.
- What is on screen here. Pictures and measured coverage come from real rows.
"""
STORAGE = """
- A table that you upload, and what is computed from it: in the memory of this session, on the computer that runs the
  app. Nothing is written to disk. “Forget my data” drops it at once; closing the page drops it within minutes.
  A training that is going on then cannot be stopped: it ends unseen, and what it read is dropped with it.
- What you do on the Release page is written to the ledger: budgets, what was spent, digests of tables, and scrambled
  marks of some rows. It holds no cell of a table, and stays.
- Other sessions never see it: each has its own store.
- The address of the page carries ε, coverage, budget share, bins and the name of a sample, so that a link can be
  shared. It never carries anything of an uploaded table.
- No usage statistics, no fonts or scripts from elsewhere: the app works without the internet.
"""
REFERENCES = """
- Differentially private conformal prediction: arXiv 2604.14621 (“DPCP as published”)
- Private prediction sets: Angelopoulos, Bates, Zrnic and Jordan, arXiv 2102.06202 (private split)
- Conformal prediction: Vovk, Gammerman and Shafer, *Algorithmic Learning in a Random World*, 2005; Papadopoulos and
  others, 2002 (split)
- Sets of classes: Sadinle, Lei and Wasserman, 2019; Romano, Sesia and Candès, arXiv 2006.02544 (cumulative)
- Private training: Abadi and others, arXiv 1607.00133; Opacus, arXiv 2109.12298
- Exponential mechanism: McSherry and Talwar, 2007; its bounded range: Dong, Durfee and Rogers, 2020
- Gaussian differential privacy: Dong, Roth and Su, 2022
- Privacy told in odds: Nanayakkara and others, USENIX Security 2023
"""
