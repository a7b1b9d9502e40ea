"""A rank's part of the rows of a file or of a seeded family, of which nobody makes the whole."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np

from konig.distributed.ranks import all_ranks_of
from konig.distributed.rows import even_share
from konig.errors import FileFormatError


def rows_of(path: str | PathLike[str], comm: Any = None) -> np.ndarray:
    """Map this rank's rows of the matrix in an ``.npy`` file, as many as the others have or one more or less.

    Examples
    --------
    >>> import konig.distributed as kd
    >>> a = kd.linear_assignment(kd.rows_of("costs.npy"))  # doctest: +SKIP
    """
    with all_ranks_of(comm) as ranks:
        try:
            matrix = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            raise FileFormatError(path, str(error)) from None
        if getattr(matrix, "ndim", 0) != 2:
            raise FileFormatError(path, "there is no array of two dimensions (rows, columns)")
        ranks.require_same(f"{path}: the shape", matrix.shape)
        rows: np.ndarray = matrix[even_share(len(matrix), ranks.size, ranks.rank)]
        return rows
