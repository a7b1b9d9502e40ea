"""Matrices that matching code gets wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import scipy.sparse as sp

from konig.lab import generators


@cache
def awkward_matrices() -> dict[str, sp.sparray]:
    """Small matrices, each of a kind that has broken some matching code, and random ones."""
    rng = np.random.default_rng(7)
    random = {
        f"random {rows}x{cols} d={degree}": generators.sprand(rows, cols, degree, seed=rows + cols)
        for rows, cols, degree in [(40, 40, 1.0), (60, 60, 2.5), (30, 80, 2.0), (90, 25, 1.5), (50, 50, 8.0)]
    }
    for largest in (90,) * 8 + (400,) * 8:
        rows, cols = (int(extent) for extent in rng.integers(1, largest, 2))
        random[f"random {rows}x{cols}"] = random_pattern(rng, rows, cols, rng.uniform(0, 4))
    duplicated = sp.csr_array((np.ones(60), rng.integers(0, 12, 60), np.arange(0, 61, 5)), shape=(12, 12))
    repeated = ([0, 0, 0, 1, 1, 2, 2], [1, 1, 1, 1, 0, 0, 0])
    two_blocks = np.zeros((20, 20))
    two_blocks[:4, :9] = two_blocks[4:, 8:] = 1
    triangle = np.triu(np.ones((40, 40)))
    idle_rows = np.vstack([np.ones((5, 40)), np.zeros((5, 40))])
    return random | {
        "no rows": sp.csr_array((0, 5)),
        "no columns": sp.csr_array((5, 0)),
        "nothing": sp.csr_array((0, 0)),
        "empty": generators.empty(6, 4),
        "one entry": sp.csr_array(([1], ([2], [3])), shape=(4, 5)),
        "full": generators.full(7, 9),
        "one row": sp.csr_array(np.ones((1, 9))),
        "one column": sp.csr_array(np.ones((9, 1))),
        "star": generators.star(12),
        "path": path(70)[0],
        "permuted path": permuted_path(70, 3),
        "chain": generators.chain(50, 3),
        "dumbbell": generators.dumbbell(10, 4),
        "crowded": crowded(200, 3),
        "hall violator": generators.hall_violator(40, 40, 6, sets=2, seed=3),
        "too few rows for a block of columns": sp.csr_array(two_blocks),
        "a wide block and a tall one": wide_and_tall(6),
        "the same with a path": sp.block_diag((wide_and_tall(6), path(30)[0]), format="csr"),
        "idle rows": sp.csr_array(idle_rows),
        "idle columns": sp.csr_array(idle_rows.T),
        "triangle": sp.csr_array(triangle),
        "permuted triangle": sp.csr_array(triangle[rng.permutation(40)][:, rng.permutation(40)]),
        "turned triangle": sp.csr_array(triangle[::-1]),
        "strict triangle": sp.csr_array(np.triu(triangle, 1)),
        "cycle": sp.csr_array(np.eye(40) + np.roll(np.eye(40), 1, axis=0)),
        "grid": generators.permute(generators.grid(9, 7), seed=1),
        "road": generators.permute(generators.road_grid(12, 12, 0.6, seed=2), seed=4),
        "kronecker": generators.kronecker(6, 4, seed=5),
        "hilo": generators.hilo(64, 4, 3),
        "planted blocks": generators.planted_btf((4, 3, 1, 1), 0.3, (3, 5), (6, 4), seed=6),
        "duplicates": duplicated,
        "duplicates in coordinates": sp.coo_array((np.ones(7), repeated), shape=(3, 3)),
    }


def path(n: int) -> tuple[sp.csc_array, np.ndarray]:
    """A path of 2n vertices, and the matching of size n - 1 that leaves its two ends unmatched."""
    rows = np.repeat(np.arange(n), 2)[:-1]
    cols = np.r_[np.stack([np.arange(n - 1), np.arange(1, n)], axis=1).ravel(), n - 1]
    initial = np.arange(1, n + 1)
    initial[-1] = -1
    return sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc(), initial


def paths(longest: int) -> tuple[sp.csc_array, np.ndarray]:
    """A path of each length, and their matchings: a search finds one augmenting path of each length."""
    parts, initials, offset = [], [], 0
    for n in range(1, longest + 1):
        A, initial = path(n)
        parts.append(A)
        initials.append(np.where(initial < 0, -1, initial + offset))
        offset += n
    return sp.block_diag(parts, format="csc"), np.concatenate(initials)


def permuted_path(n: int, seed: int) -> sp.csr_array:
    """A path of 2n vertices in random order: the perfect matching is the only maximum one."""
    rng = np.random.default_rng(seed)
    return path(n)[0].tocsr()[rng.permutation(n)][:, rng.permutation(n)]


def wide_and_tall(n: int) -> sp.csr_array:
    """A full block of n rows and n + 3 columns beside one the other way, joined by one entry."""
    blocks = sp.block_diag((np.ones((n, n + 3)), np.ones((n + 3, n))), format="lil")
    blocks[0, 2 * n + 2] = 1
    return blocks.tocsr()


def crowded(n: int, seed: int) -> sp.csc_array:
    """Many short augmenting paths that meet: the walks of ALTERNATE run into each other."""
    rng = np.random.default_rng(seed)
    rows = np.r_[np.arange(n), rng.integers(0, n // 8, 3 * n), rng.integers(0, n, n)]
    cols = np.r_[rng.permutation(n), rng.integers(0, n, 3 * n), rng.integers(0, n // 8, n)]
    return sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsc()


def random_pattern(rng: np.random.Generator, rows: int, cols: int, degree: float) -> sp.csr_array:
    """So many entries for each line of the longer side, duplicates among them."""
    entries = int(degree * max(rows, cols))
    where = (rng.integers(0, rows, entries), rng.integers(0, cols, entries))
    return sp.csr_array((np.ones(entries), where), (rows, cols))


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


def of_every_index_type(A: sp.csc_array) -> Iterator[tuple[sp.csc_array, type]]:
    """The same matrix with ids and offsets of all types that there are solvers for; the type of its ids."""
    for ids, offsets in ((np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)):
        B = A.copy()
        B.indices, B.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
        yield B, ids
