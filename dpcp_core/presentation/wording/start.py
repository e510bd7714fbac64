"""What the Start page says: purpose, presets, how a table is brought and described."""

from __future__ import annotations

PURPOSE = (
    "A prediction about a patient is only useful with what it leaves open: an **interval** around a number, "
    "or a **set of possible answers** where there are classes. Both are learned from other people's records, "
    "and **differential privacy** hides each of those people in noise. Here you see what that costs: how wide "
    "an interval or how large a set must be, at which privacy, on a sample or your own table."
)
IN_USE = (
    ":material/check_circle: **{}** is in use: its result stands at the top of this page, and the sliders are "
    "on the page **Coverage**."
)
COLUMNS_IN_USE = "Columns of the table in use, and what is publicly known of them"
WAY_ON = (
    ("coverage", "**Coverage**: move the sliders"),
    ("patient", "**Patient**: one person"),
    ("compare", "**Compare**: which method wins"),
    ("budget", "**Budget**: what you need"),
    ("attack", "**Attack**: does it hold?"),
    ("synthesis", "**Synthesis**: made-up tables"),
    ("learn", "**Learn**: five short lessons"),
    ("release", "**Release**: publish one"),
    ("about", "**About**: what to believe"),
)
"""Pages to go to, in the order of a first visit, and what each is for."""
CAUTIOUS = "Strong privacy and few misses: the widest intervals, the largest sets."
BALANCED = "Good privacy, nine in ten true answers inside."
SHARP = "Weaker privacy and more misses: the narrowest intervals, the smallest sets."
UPLOAD_HELP = (
    "One row a person; a line above names the columns. Separator, decimal mark and encoding are guessed; a "
    "CSV file packed with gzip (.csv.gz) is unpacked."
)
SCHEMA_HELP = "What is publicly known of the columns. The page writes one for you to download, too."
DECIMAL_MARK = "What separates whole numbers from decimals in this file?"
MARKS = {".": "A point, as in 1.5", ",": "A comma, as in 1,5"}
OR_CHOOSE = ", or choose the decimal mark here."
MEMORY_ONLY = (
    "Your table is held in memory only: if you reload this page in the browser or close it, the table is gone and has "
    "to be uploaded again."
)
SCHEMA_ALONE = "A schema describes a table: upload the CSV file it belongs to as well."
NOT_UTF8 = "{} is not text in UTF-8; save the schema as a TOML file in UTF-8."
ROLE_HELP = (
    "Feature: helps to predict. Target: is predicted. Group: coverage is shown for each group, and may be "
    "promised within each. Ignore: not used."
)
EDITOR = (
    "What is publicly known of each column. Lowest and highest are bounds from a code book or plain "
    "knowledge, not the smallest and largest value in the file; values beyond them are moved to the bound. "
    "Categories are all values that there could be, in the file or not. Double-click a cell to change it."
)
SOURCE_HELP = "Where bounds, typical range or categories come from. If those from the file are public, say so here."
TYPICAL_HELP = "Where the middle two thirds of people lie, from public knowledge; it makes training better."
GRID_ALT = "Columns of the table with role, kind, bounds and unit, to edit"
WHICH_TARGET = "Which column is to be predicted?"
TARGET_HELP = "Numbers get an interval, anything else gets a set of possible answers."
WHAT_ROW = "What does one row stand for?"
ROW_HELP = "Privacy protects one row. If a person has several rows, bring them together in one row first."
FILL = "Explore now: fill what is missing from the file"
FILLED = (
    "{}. Filled from the file they are **not public**: fine for exploring, marked in the receipt, and a "
    "release is refused until somebody has replaced them."
)
FROM_FILE = (
    "From the file, not public: bounds or categories of {}. A release is refused until somebody has replaced "
    "them, or says under “Known from” that they are public."
)
LEAVE_OUT = "Leave out {} where {} is empty, and use the rest"
LEAVE_OUT_HELP = (
    "Nothing can be learned from them. How many rows are left then counts as publicly known, like the number of rows "
    "of any table."
)
NO_TARGET = "No column to predict is chosen; choose one above."
LOWEST_HELP = "Smallest value that counts, from public knowledge."
HIGHEST_HELP = "Largest value that counts, from public knowledge."
UNIT_HELP = "Shown beside every number, for example mmHg."
CATEGORIES_HELP = "The values that count, where they are no numbers."
ONE_BOUND = "Column {!r} has only one of {!r} and {!r} so far; give both or neither."
NUMBERS_ARE_NAMES = "Its numbers are names: predict classes"
