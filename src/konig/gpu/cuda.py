"""The route of the programs that still have an entry of their own in ``konig/kernels``."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.gpu import device
from konig.gpu.compile import INCLUDE, compiled, headers_digest, options, unit_source
from konig.gpu.compile import timed as timed_compilation
from konig.gpu.device import available, clock_ticks, cupy_or_error, processors
from konig.gpu.program import BLOCK_THREADS, BUDGET_NS, CONTROL_WORDS

__all__ = [
    "BUDGET_NS",
    "INCLUDE",
    "available",
    "clock_ticks",
    "compile_options",
    "control",
    "cupy_or_error",
    "headers_digest",
    "module",
    "processors",
    "resident_blocks",
    "timed_compilation",
    "unit_source",
]


def bits_options(id_bits: int, offset_bits: int, counted: bool) -> tuple[str, ...]:
    return (
        f"-DKONIG_ID_BITS={id_bits}",
        f"-DKONIG_OFFSET_BITS={offset_bits}",
        f"-DKONIG_COUNTED={int(counted)}",
    )


def compile_options(id_bits: int, offset_bits: int, counted: bool) -> tuple[str, ...]:
    """What NVRTC is told, apart from the architecture."""
    return options(*bits_options(id_bits, offset_bits, counted))


def module(
    cupy: Any,
    unit: str,
    id_bits: int,
    offset_bits: int,
    counted: bool,
    more_options: tuple[str, ...] = (),
    cooperative: bool = True,
) -> Any:
    """A compiled translation unit for these types on the current device."""
    bits = bits_options(id_bits, offset_bits, counted)
    return compiled(cupy, unit_source(unit), (*bits, *more_options), cooperative)


def resident_blocks(cupy: Any, kernel: Any, threads: int = BLOCK_THREADS) -> int:
    """How many blocks of the kernel the current device holds at once."""
    return device.resident_blocks(cupy, kernel, threads)


def control(cupy: Any, blocks: int) -> Any:
    """The team's own words for one solve."""
    return cupy.zeros(CONTROL_WORDS + 2 * blocks, np.int64)
