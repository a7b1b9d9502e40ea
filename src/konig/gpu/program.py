"""Runs the parallel programs of ``konig/include`` on the current GPU.

A solve is a chain of launches of about 50 ms, cooperative ones where a team runs the program; between two of
them Python handles signals and reports progress, so Ctrl-C is answered at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from konig import _native
from konig.gpu import compile, device
from konig.gpu.commands import Commands, Kernel, kernel_of
from konig.gpu.compile import Unit
from konig.programs import Group, Outcome, Task, outcome_of
from konig.progress import Report

BUDGET_NS = 50_000_000
BLOCK_THREADS = _native.BLOCK_THREADS
CONTROL_WORDS = 64  # struct Control of konig/bsp/cuda_team.h takes less; two words a block follow it
ALIGNMENT = 256  # of what CuPy allocates

# Items of a superstep beyond which a task waits for the full version of its program. Quickly compiled, a
# selection on an H200 calculates a cost between points in 0.45 ns: 0.24 s, after which Ctrl-C has its turn.
MOST_QUICK_ITEMS = 1 << 29

# Of each generation of `compile`, for the life of the process. CuPy's kernel keeps the code loaded.
_kernels: dict[tuple[Any, ...], tuple[Kernel, int, Any]] = {}


def source(program: _native.Program, group: Group | None = None) -> str:
    """The translation unit of a program: its header, and the entry that takes its workspace by value."""
    sizes = f"{program.workspace_bytes}, {len(program.fresh_state)}"
    entry, shape = "KONIG_ENTRY", ""
    if group is not None:
        entry, shape = "KONIG_GROUP_ENTRY", f"{group.threads}, {group.strips}, {group.groups}, "
    return (
        f'#include "konig/{program.header}.h"\n'
        '#include "konig/bsp/entry.h"\n'
        f"{entry}({entry_name(program)}, {sizes}, {shape}{program.type})\n"
    )


def entry_name(program: _native.Program) -> str:
    """What the kernel is called."""
    return program.name.rpartition("/")[2]


def unit_of(program: _native.Program, group: Group | None = None, options: tuple[str, ...] = ()) -> Unit:
    """A program as NVRTC gets it."""
    return Unit(entry_name(program), source(program, group), options, cooperative=group is None)


def hurries(items: int) -> bool:
    """Whether a task with supersteps of so many items may begin with the quick version of its program."""
    return items <= MOST_QUICK_ITEMS


def kernel_for(cupy: Any, task: Task, threads: int, seconds: dict[str, float]) -> tuple[Kernel, int]:
    """The kernel of a task's program, and how many of its blocks the current device holds at once."""
    seconds.setdefault("compile", 0.0)
    device_number = cupy.cuda.runtime.getDevice()
    hurry = hurries(task.items)
    key = (compile.generation, hurry, cupy, device_number, task.program, task.group, task.options)
    if key not in _kernels:
        with compile.timed(seconds):
            unit = unit_of(task.program, task.group, task.options)
            version = compile.version_of(cupy, unit, hurry)
            kernel = version.module.get_function(unit.name)
            fitting = device.resident_blocks(cupy, kernel, threads)
            if version.quick and task.program.resident_blocks:
                # No more than there will be of the full version, so that a solve can go on with that.
                fitting = min(fitting, task.program.resident_blocks * device.processors(cupy))
            _kernels[key] = kernel_of(kernel), fitting, kernel
    return _kernels[key][:2]


def threads_of(task: Task) -> int:
    """Of a block."""
    return BLOCK_THREADS if task.group is None else task.group.threads * task.group.groups


class Begun(NamedTuple):
    """A solve whose first launch another has made: its memory, and what was read from its state."""

    memory: Any
    control: int  # where that begins
    block: int
    blocks: int
    kernel: Kernel
    generation: int  # of the kernel
    state: bytes


def address_of(array: Any) -> int:
    """Where an array of CuPy begins; None is nowhere, and an address is itself."""
    if array is None or isinstance(array, int):
        return array or 0
    return int(array.data.ptr)


