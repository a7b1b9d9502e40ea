"""Sums and counts of whole numbers on a GPU. CuPy's own take seconds to compile on first use."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from konig.gpu.compile import TYPES, Unit, function, kernel_unit
from konig.gpu.device import processors

UNIT = "whole_sum"
THREADS, BLOCKS_PER_PROCESSOR = 256, 8
LOW_BITS = 31
WHOLE = "int32", "int64"  # the types there are kernels for


@cache
def sum_unit(dtype: Any) -> Unit:
    """The kernel for numbers of a type."""
    return kernel_unit(UNIT, (f"-DKONIG_WHOLE={TYPES[str(dtype)]}",))


def sum_blocks(cupy: Any, count: int) -> int:
    """How many blocks add up so many numbers."""
    return min(-(-count // THREADS), BLOCKS_PER_PROCESSOR * processors(cupy))


def whole_sum(cupy: Any, numbers: Any) -> int:
    """The sum of an array on the current device."""
    high, low = _added_up(cupy, "whole_sum", numbers)
    return (high << LOW_BITS) + low


def count_not_negative(cupy: Any, numbers: Any) -> int:
    """How many entries of an array on the current device are not negative."""
    return _added_up(cupy, "count_not_negative", numbers)[0]


def _added_up(cupy: Any, kernel: str, numbers: Any) -> tuple[int, int]:
    """The two words that a kernel adds to."""
    if numbers.size == 0:
        return 0, 0
    if str(numbers.dtype) not in WHOLE:
        numbers = numbers.astype(np.int64)
    numbers = cupy.ascontiguousarray(numbers)
    blocks = sum_blocks(cupy, numbers.size)
    found = cupy.zeros(2, np.int64)
    run = function(cupy, sum_unit(numbers.dtype), kernel)
    run((blocks,), (THREADS,), (numbers, np.int64(numbers.size), found))
    first, second = found.get().tolist()
    return int(first), int(second)
