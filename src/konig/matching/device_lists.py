"""A look at compressed lists on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.gpu import cuda
from konig.gpu.programs import BLOCK_THREADS


def end_if_sound(cupy: Any, start: Any, neighbour: Any, minor: int) -> int | None:
    """Where the lists end if every value of them is sound, or None; kernels/check_lists.cu."""
    widths = 8 * neighbour.itemsize, 8 * start.itemsize
    kernel = cuda.module(cupy, "check_lists", *widths, False, cooperative=False).get_function("check_lists")
    lists, entries = len(start) - 1, len(neighbour)
    verdict = cupy.zeros(2, np.int64)
    blocks = min(max(1, -(-max(lists, entries) // BLOCK_THREADS)), 8 * cuda.processors(cupy))
    sizes = (np.int64(size) for size in (lists, entries, minor))
    kernel((blocks,), (BLOCK_THREADS,), (*sizes, start, neighbour, verdict))
    wrong, end = verdict.get().tolist()
    return None if wrong else end
