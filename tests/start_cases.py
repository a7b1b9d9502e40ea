"""What the tests of the matchings to start from share, on one thread, on teams and on a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig.matching import cpu
from konig.matching.inputs import Partial, as_graph
from konig.matching.proof import check_matching

TEXTBOOK = {"threads": 1, "patience": 0, "afresh": False}  # of the native starts
TEAM_KNOBS = [
    *({"threads": threads, "team": "threads", "seed": 0} for threads in (1, 2, 4)),
    *({"threads": 1, "team": "shuffled", "seed": seed} for seed in range(5)),
]


def started(
    solver: str,
    A: Any,
    knobs: Mapping[str, Any],
    initial: Iterable[tuple[int, int]] = (),
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """The partners after the start alone, proved to be a matching, and what it counted."""
    graph = as_graph(A)
    col_of_row = np.full(graph.rows, -1, graph.id_dtype)
    row_of_col = np.full(graph.cols, -1, graph.id_dtype)
    for row, col in initial:
        col_of_row[row], row_of_col[col] = col, row
    graph.of_row, graph.of_col  # noqa: B018 (made on first use)
    counted = cpu.improve(solver, Partial(graph, col_of_row, row_of_col), knobs, None)
    check_matching(*graph.edges(), col_of_row, row_of_col)
    return col_of_row, row_of_col, counted


def is_maximal(A: Any, col_of_row: np.ndarray, row_of_col: np.ndarray) -> bool:
    rows, cols = as_graph(A).edges()
    return not ((col_of_row[rows] < 0) & (row_of_col[cols] < 0)).any()


def size(col_of_row: np.ndarray) -> int:
    return int(np.count_nonzero(col_of_row >= 0))


def matrices() -> Iterator[sp.sparray]:
    """Empty, full, and random sparse ones."""
    rng = np.random.default_rng(3)
    for shape in ((0, 0), (0, 4), (4, 0), (3, 5)):
        yield sp.csc_array(shape)
    yield sp.csc_array(np.ones((7, 4)))
    yield sp.csc_array(np.ones((1, 9)))
    yield sp.coo_array((np.ones(6), ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])), shape=(3, 3))
    for _ in range(20):
        shape = tuple(int(extent) for extent in rng.integers(1, 400, 2))
        yield sp.random_array(shape, density=rng.uniform(0, 4) / max(shape), rng=rng, format="csc")


def random_forest(vertices: int, rng: np.random.Generator, trees: int = 1) -> sp.csr_array:
    """A random recursive forest; a vertex is a row or a column by the parity of its depth."""
    parent = np.array([-1 if v < trees else rng.integers(0, v) for v in range(vertices)])
    depth = np.zeros(vertices, int)
    for v in range(trees, vertices):
        depth[v] = depth[parent[v]] + 1
    side = depth % 2
    place = np.where(side == 0, np.cumsum(side == 0), np.cumsum(side == 1)) - 1
    child = np.arange(trees, vertices)
    above = parent[trees:]
    rows = np.where(side[child] == 0, place[child], place[above])
    cols = np.where(side[child] == 1, place[child], place[above])
    return sp.csr_array((np.ones(len(child)), (rows, cols)), shape=((side == 0).sum(), (side == 1).sum()))


def permuted_forests(count: int, trees: int, seed: int) -> Iterator[sp.csr_array]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        A = random_forest(int(rng.integers(2 * trees, 400)), rng, trees)
        yield A[rng.permutation(A.shape[0])][:, rng.permutation(A.shape[1])]


def permuted_path(n: int, seed: int) -> sp.csr_array:
    """A path of 2n vertices in random order: the perfect matching is the only maximum one."""
    rng = np.random.default_rng(seed)
    A = sp.diags_array([np.ones(n), np.ones(n - 1)], offsets=[0, -1]).tocsr()
    return A[rng.permutation(n)][:, rng.permutation(n)]
