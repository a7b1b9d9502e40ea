"""Commands to the current GPU, which one call of native code sends together.

By CuPy a launch, a fill or a copy takes 2 to 20 us of Python each, longer than most of them take on the GPU.
Memory, kernels and streams are CuPy's all the same: here they are addresses.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from konig import _native

LIBRARY = "libcuda.so.1"

Kernel = tuple[int, bool]  # the address of its function, and whether all blocks must run at once

_thread = threading.local()  # the device whose context it has


@cache
def driver() -> _native.Driver:
    """The CUDA driver."""
    return _native.Driver(LIBRARY)


def kernel_of(function: Any) -> Kernel:
    """A kernel of CuPy's as commands name it."""
    return int(function.kernel.ptr), bool(function.enable_cooperative_groups)


def ready_stream(cupy: Any) -> int:
    """The current stream, after the calling thread has got the context of the current device."""
    device = cupy.cuda.runtime.getDevice()
    if getattr(_thread, "device", None) != device:
        cupy.cuda.runtime.free(0)  # gives this thread the device's context, which the driver looks for
        _thread.device = device
    return int(cupy.cuda.get_current_stream().ptr)


class Commands:
    """Commands for the current device and stream, carried out in the order in which they were given."""

    def __init__(self, cupy: Any):
        self._stream = ready_stream(cupy)
        self._given: list[tuple[Any, ...]] = []

    def fill(self, address: int, size: int, byte: int) -> None:
        """Set so many bytes."""
        self._given.append((_native.FILL, address, size, byte))

    def write(self, address: int, data: Any) -> None:
        """Copy contiguous, ordinary memory of the host there, which must not change before it is sent."""
        self._given.append((_native.WRITE, address, data))

    def launch(self, kernel: Kernel, blocks: int, threads: int, *arguments: int | float | bytes) -> None:
        """Run a kernel; its arguments have 64 bits each, or are bytes that are passed by value."""
        self._given.append((_native.LAUNCH, kernel, blocks, threads, arguments))

    def read(self, address: int, into: Any) -> None:
        """Copy from there to contiguous memory of the host, which has it when the commands have been sent."""
        self._given.append((_native.READ, address, into))

    def send(self) -> None:
        """Send what was given; returns when that is done if something is read."""
        given, self._given = self._given, []
        driver().send(self._stream, given)
