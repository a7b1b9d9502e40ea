"""Arrays by name in one piece of memory, on the host or on a GPU.

On a GPU it takes some microseconds to allocate, to slice and to copy an array, whatever its size: so there is
one piece, programs get addresses in it, and an array is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from konig.gpu.commands import Commands

ALIGNMENT = 8  # of each part: no type is wider


class Parts:
    """Arrays back to back in one allocation: ``extents`` has the type and the items of each, in order."""

    def __init__(self, xp: Any, extents: Mapping[str, tuple[Any, int]], memory: Any = None):
        self._xp, self._extents = xp, extents
        self._first: dict[str, int] = {}
        size = 0
        for name, (dtype, items) in extents.items():
            self._first[name] = size
            size += -(-np.dtype(dtype).itemsize * items // ALIGNMENT) * ALIGNMENT
        self.memory = xp.empty(size, np.uint8) if memory is None else memory
        self._base = int(self.memory.ctypes.data if xp is np else self.memory.data.ptr)
        self._arrays: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        array = self._arrays.get(name)
        if array is None:
            dtype, items = self._extents[name]
            first = self._first[name]
            part = self.memory[first : first + np.dtype(dtype).itemsize * items]
            array = self._arrays[name] = part.view(dtype)
        return array

    def addresses(self, *names: str) -> dict[str, int]:
        """Where these begin; all of them if none is named."""
        return {name: self._base + self._first[name] for name in names or self._first}

    def fill(
        self, byte: int, first: str | None = None, end: str | None = None, commands: Commands | None = None
    ) -> None:
        """Set all bytes, or those from one name to before another; on a GPU by these commands, if given."""
        begin, stop = (self._first[name] if name else None for name in (first, end))
        if self._xp is np:
            self.memory[begin:stop] = byte
            return
        begin = begin or 0
        size = (self.memory.nbytes if stop is None else stop) - begin
        sent = commands or Commands(self._xp)
        sent.fill(self._base + begin, size, byte)
        if commands is None:
            sent.send()

    def write(self, name: str, numbers: np.ndarray) -> None:
        """Copy numbers of the host there; on a GPU ``array[:] = numbers`` would compile a kernel."""
        if self._xp is np:
            self[name][:] = numbers
        else:
            self[name].set(np.ascontiguousarray(numbers, self._extents[name][0]))

    def on_host(self) -> Parts:
        """The same arrays on the host: one copy from a GPU, else the same memory."""
        if self._xp is np:
            return self
        commands = Commands(self._xp)
        here = self.fetched(commands)
        commands.send()
        return here

    def fetched(self, commands: Commands) -> Parts:
        """The same arrays on the host, which have their numbers when these commands have been sent."""
        here = np.empty(self.memory.nbytes, np.uint8)
        commands.read(self._base, here)
        return Parts(np, self._extents, here)
