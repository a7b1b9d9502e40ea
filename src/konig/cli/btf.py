"""``konig btf``: the block triangular form of a matrix in a file."""

from __future__ import annotations

from konig.cli import options
from konig.cli.refusal import CommandError


def btf(file: options.MatrixFile) -> None:
    """Permute the matrix to block triangular form."""
    raise CommandError("block triangular forms are not here yet")
