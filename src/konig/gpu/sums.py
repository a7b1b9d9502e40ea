"""Exact sums of whole numbers on a GPU. CuPy's own are compiled on first use for seconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.gpu.compile import Unit, compiled, kernel_unit
from konig.gpu.device import processors

UNIT = "whole_sum"
THREADS, BLOCKS_PER_PROCESSOR = 256, 8
LOW_BITS = 31
TYPES = {"int32": "int", "int64": "long long"}


def sum_unit(dtype: Any) -> Unit:
    """The kernel for numbers of a type."""
    return kernel_unit(UNIT, (f"-DKONIG_WHOLE={TYPES[str(dtype)]}",))


def whole_sum(cupy: Any, numbers: Any) -> int:
    """The sum of an array on the current device."""
    if numbers.size == 0:
        return 0
    if str(numbers.dtype) not in TYPES:
        numbers = numbers.astype(np.int64)
    numbers = cupy.ascontiguousarray(numbers)
    blocks = min(-(-numbers.size // THREADS), BLOCKS_PER_PROCESSOR * processors(cupy))
    found = cupy.zeros(2, np.int64)
    kernel = compiled(cupy, sum_unit(numbers.dtype)).get_function(UNIT)
    kernel((blocks,), (THREADS,), (numbers, np.int64(numbers.size), found))
    high, low = found.get().tolist()
    return int((high << LOW_BITS) + low)
