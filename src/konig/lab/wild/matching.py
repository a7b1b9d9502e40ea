"""Families of patterns for maximum matching: what people factorise, schedule, recommend, tile and link."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from konig.lab.generators import generate
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.lattices import neighbours, steps
from konig.lab.generators.pattern import PERMUTATIONS, from_edges, from_entries, permute, renumber
from konig.lab.wild.drawing import Chance, Families

Pattern = Any  # a csr_array


def _finish(A: Pattern, c: Chance) -> Pattern:
    """Either side first, an order natural or random, lists sorted or not, and a type that callers have."""
    if c.coin("transposed"):
        A = sparse.csr_array(A.T)
        A.sort_indices()
    order = c.pick("order", "none", "none", "both", "both", "rows", "cols")
    seed = c.seed() if order != "none" else 0
    dtype, wide = c.pick("dtype", "int8", "int8", "bool", "float64"), c.coin("wide_ids", 0.1)
    if order != "none":
        reordered = renumber if c.coin("lists_kept", 0.3) else permute
        A = reordered(A, *PERMUTATIONS[order], seed)
    A.data = A.data.astype(dtype)
    if wide:
        A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    return A


family = Families(_finish)


# Random graphs.


@family.each(random_sparse=(1.0, 8.0), random_thick=(8.0, 400.0))
def random(degrees: tuple[float, float], entries: int, c: Chance) -> Pattern:
    degree = c.log("degree", degrees[0], min(degrees[1], 0.5 * math.sqrt(entries)))
    return generate("sprand", c.seed(), rows=round(entries / degree), degree=degree)


@family
def random_dense(entries: int, c: Chance) -> Pattern:
    density = c.real("density", 0.1, 0.9)
    rows = round(math.sqrt(entries / density))
    return generate("sprand", c.seed(), rows=rows, degree=density * rows)


@family
def random_wide(entries: int, c: Chance) -> Pattern:
    aspect, degree = c.log("aspect", 1.2, 100.0), c.log("degree", 1.0, 8.0)
    rows = max(4, round(entries / (degree * aspect)))
    cols = max(8, round(entries / degree))
    return generate("sprand", c.seed(), rows=rows, cols=cols, degree=min(entries / rows, cols))


@family
def random_nearly_square(entries: int, c: Chance) -> Pattern:
    degree, spare = c.log("degree", 1.5, 6.0), c.log("spare", 0.0005, 0.1)
    rows = round(entries / degree)
    return generate("sprand", c.seed(), rows=rows, cols=round(rows * (1 + spare)) + 1, degree=degree)


@family
def regular(entries: int, c: Chance) -> Pattern:
    """Every row and every column has the same number of random neighbours, repetitions merged."""
    degree = c.whole("degree", 2, 16)
    n, draws = max(entries // degree, 4), c.draws()
    cols = np.concatenate([draws.permutation(n) for _ in range(degree)])
    return from_entries(np.tile(np.arange(n), degree), cols, (n, n))


@family
def choices(entries: int, c: Chance) -> Pattern:
    """As many random choices for each row: a user's, a student's, a hash function's."""
    degree, load = c.whole("degree", 2, 6), c.real("load", 0.5, 1.3)
    rows = max(entries // degree, 4)
    cols = max(round(rows / load), degree)
    return from_entries(
        np.repeat(np.arange(rows), degree), c.draws().integers(cols, rows * degree), (rows, cols)
    )


@family
def configuration(entries: int, c: Chance) -> Pattern:
    """Degrees of both sides from a power law, ends joined at random."""
    exponent, n = c.real("exponent", 1.8, 3.5), max(round(entries / c.log("degree", 1.5, 8.0)), 8)
    draws = c.draws()
    rows, cols = (_power_law_ends(draws, n, entries, exponent) for _ in range(2))
    return from_entries(rows, cols, (n, n))


@family
def popularity(entries: int, c: Chance) -> Pattern:
    """Ratings: every user rates some items, popular items more often."""
    exponent, aspect = c.real("exponent", 1.6, 3.0), c.log("aspect", 0.2, 20.0)
    users = max(round(entries / c.log("degree", 1.0, 30.0)), 8)
    items = max(round(users / aspect), 8)
    draws = c.draws()
    cols = _power_law_ends(draws, items, entries, exponent)
    return from_entries(draws.integers(users, entries), cols, (users, items))


@family
def hubs_and_leaves(entries: int, c: Chance) -> Pattern:
    """Many rows with one entry, in few columns; some rows with many."""
    n, hubs = max(entries // 2, 8), c.whole("hubs", 1, max(2, int(math.sqrt(entries))))
    draws = c.draws()
    rows = np.append(np.arange(n), draws.integers(hubs, entries - n))
    cols = np.append(draws.integers(hubs, n), draws.integers(n, entries - n))
    return from_entries(rows, cols, (n, n))


@family
def rmat(entries: int, c: Chance) -> Pattern:
    scale, a = _scale(entries, c), c.real("a", 0.3, 0.65)
    b, factor = c.real("b", 0.1, 0.2), max(1, entries >> scale)
    return generate("rmat", c.seed(), scale=scale, edge_factor=factor, a=a, b=b, c=(1 - a - b) / 2)


@family
def kronecker(entries: int, c: Chance) -> Pattern:
    scale = _scale(entries // 2, c)
    factor = max(1, entries // 2 >> scale)
    return generate("kronecker", c.seed(), scale=scale, edge_factor=factor, relabel=c.coin("relabel"))


@family
def small_world(entries: int, c: Chance) -> Pattern:
    """A ring of neighbours, some of whose ends are moved anywhere."""
    reach, moved = c.whole("reach", 1, 8), c.log("moved", 0.0005, 0.5)
    n, draws = max(entries // (2 * reach), 4), c.draws()
    tails = np.repeat(np.arange(n), reach)
    heads = (tails + np.tile(np.arange(1, reach + 1), n)) % n
    anywhere = draws.uniform(len(tails)) < moved
    heads[anywhere] = draws.integers(n, int(anywhere.sum()))
    return from_edges(tails, heads, n)


@family
def groups(entries: int, c: Chance) -> Pattern:
    """Random neighbours within three groups only."""
    number, degree = c.whole("groups", 3, max(4, entries // 200)), c.log("degree", 2.0, 10.0)
    size = max(round(entries / (degree * number)), 1)
    degree = min(degree, 3.0 * size)
    return generate("rbg", c.seed(), n=size * number, groups=number, degree=degree, relabel=c.coin("relabel"))


@family
def communities(entries: int, c: Chance) -> Pattern:
    """Blocks of rows and columns that mostly meet their own."""
    degree, number, out = c.log("degree", 1.5, 10.0), c.whole("communities", 2, 300), c.log("out", 0.001, 0.5)
    n, draws = max(round(entries / degree), number), c.draws()
    rows = draws.integers(n, entries)
    size = -(-n // number)
    inside = np.minimum(rows // size * size + draws.integers(size, entries), n - 1)
    cols = np.where(draws.uniform(entries) < out, draws.integers(n, entries), inside)
    return from_entries(rows, cols, (n, n))


# Meshes and lattices.


@family
def grid(entries: int, c: Chance) -> Pattern:
    nx, ny = _sides(entries / 4, c)
    return generate("grid", nx=nx, ny=ny)


@family
def torus(entries: int, c: Chance) -> Pattern:
    nx, ny = _sides(entries / 4, c)
    vertices = np.arange(nx * ny).reshape(nx, ny)
    heads = np.concatenate([np.roll(vertices, 1, axis).ravel() for axis in (0, 1)])
    return from_edges(np.tile(vertices.ravel(), 2), heads, nx * ny)


@family
def box(entries: int, c: Chance) -> Pattern:
    """A three-dimensional grid."""
    return _lattice(_box(entries / 7, c), steps(3), c)


@family
def stencil(entries: int, c: Chance) -> Pattern:
    """Finite differences: all neighbours in a square of cells or a cube, and some unknowns in each cell."""
    dimensions, unknowns = c.pick("dimensions", 2, 3), c.pick("unknowns", 1, 1, 2, 3)
    cells = entries / (3**dimensions * unknowns**2)
    shape = _box(cells, c) if dimensions == 3 else _sides(cells, c)
    A = _lattice(shape, steps(dimensions, corners=True), c, diagonal=True)
    return sparse.csr_array(sparse.kron(A, np.ones((unknowns, unknowns), np.int8), "csr"))


@family
def holes(entries: int, c: Chance) -> Pattern:
    """A grid with cells missing at random."""
    return _lattice(_sides(entries / 4, c), steps(2), c, c.log("missing", 0.001, 0.4))


@family
def dominoes(entries: int, c: Chance) -> Pattern:
    """Black cells against white cells of a board with holes: a perfect matching tiles it."""
    shape = _sides(entries / 2, c)
    A = _lattice(shape, steps(2), c, c.log("missing", 1e-5, 0.3), renumber=False)
    black, alone = np.indices(shape).sum(axis=0).ravel() % 2 == 0, np.diff(A.indptr) == 0
    return sparse.csr_array(A[black & ~alone][:, ~black & ~alone])


@family
def roads(entries: int, c: Chance) -> Pattern:
    keep = c.real("keep", 0.45, 0.95)
    nx, ny = _sides(entries / (4 * keep), c)
    return generate("road_grid", c.seed(), nx=nx, ny=ny, keep=keep)


@family
def triangulation(entries: int, c: Chance) -> Pattern:
    nx, ny = _sides(entries / 6, c)
    return generate("triangulated_grid", c.seed(), nx=nx, ny=ny, flip=c.pick("flip", 0.0, 0.5, 0.9))


@family
def delaunay(entries: int, c: Chance) -> Pattern:
    return generate("delaunay", c.seed(), n=max(min(entries, 3_000_000) // 6, 4))


@family
def geometric(entries: int, c: Chance) -> Pattern:
    """Points near each other, of one set or of two."""
    degree = c.log("degree", 2.0, 25.0)
    n = max(round(entries / degree), 8)
    radius = math.sqrt(degree / (math.pi * n))
    if c.coin("one_set"):
        return generate("random_geometric", c.seed(), n=n, radius=radius)
    from scipy.spatial import KDTree

    first, second = (KDTree(c.draws().uniform(2 * n).reshape(n, 2)) for _ in range(2))
    near = first.sparse_distance_matrix(second, radius, output_type="coo_matrix")
    return from_entries(near.row, near.col, (n, n))


@family
def honeycomb(entries: int, c: Chance) -> Pattern:
    """A brick wall: a grid without every other rung."""
    nx, ny = _sides(entries / 3, c)
    vertices = np.arange(nx * ny).reshape(nx, ny)
    rungs = np.indices(vertices[:-1].shape).sum(axis=0) % 2 == 0
    tails = np.concatenate([vertices[:, :-1].ravel(), vertices[:-1][rungs]])
    heads = np.concatenate([vertices[:, 1:].ravel(), vertices[1:][rungs]])
    return from_edges(tails, heads, vertices.size)


@family
def hypercube(entries: int, c: Chance) -> Pattern:
    keep = c.real("keep", 0.3, 1.0)
    dimensions = max(4, round(math.log2(entries / keep) - math.log2(math.log2(entries))))
    vertices = np.arange(1 << dimensions)
    tails = np.repeat(vertices, dimensions)
    heads = tails ^ np.tile(1 << np.arange(dimensions), len(vertices))
    kept = (tails < heads) & (c.draws().uniform(len(tails)) < keep)
    return from_edges(tails[kept], heads[kept], len(vertices))


# Matrices with structure.


@family
def band(entries: int, c: Chance) -> Pattern:
    """A band around the diagonal, filled at random."""
    width, fill = c.whole("width", 1, max(2, int(math.sqrt(entries) / 4))), c.real("fill", 0.3, 1.0)
    n, draws = max(round(entries / (fill * (2 * width + 1))), 4), c.draws()
    rows = np.repeat(np.arange(n), 2 * width + 1)
    cols = rows + np.tile(np.arange(-width, width + 1), n)
    kept = (cols >= 0) & (cols < n) & (draws.uniform(len(rows)) < fill)
    return from_entries(rows[kept], cols[kept], (n, n))


@family
def diagonals(entries: int, c: Chance) -> Pattern:
    """Some diagonals anywhere, ended by the border or wrapped around."""
    number, around = c.whole("diagonals", 1, 12), c.coin("around")
    n = max(entries // number, 4)
    offsets = c.draws().integers(n, number) - n // 2
    rows, cols = np.repeat(np.arange(n), number), (np.arange(n)[:, None] + offsets).ravel()
    kept = np.ones(len(rows), bool) if around else (cols >= 0) & (cols < n)
    return from_entries(rows[kept], cols[kept] % n, (n, n))


@family
def arrow(entries: int, c: Chance) -> Pattern:
    """A diagonal with full rows and columns at its begin or its end."""
    heads, ending = c.whole("heads", 1, 20), c.coin("at_the_end")
    n = max(entries // (2 * heads + 1), 4)
    every, head = np.arange(n), np.repeat(np.arange(heads), n)
    if ending:
        head = n - 1 - head
    rows = np.concatenate([every, np.tile(every, heads), head])
    cols = np.concatenate([every, head, np.tile(every, heads)])
    return (
        from_entries(rows, np.minimum(cols, n - 1), (n, n))
        if heads <= n
        else from_entries(every, every, (n, n))
    )


@family
def blocks(entries: int, c: Chance) -> Pattern:
    """Full or half-full blocks on the diagonal."""
    size, fill = c.whole("size", 1, max(2, int(entries**0.4))), c.real("fill", 0.4, 1.0)
    number = max(round(entries / (fill * size * size)), 1)
    rows = np.repeat(np.arange(number * size), size)
    cols = rows // size * size + np.tile(np.arange(size), number * size)
    kept = c.draws().uniform(len(rows)) < fill
    return from_entries(rows[kept], cols[kept], (number * size, number * size))


@family
def block_triangular(entries: int, c: Chance) -> Pattern:
    """Square blocks between an underdetermined and an overdetermined one, and random entries above them."""
    n, draws = max(entries // 5, 16), c.draws()
    sizes = 1 + draws.integers(c.whole("largest", 1, max(2, n // 4)), n)
    sizes = sizes[: np.searchsorted(np.cumsum(sizes), n) + 1]
    wide = c.whole("wide", 0, n // 8)
    return generate(
        "planted_btf",
        c.seed(),
        block_sizes=tuple(sizes.tolist()),
        density=min(1.0, 4 * entries / 5 / (float(sizes.sum()) ** 2) * 2),
        underdetermined=(wide, wide + 1 + wide // 3) if wide else (0, 0),
        shuffle=False,
    )


@family
def triangle(entries: int, c: Chance) -> Pattern:
    """Upper triangular, with the diagonal or, structurally singular, without it; or Hessenberg."""
    density, lowest = c.log("density", 0.002, 1.0), c.pick("lowest", -1, 0, 0, 1)
    n, draws = max(round(math.sqrt(2 * entries / density)), 8), c.draws()
    keys = draws.distinct(n * n, min(n * n, round(n * n * density)))
    rows, cols = keys // n, keys % n
    kept = cols >= rows + lowest
    step = np.arange(n - abs(lowest))
    edge = (step + max(-lowest, 0), step + max(lowest, 0))
    return from_entries(np.append(rows[kept], edge[0]), np.append(cols[kept], edge[1]), (n, n))


@family.each(identity_and_noise=(0.0, 0.001, 10.0), broken_identity=(0.3, 0.5, 5.0))
def diagonal_and_noise(most: tuple[float, float, float], entries: int, c: Chance) -> Pattern:
    """A diagonal, full or with gaps, and entries anywhere."""
    gaps = c.log("gaps", 0.0001, most[0]) if most[0] else 0.0
    noise = c.log("noise", *most[1:])
    n, draws = max(round(entries / (1 + noise)), 4), c.draws()
    diagonal = np.flatnonzero(draws.uniform(n) >= gaps) if gaps else np.arange(n)
    extra = max(entries - len(diagonal), 1)
    rows, cols = draws.integers(n, extra), draws.integers(n, extra)
    return from_entries(np.append(diagonal, rows), np.append(diagonal, cols), (n, n))


@family
def planted(entries: int, c: Chance) -> Pattern:
    """A hidden permutation, and few entries beside it: a perfect matching that is hard to see."""
    degree = c.log("degree", 1.1, 6.0)
    n, draws = max(round(entries / degree), 4), c.draws()
    extra = max(entries - n, 1)
    rows = np.append(np.arange(n), draws.integers(n, extra))
    return from_entries(rows, np.append(draws.permutation(n), draws.integers(n, extra)), (n, n))


@family
def deficient(entries: int, c: Chance) -> Pattern:
    """Sets of rows with too few columns."""
    degree, share = c.whole("degree", 1, 6), c.log("deficient", 0.0001, 0.3)
    rows = max(entries // (degree + 1), 16)
    deficiency = max(1, round(share * rows))
    sets = c.whole("sets", 1, deficiency)
    set_cols = c.whole("set_cols", 1, max(1, (rows - deficiency) // (2 * sets)))
    return generate(
        "hall_violator",
        c.seed(),
        rows=rows,
        deficiency=deficiency,
        sets=sets,
        set_cols=set_cols,
        degree=degree,
        shuffle=False,
    )


@family
def linear_program(entries: int, c: Chance) -> Pattern:
    """Constraints: columns with few entries in a staircase of blocks, and a slack for some rows."""
    rows = max(round(entries / c.log("degree", 3.0, 30.0)), 8)
    per_column, slack = c.whole("per_column", 2, 8), c.real("slack", 0.0, 1.0)
    stages, draws = c.whole("stages", 1, 50), c.draws()
    columns = max(entries // per_column, 4)
    place, reach = np.repeat(np.arange(columns) * rows // columns, per_column), max(2 * rows // stages, 1)
    row = (place + draws.integers(reach, len(place))) % rows
    own = np.flatnonzero(draws.uniform(rows) < slack)
    cols = np.append(np.repeat(np.arange(columns), per_column), columns + np.arange(len(own)))
    return from_entries(np.append(row, own), cols, (rows, columns + len(own)))


@family
def saddle_point(entries: int, c: Chance) -> Pattern:
    """Optimality conditions: a symmetric block, constraints beside and below it, and an empty block."""
    share, degree = c.real("constraints", 0.1, 0.9), c.whole("degree", 2, 8)
    n, draws = max(round(entries / (3 + 2 * share * degree)), 8), c.draws()
    m = max(round(share * n), 1)
    own, beside = np.arange(n), np.arange(n - 1)
    row, col = np.repeat(np.arange(m), degree), draws.integers(n, m * degree)
    rows = np.concatenate([own, beside, beside + 1, n + row, col])
    cols = np.concatenate([own, beside + 1, beside, col, n + row])
    return from_entries(rows, cols, (n + m, n + m))


@family
def circuit(entries: int, c: Chance) -> Pattern:
    """Nets of an electric circuit: a diagonal, small cliques in the neighbourhood, and some rails."""
    rails, reach = c.whole("rails", 1, 30), c.whole("reach", 4, 1000)
    n, draws = max(entries // 6, 8), c.draws()
    tails = draws.integers(n, 2 * n)
    heads = np.clip(tails + draws.integers(2 * reach + 1, 2 * n) - reach, 0, n - 1)
    rail, pins = draws.integers(n, rails), max(n // (3 * rails), 1)
    tails = np.concatenate([tails, np.repeat(rail, pins)])
    heads = np.concatenate([heads, draws.integers(n, rails * pins)])
    rows = np.concatenate([tails, heads, np.flatnonzero(draws.uniform(n) < c.real("diagonal", 0.5, 1.0))])
    return from_entries(rows, np.concatenate([heads, tails, rows[2 * len(tails) :]]), (n, n))


@family
def incidence(entries: int, c: Chance) -> Pattern:
    """Vertices against the edges of a random graph or hypergraph: each edge wants its own vertex."""
    ends, density = c.pick("ends", 2, 2, 3, 5), c.real("edges_per_vertex", 0.4, 3.0)
    edges = max(entries // ends, 4)
    vertices = max(round(edges / density), ends)
    col = np.repeat(np.arange(edges), ends)
    return from_entries(c.draws().integers(vertices, len(col)), col, (vertices, edges))


@family
def intervals(entries: int, c: Chance) -> Pattern:
    """Jobs and time slots: every row meets a run of columns."""
    longest, load = c.whole("longest", 2, 200), c.real("load", 0.5, 1.2)
    rows, draws = max(2 * entries // (longest + 1), 4), c.draws()
    cols = max(round(rows / load), longest)
    length = 1 + draws.integers(longest, rows)
    begin = (draws.uniform(rows) * (cols - length + 1)).astype(np.int64)
    row = np.repeat(np.arange(rows), length)
    place = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
    return from_entries(row, begin[row] + place, (rows, cols))


@family
def skills(entries: int, c: Chance) -> Pattern:
    """Workers and tasks: whoever has a task's skill may do it."""
    skills, per_worker = c.whole("skills", 2, 1000), c.whole("per_worker", 1, 3)
    tasks_per_skill = c.whole("tasks_per_skill", 1, 20)
    workers, draws = max(entries // (per_worker * tasks_per_skill), 4), c.draws()
    rows = np.repeat(np.arange(workers), per_worker * tasks_per_skill)
    skill = np.repeat(draws.integers(skills, workers * per_worker), tasks_per_skill)
    cols = skill * tasks_per_skill + np.tile(np.arange(tasks_per_skill), workers * per_worker)
    return from_entries(rows, cols, (workers, skills * tasks_per_skill))


# Trees, paths and what misleads a start.


@family
def tree(entries: int, c: Chance) -> Pattern:
    """A random tree: every vertex hangs on an earlier one, any or one of the last."""
    n, draws = max(entries // 2, 4), c.draws()
    depth = c.pick("hanging", "anywhere", "near", "chain-like")
    child = np.arange(1, n)
    if depth == "anywhere":
        parent = (draws.uniform(n - 1) * child).astype(np.int64)
    else:
        reach = c.whole("reach", 2, 1000) if depth == "near" else 2
        parent = np.maximum(child - 1 - draws.integers(reach, n - 1), 0)
    return from_edges(child, parent, n)


@family
def caterpillars(entries: int, c: Chance) -> Pattern:
    """Paths with legs."""
    length = c.whole("length", 3, max(4, entries // 4))
    n, draws = max(entries // 4, 8), c.draws()
    spine = np.arange(n - 1)
    spine = spine[(spine + 1) % length != 0]
    legs = np.flatnonzero(draws.uniform(n) < c.real("legs", 0.1, 1.0))
    tails, heads = np.append(spine, legs), np.append(spine + 1, n + np.arange(len(legs)))
    return from_edges(tails, heads, n + len(legs))


@family
def cycles(entries: int, c: Chance) -> Pattern:
    """Disjoint cycles, with a chord here and there."""
    length, chords = c.whole("length", 3, max(4, entries // 4)), c.log("chords", 1e-4, 0.3)
    n, draws = max(entries // 2 // length, 1) * length, c.draws()
    every = np.arange(n)
    following = every + 1 - np.where((every + 1) % length == 0, length, 0)
    extra = max(round(chords * n), 1)
    tails, heads = np.append(every, draws.integers(n, extra)), np.append(following, draws.integers(n, extra))
    return from_edges(tails, heads, n)


@family
def chains(entries: int, c: Chance) -> Pattern:
    length = c.whole("length", 2, max(2, entries // 2))
    return generate("chain", length=length, copies=max(entries // (2 * length), 1))


@family
def dumbbells(entries: int, c: Chance) -> Pattern:
    length = c.whole("length", 1, max(1, entries // 8))
    return generate("dumbbell", length=length, copies=max(entries // (4 * length + 9), 1))


@family
def hilo(entries: int, c: Chance) -> Pattern:
    degree = c.whole("degree", 1, 10)
    number = c.whole("groups", 1, min(200, entries // (4 * degree * degree)))
    return generate("hilo", n=number * max(entries // (2 * degree * number), 1), groups=number, degree=degree)


@family
def stars(entries: int, c: Chance) -> Pattern:
    """Stars whose centres may meet."""
    leaves, tied = c.whole("leaves", 2, max(3, entries // 10)), c.coin("tied")
    number = max(entries // (2 * leaves), 1)
    centre = np.arange(number) * (leaves + 1)
    tails, heads = np.repeat(centre, leaves), (centre[:, None] + 1 + np.arange(leaves)).ravel()
    if tied:
        tails, heads = np.append(tails, centre[:-1]), np.append(heads, centre[1:])
    return from_edges(tails, heads, number * (leaves + 1))


@family
def unbalanced_blocks(entries: int, c: Chance) -> Pattern:
    """Half of the rows have a column of their own; all have a few random columns of a common half.

    Greedy starts waste the common columns on rows that have their own.
    """
    depth = c.whole("common", 1, 20)
    half, draws = max(entries // (2 * depth + 1), 4), c.draws()
    own, n = np.arange(half), 2 * half
    rows = np.append(own, np.repeat(np.arange(n), depth))
    return from_entries(rows, np.append(half + own, draws.integers(half, n * depth)), (n, n))


@family
def complete(entries: int, c: Chance) -> Pattern:
    aspect = c.log("aspect", 1.0, 50.0)
    rows = max(round(math.sqrt(entries / aspect)), 2)
    return generate("full", rows=rows, cols=max(entries // rows, 2))


def _power_law_ends(draws: Draws, n: int, count: int, exponent: float) -> Ints:
    """Ends of edges at vertices whose degrees fall as a power of their rank."""
    u = draws.uniform(count)
    if abs(exponent - 2.0) < 1e-9:
        exponent += 1e-6
    power = 1.0 - 1.0 / (exponent - 1.0)  # of the cumulative weight of the first ranks
    rank: Ints = (((u * ((n + 1.0) ** power - 1.0)) + 1.0) ** (1.0 / power) - 1.0).astype(np.int64)
    return np.clip(rank, 0, n - 1)


def _scale(entries: int, c: Chance) -> int:
    """The logarithm of a number of vertices that have from one to 32 entries each."""
    return max(4, round(math.log2(entries / c.log("degree", 1.0, 32.0))))


def _sides(cells: float, c: Chance) -> tuple[int, int]:
    """The sides of a rectangle of cells, a square or a strip."""
    aspect = (
        c.log("aspect", 1.0, 4.0) if c.coin("compact", 0.6) else c.log("aspect", 4.0, max(cells / 9, 5.0))
    )
    nx = max(round(math.sqrt(cells / aspect)), 2)
    return nx, max(round(cells / nx), 2)


def _box(cells: float, c: Chance) -> tuple[int, ...]:
    depth = max(round(c.log("depth", 2.0, cells ** (1 / 3) + 1)), 2)
    return depth, *_sides(cells / depth, c)


def _lattice(
    shape: tuple[int, ...],
    taken: list[tuple[int, ...]],
    c: Chance,
    missing: float = 0.0,
    diagonal: bool = False,
    renumber: bool = True,
) -> Pattern:
    """A lattice with these steps and their opposites, some cells missing, with a diagonal or without.

    Without `renumber` missing cells stay as empty rows and columns.
    """
    cells, tail, head = neighbours(shape, taken)
    kept = c.draws().uniform(cells.size) >= missing
    there = kept[tail] & kept[head]
    number = np.cumsum(kept) - 1 if renumber else cells.ravel()
    tail, head, order = number[tail[there]], number[head[there]], int(number[-1]) + 1
    own: Any = np.arange(order) if diagonal else np.empty(0, np.int64)
    rows, cols = np.concatenate([tail, head, own]), np.concatenate([head, tail, own])
    return from_entries(rows, cols, (order, order))
