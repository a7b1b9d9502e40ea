"""Runs core-paths on an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from konig.assignment.hungarian import CORE_STEPS, Task, step_seconds
from konig.gpu import cuda
from konig.gpu.programs import BLOCK_THREADS, RUNNING
from konig.progress import Report

UNIT = "core_paths"
# enum Status of konig/assignment/core/state.h
OPTIMAL, INFEASIBLE, NEEDS_ROOM, STALLED, ALIKE = 1, 2, 3, 4, 5
FIRST_ROOM = 80  # kFirstRoom there
UNREACHED = 1 << 62  # kUnreached there
ENTRIES_PER_BLOCK = 1 << 12

# struct State of konig/assignment/core/state.h, word by word, up to the array at its end.
STATE = (
    "status",
    "step",
    "part",
    "shift",
    "finest",
    "refined",
    "coarser",
    "missed_before",
    "free",
    "far",
    "missed",
    "roots",
    "lowered",
    "undercut",
    "priced",
    "lasting",
    "inward",
    "asks",
    "supersteps",
    "selections",
    "phases",
    "sweeps",
    "pricings",
    "extensions",
    "arcs",
    "launches",
    "paths",
    "path_edges",
    "queued",
    "reached",
)


def workspace_bytes(rows: int, cols: int) -> int:
    """What a solve needs besides the costs and the answer, when the lists have been widened once."""
    return 3 * 20 * FIRST_ROOM * rows + 64 * (rows + cols)


class CoreLaunches:
    """A solve on the current device; ``more_options`` are for NVRTC."""

    def __init__(self, cupy: Any, task: Task, cost_type: str, more_options: tuple[str, ...] = ()):
        self.cupy, self.task = cupy, task
        rows, cols = task.rows, task.cols
        options = (f"-DKONIG_COST={cost_type}", *more_options)
        unit = cuda.module(cupy, UNIT, 32, 32, False, options)
        self.kernel = unit.get_function("core_paths")
        wanted = -(-rows * cols // ENTRIES_PER_BLOCK)
        self.blocks = min(max(wanted, 1), cuda.resident_blocks(cupy, self.kernel))
        self.words = cupy.empty(rows + cols, np.int64)
        self.ids = cupy.empty(4 * rows + 2 * cols, np.int32)
        self.arc_col = cupy.empty((rows, FIRST_ROOM), np.int32)
        self.arc_value = cupy.empty((rows, FIRST_ROOM), np.int64)
        self.arc_slack = cupy.empty((rows, FIRST_ROOM), np.int64)

        host = np.zeros(len(STATE) + len(CORE_STEPS), np.int64)
        host[[STATE.index("finest"), STATE.index("undercut")]] = -1
        self.state, self.control = cupy.asarray(host), cuda.control(cupy, self.blocks)

    def run(
        self, scale: tuple[Any, ...], report: Report | None, asks: bool = False
    ) -> tuple[dict[str, int], list[int]]:
        """Until the solve has ended, or rows turned out to rank columns alike, if the caller ``asks``."""
        cupy, task, state, control = self.cupy, self.task, self.state, self.control
        state[STATE.index("asks")] = asks
        state[STATE.index("status")] = RUNNING
        while True:
            self.kernel(
                (self.blocks,),
                (BLOCK_THREADS,),
                (
                    np.int64(task.rows),
                    np.int64(task.cols),
                    task.costs,
                    np.int64(task.cols),
                    *scale,
                    task.col_of_row,
                    task.row_of_col,
                    task.row_dual,
                    task.col_dual,
                    self.words,
                    self.ids,
                    self.arc_col,
                    self.arc_value,
                    self.arc_slack,
                    np.int64(self.arc_col.shape[1]),
                    np.int64(task.warm),
                    state,
                    control,
                    np.int64(cuda.BUDGET_NS),
                ),
            )
            host = state.get()  # waits for the launch
            words = dict(zip(STATE, host.tolist(), strict=False))
            if report is not None:
                report(task.rows - words["free"], task.rows)
            if words["status"] in (OPTIMAL, INFEASIBLE, STALLED, ALIKE):
                return words, host[len(STATE) :].tolist()
            if words["status"] == NEEDS_ROOM:
                self.arc_col, self.arc_value = self._widened(self.arc_col), self._widened(self.arc_value)
                self.arc_slack = cupy.empty_like(self.arc_value)
                state[STATE.index("status")] = RUNNING

    def _widened(self, lists: Any) -> Any:
        rows, room = lists.shape
        wider = self.cupy.empty((rows, 2 * room), lists.dtype)
        wider[:, :room] = lists
        return wider

    def missed(self) -> tuple[Any, Any]:
        """The rows and columns from which no free column can be reached: a Hall violator."""
        missed = self.words >= UNREACHED
        return missed[: self.task.rows], missed[self.task.rows :]

    def stats(self, words: Mapping[str, int], nanoseconds: list[int]) -> dict[str, Any]:
        """What the user gets to see of the state, as on the CPU."""
        stats: dict[str, Any] = {"stalled": int(words["status"] == STALLED)}
        stats |= {name: words[name] for name in ("selections", "phases", "paths", "path_edges", "sweeps")}
        stats |= {"pricing_rounds": words["pricings"], "extensions": words["extensions"]}
        stats |= {"core_entries": words["arcs"], "coarser_starts": words["coarser"]}
        stats |= {name: words[name] for name in ("supersteps", "launches")}
        stats |= {"workers": self.blocks * BLOCK_THREADS, "headers": cuda.headers_digest()}
        return stats | {"seconds": step_seconds(nanoseconds, "core")}
