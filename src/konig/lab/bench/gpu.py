"""What the bench does on a GPU: place data there, make costs there, and time calls by the device's clock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from konig.lab.bench.contenders import HOST
from konig.lab.bench.suites import RANGES
from konig.registry import parse_device

Answer = TypeVar("Answer")

BLOCK = 512  # rows of costs that are made at once


def timed(call: Callable[[], Answer], at: str) -> tuple[Answer, float]:
    """The answer of a call, and its seconds.

    Where the data is on a GPU the answer stays there, and a call may return before it is: CUDA events around
    the call tell when the device has ended. Elsewhere the host's clock counts.
    """
    if at == HOST:
        began = perf_counter()
        answer = call()
        return answer, perf_counter() - began
    import cupy

    with _device(at):
        first, last = cupy.cuda.Event(), cupy.cuda.Event()
        first.record()
        first.synchronize()
        answer = call()
        last.record()
        last.synchronize()
        return answer, float(cupy.cuda.get_elapsed_time(first, last)) / 1000


def placed(array: Any, at: str) -> Any:
    """A NumPy or CuPy array on the host, or on a GPU."""
    if at == HOST:
        return array.get() if hasattr(array, "get") else array
    import cupy

    with _device(at):
        return cupy.asarray(array)


def on_device(A: sp.csr_array, at: str = "cuda") -> Any:
    """A matrix by columns on a GPU."""
    from cupyx.scipy.sparse import csc_matrix

    by_columns = sp.csc_array(A)
    parts = by_columns.data.astype(np.float32), by_columns.indices, by_columns.indptr
    with _device(at):
        return csc_matrix(tuple(placed(part, at) for part in parts), shape=A.shape)


def cupy_or_numpy() -> Any:
    """CuPy, or NumPy where it is not installed, for a trial without a GPU."""
    try:
        import cupy
    except ImportError:
        return np
    return cupy


def device_costs(xp: Any, kind: str, n: int) -> Any:
    """Square costs: 32-bit integers of a range, uniform float32, or distances in the plane.

    ``kind`` is a key of `konig.lab.bench.suites.RANGES`, "real" or "euclidean".
    """
    random = xp.random.default_rng(1)
    if kind == "real":
        return random.random((n, n), dtype=np.float32)
    C = xp.empty((n, n), np.float32 if kind == "euclidean" else np.int32)
    P, Q = random.random((n, 2)), random.random((n, 2))
    for rows in (slice(i, i + BLOCK) for i in range(0, n, BLOCK)):
        if kind == "euclidean":
            away = P[rows, None] - Q[None]
            C[rows] = xp.sqrt((away * away).sum(axis=2))
        else:
            C[rows] = random.integers(0, round(RANGES[kind] * n) + 1, C[rows].shape)
    return C


def _device(at: str) -> AbstractContextManager[Any]:
    import cupy

    device: AbstractContextManager[Any] = cupy.cuda.Device(parse_device(at)[1])
    return device