class DeviceSolve:
    """A task on the current device: its block of memory, its kernel, and its launches.

    ``seconds["compile"]`` grows by what the compilation takes and, if launches are ``timed``,
    ``kernel_seconds`` by every launch.
    """

    def __init__(
        self,
        cupy: Any,
        task: Task,
        seconds: dict[str, float],
        most_blocks: int | None = None,
        timed: bool = False,
        begun: Begun | None = None,
    ):
        self.cupy, self.program = cupy, task.program
        self.threads = threads_of(task)
        self.reading = _native.Reading()
        self.launched, self.timed, self.unread = False, timed, False
        self.kernel_seconds = 0.0
        self.commands = Commands(cupy)  # sent with the next launch
        if begun is not None:
            self._take_over(begun)
            return
        self.generation = compile.generation
        self.kernel, fitting = kernel_for(cupy, task, self.threads, seconds)
        wanted = max(1, -(-task.workers // self.threads))
        self.blocks = min(wanted, fitting, most_blocks or fitting)
        # One piece of memory: what the blocks of a team agree by, the state, the program's own arrays.
        words = CONTROL_WORDS + 2 * self.blocks if task.group is None else 0
        offset = -(-8 * words // ALIGNMENT) * ALIGNMENT
        size, fills = task.program.block(task.numbers)
        self.memory = cupy.empty(offset + size, np.uint8)
        control = int(self.memory.data.ptr)
        self.control = (control,) if words else ()
        self.block = control + offset
        self.state = np.empty(len(task.program.fresh_state), np.uint8)  # as it was read last
        self.commands.fill(control, offset, 0)
        self.commands.write(self.block, task.program.fresh_state)
        for first, extent, byte in fills:
            self.commands.fill(self.block + first, extent, byte)

    def _take_over(self, begun: Begun) -> None:
        """Go on from a launch that has been made."""
        first = int(begun.memory.data.ptr)
        self.memory, self.blocks = begun.memory, begun.blocks
        self.kernel, self.generation = begun.kernel, begun.generation
        self.control, self.block = (first + begun.control,), first + begun.block
        self.state = np.frombuffer(begun.state, np.uint8).copy()
        self.unread = True

    def run(self, task: Task, report: Report | None) -> Outcome:
        """Launch until it has ended; called again, it goes on, perhaps with other numbers and arrays."""
        program, reading = self.program, self.reading
        given = {name: address_of(array) for name, array in task.given.items()}
        workspace = program.workspace(self.block, task.numbers, given)
        if self.launched:
            self.commands.fill(self.block + program.status_at, 8, 0)  # running again
        self.launched = True
        while True:
            if self.unread:
                self.unread = False
            else:
                if self.generation != compile.generation:
                    self._renew_kernel(task)
                self._launch(workspace, task.after)
            program.read(workspace, self.state.tobytes(), reading)
            if report is not None and reading.progress is not None:
                report(*reading.progress)
            if program.series_at >= 0:
                self.commands.fill(self.block + program.series_at, 8, 0)
            if not reading.running:
                return outcome_of(program, reading, self.blocks * self.threads)

    def _launch(self, workspace: bytes, after: Callable[[Commands, int], None] | None) -> None:
        """One launch, after which the state is read."""
        events = [self.cupy.cuda.Event() for _ in range(2)] if self.timed else []
        if events:
            self.commands.send()
            events[0].record()
        self.commands.launch(self.kernel, self.blocks, self.threads, workspace, *self.control, BUDGET_NS)
        if events:
            self.commands.send()
            events[1].record()
        if after is not None:
            after(self.commands, self.block + self.program.status_at)
        self.commands.read(self.block, self.state)
        self.commands.send()
        if events:
            self.kernel_seconds += self.cupy.cuda.get_elapsed_time(*events) / 1000

    def _renew_kernel(self, task: Task) -> None:
        """Go on with the full version of a kernel that was compiled quickly.

        Launches hand over in memory alone, so any may run another version, of as many blocks as before.
        """
        self.generation = compile.generation
        kernel, fitting = kernel_for(self.cupy, task, self.threads, {})
        if fitting >= self.blocks:
            self.kernel = kernel
