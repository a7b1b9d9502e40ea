"""Runs the single-source algorithms on an NVIDIA GPU through CuPy.

CuPy is imported on first use, and the device code is compiled by NVRTC for the index types at hand. A solve
is a chain of cooperative launches of about 50 ms; between two of them Python handles signals and reports
progress, so Ctrl-C is answered at once.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from konig.errors import DeviceError
from konig.gpu.launches import DeviceState
from konig.gpu.programs import BLOCK_THREADS, MAXIMUM, PROGRAMS, Program
from konig.matching.device_graph import DeviceGraph
from konig.progress import Report
from konig.registry import Method

INCLUDE = Path(__file__).resolve().parent.parent / "include"
INSTALL = "install CuPy for your CUDA version, for example: pip install 'cupy-cuda13x[ctk]'"

BUDGET_NS = 50_000_000

CONTROL_WORDS = 64  # struct Control of konig/bsp/cuda_team/barrier.h takes less; two words a block follow it

_modules: dict[tuple[Any, ...], Any] = {}
_modules_lock = threading.Lock()


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


@cache
def headers_digest() -> str:
    """A digest of all device code: CuPy's kernel cache looks at options but not into included headers."""
    digest = hashlib.sha256()
    for path in sorted(p for p in INCLUDE.rglob("*") if p.suffix in (".h", ".cu")):
        digest.update(path.relative_to(INCLUDE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def unit_source(unit: str) -> str:
    """The translation unit with the entry points of an algorithm."""
    return (INCLUDE / "konig" / "kernels" / f"{unit}.cu").read_text(encoding="utf-8")


def compile_options(id_bits: int, offset_bits: int, counted: bool) -> tuple[str, ...]:
    """What NVRTC is told, apart from the architecture."""
    return (
        "-std=c++17",
        f"-I{INCLUDE}",
        f"-DKONIG_ID_BITS={id_bits}",
        f"-DKONIG_OFFSET_BITS={offset_bits}",
        f"-DKONIG_COUNTED={int(counted)}",
        f"-DKONIG_HEADERS_DIGEST=0x{headers_digest()}",
    )


def module(
    cupy: Any,
    unit: str,
    id_bits: int,
    offset_bits: int,
    counted: bool,
    more_options: tuple[str, ...] = (),
    cooperative: bool = True,
) -> Any:
    """A compiled translation unit for these types on the current device, kept for the life of the process."""
    key = (cupy.cuda.runtime.getDevice(), unit, id_bits, offset_bits, counted, more_options)
    with _modules_lock:
        if key not in _modules:
            compiled = cupy.RawModule(
                code=unit_source(unit),
                options=(*compile_options(id_bits, offset_bits, counted), *more_options),
                backend="nvrtc",
                enable_cooperative_groups=cooperative,  # launch all blocks at once or fail
            )
            compiled.compile()
            _modules[key] = compiled
        return _modules[key]


@contextmanager
def timed_compilation(seconds: dict[str, float]) -> Iterator[None]:
    """Adds what the block takes to ``seconds["compile"]``."""
    began = perf_counter()
    yield
    seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began


def resident_blocks(cupy: Any, kernel: Any, threads: int = BLOCK_THREADS) -> int:
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


def control(cupy: Any, blocks: int) -> Any:
    """The team's own words for one solve."""
    return cupy.zeros(CONTROL_WORDS + 2 * blocks, np.int64)


def run_matching(
    method: Method,
    graph: DeviceGraph,
    col_of_row: Any,
    row_of_col: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
) -> dict[str, Any]:
    """Improve the matching until it is maximum; all arrays are CuPy's on the current device.

    A method that leaves some graphs to another raises a ``NarrowGraphError`` for them.
    """
    cupy = cupy_or_error("device='cuda'")
    solve = _Solve(cupy, method, graph, settings, seconds)
    began = perf_counter()
    stats = solve.solve(col_of_row, row_of_col, report)
    seconds["main"] = perf_counter() - began
    return stats


class NarrowGraphError(Exception):
    """A graph is so long and narrow that a search by levels takes too many supersteps.

    The arrays hold a search that was cut.
    """

    def __init__(self, seconds: float):
        super().__init__(f"a long and narrow graph, given up after {seconds:.3f} s on the device")
        self.seconds = seconds


class _DeviceClock:
    """Adds up how long launches run on the device, without what the host does around them."""

    def __init__(self, cupy: Any):
        self.cupy = cupy
        self.began, self.ended = cupy.cuda.Event(), cupy.cuda.Event()
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.began.record()

    def __exit__(self, *raised: Any) -> None:
        self.ended.record()

    def read(self) -> None:
        """Add the launch that has just ended."""
        self.seconds += self.cupy.cuda.get_elapsed_time(self.began, self.ended) / 1000


class _Solve:
    """A single-source algorithm with the graph on a device: launches until it has ended."""

    def __init__(
        self,
        cupy: Any,
        method: Method,
        graph: DeviceGraph,
        settings: Mapping[str, Any],
        seconds: dict[str, float],
    ):
        self.cupy, self.graph, self.seconds = cupy, graph, seconds
        self.knobs = {**method.variant, **settings}
        self.program: Program = PROGRAMS[method.solver]
        began = perf_counter()
        lists = graph.of_col
        types = 8 * lists.neighbour.itemsize, 8 * lists.start.itemsize, bool(settings["counters"])
        unit = module(cupy, self.program.unit, *types)
        self.kernel = unit.get_function(self.program.kernel(self.knobs))
        wanted = self.program.blocks(graph, self.knobs)
        self.blocks = min(wanted, resident_blocks(cupy, self.kernel))
        seconds["compile"] = perf_counter() - began
        self.graph_arrays = self._lists(method.reads)

    def _lists(self, reads: tuple[str, ...]) -> tuple[Any, ...]:
        """Start and neighbours of the orientations that the method reads, rows first."""
        both = {"rows": lambda: self.graph.of_row, "cols": lambda: self.graph.of_col}
        read = [both[side]() for side in ("rows", "cols") if side in reads]
        return tuple(part for lists in read for part in (lists.start, lists.neighbour))

    def solve(
        self,
        col_of_row: Any,
        row_of_col: Any,
        report: Report | None = None,
    ) -> dict[str, Any]:
        """Launch until the matching on the device is maximum; both arrays are CuPy's."""
        cupy, graph, program = self.cupy, self.graph, self.program
        state = DeviceState(
            cupy, program.state, program.series_width, program.series_used, program.unknown_at_first
        )
        team = control(cupy, self.blocks)
        arguments = (
            np.int64(graph.rows),
            np.int64(graph.cols),
            *self.graph_arrays,
            col_of_row,
            row_of_col,
            *program.workspace(cupy, graph, row_of_col, self.knobs),
            state.array,
            team,
            np.int64(BUDGET_NS),
        )
        clock = _DeviceClock(cupy)

        def launch() -> None:
            with clock:
                self.kernel((self.blocks,), (BLOCK_THREADS,), arguments)

        def look(words: Mapping[str, int]) -> None:
            clock.read()
            matched = program.matched(words, graph)
            if report is not None and matched is not None:
                report(matched, min(graph.rows, graph.cols))

        words = state.run(launch, look)
        if program.gives_up_as and words["status"] == program.gives_up_as:
            raise NarrowGraphError(clock.seconds)
        if words["status"] != MAXIMUM:
            raise RuntimeError(program.stalled)
        self.seconds["kernel"] = clock.seconds
        stats = program.stats(words, state.series, bool(self.knobs["counters"]))
        if program.knows_size:
            stats["size"] = words["matched"]
        return stats | {"workers": self.blocks * BLOCK_THREADS, "headers": headers_digest()}
