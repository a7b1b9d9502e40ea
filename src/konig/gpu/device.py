"""Finds CuPy and the GPUs that it sees. CuPy is imported on first use."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from konig.errors import DeviceError
from konig.gpu import staging
from konig.interop import arrays

INSTALL = "pip install 'konig[cuda13]', or 'konig[cuda12]' where the driver is one for CUDA 12"


def available() -> bool:
    """Whether CuPy is installed and sees a device."""
    try:
        cupy_or_error("device='cuda'")
    except DeviceError:
        return False
    return True


def cupy_or_error(asked: str) -> Any:
    """CuPy with a device; without one an error that says who asked for it and what to install."""
    try:
        import cupy
    except ImportError as missing:
        raise DeviceError(f"{asked} needs CuPy, which cannot be imported ({missing}); {INSTALL}") from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as refused:
        raise DeviceError(f"{asked} needs an NVIDIA GPU and its driver: {refused}") from None
    if count == 0:
        raise DeviceError(f"{asked} needs an NVIDIA GPU: CuPy is installed but sees no device")
    return cupy


def resident_blocks(cupy: Any, kernel: Any, threads: int) -> int:
    """How many blocks of the kernel the current device holds at once."""
    cupy.cuda.runtime.free(0)  # gives this thread the device's context, which the driver call only looks for
    per_processor = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, threads, 0)
    return int(per_processor) * processors(cupy)


@cache
def _attribute(cupy: Any, name: str, device: int) -> int:
    runtime = cupy.cuda.runtime
    return int(runtime.deviceGetAttribute(getattr(runtime, name), device))


def processors(cupy: Any) -> int:
    """How many multiprocessors the current device has."""
    return _attribute(cupy, "cudaDevAttrMultiProcessorCount", cupy.cuda.runtime.getDevice())


def clock_ticks(cupy: Any) -> float:
    """Ticks of a multiprocessor's clock in a microsecond, at its highest rate on the current device."""
    return _attribute(cupy, "cudaDevAttrClockRate", cupy.cuda.runtime.getDevice()) / 1000  # given in kHz


class Gpu:
    """A GPU to solve on: as a context it is the current device, with the caller's stream.

    The stream is CuPy's current one, or PyTorch's for an input of PyTorch's on this device. One is entered
    once at a time.
    """

    def __init__(self, number: int | None, place: arrays.Place):
        self.cupy = cupy_or_error("device='cuda'" if place.gpu is None else f"an input on {place}")
        count = self.cupy.cuda.runtime.getDeviceCount()
        if number is not None and number >= count:
            raise ValueError(f"device='cuda:{number}': there are {count} devices, numbered from 0")
        self.number = self.cupy.cuda.runtime.getDevice() if number is None else number
        self.place = place
        self._entered: AbstractContextManager[Any] = nullcontext()

    def __enter__(self) -> Any:
        self._entered = nullcontext()
        if self.place.gpu == self.number and self.place.library == "torch":
            self._entered = self.place.entered()
        elif self.cupy.cuda.runtime.getDevice() != self.number:
            self._entered = self.cupy.cuda.Device(self.number)
        self._entered.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._entered.__exit__(*raised)

    def __str__(self) -> str:
        return f"cuda:{self.number}"

    def require_memory(self, needed: int, rows: int, cols: int, entries: int) -> None:
        """Raise MemoryError unless the current device has so many bytes to give for such a matrix."""
        staging.require_memory(self.cupy, needed, rows, cols, entries)
