"""A synthetic table on disk, with its receipt and its schema beside it: never one without the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from dpcp_core.cli.table_files import refuse_unwritable, write_table, write_text
from dpcp_core.errors import InputError

if TYPE_CHECKING:
    from dpcp_core.synthesis.run import Synthesis


@dataclass(frozen=True)
class TableFiles:
    """Where the parts of a synthetic table go.

    Attributes
    ----------
    table, receipt, schema : Path
    """

    table: Path
    receipt: Path
    schema: Path

    @classmethod
    def beside(cls, out: Path) -> Self:
        """Return the names that go with a table's.

        >>> files = TableFiles.beside(Path("synthetic.csv"))
        >>> str(files.receipt), str(files.schema)
        ('synthetic.receipt.json', 'synthetic.schema.toml')
        """
        return cls(out, out.with_suffix(".receipt.json"), out.with_suffix(".schema.toml"))

    @property
    def all(self) -> tuple[Path, ...]:
        """The three of them."""
        return self.table, self.receipt, self.schema

    def refuse(self, inputs: Iterable[Path | None], force: bool) -> None:
        """Refuse names that cannot be written, before anything is run for them.

        Raises
        ------
        InputError
            A file that is read, a file that is there unless ``force``, a place that takes none.
        """
        read = [path for path in inputs if path is not None and path.exists()]
        refuse_unwritable(self.table, read)
        for path in self.all:
            if path.is_dir():
                raise InputError(f"{path} is a folder: choose another name for the table.")
            if path.exists() and any(path.samefile(other) for other in read):
                raise InputError(f"{path} is read by this command: choose another name for what it writes.")
            if path.exists() and not force:
                raise InputError(f"{path} is there already: choose another name, or add --force to overwrite it.")

    def write(self, made: Synthesis) -> None:
        """Write receipt and schema, then the table.

        Raises
        ------
        InputError
            They cannot be written.
        """
        write_text(made.receipt.to_json() + "\n", self.receipt)
        write_text(made.schema.to_toml(), self.schema)
        write_table(made.table, self.table)
