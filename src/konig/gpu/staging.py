"""Memory of a GPU: whether there is enough of it, and how host arrays get there."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from konig.gpu.commands import Commands
from konig.threads import available_cores

CHUNK_BYTES = 8 << 20
PLAIN_BYTES = 4 * CHUNK_BYTES  # less than this goes in one piece
COPIERS = 4
ALIGNMENT = 256  # of arrays that other libraries take over
UNASKED_BYTES = 64 << 20  # for less, a device that has not even that says so itself; to ask takes 30 us


def require_memory(cupy: Any, needed: int, rows: int, cols: int, entries: int) -> None:
    """Raise MemoryError unless the current device has so many bytes to give for such a matrix."""
    require_free(cupy, needed, f"a {rows:,} x {cols:,} matrix with {entries:,} entries")


def require_free(cupy: Any, needed: int, what: str) -> None:
    """Raise MemoryError unless the current device has so many bytes to give, CuPy's unused ones included."""
    if needed <= UNASKED_BYTES:
        return
    free = int(cupy.get_default_memory_pool().free_bytes())
    if needed > free:  # to ask the device takes longer
        free += int(cupy.cuda.runtime.memGetInfo()[0])
    if needed > free:
        raise MemoryError(
            f"device='cuda': {needed / 1e9:,.1f} GB needed for {what}, "
            f"{free / 1e9:,.1f} GB free on cuda:{cupy.cuda.runtime.getDevice()}"
        )


def to_device(cupy: Any, array: np.ndarray, stream: Any = None) -> Any:
    """A copy of a host array on the current device, ordered on the stream (the current one if not given).

    A device reads ordinary host memory slowly. Large arrays pass through a ring of small pinned buffers: a
    few threads fill them while those filled before are on their way. The array may be changed after return.
    """
    stream = cupy.cuda.get_current_stream() if stream is None else stream
    array = np.ascontiguousarray(array)
    target = cupy.empty(array.shape, array.dtype)
    if array.nbytes < PLAIN_BYTES:
        if array.nbytes:
            target.set(array, stream=stream)
            stream.synchronize()
        return target
    _through_pinned_buffers(cupy, array.reshape(-1).view(np.uint8), target.data.ptr, stream)
    return target


class Shipment:
    """Small host arrays, to be written, that go to a device by one transfer, whose fixed cost is what counts.

    ``extents`` has the type and the shape of each.
    """

    def __init__(self, extents: Sequence[tuple[Any, tuple[int, ...]]]):
        self._extents, self._firsts, size = extents, [], 0
        for dtype, shape in extents:
            self._firsts.append(size)
            size += -(-np.dtype(dtype).itemsize * math.prod(shape) // ALIGNMENT) * ALIGNMENT
        self._packed = np.empty(size, np.uint8)
        self.arrays = [
            np.ndarray(shape, dtype, self._packed, first)
            for first, (dtype, shape) in zip(self._firsts, extents, strict=True)
        ]

    def on_device(self, cupy: Any) -> list[Any]:
        """Copies on the current device."""
        there = cupy.empty(self._packed.size, np.uint8).data
        commands = Commands(cupy)
        commands.write(int(there.ptr), self._packed)
        commands.send()
        return [
            cupy.ndarray(shape, dtype, there + first)  # a slice takes twice as long
            for first, (dtype, shape) in zip(self._firsts, self._extents, strict=True)
        ]


def together_on_device(cupy: Any, arrays: Sequence[np.ndarray]) -> list[Any]:
    """Copies of small host arrays on the current device, by one transfer."""
    shipment = Shipment([(array.dtype, array.shape) for array in arrays])
    for place, array in zip(shipment.arrays, arrays, strict=True):
        place[...] = array
    return shipment.on_device(cupy)


def _through_pinned_buffers(cupy: Any, source: np.ndarray, target: int, stream: Any) -> None:
    import cupyx

    runtime = cupy.cuda.runtime
    buffers = [cupyx.empty_pinned(CHUNK_BYTES, np.uint8) for _ in range(2 * COPIERS)]
    sent: list[Any] = [None] * len(buffers)  # the event after the last copy from each buffer
    filling: deque[tuple[int, int, int, Future[None]]] = deque()

    def send() -> None:
        slot, first, size, filled = filling.popleft()
        filled.result()
        pointer = buffers[slot].ctypes.data
        runtime.memcpyAsync(target + first, pointer, size, runtime.memcpyHostToDevice, stream.ptr)
        sent[slot] = stream.record(cupy.cuda.Event(disable_timing=True))

    try:
        with ThreadPoolExecutor(min(COPIERS, available_cores())) as copiers:
            for number, first in enumerate(range(0, len(source), CHUNK_BYTES)):
                slot = number % len(buffers)
                if len(filling) == len(buffers):
                    send()
                if sent[slot] is not None:
                    sent[slot].synchronize()
                part = source[first : first + CHUNK_BYTES]
                job = copiers.submit(np.copyto, buffers[slot][: len(part)], part)
                filling.append((slot, first, len(part), job))
            while filling:
                send()
    finally:
        for event in sent:  # the buffers go back to their pool: nothing may read them any more
            if event is not None:
                event.synchronize()
