"""How sparse costs are assembled: sorted, without duplicates, the narrowest index and integer types."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Ints
from konig.lab.generators.pattern import index_type

Array = np.ndarray[Any, Any]


def from_distinct_keys(keys: Ints, values: Array, shape: tuple[int, int]) -> sparse.csr_array:
    """Return the costs with ``values[k]`` at (keys[k] // cols, keys[k] % cols); no key comes twice."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    index = index_type(*shape, keys.size)
    row = keys // max(shape[1], 1)
    offsets = np.zeros(shape[0] + 1, dtype=index)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=offsets[1:])
    costs = sparse.csr_array((values, (keys - row * shape[1]).astype(index), offsets), shape=shape)
    costs.has_canonical_format = True
    return costs


def cost_type(largest: int) -> type[np.int32] | type[np.int64]:
    """Return int32 where it holds `largest`, and int64 otherwise."""
    return np.int32 if largest <= np.iinfo(np.int32).max else np.int64


def largest_cost(spread: float, rows: int) -> int:
    """Return the end of the range [0, spread * rows], a whole number that 63 bits hold."""
    largest = math.floor(spread * rows)
    if largest >= 1 << 62:
        raise ValueError(f"spread times rows must be below 2**62, not {spread} * {rows}")
    return largest
