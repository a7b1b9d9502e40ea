"""A rank's part of the rows of a file or of a seeded family, of which no rank makes the whole."""

from __future__ import annotations

from inspect import signature
from os import PathLike
from typing import Any

import numpy as np

from konig.arguments import integer
from konig.distributed.ranks import all_ranks_of
from konig.distributed.rows import even_share
from konig.errors import FileFormatError
from konig.lab.generators import FAMILIES
from konig.lab.generators.costs import ROWS_OF


def rows_of(path: str | PathLike[str], comm: Any = None) -> np.ndarray:
    """Map this rank's rows of the matrix in an ``.npy`` file, as many as the others have or one more or less.

    Examples
    --------
    >>> import konig.distributed as kd
    >>> a = kd.linear_assignment(kd.rows_of("costs.npy"))  # doctest: +SKIP
    """
    with all_ranks_of(comm) as ranks:
        try:
            matrix = np.lib.format.open_memmap(path, mode="r")
        except ValueError as error:
            raise FileFormatError(path, str(error)) from None
        if matrix.ndim != 2:
            raise FileFormatError(path, "there is no array of two dimensions (rows, columns)")
        ranks.require_same(f"{path}: the shape", matrix.shape)
        rows: np.ndarray = matrix[even_share(len(matrix), ranks.size, ranks.rank)]
        return rows


def generate(name: str, comm: Any = None, seed: int = 0, **params: Any) -> np.ndarray:
    """This rank's rows of what `konig.lab.generators.generate` makes, an even share.

    The families are "uniform_costs", "real_costs", "euclidean_costs" and "machol_wien". The matrix depends
    on the parameters and the seed alone, not on the ranks.

    Examples
    --------
    >>> import konig.distributed as kd
    >>> kd.generate("uniform_costs", rows=200, seed=1).shape  # on a rank alone
    (200, 200)
    """
    with all_ranks_of(comm) as ranks:
        if name not in ROWS_OF:
            raise ValueError(f"name must be one of {', '.join(ROWS_OF)}, not {name!r}")
        family = FAMILIES[name]
        for key in params:
            family.parameter(key)
        complete = family.completed(params)
        if "seed" in signature(ROWS_OF[name]).parameters:
            complete["seed"] = integer("seed", seed)
        ranks.require_same(name, complete)
        return ROWS_OF[name](even_share(complete["rows"], ranks.size, ranks.rank), **complete)
