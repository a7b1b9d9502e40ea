"""Runs the single-source algorithms on an NVIDIA GPU through CuPy.

CuPy is imported on first use, and the device code is compiled by NVRTC for the index types at hand. A solve
is a chain of cooperative launches of about 50 ms; between two of them Python handles signals and reports
progress, so Ctrl-C is answered at once.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from konig.device_graph import DeviceGraph
from konig.errors import DeviceError
from konig.progress import Report
from konig.registry import Method

INCLUDE = Path(__file__).resolve().parent.parent / "include"
INSTALL = "install CuPy for your CUDA version, for example: pip install 'cupy-cuda13x[ctk]'"

BLOCK_THREADS = 256  # kBlockThreads of kernels.cu
CT_BLOCKS = 256
BUDGET_NS = 50_000_000

# struct State of konig/matching/augmenting_paths.h, word by word, and kSeries; test_compile.py compares them.
STATE = (
    "status",
    "step",
    "level",
    "part",
    "signs",
    "unmatched",
    "launches",
    "supersteps",
    "iterations",
    "edges_scanned",
    "walks",
    "alternations",
    "fixes",
    "levels_used",
)
SERIES = 1024
RUNNING, MAXIMUM = 0, 1
CONTROL_WORDS = 128  # more than struct Control of konig/bsp/cuda_team.h takes

_modules: dict[tuple[Any, ...], Any] = {}
_modules_lock = threading.Lock()


def available() -> bool:
    """Whether CuPy is installed and sees a device."""
    try:
        cupy_or_error("device='cuda'")
    except RuntimeError:
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


def module(cupy: Any, id_bits: int, offset_bits: int, counted: bool, source: str = "kernels.cu") -> Any:
    """The compiled kernels for these types on the current device, kept for the life of the process."""
    key = (cupy.cuda.runtime.getDevice(), source, id_bits, offset_bits, counted)
    with _modules_lock:
        if key not in _modules:
            module = cupy.RawModule(
                code=(INCLUDE / "konig" / source).read_text(encoding="utf-8"),
                options=compile_options(id_bits, offset_bits, counted),
                backend="nvrtc",
                enable_cooperative_groups=True,  # launch all blocks at once or fail
            )
            module.compile()
            _modules[key] = module
        return _modules[key]


def resident_blocks(cupy: Any, kernel: Any) -> int:
    """How many blocks of the kernel the current device holds at once."""
    cupy.cuda.runtime.free(0)  # gives this thread the device's context, which the driver call only looks for
    runtime = cupy.cuda.runtime
    processors = runtime.deviceGetAttribute(runtime.cudaDevAttrMultiProcessorCount, runtime.getDevice())
    per_processor = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
        kernel.kernel.ptr, BLOCK_THREADS, 0
    )
    return int(per_processor) * int(processors)


def run_matching(
    method: Method,
    graph: DeviceGraph,
    col_of_row: Any,
    row_of_col: Any,
    settings: Mapping[str, Any],
    report: Report | None,
    seconds: dict[str, float],
) -> dict[str, Any]:
    """Improve the matching until it is maximum; all arrays are CuPy's on the current device."""
    cupy = cupy_or_error("device='cuda'")
    solve = _AugmentingPaths(cupy, method, graph, bool(settings["counters"]), seconds)
    began = perf_counter()
    stats = solve.solve(col_of_row, row_of_col, report)
    seconds["main"] = perf_counter() - began
    return stats


class _AugmentingPaths:
    """The kernels of konig/matching/augmenting_paths.h with the graph and the workspace on a device."""

    def __init__(
        self, cupy: Any, method: Method, graph: DeviceGraph, counted: bool, seconds: dict[str, float]
    ):
        self.cupy, self.graph, self.counted = cupy, graph, counted
        self.variant = method.variant
        lists = graph.of_col
        began = perf_counter()
        id_bits, offset_bits = 8 * lists.neighbour.itemsize, 8 * lists.start.itemsize
        self.kernel = module(cupy, id_bits, offset_bits, counted).get_function(self._kernel_name())
        self.blocks = self._blocks()
        seconds["compile"] = perf_counter() - began
        self.col_start, self.col_rows = lists.start, lists.neighbour
        self.level, self.root = (cupy.empty(graph.cols, graph.id_dtype) for _ in range(2))
        self.predecessor = cupy.empty(graph.rows, graph.id_dtype)

    def solve(self, col_of_row: Any, row_of_col: Any, report: Report | None = None) -> dict[str, Any]:
        """Launch until the matching on the device is maximum; both arrays are CuPy's."""
        cupy, graph = self.cupy, self.graph
        host = np.zeros(len(STATE) + SERIES, np.int64)
        host[STATE.index("unmatched")] = -1
        state = cupy.asarray(host)
        control = cupy.zeros(CONTROL_WORDS, np.int64)
        arguments = (
            np.int64(graph.rows),
            np.int64(graph.cols),
            self.col_start,
            self.col_rows,
            col_of_row,
            row_of_col,
            self.level,
            self.predecessor,
            self.root,
            state,
            control,
            np.int64(BUDGET_NS),
        )
        levels: list[int] = []
        while True:
            self.kernel((self.blocks,), (BLOCK_THREADS,), arguments)
            host = state.get()  # waits for the launch
            words = dict(zip(STATE, host.tolist(), strict=False))
            levels += host[len(STATE) :][: words["levels_used"]].tolist()
            if report is not None and words["unmatched"] >= 0:
                report(graph.cols - words["unmatched"], min(graph.rows, graph.cols))
            if words["status"] != RUNNING:
                break
            if words["levels_used"]:
                used = STATE.index("levels_used")
                state[used : used + 1].set(np.zeros(1, np.int64))
        if words["status"] != MAXIMUM:
            raise RuntimeError("augmenting paths: an iteration found paths and gained nothing")
        return self._stats(words, levels)

    def _stats(self, words: dict[str, int], levels: list[int]) -> dict[str, Any]:
        counters = ("edges_scanned", "walks", "alternations", "fixes") if self.counted else ()
        stats: dict[str, Any] = {"iterations": words["iterations"], "bfs_levels": levels}
        stats |= {name: words[name] for name in (*counters, "supersteps", "launches")}
        return stats | {"workers": self.blocks * BLOCK_THREADS, "headers": headers_digest()}

    def _kernel_name(self) -> str:
        search = "apsb" if self.variant["shortest_only"] else "apfb"
        return f"{search}_gpubfs" + ("_wr" if self.variant["with_roots"] else "")

    def _blocks(self) -> int:
        """CT is 256 blocks; MT has a thread for each column; both as far as the device holds them at once."""
        wanted = CT_BLOCKS
        if self.variant["width"] == "mt":
            wanted = max(1, -(-self.graph.cols // BLOCK_THREADS))
        return min(wanted, resident_blocks(self.cupy, self.kernel))
