"""The tables of the source texts by name: the files that are looked for, how they are read, where a user gets them.

A new table is one entry here, and a schema.

>>> [table.name for table in PUBLISHED if table.task == "classification"]
['mnist', 'cifar10']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from dpcp_core.data.dataset import Dataset
from dpcp_core.data.schema import Schema
from dpcp_core.errors import InputError
from dpcp_core.experiments.reproduce.published import pictures
from dpcp_core.experiments.reproduce.published.calendar import tetouan
from dpcp_core.experiments.reproduce.published.cifar import FOLDER as CIFAR_FOLDER
from dpcp_core.experiments.reproduce.published.delimited import read_delimited
from dpcp_core.training.protocol import Task

Read = Callable[[Sequence[Path]], pd.DataFrame]


@dataclass(frozen=True)
class Form:
    """One way in which a table is published.

    Attributes
    ----------
    files : tuple of str
        All of them are needed; each may be gzip-compressed, with ``.gz`` behind its name.
    read : function from their paths to a table
    """

    files: tuple[str, ...]
    read: Read


@dataclass(frozen=True)
class PublishedTable:
    """A table of the source texts.

    Attributes
    ----------
    name, title : str
        What the command line calls it, and what a person reads.
    task : "regression" or "classification"
    source : str
        Public address of the page where it is downloaded.
    forms : tuple of Form
        The first that a folder holds is read.
    schema : function from the rows to a Schema
        Public knowledge only; of the rows it looks at nothing but the names of the columns.
    """

    name: str
    title: str
    task: Task
    source: str
    forms: tuple[Form, ...]
    schema: Callable[[pd.DataFrame], Schema]

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that are looked for, those of one form together."""
        return tuple(" + ".join(form.files) for form in self.forms)

    def found_in(self, folder: Path) -> FoundTable | None:
        """Return the table as it lies in a folder or in a folder right inside it, or None."""
        for form in self.forms:
            for place in _places(folder):
                paths = [_path(place, file) for file in form.files]
                if all(path is not None for path in paths):
                    return FoundTable(self, tuple(path for path in paths if path is not None), form.read)
        return None


@dataclass(frozen=True)
class FoundTable:
    """A table and the files that hold it."""

    table: PublishedTable
    paths: tuple[Path, ...]
    read: Read

    def load(self) -> Dataset:
        """Read it, under its public schema.

        Raises
        ------
        InputError
            A file cannot be read, or holds another table; the sentence names it.
        """
        frame = self.read(self.paths)
        try:
            return Dataset.from_frame(frame, schema=self.table.schema(frame), name=self.table.title)
        except InputError as error:
            raise InputError(f"{self.paths[0]} is not the table {self.table.title} as published: {error}") from None


def look_into(
    folder: Path, tables: Sequence[PublishedTable] | None = None
) -> tuple[tuple[FoundTable, ...], tuple[PublishedTable, ...]]:
    """Return the tables that a folder holds, and those that it does not; ``PUBLISHED`` where none are named.

    Raises
    ------
    InputError
        There is no such folder, or it cannot be opened.
    """
    if not folder.exists():
        raise InputError(f"{folder} is not there; name the folder that holds the tables.")
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; name the folder that holds the tables.")
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        raise InputError(f"{folder} cannot be opened ({(error.strerror or 'no reason given').lower()}).") from None
    wanted = PUBLISHED if tables is None else tables
    found = {table.name: table.found_in(folder) for table in wanted}
    here = tuple(entry for entry in found.values() if entry is not None)
    return here, tuple(table for table in wanted if found[table.name] is None)


def schema_folder() -> Path:
    """Return the folder with the schemas: inside an installed package, in ``benchmarks`` of a source checkout."""
    package = Path(__file__).resolve().parents[3]
    inside = package / "schemas"
    return inside if inside.is_dir() else package.parent / "benchmarks" / "schemas"


def _places(folder: Path) -> Iterator[Path]:
    yield folder
    yield from sorted(place for place in folder.iterdir() if place.is_dir())


def _path(place: Path, file: str) -> Path | None:
    names = (file, f"{file}.gz", file.replace("-idx", ".idx"))
    return next((place / name for name in names if (place / name).exists()), None)


def described(name: str) -> Callable[[pd.DataFrame], Schema]:
    """Return what gives the schema of that name, whatever the rows."""
    return lambda _frame: Schema.from_toml(schema_folder() / f"{name}.toml")


def _table(
    name: str, title: str, source: str, *, with_header: tuple[str, ...], without_header: tuple[str, ...] = ()
) -> PublishedTable:
    """Return an entry for a table as text, which takes the names of its columns from its schema."""

    def read(paths: Sequence[Path], *, has_header: bool) -> pd.DataFrame:
        names = Schema.from_toml(schema_folder() / f"{name}.toml").names
        return read_delimited(paths[0], names, title, has_header=has_header)

    forms = [Form((file,), partial(read, has_header=True)) for file in with_header]
    forms += [Form((file,), partial(read, has_header=False)) for file in without_header]
    return PublishedTable(name, title, "regression", source, tuple(forms), described(name))


_UCI = "https://archive.ics.uci.edu/dataset"
_IDX = tuple(f"{part}-{kind}-ubyte" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1"))

PUBLISHED: tuple[PublishedTable, ...] = (
    _table("abalone", "Abalone", f"{_UCI}/1/abalone", with_header=("abalone.csv",), without_header=("abalone.data",)),
    _table(
        "bike", "Bike Sharing", f"{_UCI}/275/bike+sharing+dataset", with_header=("bike_sharing_hour.csv", "hour.csv")
    ),
    _table(
        "communities_crime",
        "Communities & Crime",
        f"{_UCI}/183/communities+and+crime",
        with_header=("communities_crime.csv",),
        without_header=("communities.data",),
    ),
    _table(
        "casp",
        "CASP",
        f"{_UCI}/265/physicochemical+properties+of+protein+tertiary+structure",
        with_header=("casp_protein.csv", "CASP.csv"),
    ),
    PublishedTable(
        "tetouan",
        "Tetouan",
        "regression",
        f"{_UCI}/849/power+consumption+of+tetouan+city",
        (Form(("Tetuan City power consumption.csv",), tetouan), Form(("tetouan_power.csv",), tetouan)),
        described("tetouan"),
    ),
    PublishedTable(
        "mnist",
        "MNIST",
        "classification",
        "https://github.com/cvdfoundation/mnist",
        (Form(_IDX, pictures.mnist_from_idx), Form(("mnist_train.csv", "mnist_test.csv"), pictures.mnist_from_csv)),
        partial(pictures.picture_schema, one_row_is="one handwritten digit"),
    ),
    PublishedTable(
        "cifar10",
        "CIFAR-10",
        "classification",
        "https://www.cs.toronto.edu/~kriz/cifar.html",
        (
            Form((CIFAR_FOLDER,), pictures.cifar_from_batches),
            Form(("cifar-10-python.tar.gz",), pictures.cifar_from_batches),
        ),
        partial(pictures.picture_schema, one_row_is="one photograph"),
    ),
)

BY_NAME: Mapping[str, PublishedTable] = {table.name: table for table in PUBLISHED}
