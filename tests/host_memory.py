"""NumPy's arrays in place of a device's."""

import ctypes
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np


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


class HostCupy:
    ascontiguousarray = staticmethod(lambda array: np.ascontiguousarray(array).view(HostMemory))
    full = staticmethod(lambda size, value, dtype: np.full(size, value, dtype).view(HostMemory))
    asarray = staticmethod(lambda array: np.asarray(array).view(HostMemory))
    zeros = staticmethod(lambda size, dtype=float: np.zeros(size, dtype).view(HostMemory))
    full = staticmethod(lambda size, value, dtype: np.full(size, value, dtype).view(HostMemory))
    empty = staticmethod(lambda size, dtype=float: np.empty(size, dtype).view(HostMemory))
    cuda = SimpleNamespace(
        runtime=SimpleNamespace(getDevice=lambda: 0),
        get_current_stream=lambda: SimpleNamespace(synchronize=lambda: None),
        Event=lambda: SimpleNamespace(record=lambda: None, synchronize=lambda: None),
        get_elapsed_time=lambda began, ended: 1.0,
    )


class HostKernel:
    """A program's kernel that runs on the host: the workspace that it is passed by value points there."""

    def __init__(self, program):
        self.program, self.launches = program, 0

    def get_function(self, name):
        return self

    def __call__(self, blocks, threads, arguments):
        workspace, *control, _ = arguments  # groups have none
        assert workspace.shape == (1,)
        assert workspace.nbytes == self.program.workspace_bytes
        assert all(len(words) >= 2 * blocks[0] for words in control)
        self.launches += 1
        self.program.launch(workspace.tobytes())
