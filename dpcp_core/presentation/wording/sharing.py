"""What a server that many people share says: its limits, and who waits."""

from __future__ import annotations

from dpcp_core.presentation.wording import numbers as say
from dpcp_core.presentation.wording.progress import WAITING, duration

LINE_FULL = "{} already wait for their turn on this server, and no more fit in; try again in a few minutes."
MEMORY_FULL = "The memory of this server is full, so nothing new can begin; try again in a few minutes."
PLACE = "Waits for its turn: place {} of {} in the queue"


def too_many_rows(n: int, most: int) -> str:
    """Say that a table has more rows than this server takes.

    >>> print(too_many_rows(1_200_000, 200_000).replace(chr(0xa0), " "))
    The table has 1,200,000 rows but this server takes at most 200,000; upload a sample of the rows.
    """
    return f"The table has {say.count(n, 'row')} but this server takes at most {most:,}; upload a sample of the rows."


def too_many_columns(n: int, most: int) -> str:
    """Say that a table has more columns than this server takes.

    >>> print(too_many_columns(900, 500).replace(chr(0xa0), " "))
    The table has 900 columns but this server takes at most 500; leave out columns that you do not need.
    """
    return (
        f"The table has {say.count(n, 'column')} but this server takes at most {most:,}; leave out columns that "
        "you do not need."
    )


def too_many_waiting(n: int) -> str:
    """Say that the queue is full.

    >>> print(too_many_waiting(30).replace(chr(0xa0), " "))
    30 runs already wait for their turn on this server, and no more fit in; try again in a few minutes.
    """
    return LINE_FULL.format(say.count(n, "run"))


def too_long_training(expected_s: float, most_s: float) -> str:
    """Say that a training would take longer than this server allows.

    >>> too_long_training(1500, 600)
    'This training takes about 25 minutes here, and this server allows at most 10 minutes; choose fewer repetitions.'
    """
    return (
        f"This training takes about {duration(expected_s)} here, and this server allows at most {duration(most_s)}; "
        "choose fewer repetitions."
    )


def out_of_time(most_s: float) -> str:
    """Say that a run is being stopped because its time is over.

    >>> out_of_time(600)
    'A run may take at most 10 minutes on this server: it stops now and keeps what is finished'
    """
    return f"A run may take at most {duration(most_s)} on this server: it stops now and keeps what is finished"


def place_in_line(place: int, length: int) -> str:
    """Say where a run stands in the queue.

    >>> place_in_line(2, 5), place_in_line(1, 1)
    ('Waits for its turn: place 2 of 5 in the queue', 'Waits until another run on this computer has ended')
    """
    return PLACE.format(place, length) if length > 1 else WAITING
