"""The host in place of a GPU: NumPy's arrays for CuPy's, and a driver whose commands the host carries out."""

import ctypes
import itertools
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from konig import _native

SUCCESS, UNKNOWN = 0, 999  # results of the CUDA driver


class HostPointer(NamedTuple):
    """An address, with CuPy's verb that fills memory from there on."""

    ptr: int

    def __add__(self, offset):
        return HostPointer(self.ptr + offset)

    def memset_async(self, byte, size):
        ctypes.memset(self.ptr, byte, size)


class HostMemory(np.ndarray):
    """An array with the two verbs of CuPy's that bring values to the host and back."""

    def get(self):
        return np.array(self)

    def set(self, values):
        self[:] = values

    @property
    def data(self):
        return HostPointer(self.ctypes.data)


def at(address, dtype, size):
    """The numbers that lie there."""
    raw = (ctypes.c_char * (np.dtype(dtype).itemsize * size)).from_address(address)
    return np.frombuffer(raw, dtype)


_pieces = []  # of memory that a HostCupy.ndarray lies in, for as long as the tests run


def empty(size, dtype=float):
    made = np.empty(size, dtype).view(HostMemory)
    _pieces.append(made)
    return made


class HostCupy:
    ascontiguousarray = staticmethod(lambda array: np.ascontiguousarray(array).view(HostMemory))
    asarray = staticmethod(lambda array, dtype=None: np.asarray(array, dtype).view(HostMemory))
    zeros = staticmethod(lambda size, dtype=float: np.zeros(size, dtype).view(HostMemory))
    full = staticmethod(lambda size, value, dtype: np.full(size, value, dtype).view(HostMemory))
    empty = staticmethod(empty)
    ndarray = staticmethod(
        lambda shape, dtype, data: at(data.ptr, dtype, int(np.prod(shape))).reshape(shape).view(HostMemory)
    )
    cuda = SimpleNamespace(
        runtime=SimpleNamespace(getDevice=lambda: 0, free=lambda address: None),
        get_current_stream=lambda: SimpleNamespace(ptr=0, synchronize=lambda: None),
        Event=lambda: SimpleNamespace(record=lambda: None, synchronize=lambda: None),
        get_elapsed_time=lambda began, ended: 1.0,
    )


_kernels = {}  # by the address that commands call them by
_addresses = itertools.count(1)


class OnHost:
    """What commands launch: ``run`` gets the grid and the places of the arguments."""

    enable_cooperative_groups = False

    def __init__(self):
        self.kernel = SimpleNamespace(ptr=next(_addresses))
        _kernels[self.kernel.ptr] = self

    def run(self, blocks, threads, places):
        raise NotImplementedError


class HostKernel(OnHost):
    """A program's kernel that runs on the host: the workspace that it is passed by value points there."""

    def __init__(self, program):
        super().__init__()
        self.program, self.launches = program, 0
        self.enable_cooperative_groups = not program.for_groups

    def get_function(self, name):
        return self

    def run(self, blocks, threads, places):
        self.launches += 1
        self.program.launch(ctypes.string_at(places[0], self.program.workspace_bytes))


def _carried_out(work):
    try:
        work()
    except BaseException as failed:  # ctypes would drop it
        _failures.append(failed)
        return UNKNOWN
    return SUCCESS


_failures = []  # what went wrong behind the driver's results
_described = []  # texts that the driver may still read


def _launch(function, blocks, _y, _z, threads, _v, _w, _shared, _stream, places, _extra=None):
    return _carried_out(lambda: _kernels[function].run(blocks, threads, places))


def _describe(result, text):
    _described.append(f"the stand-in of a GPU failed: {_failures[-1]!r}".encode())
    text[0] = _described[-1]
    return SUCCESS


_whole, _handle, _size = ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t
_places = ctypes.POINTER(ctypes.c_void_p)
_calls = {
    "cuMemsetD8Async": (
        (ctypes.c_uint64, ctypes.c_ubyte, _size, _handle),
        lambda to, byte, size, stream: _carried_out(lambda: ctypes.memset(to, byte, size)),
    ),
    "cuMemcpyHtoDAsync_v2": (
        (ctypes.c_uint64, _handle, _size, _handle),
        lambda to, source, size, stream: _carried_out(lambda: ctypes.memmove(to, source, size)),
    ),
    "cuMemcpyDtoHAsync_v2": (
        (_handle, ctypes.c_uint64, _size, _handle),
        lambda to, source, size, stream: _carried_out(lambda: ctypes.memmove(to, source, size)),
    ),
    "cuMemcpyDtoDAsync_v2": (
        (ctypes.c_uint64, ctypes.c_uint64, _size, _handle),
        lambda to, source, size, stream: _carried_out(lambda: ctypes.memmove(to, source, size)),
    ),
    "cuStreamSynchronize": ((_handle,), lambda stream: SUCCESS),
    "cuLaunchKernel": ((_handle, *7 * (_whole,), _handle, _places, _handle), _launch),
    "cuLaunchCooperativeKernel": ((_handle, *7 * (_whole,), _handle, _places), _launch),
    "cuGetErrorString": ((ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)), _describe),
}
DRIVER_CALLS = tuple(_calls)
_functions = {name: ctypes.CFUNCTYPE(ctypes.c_int, *types)(call) for name, (types, call) in _calls.items()}


def host_driver():
    """A driver whose device is the host."""
    return _native.Driver(
        {name: ctypes.cast(call, ctypes.c_void_p).value for name, call in _functions.items()}
    )
