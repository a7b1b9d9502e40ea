"""What the CUDA backend has to know about each single-source algorithm: its kernels, workspace and state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from konig.matching.inputs import BipartiteGraph

BLOCK_THREADS = 256  # kBlockThreads of konig/kernels/entry.h
CT_BLOCKS = 256
SERIES = 1024  # KONIG_SERIES of konig/bsp/limits.h
PIECE = 256  # KONIG_PIECE of konig/matching/ms_bfs/tuning.h
PIECE_WORDS = 8  # ids that a Piece of konig/matching/ms_bfs/state.h takes at most
RUNNING, MAXIMUM = 0, 1  # every algorithm's enum Status


class Program(Protocol):
    """An algorithm of ``konig/include``.

    Attributes
    ----------
    unit : str
        Its file in ``konig/kernels``.
    state : tuple of str
        Its ``struct State`` word by word, without the series at the end.
    unknown_at_first : tuple of str
        The words that are -1 and not 0 before the first launch.
    series_used, series_width : str, int
        The word that counts the entries of the series, and how many words an entry has.
    stalled : str
        What went wrong if it ended without a maximum matching.
    gives_up_as : int
        The status with which it leaves a graph to another method; 0 if it never does.
    knows_size : bool
        Whether its word ``matched`` is the size of the matching at the end.
    """

    unit: str
    state: tuple[str, ...]
    unknown_at_first: tuple[str, ...]
    series_used: str
    series_width: int
    stalled: str
    gives_up_as: int
    knows_size: bool

    def kernel(self, knobs: Mapping[str, Any]) -> str:
        """The entry point of a variant."""

    def blocks(self, graph: BipartiteGraph, knobs: Mapping[str, Any]) -> int:
        """How many blocks it would like."""

    def workspace(
        self, cupy: Any, graph: BipartiteGraph, row_of_col: Any, knobs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        """The arguments between the matching and the state."""

    def matched(self, words: Mapping[str, int], graph: BipartiteGraph) -> int | None:
        """How many pairs there are, if the state says so."""

    def stats(self, words: Mapping[str, int], series: list[int], counted: bool) -> dict[str, Any]:
        """What the user gets to see of the state."""


class AugmentingPaths:
    """konig/papers/augmenting_paths.h"""

    unit = "augmenting_paths"
    state: tuple[str, ...] = (
        "status",
        "step",
        "level",
        "part",
        "signs",
        "unmatched",
        "uneven",
        "launches",
        "supersteps",
        "iterations",
        "edges_scanned",
        "walks",
        "alternations",
        "fixes",
        "levels_used",
    )
    unknown_at_first: tuple[str, ...] = ("unmatched",)
    series_used, series_width = "levels_used", 1
    stalled = "augmenting paths: an iteration found paths and gained nothing"
    gives_up_as = 0
    knows_size = False

    def kernel(self, knobs: Mapping[str, Any]) -> str:
        search = "apsb" if knobs["shortest_only"] else "apfb"
        return f"{search}_gpubfs" + ("_wr" if knobs["with_roots"] else "")

    def blocks(self, graph: BipartiteGraph, knobs: Mapping[str, Any]) -> int:
        """CT is 256 blocks; MT has a thread for each column."""
        return CT_BLOCKS if knobs["width"] == "ct" else max(1, -(-graph.cols // BLOCK_THREADS))

    def workspace(
        self, cupy: Any, graph: BipartiteGraph, row_of_col: Any, knobs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        sizes = graph.cols, graph.rows, graph.cols  # level, predecessor, root
        return tuple(cupy.empty(size, graph.id_dtype) for size in sizes)

    def matched(self, words: Mapping[str, int], graph: BipartiteGraph) -> int | None:
        return graph.cols - words["unmatched"] if words["unmatched"] >= 0 else None

    def stats(self, words: Mapping[str, int], series: list[int], counted: bool) -> dict[str, Any]:
        counters = ("edges_scanned", "walks", "alternations", "fixes") if counted else ()
        stats: dict[str, Any] = {"iterations": words["iterations"], "bfs_levels": series}
        return stats | {name: words[name] for name in (*counters, "supersteps", "launches")}


class PushRelabel:
    """konig/papers/g_pr.h"""

    unit = "push_relabel"
    state: tuple[str, ...] = (
        "status",
        "step",
        "free_rows",
        "loop",
        "exact_loop",
        "next_relabel",
        "level",
        "part",
        "signs",
        "push_part",
        "shadow_step",
        "shadow_began",
        "shadow_level",
        "shadow_part",
        "shadow_signs",
        "shadows",
        "max_level",
        "interval",
        "unrecorded",
        "fresh",
        "checking",
        "rescue",
        "gather",
        "shrink",
        "current",
        "previous",
        "length",
        "uneven",
        "gain_free",
        "gain_loop",
        "check_free",
        "gap_passes",
        "supersteps",
        "relabels",
        "revived",
        "gap_relabels",
        "rescues",
        "series_used",
        "rescued",
        "rescue_at",
        "gap",
        "launches",
        "edges_scanned",
        "pushes",
        "conflicts",
        "retired",
    )
    unknown_at_first: tuple[str, ...] = ("free_rows", "gain_free", "check_free")
    series_used, series_width = "series_used", 4
    stalled = "push-relabel: a column within reach of a free row did not get there"
    gives_up_as = 0
    knows_size = False

    def kernel(self, knobs: Mapping[str, Any]) -> str:
        return "g_pr_lists" if knobs["lists"] else "g_pr_first"

    def blocks(self, graph: BipartiteGraph, knobs: Mapping[str, Any]) -> int:
        return CT_BLOCKS

    def workspace(
        self, cupy: Any, graph: BipartiteGraph, row_of_col: Any, knobs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        ids = graph.id_dtype
        beside = bool(knobs["concurrent"])
        capacity = int(cupy.count_nonzero(row_of_col < 0)) if knobs["lists"] else 0
        return (
            cupy.empty(graph.rows, ids),  # row_label
            cupy.empty(graph.cols, ids),  # col_label
            cupy.empty(graph.cols, ids),  # candidate
            cupy.empty(graph.rows if beside else 0, ids),  # shadow_row_label
            cupy.empty(graph.cols if beside else 0, ids),  # shadow_col_label
            cupy.zeros(min(graph.rows, graph.cols) + 1 if knobs["gap"] else 0, ids),  # level_seen
            cupy.full(graph.cols if knobs["lists"] else 0, -1, ids),  # active_in
            cupy.empty(3 * capacity, ids),  # lists
            np.int64(capacity),
            np.int64(knobs["shrink"]),
            np.int64(knobs["gap"]),
            np.int64(beside),
            np.int64(knobs["relabel"] == "adaptive"),
            np.float64(knobs["k"]),
        )

    def matched(self, words: Mapping[str, int], graph: BipartiteGraph) -> int | None:
        return graph.rows - words["free_rows"] if words["free_rows"] >= 0 else None

    def stats(self, words: Mapping[str, int], series: list[int], counted: bool) -> dict[str, Any]:
        counters = ("edges_scanned", "pushes", "conflicts", "retired") if counted else ()
        of_each = ("relabel_levels", "relabel_interval", "active", "list_length")
        stats: dict[str, Any] = {"global_relabels": words["relabels"], "iterations": words["loop"]}
        stats |= {name: series[k::4] for k, name in enumerate(of_each)}
        names = ("revived", "gap_relabels", "rescues", *counters, "supersteps", "launches")
        return stats | {name: words[name] for name in names}


class MultiSourceBfs:
    """konig/matching/ms_bfs.h"""

    unit = "multi_source_bfs"
    state: tuple[str, ...] = (
        "status",
        "step",
        "rounds",
        "part",
        "pieces",
        "long_pieces",
        "roots",
        "found",
        "matched",
        "symmetric",
        "diagonal",
        "later",
        "start_size",
        "launches",
        "phases",
        "levels",
        "edges_scanned",
        "path_edges",
        *(f"tally_{k}" for k in range(6)),
    )
    unknown_at_first: tuple[str, ...] = ()
    series_used, series_width = "", 0
    stalled = "multi-source search: ended without a maximum matching"
    gives_up_as = 2  # kNarrow
    knows_size = True

    def kernel(self, knobs: Mapping[str, Any]) -> str:
        return "multi_source_bfs"

    def blocks(self, graph: BipartiteGraph, knobs: Mapping[str, Any]) -> int:
        """All that fit, but no more than the columns can use."""
        return max(1, -(-8 * graph.cols // BLOCK_THREADS))

    def workspace(
        self, cupy: Any, graph: BipartiteGraph, row_of_col: Any, knobs: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        pieces = graph.cols + graph.nonzeros // PIECE
        branch = cupy.empty(8 * graph.rows, graph.id_dtype)
        ids = cupy.empty(graph.rows + graph.cols, graph.id_dtype)
        frontiers = cupy.empty(2 * PIECE_WORDS * pieces, graph.id_dtype)
        return np.int64(pieces), np.int64(knobs["most_steps"]), branch, ids, frontiers

    def matched(self, words: Mapping[str, int], graph: BipartiteGraph) -> int | None:
        return words["matched"]

    def stats(self, words: Mapping[str, int], series: list[int], counted: bool) -> dict[str, Any]:
        counters = ("edges_scanned", "path_edges") if counted else ()
        names = ("phases", "levels", "symmetric", "diagonal", "start_size", *counters, "launches")
        return {name: words[name] for name in names}


PROGRAMS: dict[str, Program] = {
    "multi_source_bfs_on_team": MultiSourceBfs(),
    "augmenting_paths_on_team": AugmentingPaths(),
    "push_relabel_on_team": PushRelabel(),
}
